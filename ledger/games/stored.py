"""Reading stored entries, and detecting changed entries."""

from __future__ import annotations

import msgspec

from ledger.kernel.journal.entry import Entry, read
from ledger.store.database.errors import JournalDamaged

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError, AttributeError)
"""The exceptions of decoding bytes without a valid entry, or an event of an unknown older shape."""


def read_stored(game_id: str, number: int, stored: bytes) -> Entry:
    """Return the entry of an action from the canonical bytes. Raises JournalDamaged for the entry of another
    action.
    """
    try:
        entry = read(stored)
    except UNREADABLE as fault:
        raise JournalDamaged(game_id, number, f"it cannot be read: {fault}") from fault
    if entry.number != number or entry.game != game_id:
        raise JournalDamaged(game_id, number, f"it is action {entry.number} of game {entry.game}")
    return entry
