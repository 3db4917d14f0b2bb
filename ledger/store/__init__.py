"""The store in Postgres: games, journals, credentials and snapshots. The store knows no rules."""
