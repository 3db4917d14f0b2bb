"""The migrations of the tables, in the form of Alembic. `ledger.store.database.migration.migrate` applies them."""
