"""The exceptions of the store."""

from typing import Literal


class StoreError(Exception):
    """Any failure of the store."""


class StoreUnavailable(StoreError):  # noqa: N818 - it names a condition
    """The database did not answer, or the connection broke.

    After a write the outcome is unknown: an append without an answer may be in the journal. A repetition with
    the same idempotency key finds out.
    """


class StoreBusy(StoreUnavailable):
    """The database or its pool was not free in time: a lock, a slow statement, no free connection.

    The abandoned statement did nothing.
    """


class NothingWritten(StoreBusy):
    """The store was busy, and nothing was written."""


class Unwritable(StoreUnavailable):
    """The database can write nothing: a full disk, a read-only database, or missing rights of the role."""

    def __init__(self, why: Literal["disk-full", "read-only", "no-rights"]) -> None:
        super().__init__(why)
        self.why = why


class NotMigrated(StoreUnavailable):
    """The database answers, but the tables or the service role do not match the program version."""


class JournalDamaged(StoreError):  # noqa: N818 - it names a condition
    """The stored journal of a game has changed: the game, the number of the action, and the damage.

    Until the journal is restored, the truth about the game is unknown. So every answer about it is refused, and
    so is every action. A repetition fails alike.
    """

    def __init__(self, game_id: str, number: int, reason: str) -> None:
        super().__init__(f"the journal of game {game_id} is damaged at action {number}: {reason}")
        self.game_id = game_id
        self.number = number
        self.reason = reason


class JournalNotAsSigned(StoreError):  # noqa: N818 - it names a condition
    """The stored journal of a game does not match a signed checkpoint: the game, and the mismatch.

    The journal was rewritten, or its end was cut off. Its content can be read, and nothing is written to the
    journal.
    """

    def __init__(self, game_id: str, reason: str) -> None:
        super().__init__(f"the journal of game {game_id} is not the one that was signed: {reason}")
        self.game_id = game_id
        self.reason = reason


class MigrationRefused(StoreError):  # noqa: N818 - it names a condition
    """The migrations cannot be applied. The message names the remedy."""


class RecordRefused(StoreError, ValueError):  # noqa: N818 - it names a condition
    """The database cannot store this record: a value out of range, a NUL in a text, a leaf of the wrong length."""
