"""V. Titles, mortgages, houses and quarters."""
