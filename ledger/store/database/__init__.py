"""The database: connections, roles, tables, and migrations."""
