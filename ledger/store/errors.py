"""What the store raises."""


class StoreError(Exception):
    """Any failure of the store."""


class StoreUnavailable(StoreError):  # noqa: N818 - it names a condition
    """The database did not answer, or broke off while answering.

    After a write this says nothing about whether it happened: an append whose answer was lost may stand in
    the journal. Asking again with the same idempotency key finds out.
    """


class NotMigrated(StoreUnavailable):
    """The database answers, but its tables or its service role are not those this version needs."""


class MigrationRefused(StoreError):  # noqa: N818
    """The migrations cannot be applied; the message says what to do about it."""


class RecordRefused(StoreError, ValueError):  # noqa: N818
    """The database cannot hold this record: a value out of range, a NUL in a text, a leaf of the wrong length."""
