"""The REST API, over real Postgres."""
