"""II.B and III. Tokens on the board: dice, movement, walking from square to square, and where a token stops."""

CHAPTERS = ("tokens", "rolls", "movement")
