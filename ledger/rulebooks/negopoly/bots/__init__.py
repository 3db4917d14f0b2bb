"""The players, the banker and the tables of simulated games."""
