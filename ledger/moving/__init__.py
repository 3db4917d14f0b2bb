"""Whole games: taken away, put in, and forked."""
