"""One folder per game: its register of rules, its components, its actions and its events."""
