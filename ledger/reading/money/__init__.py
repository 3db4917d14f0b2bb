"""Money and goods: accounts, statements, agreements, standings, and the origin of an amount."""
