"""The faces of games: data, colours, checks."""
