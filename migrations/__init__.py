"""The history of the tables, for Alembic; `ledger.store.migration.migrate` applies it."""
