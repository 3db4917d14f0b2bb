"""The embedded server: a private Postgres for a service without its own database."""
