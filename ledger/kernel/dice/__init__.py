"""Dice that nobody can bend: throws that are derived from values which were committed to before."""
