"""The REST API of the ledger: a module for each resource, for errors, and for authentication."""
