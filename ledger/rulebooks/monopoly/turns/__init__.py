"""Turns: throws, movement, rents, and prison."""
