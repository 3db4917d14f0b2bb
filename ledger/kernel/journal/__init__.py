"""The journal: entries, their stored bytes, which of them count, and who may read them."""
