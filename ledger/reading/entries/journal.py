"""The entries of a journal, one by one or in pages, as one viewer may see them."""

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
from ledger.kernel.journal.sight import sight
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Standing
from ledger.reading.entries.consequences import seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.shared import entries_between, followed
from ledger.reading.entries.views import EntryView, EventView, PostingView
from ledger.reading.words.naming import Names
from ledger.reading.words.telling import PRIVATE
from ledger.store.database.errors import JournalDamaged
from ledger.store.journal import require_consecutive
from ledger.store.records import Selection

_COUNTED = 1000
"""How many entries are read at a time for totals."""

_LEAST_READ = 200
"""How many entries are read at least when many of them may not meet the filter."""

_MOST_SEARCHED = 1000
"""How many entries are read for a page of those whose sentences have some words. The page may then be short."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions for entries of a journal. All of them must hold for the visible part of an entry.

    Whoever asks for some of the actions gets those that corrections inserted, too, at their place in the history.
    The journal without a filter has the entries themselves, one for each number.
    """

    seat: str | None = None
    kind: str | None = None
    account: str | None = None
    commodity: str | None = None
    rule: str | None = None
    status: str | None = None
    words: tuple[str, ...] = ()
    """Words, folded, that the sentence must contain (see `words_of`)."""
    since: datetime | None = None
    until: datetime | None = None

    def content(self) -> dict[str, str | None]:
        """The conditions on an action's content, by the field names of the store's `Selection`."""
        return {name: getattr(self, name) for name in ("seat", "kind", "account", "commodity", "rule")}

    def narrows_content(self) -> bool:
        """Whether there are conditions other than times and statuses, which everybody may see."""
        return any(self.content().values())

    def admits(self, entry: EntryView) -> bool:
        """Whether the view of an entry meets every condition of content and status."""
        met = self.met_by(entry.seat, entry.kind, entry.status, (*entry.events, *entry.restated))
        return met and self.said_in(entry.sentence)

    def said_in(self, sentence: str) -> bool:
        """Whether the sentence of an entry, as the viewer reads it, contains every word."""
        if not self.words:
            return True
        plain = folded(sentence)
        return all(word in plain for word in self.words)

    def met_by(
        self, seat: str | None, kind: str, status: str, events: Sequence[EventView] | Sequence[Event]
    ) -> bool:
        """Whether what a viewer sees of an entry meets every condition of content and status."""
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
        """Whether a posting is of the account and of the commodity that are asked for."""
        return self.commodity in {None, posting.commodity} and self._of_account(posting)

    def _of_account(self, posting: Posting | PostingView) -> bool:
        return self.account is None or self.account in {posting.source, posting.target}


def folded(text: str) -> str:
    """A text without accents and capitals, to compare it."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a search, for `Filter.words`: case and accents do not matter, nor does the order."""
    return tuple(dict.fromkeys(folded(text).split()))


def read_entry(moment: Moment, name: Name, language: str = "en") -> EntryView | None:
    """One action as the viewer sees it; None when there is none, or an inserted one that they may not know of."""
    number, insert = label_of(name)
    if not 0 < number <= moment.known_at:
        return None
    return _inserted(moment, name, language) if insert else entries_between(moment, number, number, language)[0]


def entries_named(moment: Moment, names: Iterable[Name], language: str = "en") -> list[EntryView]:
    """The actions of these names in the order given, each once.

    Left out are those that are not there, and inserted ones of which the viewer may not know.
    """
    wanted = list(dict.fromkeys(names))
    numbers = sorted(one for one in wanted if isinstance(one, int) and one <= moment.at)
    stored = moment.store.entries_of(moment.game.id, numbers) if numbers else []
    found: dict[Name, EntryView] = dict(_views(moment, stored, language, with_inserted=False))
    for name in wanted:
        if isinstance(name, str) and (view := read_entry(moment, name, language)) is not None:
            found[name] = view
    return [found[name] for name in wanted if name in found]


def page_around(
    moment: Moment, number: int, *, language: str = "en", only: Filter, limit: int
) -> tuple[list[EntryView], bool, bool]:
    """A page of the journal with an action in its middle, oldest first, and whether there are older and newer.

    Where there are too few on one side the other side has more. The action itself is in the page if it meets the
    filter, as the first of the newer half.
    """

    def newer(most: int) -> tuple[list[EntryView], int | None]:
        return page_of_journal(moment, language=language, only=only, after=number - 1, limit=most)

    half = (limit - 1) // 2
    after, more_after = newer(limit - half)
    left = limit - len(after)
    before, more_before = page_of_journal(
        moment, language=language, only=only, after=number, newest_first=True, limit=max(1, left)
    )
    if before and not left:  # the page is full: there is only to know whether something comes before it
        before, more_before = [], number
    if len(before) < half and more_after is not None:
        after, more_after = newer(limit - len(before))
    return [*reversed(before), *after], more_before is not None, more_after is not None


def number_of(moment: Moment, entry: EntryView) -> int:
    """The number of the history to which an action belongs: its own, or that after which it was inserted."""
    return entry.number if entry.after is None else moment.place(entry.action)[0]


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
    """The totals of everything up to the moment that meets the filter, by what the viewer sees.

    What corrections inserted counts, too; it is among the number of entries where a filter lists it. Postings of
    undone and voided actions do not count, and those of restated ones as corrections left them.
    """
    count = 0
    sums: dict[str, list[int]] = {}
    for standing in _met(moment, only, language):
        count += not standing.insert or only != Filter()
        for _, event in sight(standing, moment.viewer).counting:
            for posting in filter(only.selects, event.postings):
                total = sums.setdefault(posting.commodity, [0, 0, 0])
                total[0] += 1
                total[1] += posting.amount
                total[2] += posting.amount if posting.target == only.account else 0
    names = Names(moment.rulebook, moment.now, language)
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


