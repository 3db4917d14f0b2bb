"""The table: the vocabulary of cards, pieces, settings, state, and effects."""
