"""Entries of the journal, as one viewer may read them."""
