"""What the ledger is reached by: the REST API and the command line."""
