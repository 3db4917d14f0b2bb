"""The table: its state, words, settings, pieces and set-up, and who sees what of it."""
