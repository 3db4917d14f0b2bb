"""Decks, piles, hidden hands, Boosts, and the Verses on display."""
