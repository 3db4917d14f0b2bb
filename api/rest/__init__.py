"""The REST API over the ledger: one file per resource, one place for errors, one for who may ask what."""
