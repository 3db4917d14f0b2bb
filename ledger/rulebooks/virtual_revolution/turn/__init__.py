"""A turn: Director, influence, and the Action with its bonuses."""
