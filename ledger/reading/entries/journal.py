"""The entries of a journal as visible to a viewer, singly or in pages."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name, label_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import visible_entry
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.entries.consequences import seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.shared import entries_between, follow_entries
from ledger.reading.entries.views import EntryView, EventView, PostingView
from ledger.reading.words.naming import Names
from ledger.reading.words.telling import PRIVATE
from ledger.store.database.errors import JournalDamaged
from ledger.store.journal import require_consecutive
from ledger.store.records import Selection

_COUNTED = 1000
"""Number of entries read at a time for totals."""

_LEAST_READ = 200
"""Minimum number of entries read if many of them may not meet the filter."""

_MOST_SEARCHED = 1000
"""Number of entries read for a page of a search for words. The page may then be short."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions for entries of a journal. The visible part of an entry must meet all conditions.

    A filtered journal contains the inserted actions, too, in their position in the history. An unfiltered
    journal contains exactly the stored entries, one for each number.
    """

    seat: str | None = None
    kind: str | None = None
    account: str | None = None
    commodity: str | None = None
    rule: str | None = None
    status: str | None = None
    words: tuple[str, ...] = ()
    """Folded words that the sentence must contain (see `words_of`)."""
    since: datetime | None = None
    until: datetime | None = None

    def content(self) -> dict[str, str | None]:
        """Return the conditions on an action's content, by the field names of the store's `Selection`."""
        return {name: getattr(self, name) for name in ("seat", "kind", "account", "commodity", "rule")}

    def narrows_content(self) -> bool:
        """Return True if the filter has conditions beyond times and statuses, which are public."""
        return any(self.content().values())

    def admits(self, entry: EntryView) -> bool:
        """Check the view of an entry against the conditions of content, status and words."""
        met = self.met_by(entry.seat, entry.kind, entry.status, (*entry.events, *entry.restated))
        return met and self.matches_words(entry.sentence)

    def matches_words(self, sentence: str) -> bool:
        """Return True if the sentence of an entry, as read by the viewer, contains every word."""
        if not self.words:
            return True
        plain = fold_text(sentence)
        return all(word in plain for word in self.words)

    def met_by(
        self, seat: str | None, kind: str, status: str, events: Sequence[EventView] | Sequence[Event]
    ) -> bool:
        """Check the visible part of an entry against the conditions of content and status."""
        if self.seat is not None and seat != self.seat:
            return False
        if self.kind is not None and kind != self.kind:
            return False
        if self.status is not None and status != self.status:
            return False
        if self.rule is not None and all(event.rule != self.rule for event in events):
            return False
        postings = [posting for event in events for posting in event.postings]
        if self.account is not None and not any(self._of_account(posting) for posting in postings):
            return False
        return self.commodity is None or any(posting.commodity == self.commodity for posting in postings)

    def selects(self, posting: Posting) -> bool:
        """Return True if a posting moves the requested commodity and touches the requested account."""
        return self.commodity in {None, posting.commodity} and self._of_account(posting)

    def _of_account(self, posting: Posting | PostingView) -> bool:
        return self.account is None or self.account in {posting.source, posting.target}


def fold_text(text: str) -> str:
    """Remove accents and capitals from a text, for comparisons."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a search, for `Filter.words`. Case, accents and order do not matter."""
    return tuple(dict.fromkeys(fold_text(text).split()))


def read_entry(moment: Moment, name: Name, language: str = "en") -> EntryView | None:
    """Return an action as visible to the viewer. None if missing, or if inserted and unknown to the viewer."""
    number, insert = label_of(name)
    if not 0 < number <= moment.known_at:
        return None
    return _inserted(moment, name, language) if insert else entries_between(moment, number, number, language)[0]


def entries_named(moment: Moment, names: Iterable[Name], language: str = "en") -> list[EntryView]:
    """Return the actions with these names in the given order, each once.

    Missing actions are left out, and inserted actions unknown to the viewer.
    """
    requested = list(dict.fromkeys(names))
    numbers = sorted(number for number in requested if isinstance(number, int) and number <= moment.at)
    stored = moment.store.journal.entries_of(moment.game.id, numbers) if numbers else []
    views: dict[Name, EntryView] = dict(_views(moment, stored, language, with_inserted=False))
    for name in requested:
        if isinstance(name, str) and (view := read_entry(moment, name, language)) is not None:
            views[name] = view
    return [views[name] for name in requested if name in views]


