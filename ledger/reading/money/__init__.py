"""Money and goods: accounts, statements, agreements, obligations, standings, and the origin of an amount."""
