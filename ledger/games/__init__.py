"""Games in memory, with their states now and at any earlier moment."""
