"""The tables of tests: one module for each game, used by the tests of every room."""
