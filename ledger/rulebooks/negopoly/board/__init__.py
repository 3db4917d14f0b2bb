"""II.B, III and VI.A to VI.C. Tokens on the board: rolls, walking, the squares and what they do."""
