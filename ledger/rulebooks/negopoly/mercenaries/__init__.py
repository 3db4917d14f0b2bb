"""IX.A and IX.B. The bar, mercenary actions, strikes, and questions to players."""

CHAPTERS = ("reactions", "strikes", "hacks", "kidnapping", "services", "granted")
