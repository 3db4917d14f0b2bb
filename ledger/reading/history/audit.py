"""The audit: an explanation of every action of the history, for the banker's rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.games.moments import Moment
from ledger.kernel.arbitration.docket import disputes
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.facts.audience import HOST, Viewer
from ledger.kernel.facts.labels import BEYOND, Label, Place, label_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import view_event
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.entries.consequences import corrections_of
from ledger.reading.entries.entries import OpenedEntry
from ledger.reading.entries.journal import Filter
from ledger.reading.history.audit_lines import AuditLine, DisputeTouch, LineWriter, RulingTouch, TouchIndex
from ledger.reading.words.naming import Names
from ledger.store.records import Selection

_BATCH = 200


def audit(
    moment: Moment,
    *,
    register_at: str,
    language: str = "en",
    only: Filter = Filter(),  # noqa: B008 - frozen
    cursor: Place | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[AuditLine], Place | None]:
    """Return a page of the audit, and the cursor for the next page in the requested order, or None at the end.

    `register_at` is the address of the register of rules. Inserted actions stand in their position in the
    history. The filter applies to the part visible to the viewer, as in the journal.
    """
    names = Names(moment.rulebook, moment.newest, language, register_at)
    about = touch_index(moment, names)
    writing = LineWriter(moment.rulebook, moment.newest, moment.viewer, names, about)
    # As in the journal: the store's rows do not have the events of restated and inserted actions.
    sharp = moment.viewer.role == "banker" and moment.viewer.sees_all and not moment.newest.corrections
    page: list[AuditLine] = []
    places: list[Place] = []
    while True:
        # One extra line shows the existence of a next page. The action named by the cursor is read again.
        selection = _selection(only, cursor, moment.at, newest_first, limit + 2, sharp=sharp)
        batch = sorted(moment.store.journal.entries(moment.game.id, selection))
        lines = [
            (timeline_entry.position, line)
            for timeline_entry, hashed, opened, state in _walk(moment, batch, writing)
            if timeline_entry.position <= moment.through
            and (
                cursor is None
                or (timeline_entry.position < cursor if newest_first else timeline_entry.position > cursor)
            )
            if (line := writing.line(timeline_entry, hashed, opened, state, only)) is not None
        ]
        for position, line in reversed(lines) if newest_first else lines:
            if len(page) == limit:
                return page, places[-1]
            page.append(line)
            places.append(position)
        if len(batch) < selection.limit:
            return page, None
        cursor = (batch[0][0], 0, 0) if newest_first else (batch[-1][0], BEYOND, 0)


def touch_index(moment: Moment, names: Names) -> TouchIndex:
    """Index the corrections, disputes and rulings known to the viewer by their actions."""
    return TouchIndex(corrections_of(moment), _disputes(moment, names), _rulings(moment))


def _walk(
    moment: Moment, batch: Sequence[tuple[int, bytes]], writing: LineWriter
) -> Iterator[tuple[TimelineEntry, bytes, OpenedEntry, State]]:
    """Yield each entry, and each action inserted after the entry, in the order of the history.

    Each comes with its status, its hash, the opened entry, and the state after the action. The entry is opened
    on the state right before the action. The next step changes the state.
    """
    stored = dict(batch)
    hashes: dict[int, bytes] = {}
    timeline = moment.timeline([moment.read(number, content) for number, content in stored.items()])
    state: State | None = None
    for timeline_entry in timeline.entries():
        number = timeline_entry.position[0]
        if number not in stored:
            continue
        if state is None or state.version < number - 1:
            state = moment.state_after(number - 1).copy()
        opened = writing.open_entry(timeline_entry, state)
        if timeline_entry.counts:
            state.fold(timeline_entry.events)
        state.version = number
        if timeline_entry.insert and timeline_entry.label[0] not in hashes:
            hashes[timeline_entry.label[0]] = leaf(
                moment.store.journal.entry(moment.game.id, timeline_entry.label[0]) or b""
            )
        hashed = hashes[timeline_entry.label[0]] if timeline_entry.insert else leaf(stored[number])
        yield timeline_entry, hashed, opened, state


def _disputes(moment: Moment, names: Names) -> Iterator[tuple[Label, DisputeTouch]]:
    """Yield the recorded disputes that the viewer may know of, by the cited actions."""
    for dispute in disputes(moment.seen_at(None, moment.known_at).state, HOST):
        if not dispute.audience.admits(moment.viewer):
            continue
        disputed = DisputeTouch(
            dispute=dispute.id,
            status=dispute.status,
            opener=dispute.opener,
            opener_name=names.seat(dispute.opener) or dispute.opener,
            claim=dispute.claim,
            ruling=dispute.ruling,
        )
        yield from ((label_of(name), disputed) for name in dispute.actions)


def _rulings(moment: Moment) -> Iterator[tuple[Label, RulingTouch]]:
    """Yield the rulings known to the viewer, including overturned rulings, by the actions of each."""
    entries = moment.game.history.rulings(moment.known_at)
    timeline = moment.timeline(entries)
    for entry in entries:
        timeline_entry = timeline.entry(entry.number)
        if timeline_entry is not None:
            yield from _ruled(timeline_entry, moment.newest, moment.viewer)


def _ruled(timeline_entry: TimelineEntry, current: State, viewer: Viewer) -> Iterator[tuple[Label, RulingTouch]]:
    for event in timeline_entry.events if timeline_entry.counts else timeline_entry.recorded:
        visible = view_event(current, event, viewer)
        if isinstance(visible, RulingGiven):
            ruled = RulingTouch(
                ruling=visible.ruling,
                number=timeline_entry.entry.number,
                dispute=visible.dispute,
                finding=visible.finding,
                status=timeline_entry.status,
            )
            yield from ((label_of(name), ruled) for name in visible.actions)


def _selection(
    only: Filter, cursor: Place | None, last: int, newest_first: bool, limit: int, *, sharp: bool
) -> Selection:
    """Select the entries for the next lines: beyond the cursor, and able to meet the filter."""
    behind = None if cursor is None else cursor[0] if cursor[1] == BEYOND else cursor[0] - 1
    ahead = last if cursor is None or not newest_first else min(last, cursor[0] - (cursor[1] == 0))
    return Selection(
        above=None if newest_first else behind,
        below=ahead + 1,
        newest_first=newest_first,
        limit=max(limit, _BATCH) if only.status or only.words or (only.narrows_content() and not sharp) else limit,
        since=only.since,
        until=only.until,
        **(only.content() if sharp else {}),
    )
