"""Disputes and the rulings of the banker."""
