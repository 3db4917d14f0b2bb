"""Facts: the data of one game, and `State.record`, the only method that changes a state."""
