"""The ledger: an append-only journal per game, and the state that folding it gives."""
