"""What is planted in a journal to see that the checks find it: losses, doubles and changes, made in the database.

Only the owner of the database can do this, with the guards of its tables switched off (`tests.trust.tampering`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.faults.checking import Row
from tests.trust.tampering import Owner

Plant = Callable[[Owner, Sequence[Row]], None]
"""A change of a stored journal, which is given as it stands."""


def _lost(owner: Owner, rows: Sequence[Row]) -> None:
    """An action in the middle, with its events and all that it is searched by."""
    row = rows[len(rows) // 2]
    owner.delete(row.game, [row.number])


def _end_lost(owner: Owner, rows: Sequence[Row]) -> None:
    """The last action that somebody asked for, and all behind it: the journal that is left has no gap."""
    last = _by_somebody(rows)
    owner.delete(last.game, [row.number for row in rows if row.number >= last.number])


def _doubled(owner: Owner, rows: Sequence[Row]) -> None:
    owner.repeat(rows[-1].game, rows[-1].number)


def _changed(owner: Owner, rows: Sequence[Row]) -> None:
    """Another time in an entry, and the hash put right: only whoever has the receipt can tell."""
    row = _by_somebody(rows)
    owner.rewrite_entry(row.game, row.number, b'"recorded_at":"20', b'"recorded_at":"19', hashed=True)


def _part_changed(owner: Owner, rows: Sequence[Row]) -> None:
    """Another number of the action in what a seat sees of it; the whole entry stays as it is."""
    row = next(row for row in reversed(rows) if b'"views":' in row.canonical)
    owner.rewrite_part(row.game, row.number, b'"number":%d' % row.number, b'"number":%d' % (row.number + 1))


def _event_changed(owner: Owner, rows: Sequence[Row]) -> None:
    """Another rule of an event, in the entry and where it is searched by, with the parts sealed as before."""
    row = next(row for row in reversed(rows) if b'"views":' in row.canonical)
    owner.rewrite_entry(row.game, row.number, b'"rule":"', b'"rule":"X.')
    owner.run("UPDATE events SET rule = 'X.' || rule WHERE game_id = %s AND number = %s", row.game, row.number)


def _swapped(owner: Owner, rows: Sequence[Row]) -> None:
    owner.swap(rows[0].game, rows[-2].number, rows[-1].number)


def _by_somebody(rows: Sequence[Row]) -> Row:
    """The last action that somebody asked for."""
    return next(row for row in reversed(rows) if row.by != "system")


PLANTS: dict[str, Plant] = {
    "a lost action": _lost,
    "a lost end": _end_lost,
    "a doubled action": _doubled,
    "a changed entry": _changed,
    "a changed event": _event_changed,
    "a changed part": _part_changed,
    "two swapped actions": _swapped,
}
