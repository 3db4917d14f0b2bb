"""Rulings of the banker, defaults, and checks of consistency."""
