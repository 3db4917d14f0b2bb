"""II. Rounds and turns, the clock of a turn, and how the game ends."""

CHAPTERS = ("turns", "clock", "victory")
