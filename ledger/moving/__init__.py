"""Whole games: export, import, fork."""
