"""The migrations of the tables, in the form of Alembic, applied by `ledger.store.database.migration.migrate`."""
