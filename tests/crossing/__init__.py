"""Whole random evenings against a real service, from outside: HTTP, streams and the command `mabligop`."""
