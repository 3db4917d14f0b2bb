"""The signed log of a game, its proofs, and exports."""
