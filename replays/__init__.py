"""Playing and reading whole games from outside, as any other client of the service would."""
