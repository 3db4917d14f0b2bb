"""Who plays simulated games of Negopoly."""
