"""The embedded server: a private Postgres for a service without a database of its own."""
