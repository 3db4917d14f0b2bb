"""The embedded server: a private Postgres for a service that was given none."""
