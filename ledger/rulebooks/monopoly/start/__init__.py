"""The start: set-up, order of play, and resumed games."""
