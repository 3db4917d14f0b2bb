"""What is kept in Postgres: games, journals, credentials and snapshots. It knows nothing of rules."""