def _met(moment: Moment, only: Filter, language: str) -> Iterator[Standing]:
    """The actions up to the moment that meet a filter, by what the viewer sees, in the order of the history."""
    sharp = _is_sharp(moment, only)
    after: int | None = None
    while True:
        selection = Selection(
            after=after,
            before=moment.at + 1,
            newest_first=False,
            limit=_COUNTED,
            since=only.since,
            until=only.until,
            **(only.content() if sharp else {}),
        )
        found = moment.store.entries(moment.game.id, selection)
        numbers = dict(found)
        timeline = moment.timeline([moment.read(number, stored) for number, stored in found])
        writing = _writer(moment, numbers, language) if only.words else None
        for standing in timeline.standings():
            if standing.place[0] not in numbers or not _meets(moment, standing, only):
                continue
            if writing is None or only.said_in(writing.sentence(standing)):
                yield standing
        if len(found) < _COUNTED:
            return
        after = found[-1][0]


def _meets(moment: Moment, standing: Standing, only: Filter) -> bool:
    entry, shown = standing.entry, sight(standing, moment.viewer)
    if standing.insert and not (shown.anything and standing.place <= moment.through):
        return False
    known = shown.anything or (moment.viewer.seat is not None and entry.by == moment.viewer.seat)
    restated = shown.counting if shown.status == "restated" else ()
    events = [event for _, event in (*shown.recorded, *restated)]
    return only.met_by(entry.seat if known else None, entry.kind if known else PRIVATE, shown.status, events)


def _inserted(moment: Moment, name: Name, language: str) -> EntryView | None:
    """An inserted action, with the hash of its correction's entry, and its effects at its place."""
    standing = moment.standing(name)
    if standing is None:
        return None
    number, correction = standing.place[0], standing.entry.number
    before = moment.state_after(number - 1).copy()
    timeline = moment.game.history.timeline_between(number, number, moment.corrections)
    for one in timeline.effective(number):
        if (number,) <= one.place < standing.place:
            before.fold(one.events)
    after = before.copy()
    if standing.counts:
        after.fold(standing.events)
    stored = moment.store.entry(moment.game.id, correction)
    if stored is None:
        raise JournalDamaged(moment.game.id, correction, "it is missing")
    corrections = seen_corrections(moment, (correction,))
    writing = EntryWriter(moment.rulebook, moment.now, moment.viewer, language, corrections)
    return writing.view(standing, leaf(stored), before, after)


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

    The filter applies to what the viewer may see, so that a filter never reveals what reading hides. A page has an
    entry with all that corrections inserted after it, so it may have a few more than `limit`. A page of a search
    for words may have fewer entries, or none, before the end: it comes from so many actions at most.
    """
    page: list[tuple[int, EntryView]] = []
    searched = 0
    sharp = _is_sharp(moment, only)
    end = moment.at + 1

    while True:
        selection = Selection(
            after=None if newest_first else after,
            before=min(end, after) if newest_first and after is not None else end,
            newest_first=newest_first,
            limit=limit + 1 if sharp and not only.words else max(limit + 1, _LEAST_READ),
            since=only.since,
            until=only.until,
            **(only.content() if sharp else {}),
        )
        found = moment.store.entries(moment.game.id, selection)
        if only == Filter():
            _require_all(moment, selection, sorted(number for number, _ in found))
        views = _views(moment, sorted(found), language, with_inserted=only != Filter())
        for number, view in reversed(views) if newest_first else views:
            if only.admits(view):
                if len(page) >= limit and number != page[-1][0]:
                    return [one for _, one in page], page[-1][0]
                page.append((number, view))
        if len(found) < selection.limit:
            return [one for _, one in page], None
        after = found[-1][0]
        searched += len(found)
        if only.words and searched >= _MOST_SEARCHED:
            return [one for _, one in page], after


def _is_sharp(moment: Moment, only: Filter) -> bool:
    """Whether the store selects by the filter's content just what the viewer sees."""
    # The store's rows do not have the events of restated and inserted actions.
    viewer = moment.viewer
    plain = viewer.role == "banker" and viewer.sees_all and not moment.now.corrections
    return plain or not only.narrows_content()


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


def _writer(moment: Moment, numbers: Collection[int], language: str) -> EntryWriter:
    """A writer of the entries with these numbers."""
    corrections = seen_corrections(moment, numbers)
    return EntryWriter(moment.rulebook, moment.now, moment.viewer, language, corrections)


def _views(
    moment: Moment, found: list[tuple[int, bytes]], language: str, *, with_inserted: bool
) -> list[tuple[int, EntryView]]:
    """Stored entries, oldest first, as the viewer sees them, each with its number in the history.

    With `with_inserted` also the actions that corrections inserted after them, of which the viewer may know.
    """
    hashes = {number: leaf(stored) for number, stored in found}
    inserting = {one for one, _ in moment.corrections} if with_inserted else set()
    writing = _writer(moment, {*hashes, *inserting}, language)

    def view(standing: Standing, before: State) -> Callable[[State], tuple[int, EntryView] | None]:
        number = standing.entry.number
        if standing.insert and not (sight(standing, moment.viewer).anything and standing.place <= moment.through):
            return lambda _: None
        finish = writing.opened(standing, before)
        if number not in hashes:
            hashes[number] = leaf(moment.store.entry(moment.game.id, number) or b"")
        return lambda after: (standing.place[0], finish(hashes[number], after))

    shown = followed(moment, found, view, in_place=True, with_inserted=with_inserted)
    return [one for one in shown if one is not None]
