"""How a game is shown: sentences, names of things, the board, views, what is waited for, statistics."""
