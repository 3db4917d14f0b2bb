"""The start: colours, Objectives, decks, and round 1."""
