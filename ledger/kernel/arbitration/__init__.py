"""Disputes, rulings and corrections, as one chapter that any rulebook takes in."""
