"""The exceptions of the store."""

from typing import Literal


class StoreError(Exception):
    """Any failure of the store."""


class StoreUnavailable(StoreError):  # noqa: N818 - it names a condition
    """The database did not answer, or the connection broke.

    After a write it is unknown whether the write happened: an append whose answer was lost may be in the journal.
    A repetition with the same idempotency key finds out.
    """


class StoreBusy(StoreUnavailable):
    """The database, or what stands before it, was not free in time: a lock, a slow statement, no free connection.

    The statement that was given up did nothing.
    """


class NothingWritten(StoreBusy):
    """The store was busy, and what should have been written was not."""


class Unwritable(StoreUnavailable):
    """The database can write nothing: its disk is full, it is read-only, or the service's role lacks a right."""

    def __init__(self, why: Literal["disk-full", "read-only", "no-rights"]) -> None:
        super().__init__(why)
        self.why = why


class NotMigrated(StoreUnavailable):
    """The database answers, but its tables or its service role are not those that this version needs."""


class JournalDamaged(StoreError):  # noqa: N818
    """The stored journal of a game is not the one that was written: the game, the number of the action, and what.

    Nobody can say what is true of such a game before its journal is restored, so nothing is answered about it, and
    no action is accepted. A repetition comes out the same.
    """

    def __init__(self, game_id: str, number: int, what: str) -> None:
        super().__init__(f"the journal of game {game_id} is damaged at action {number}: {what}")
        self.game_id = game_id
        self.number = number
        self.what = what


class NotAsSigned(StoreError):  # noqa: N818
    """The stored journal of a game is not the one over which a checkpoint was signed: the game, and what.

    It was rewritten, or its end was cut off. What it holds can be read, and nothing is written to it.
    """

    def __init__(self, game_id: str, what: str) -> None:
        super().__init__(f"the journal of game {game_id} is not the one that was signed: {what}")
        self.game_id = game_id
        self.what = what


class MigrationRefused(StoreError):  # noqa: N818
    """The migrations cannot be applied. The message says what to do."""


class RecordRefused(StoreError, ValueError):  # noqa: N818
    """The database cannot hold this record: a value out of range, a NUL in a text, a leaf of the wrong length."""
