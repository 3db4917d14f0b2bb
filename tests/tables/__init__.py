"""How tables are laid out: one place per game, for the tests of every room."""
