"""Cards, the chance die, and their effects."""
