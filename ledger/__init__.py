"""The ledger: an append-only journal for each game, and the state folded from the journal."""
