"""Rulebooks and the editions of a table."""
