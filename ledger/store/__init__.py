"""The store in Postgres: games, journals, credentials and snapshots. It knows no rules."""
