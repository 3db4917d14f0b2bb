"""Who plays simulated games, and at which tables."""
