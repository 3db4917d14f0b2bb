"""The migrations of the tables, in the form of Alembic. `ledger.store.migration.migrate` applies them."""
