"""II. Rounds and turns, the clock of a turn, and the end of the game."""

CHAPTERS = ("turns", "defaults", "clock", "victory")
