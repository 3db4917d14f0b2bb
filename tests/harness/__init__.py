"""How games are played in the tests, and how secrets are looked for."""