def page_around(
    moment: Moment, number: int, *, language: str = "en", only: Filter, limit: int
) -> tuple[list[EntryView], bool, bool]:
    """Return a page of the journal around an action, oldest first, and flags for older and newer entries.

    If a side has too few entries, the opposite side gets more. An action that meets the filter is the first
    entry of the newer half.
    """

    def newer(maximum: int) -> tuple[list[EntryView], int | None]:
        return page_of_journal(moment, language=language, only=only, cursor=number - 1, limit=maximum)

    half = (limit - 1) // 2
    newer_half, more_after = newer(limit - half)
    remaining = limit - len(newer_half)
    older_half, more_before = page_of_journal(
        moment, language=language, only=only, cursor=number, newest_first=True, limit=max(1, remaining)
    )
    if older_half and not remaining:  # the page is full: the query only detects older entries
        older_half, more_before = [], number
    if len(older_half) < half and more_after is not None:
        newer_half, more_after = newer(limit - len(older_half))
    return [*reversed(older_half), *newer_half], more_before is not None, more_after is not None


def number_of(moment: Moment, entry: EntryView) -> int:
    """Return the history's number of an action: its own, or for an inserted action the number before."""
    return entry.number if entry.after is None else moment.position_of(entry.action)[0]


class CommodityTotal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much of a commodity the postings move that meet a filter: their number, and the sum of their amounts.

    With an account in the filter, `received` and `given` are the sums in both directions.
    """

    commodity: str
    name: str
    postings: int
    amount: int
    received: int | msgspec.UnsetType = msgspec.UNSET
    given: int | msgspec.UnsetType = msgspec.UNSET


class Totals(msgspec.Struct, frozen=True):
    """The number of entries that meet a filter, and the totals of their postings that count, by commodity."""

    count: int
    commodities: tuple[CommodityTotal, ...]


def totals_of(moment: Moment, only: Filter, language: str = "en") -> Totals:
    """Return the totals of all postings up to the moment that meet the filter, as visible to the viewer.

    Postings of inserted actions count, too. An inserted action is among the number of entries if the filter
    lists it. Postings of undone and voided actions do not count. Postings of restated actions count as
    corrected.
    """
    count = 0
    sums: dict[str, list[int]] = {}
    for timeline_entry in _matching(moment, only, language):
        count += not timeline_entry.insert or only != Filter()
        for _, event in visible_entry(timeline_entry, moment.viewer).effective_events:
            for posting in filter(only.selects, event.postings):
                total = sums.setdefault(posting.commodity, [0, 0, 0])
                total[0] += 1
                total[1] += posting.amount
                total[2] += posting.amount if posting.target == only.account else 0
    names = Names(moment.rulebook, moment.newest, language)
    of_account = only.account is not None
    return Totals(
        count,
        tuple(
            CommodityTotal(
                commodity=commodity,
                name=names.commodity(commodity),
                postings=postings,
                amount=amount,
                received=received if of_account else msgspec.UNSET,
                given=amount - received if of_account else msgspec.UNSET,
            )
            for commodity, (postings, amount, received) in sorted(sums.items())
        ),
    )


def _matching(moment: Moment, only: Filter, language: str) -> Iterator[TimelineEntry]:
    """Yield the actions up to the moment whose visible part meets a filter, in the order of the history."""
    sharp = _is_sharp(moment, only)
    last: int | None = None
    while True:
        selection = Selection(
            above=last,
            below=moment.at + 1,
            newest_first=False,
            limit=_COUNTED,
            since=only.since,
            until=only.until,
            **(only.content() if sharp else {}),
        )
        batch = moment.store.journal.entries(moment.game.id, selection)
        numbers = dict(batch)
        timeline = moment.timeline([moment.read(number, stored) for number, stored in batch])
        writing = _writer(moment, numbers, language) if only.words else None
        for timeline_entry in timeline.entries():
            if timeline_entry.position[0] not in numbers or not _meets(moment, timeline_entry, only):
                continue
            if writing is None or only.matches_words(writing.sentence(timeline_entry)):
                yield timeline_entry
        if len(batch) < _COUNTED:
            return
        last = batch[-1][0]


def _meets(moment: Moment, timeline_entry: TimelineEntry, only: Filter) -> bool:
    entry, visible = timeline_entry.entry, visible_entry(timeline_entry, moment.viewer)
    if timeline_entry.insert and not (visible.is_visible and timeline_entry.position <= moment.through):
        return False
    is_known = visible.is_visible or (moment.viewer.seat is not None and entry.by == moment.viewer.seat)
    restated = visible.effective_events if visible.status == "restated" else ()
    events = [event for _, event in (*visible.recorded, *restated)]
    return only.met_by(
        entry.seat if is_known else None, entry.kind if is_known else PRIVATE, visible.status, events
    )


def _inserted(moment: Moment, name: Name, language: str) -> EntryView | None:
    """Return the view of an inserted action at its position, with the correction's hash."""
    timeline_entry = moment.timeline_entry(name)
    if timeline_entry is None:
        return None
    number, correction = timeline_entry.position[0], timeline_entry.entry.number
    earlier = moment.state_after(number - 1).copy()
    timeline = moment.game.history.timeline_between(number, number, moment.corrections)
    for previous in timeline.effective(number):
        if (number,) <= previous.position < timeline_entry.position:
            earlier.fold(previous.events)
    next_state = earlier.copy()
    if timeline_entry.counts:
        next_state.fold(timeline_entry.events)
    stored = moment.store.journal.entry(moment.game.id, correction)
    if stored is None:
        raise JournalDamaged(moment.game.id, correction, "it is missing")
    corrections = seen_corrections(moment, (correction,))
    writing = EntryWriter(moment.rulebook, moment.newest, moment.viewer, language, corrections)
    return writing.view(timeline_entry, leaf(stored), earlier, next_state)


