"""What a viewer may have of the stored bytes of an entry, to compare it with the game's log.

It is one of three, always a line of JSON:

- the stored bytes of an entry that everybody sees whole, or of any for whoever sees everything;
- `{"leaf": …, "part": …, "salt": …}`: what is hashed of the entry, the viewer's part of it, and the salt with
  which this part is hashed there (see `kernel.journal`);
- `{"hash": …}`: the hash alone. That is so for entries of the first version that hide something from the viewer.
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
    """The bytes of an entry for the viewer of the moment. Raises JournalDamaged."""
    viewer = moment.viewer
    if viewer.sees_all:
        return of_audience(stored)
    entry = moment.read(number, stored)
    events: Sequence[Event] = [moment.rulebook.event(one) for one in entry.events]
    parts, audience = withheld(stored), audience_of(viewer.seat)
    if parts is None:
        return stored if is_public(entry, events) else only_hash(leaf(stored))
    # What only the end tells is hidden again when the end is undone.
    untold = any(one.at_end for one in events) and not viewer.knows_the_end
    if audience not in parts.views or untold:
        return only_hash(leaf(stored))
    return shown_part(hashed_of(stored), bytes(parts.views[audience]), salt_for(entry.salt, audience))


def attested_lines(moment: Moment) -> Iterator[bytes]:
    """The same of every entry of the journal, in order. Raises JournalDamaged."""
    after = 0
    while after < moment.version:
        selection = Selection(after=after, before=moment.version + 1, limit=_RUN)
        found = moment.store.entries(moment.game.id, selection)
        if not found:
            return
        for number, stored in found:
            yield attested(moment, number, stored)
        after = found[-1][0]
