"""The command line `mabligop`: a module for each command, and modules shared by commands."""
