"""The presentation of the game: sentences, names, the map, views, awaited answers, statistics."""
