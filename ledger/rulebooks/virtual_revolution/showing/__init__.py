"""How the game is shown: sentences, names, the map, views, what is waited for, statistics."""
