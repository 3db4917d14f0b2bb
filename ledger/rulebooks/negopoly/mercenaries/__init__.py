"""IX.A and IX.B. The bar, mercenary actions, strikes, and what is asked of those who are struck."""

CHAPTERS = ("reactions", "strikes", "hacks", "kidnapping", "services")
