"""IX.A and IX.B. The bar, mercenary actions, and what is asked of whom they strike."""
