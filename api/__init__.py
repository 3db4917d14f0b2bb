"""The ways into the ledger: the REST API and the command line."""
