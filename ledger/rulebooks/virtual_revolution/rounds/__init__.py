"""Rounds: the steps between two rounds, and answers out of turn."""
