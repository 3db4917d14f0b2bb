"""Games: creating, joining, sharing and describing a game."""
