"""The presentation of a game: sentences, names of things, the board, views, awaited moves, statistics."""
