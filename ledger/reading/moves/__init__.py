"""Moves: the legal actions of a seat, and the draws a request still needs."""
