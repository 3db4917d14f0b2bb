"""The outcomes of a request: an action performed, or the reasons for a retry."""

from __future__ import annotations

import msgspec

from ledger.reading.entries.views import EntryView
from ledger.reading.history.preview_views import Preview


class StaleVersion(Exception):  # noqa: N818 - an answer, not a fault
    """The version expected by the caller is not the head."""

    def __init__(self, expected: int, head: int) -> None:
        super().__init__(f"the game is at version {head}, not {expected}")
        self.expected = expected
        self.head = head


class TooBusy(Exception):  # noqa: N818 - an answer, not a fault
    """Too many actions of other requests in the game came first. Nothing was written."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"others act in game {game_id} all the time; nothing was written")


class Performed(msgspec.Struct, frozen=True):
    """An accepted action: the entry for the caller, and a flag for an earlier request that performed the
    action.

    `version` is the number of the last action appended, possibly made due at once by the requested action.
    `preview` is set for the dry run of an action that corrects the history.
    """

    entry: EntryView
    version: int
    replayed: bool = False
    preview: Preview | None = None
