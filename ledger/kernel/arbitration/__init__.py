"""Disputes, rulings and corrections, as one chapter for any rulebook."""
