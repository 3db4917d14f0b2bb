"""Sentences, names, views and statistics of the game."""
