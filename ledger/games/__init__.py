"""Games in memory: their states now and at any earlier moment."""
