"""The command line `mabligop`."""
