"""P. The banker: disputes, rulings and their remedies, and cards that only a banker can read."""
