"""The command `edition`: writing a board of one's own as a folder of TOML files, checking it, sending it."""
