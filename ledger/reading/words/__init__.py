"""Words of a game for people: names, seats, sentences, and forms."""
