"""The stored bytes of an entry as far as permitted to a viewer, for a comparison with the game's log.

The result is always a line of JSON, in one of three forms:

- the stored bytes, for a public entry, or for a viewer who sees everything;
- `{"leaf": …, "part": …, "salt": …}`: the hashed part of the entry, the viewer's part, and the salt of the
  hash of the viewer's part (see `kernel.journal`);
- `{"hash": …}`: only the hash, for entries of the first version with secrets from the viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.games.moments import Moment
from ledger.kernel.facts.events import Event
from ledger.kernel.journal.sealing import is_public
from ledger.kernel.journal.stored import (
    audience_of,
    hashed_of,
    leaf,
    of_audience,
    only_hash,
    salt_for,
    shown_part,
    withheld,
)
from ledger.store.records import Selection

_RUN = 500


def attested(moment: Moment, number: int, stored: bytes) -> bytes:
    """Return the bytes of an entry for the viewer of the moment. Raises JournalDamaged."""
    viewer = moment.viewer
    if viewer.sees_all:
        return of_audience(stored)
    entry = moment.read(number, stored)
    events: Sequence[Event] = [moment.rulebook.codec.event(item) for item in entry.events]
    parts, audience = withheld(stored), audience_of(viewer.seat)
    if parts is None:
        return stored if is_public(entry, events) else only_hash(leaf(stored))
    # Secrets revealed by the end of the game are hidden again after an undo of the end.
    untold = any(item.at_end for item in events) and not viewer.knows_the_end
    if audience not in parts.views or untold:
        return only_hash(leaf(stored))
    return shown_part(hashed_of(stored), bytes(parts.views[audience]), salt_for(entry.salt, audience))


def attested_lines(moment: Moment) -> Iterator[bytes]:
    """Yield the attested bytes of every entry of the journal, in order. Raises JournalDamaged."""
    last = 0
    while last < moment.version:
        selection = Selection(above=last, below=moment.version + 1, limit=_RUN)
        run = moment.store.journal.entries(moment.game.id, selection)
        if not run:
            return
        for number, stored in run:
            yield attested(moment, number, stored)
        last = run[-1][0]
