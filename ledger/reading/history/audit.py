"""The audit: every action of the history explained, for the banker who must rule on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.games.moments import Moment
from ledger.kernel.arbitration.docket import disputes
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.facts.audience import HOST, Viewer
from ledger.kernel.facts.labels import BEYOND, Label, Place, label_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import seen
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Standing
from ledger.reading.entries.consequences import corrections_of
from ledger.reading.entries.journal import Filter
from ledger.reading.history.audit_lines import AuditLine, DisputeTouch, LineWriter, Opened, RulingTouch, TouchIndex
from ledger.reading.words.naming import Names
from ledger.store.records import Selection

_BATCH = 200


def audit(
    moment: Moment,
    *,
    register_at: str,
    language: str = "en",
    only: Filter = Filter(),  # noqa: B008 - frozen
    after: Place | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[AuditLine], Place | None]:
    """A page of the audit, and the place to go on `after` in the requested order; None at the end.

    `register_at` is the address of the register of rules. Inserted actions stand at their place in the history.
    The filter applies to what the viewer may see, as in the journal.
    """
    names = Names(moment.rulebook, moment.now, language, register_at)
    about = touch_index(moment, names)
    writing = LineWriter(moment.rulebook, moment.now, moment.viewer, names, about)
    # As in the journal: the store's rows do not have the events of restated and inserted actions.
    sharp = moment.viewer.role == "banker" and moment.viewer.sees_all and not moment.now.corrections
    page: list[AuditLine] = []
    places: list[Place] = []
    while True:
        # One more line shows whether there is a next page. The action that `after` names is read again.
        selection = _selection(only, after, moment.at, newest_first, limit + 2, sharp=sharp)
        found = sorted(moment.store.entries(moment.game.id, selection))
        lines = [
            (standing.place, line)
            for standing, hashed, opened, state in _walked(moment, found, writing)
            if standing.place <= moment.through
            and (after is None or (standing.place < after if newest_first else standing.place > after))
            if (line := writing.line(standing, hashed, opened, state, only)) is not None
        ]
        for place, line in reversed(lines) if newest_first else lines:
            if len(page) == limit:
                return page, places[-1]
            page.append(line)
            places.append(place)
        if len(found) < selection.limit:
            return page, None
        after = (found[0][0], 0, 0) if newest_first else (found[-1][0], BEYOND, 0)


def touch_index(moment: Moment, names: Names) -> TouchIndex:
    """The corrections, disputes and rulings that the viewer may know of, by the actions that they are about."""
    return TouchIndex(corrections_of(moment), _disputes(moment, names), _rulings(moment))


def _walked(
    moment: Moment, found: Sequence[tuple[int, bytes]], writing: LineWriter
) -> Iterator[tuple[Standing, bytes, Opened, State]]:
    """Each entry, and each action inserted after it, with its status, its hash, its entry and the state after it.

    The entry is opened on the state right before the action. The next step changes the state.
    """
    stored = dict(found)
    hashes: dict[int, bytes] = {}
    timeline = moment.timeline([moment.read(number, one) for number, one in stored.items()])
    state: State | None = None
    for standing in timeline.standings():
        number = standing.place[0]
        if number not in stored:
            continue
        if state is None or state.version < number - 1:
            state = moment.state_after(number - 1).copy()
        opened = writing.opened(standing, state)
        if standing.counts:
            state.fold(standing.events)
        state.version = number
        if standing.insert and standing.label[0] not in hashes:
            hashes[standing.label[0]] = leaf(moment.store.entry(moment.game.id, standing.label[0]) or b"")
        hashed = hashes[standing.label[0]] if standing.insert else leaf(stored[number])
        yield standing, hashed, opened, state


def _disputes(moment: Moment, names: Names) -> Iterator[tuple[Label, DisputeTouch]]:
    """The known disputes that the viewer may know of, by the actions that they cite."""
    for one in disputes(moment.seen_at(None, moment.known_at).state, HOST):
        if not one.audience.admits(moment.viewer):
            continue
        disputed = DisputeTouch(
            dispute=one.id,
            status=one.status,
            opener=one.opener,
            opener_name=names.seat(one.opener) or one.opener,
            claim=one.claim,
            ruling=one.ruling,
        )
        yield from ((label_of(name), disputed) for name in one.actions)


def _rulings(moment: Moment) -> Iterator[tuple[Label, RulingTouch]]:
    """The rulings that the viewer may know of, overturned ones too, by the actions that they are about."""
    given = moment.game.history.rulings(moment.known_at)
    timeline = moment.timeline(given)
    for entry in given:
        standing = timeline.standing(entry.number)
        if standing is not None:
            yield from _ruled(standing, moment.now, moment.viewer)


def _ruled(standing: Standing, now: State, viewer: Viewer) -> Iterator[tuple[Label, RulingTouch]]:
    for event in standing.events if standing.counts else standing.recorded:
        given = seen(now, event, viewer)
        if isinstance(given, RulingGiven):
            ruled = RulingTouch(
                ruling=given.ruling,
                number=standing.entry.number,
                dispute=given.dispute,
                finding=given.finding,
                status=standing.status,
            )
            yield from ((label_of(name), ruled) for name in given.actions)


def _selection(
    only: Filter, after: Place | None, last: int, newest_first: bool, limit: int, *, sharp: bool
) -> Selection:
    """The selection of entries for the next lines: after the place, and able to meet the filter."""
    behind = None if after is None else after[0] if after[1] == BEYOND else after[0] - 1
    ahead = last if after is None or not newest_first else min(last, after[0] - (after[1] == 0))
    return Selection(
        after=None if newest_first else behind,
        before=ahead + 1,
        newest_first=newest_first,
        limit=max(limit, _BATCH) if only.status or only.words or (only.narrows_content() and not sharp) else limit,
        since=only.since,
        until=only.until,
        **(only.content() if sharp else {}),
    )
