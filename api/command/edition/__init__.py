"""The command `edition`: write your own board as a folder of TOML files, check it, send it."""
