"""Games in memory, with the newest state and the state at any earlier moment."""
