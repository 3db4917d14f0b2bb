"""Actions of a game, and the state, moves and stream that follow from them."""