def page_of_journal(
    moment: Moment,
    *,
    language: str = "en",
    only: Filter = Filter(),  # noqa: B008 - frozen
    cursor: int | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[EntryView], int | None]:
    """Return a page of the journal, and the number for the next page's `cursor`, or None at the end.

    The filter applies to the part visible to the viewer, so a filter never reveals hidden content. A page
    contains an entry together with all actions inserted after the entry, so a page may exceed `limit`. A page
    of a search for words may be short or empty before the end, because the search reads a limited number of
    actions.
    """
    page: list[tuple[int, EntryView]] = []
    searched = 0
    sharp = _is_sharp(moment, only)
    end = moment.at + 1

    while True:
        selection = Selection(
            above=None if newest_first else cursor,
            below=min(end, cursor) if newest_first and cursor is not None else end,
            newest_first=newest_first,
            limit=limit + 1 if sharp and not only.words else max(limit + 1, _LEAST_READ),
            since=only.since,
            until=only.until,
            **(only.content() if sharp else {}),
        )
        batch = moment.store.journal.entries(moment.game.id, selection)
        if only == Filter():
            _require_all(moment, selection, sorted(number for number, _ in batch))
        views = _views(moment, sorted(batch), language, with_inserted=only != Filter())
        for number, view in reversed(views) if newest_first else views:
            if only.admits(view):
                if len(page) >= limit and number != page[-1][0]:
                    return [listed for _, listed in page], page[-1][0]
                page.append((number, view))
        if len(batch) < selection.limit:
            return [listed for _, listed in page], None
        cursor = batch[-1][0]
        searched += len(batch)
        if only.words and searched >= _MOST_SEARCHED:
            return [listed for _, listed in page], cursor


def _is_sharp(moment: Moment, only: Filter) -> bool:
    """Return True if the store's selection by content equals the viewer's."""
    # The store's rows do not have the events of restated and inserted actions.
    viewer = moment.viewer
    plain = viewer.role == "banker" and viewer.sees_all and not moment.newest.corrections
    return plain or not only.narrows_content()


def _require_all(moment: Moment, selection: Selection, numbers: list[int]) -> None:
    """Check that a page without a filter has every action of its range.

    Raises JournalDamaged if an action is missing.
    """
    is_full = len(numbers) == selection.limit
    first: int | None = (selection.above or 0) + 1
    last = None if selection.below is None else selection.below - 1
    if is_full and selection.newest_first:
        first = None
    elif is_full:
        last = None
    require_consecutive(moment.game.id, numbers, first, last)


def _writer(moment: Moment, numbers: Collection[int], language: str) -> EntryWriter:
    """Create a writer of the entries with these numbers."""
    corrections = seen_corrections(moment, numbers)
    return EntryWriter(moment.rulebook, moment.newest, moment.viewer, language, corrections)


def _views(
    moment: Moment, entries: list[tuple[int, bytes]], language: str, *, with_inserted: bool
) -> list[tuple[int, EntryView]]:
    """Build the views of stored entries, oldest first, each with the number in the history.

    `with_inserted` adds the actions inserted after these entries, as far as known to the viewer.
    """
    hashes = {number: leaf(stored) for number, stored in entries}
    inserting = {item for item, _ in moment.corrections} if with_inserted else set()
    writing = _writer(moment, {*hashes, *inserting}, language)

    def view(timeline_entry: TimelineEntry, earlier: State) -> Callable[[State], tuple[int, EntryView] | None]:
        number = timeline_entry.entry.number
        if timeline_entry.insert and not (
            visible_entry(timeline_entry, moment.viewer).is_visible and timeline_entry.position <= moment.through
        ):
            return lambda _: None
        opened = writing.open_view(timeline_entry, earlier)
        if number not in hashes:
            hashes[number] = leaf(moment.store.journal.entry(moment.game.id, number) or b"")
        return lambda next_state: (timeline_entry.position[0], opened.finish(hashes[number], next_state))

    views = follow_entries(moment, entries, view, in_place=True, with_inserted=with_inserted)
    return [item for item in views if item is not None]
