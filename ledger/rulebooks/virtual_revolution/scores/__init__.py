"""The last choices, and every line of the score."""
