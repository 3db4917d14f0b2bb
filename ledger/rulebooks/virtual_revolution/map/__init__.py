"""The map: gains, control of districts, influence, and recycling."""
