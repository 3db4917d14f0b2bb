"""The REST API of the ledger: one file per resource, one for errors, one for authentication."""
