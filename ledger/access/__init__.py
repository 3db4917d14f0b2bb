"""Tokens: who may enter a game."""
