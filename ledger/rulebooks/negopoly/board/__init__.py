"""II.B and III. Tokens on the board: dice, movement from square to square, and stops."""

CHAPTERS = ("tokens", "rolls", "movement")
