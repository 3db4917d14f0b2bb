"""The command line `mabligop`: one file for each command, and beside them what the commands share."""
