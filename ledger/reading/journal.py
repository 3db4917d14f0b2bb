"""The entries of a journal, one by one or in pages, as one viewer may see them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.history.timeline import Standing, Timeline
from ledger.kernel.journal import leaf
from ledger.kernel.labels import Name, label_of
from ledger.kernel.state import State
from ledger.reading.consequences import seen_corrections
from ledger.reading.entries import EntryView, EntryWriter
from ledger.store.errors import JournalDamaged
from ledger.store.journal import require_consecutive
from ledger.store.records import Selection

_LEAST_READ = 200
"""How many entries are read at least when many of them may not meet the filter."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions for entries of a journal. All of them must hold for the visible part of an entry."""

    seat: str | None = None
    kind: str | None = None
    account: str | None = None
    commodity: str | None = None
    rule: str | None = None
    status: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def content(self) -> dict[str, str | None]:
        """The conditions on an action's content, by the field names of the store's `Selection`."""
        return {name: getattr(self, name) for name in ("seat", "kind", "account", "commodity", "rule")}

    def narrows_content(self) -> bool:
        """Whether there are conditions other than times and statuses, which everybody may see."""
        return any(self.content().values())

    def admits(self, entry: EntryView) -> bool:
        """Whether the view of an entry meets every condition."""
        if self.seat is not None and entry.seat != self.seat:
            return False
        if self.kind is not None and entry.kind != self.kind:
            return False
        if self.status is not None and entry.status != self.status:
            return False
        events = (*entry.events, *entry.restated)
        if self.rule is not None and all(event.rule != self.rule for event in events):
            return False
        postings = [posting for event in events for posting in event.postings]
        if self.account is not None and all(
            self.account not in {posting.source, posting.target} for posting in postings
        ):
            return False
        return self.commodity is None or any(posting.commodity == self.commodity for posting in postings)


def read_entry(moment: Moment, name: Name, language: str = "en") -> EntryView | None:
    """One action as the viewer sees it; None when there is none, or an inserted one that they may not know of."""
    number, insert = label_of(name)
    if not 0 < number <= moment.known_at:
        return None
    stored = moment.store.entry(moment.game.id, number)
    if stored is None:
        raise JournalDamaged(moment.game.id, number, "it is missing")
    return _inserted(moment, name, stored, language) if insert else _views(moment, [(number, stored)], language)[0]


def _inserted(moment: Moment, name: Name, stored: bytes, language: str) -> EntryView | None:
    """An inserted action, with the hash of its correction's entry and the balances right after it."""
    standing = moment.standing(name)
    if standing is None:
        return None
    after = moment.game.history.state_at(standing.place, moment.corrections)
    return EntryWriter(moment.rulebook, moment.now, moment.viewer, language).view(standing, leaf(stored), after)


def page_of_journal(
    moment: Moment,
    *,
    language: str = "en",
    only: Filter = Filter(),  # noqa: B008 - frozen
    after: int | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[EntryView], int | None]:
    """A page of the journal, and the number to go on `after`; None at the end.

    The filter applies to what the viewer may see, so that a filter never reveals what reading hides.
    """
    page: list[EntryView] = []
    # The store's rows do not have the events of restated and inserted actions.
    plain = moment.viewer.role == "banker" and not moment.now.corrections
    sharp = plain or not only.narrows_content()
    end = moment.at + 1
    while True:
        selection = Selection(
            after=None if newest_first else after,
            before=min(end, after) if newest_first and after is not None else end,
            newest_first=newest_first,
            limit=limit + 1 if sharp else max(limit + 1, _LEAST_READ),
            since=only.since,
            until=only.until,
            **(only.content() if sharp else {}),
        )
        found = moment.store.entries(moment.game.id, selection)
        if only == Filter():
            _require_all(moment, selection, sorted(number for number, _ in found))
        views = _views(moment, sorted(found), language)
        for view in reversed(views) if newest_first else views:
            if only.admits(view):
                if len(page) == limit:
                    return page, page[-1].number
                page.append(view)
        if len(found) < selection.limit:
            return page, None
        after = found[-1][0]


def _require_all(moment: Moment, selection: Selection, numbers: list[int]) -> None:
    """Raise JournalDamaged unless a page without a filter has every action of its range."""
    is_full = len(numbers) == selection.limit
    first: int | None = (selection.after or 0) + 1
    last = None if selection.before is None else selection.before - 1
    if is_full and selection.newest_first:
        first = None
    elif is_full:
        last = None
    require_consecutive(moment.game.id, numbers, first, last)


def _views(moment: Moment, found: list[tuple[int, bytes]], language: str) -> list[EntryView]:
    """Stored entries, oldest first, as the viewer sees them."""
    numbers = [number for number, _ in found]
    timeline = moment.timeline([moment.read(number, stored) for number, stored in found])
    writing = EntryWriter(moment.rulebook, moment.now, moment.viewer, language, seen_corrections(moment, numbers))
    return [
        writing.view(standing, leaf(stored), after)
        for (_, stored), (standing, after) in zip(found, _followed(moment, timeline, numbers), strict=True)
    ]


def _followed(moment: Moment, timeline: Timeline, numbers: list[int]) -> Iterator[tuple[Standing, State]]:
    """The standing of each entry, with the state right after it. The next step may change the state.

    Neighbours are folded without going back to a kept state.
    """
    counting: dict[int, list[Standing]] = {}
    for standing in timeline.effective():
        counting.setdefault(standing.place[0], []).append(standing)
    after: State | None = None
    is_own = False
    for number in numbers:
        own = timeline.standing(number)
        if own is None:
            raise LookupError(f"action {number} is in the selection and not in the timeline")
        if after is not None and after.version == number - 1:
            if not is_own:
                after, is_own = after.copy(), True
            for standing in counting.get(number, ()):
                after.fold(standing.events)
            after.version = number
        else:
            after, is_own = moment.state_after(number), False
        yield own, after
