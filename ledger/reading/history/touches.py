"""The relations of a line: disputes, rulings, corrections, agreements, and later lines that rest on the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.agreements import Agreement, tag_of
from ledger.kernel.facts.labels import ActionStatus, Name, Place, label_of, name_of
from ledger.kernel.journal.sight import sees_holding, visible_entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.entries.journal import entries_named, read_entry
from ledger.reading.entries.lines import Change, changes_by, changes_of, lines_of, may_know
from ledger.reading.entries.views import EntryView
from ledger.reading.history.audit import touch_index
from ledger.reading.history.audit_lines import CorrectionTouch, DisputeTouch, RulingTouch
from ledger.reading.words.naming import Names
from ledger.reading.words.telling import PRIVATE
from ledger.rulebooks.parts.boards import positions_of

Because = Literal["turn", "agreement", "piece", "amount"]

_DOES_NOT_COUNT = frozenset({"undone", "voided"})


class TouchedAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """An agreement that the line opened, changed or ended, as it stands now.

    `kind` is an id; `label` is what people call it.
    """

    id: str
    collection: str
    kind: str
    label: str
    title: str
    change: Change
    status: str
    status_text: str


class LaterLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A later line that rests on a line, and why.

    `because` is "turn" (the same player's turn went on from where the token came to), "agreement" (it is about an
    agreement that the line opened or changed), "piece" (it passes on a unique piece that the line brought, or puts
    something on it), or "amount" (it could not have been paid without what the line brought). `about` is the
    agreement or the commodity, with its title or name.
    """

    action: Name
    number: int
    kind: str
    seat: str | UnsetType = UNSET
    status: ActionStatus
    sentence: str
    because: Because
    about: str | UnsetType = UNSET
    about_name: str | UnsetType = UNSET


class LineTouches(msgspec.Struct, frozen=True, kw_only=True):
    """The relations of a line, as far as the viewer may see.

    `later` are the next lines of the history that rest on the line. `more` is true if further lines exist.
    """

    action: Name
    corrections: tuple[CorrectionTouch, ...]
    disputes: tuple[DisputeTouch, ...]
    rulings: tuple[RulingTouch, ...]
    agreements: tuple[TouchedAgreement, ...]
    later: tuple[LaterLine, ...]
    more: bool


class _RestingLine(msgspec.Struct, frozen=True):
    """A later line that rests on a line: place, name, reason, and the subject by id and by name."""

    position: Place
    line: Name
    because: Because
    about: str | UnsetType = UNSET
    about_name: str | UnsetType = UNSET


def touches(moment: Moment, name: Name, *, language: str, limit: int) -> LineTouches | None:
    """Return the relations of a line, or None if the line is missing or unknown to the viewer."""
    timeline_entry, entry = moment.timeline_entry(name), read_entry(moment, name, language)
    if timeline_entry is None or entry is None:
        return None
    names = Names(moment.rulebook, moment.newest, language, register_at="")
    about = touch_index(moment, names).action(label_of(name))
    agreements = list(_agreements(moment, name, language))
    rests: dict[Name, _RestingLine] = {}
    moved = _moved(moment, timeline_entry, entry) if timeline_entry.counts else set()
    if timeline_entry.counts:
        resting_lines = (
            *_by_agreements(moment, timeline_entry, agreements),
            *_by_turn(moment, timeline_entry, moved),
            *_by_pieces(moment, timeline_entry, names),
            *_by_amounts(moment, timeline_entry, names),
        )
        for resting in sorted(resting_lines, key=lambda resting: resting.position):
            rests.setdefault(resting.line, resting)
    later, has_more = _visible_lines(moment, timeline_entry, moved, rests, language, limit)
    return LineTouches(
        action=name,
        corrections=about.corrections,
        disputes=about.disputes,
        rulings=about.rulings,
        agreements=tuple(agreements),
        later=tuple(later),
        more=has_more,
    )


def _visible_lines(
    moment: Moment,
    timeline_entry: TimelineEntry,
    moved: set[str],
    rests: dict[Name, _RestingLine],
    language: str,
    limit: int,
) -> tuple[list[LaterLine], bool]:
    """Return the later lines that count and are visible, and a flag: True if more lines than the limit exist."""
    visible: list[LaterLine] = []
    waiting = [
        name
        for name, resting in rests.items()
        if resting.position > timeline_entry.position and may_know(moment, name)
    ]
    while waiting:
        page, waiting = waiting[: limit + 1], waiting[limit + 1 :]
        for view in entries_named(moment, page, language):
            resting = rests[view.action]
            if view.kind == PRIVATE or view.status in _DOES_NOT_COUNT:
                continue
            if resting.because == "turn" and view.seat not in moved:
                continue
            if len(visible) == limit:
                return visible, True
            visible.append(_later(view, resting))
    return visible, False


def _later(view: EntryView, resting: _RestingLine) -> LaterLine:
    return LaterLine(
        action=view.action,
        number=view.number,
        kind=view.kind,
        seat=UNSET if view.seat is None else view.seat,
        status=view.status,
        sentence=view.sentence,
        because=resting.because,
        about=resting.about,
        about_name=resting.about_name,
    )


def _agreements(moment: Moment, name: Name, language: str) -> Iterator[TouchedAgreement]:
    """Yield the visible agreements opened, changed or ended by a line."""
    changes = {line_change.agreement: line_change.change for line_change in changes_by(moment, name)}
    if not changes:
        return
    rulebook, current = moment.rulebook, moment.newest
    yielded: set[str] = set()
    for collection in rulebook.agreements.agreement_types:
        for agreement in rulebook.agreements.of(current, collection):
            if agreement.id in changes and agreement.id not in yielded and _sees(moment, agreement):
                yielded.add(agreement.id)
                terms = rulebook.agreements.terms(current, agreement, language)
                yield TouchedAgreement(
                    id=agreement.id,
                    collection=collection,
                    kind=tag_of(agreement),
                    label=terms.label,
                    title=terms.title,
                    change=changes[agreement.id],
                    status=agreement.status,
                    status_text=terms.status,
                )


def _sees(moment: Moment, agreement: Agreement) -> bool:
    return moment.rulebook.secrets.agreement_audience(agreement).admits(moment.viewer)


def _by_agreements(
    moment: Moment, timeline_entry: TimelineEntry, touched: Iterable[TouchedAgreement]
) -> Iterator[_RestingLine]:
    """Yield the later lines that change an agreement of the line."""
    titles = {agreement.id: agreement.title for agreement in touched}
    for change in changes_of(moment, titles) if titles else ():
        if change.place > timeline_entry.position:
            yield _RestingLine(change.place, change.line, "agreement", change.agreement, titles[change.agreement])


def _moved(moment: Moment, timeline_entry: TimelineEntry, entry: EntryView) -> set[str]:
    """Return the seats whose tokens the line moved. The positions of tokens are public."""
    moved = {way.seat for way in entry.path}
    if timeline_entry.insert:
        return moved
    earlier = moment.state_after(timeline_entry.entry.number - 1)
    next_state = earlier.copy()
    next_state.fold(timeline_entry.events)
    stood, stand = (positions_of(moment.rulebook, state) for state in (earlier, next_state))
    return moved | {seat for seat, square in stand.items() if seat in stood and stood[seat] != square}


def _by_turn(moment: Moment, timeline_entry: TimelineEntry, moved: set[str]) -> Iterator[_RestingLine]:
    """Yield the remaining lines of the current turn after a move of a token. Their views tell their seats."""
    if not moved:
        return
    lines = lines_of(moment.game).upto(moment.newest)
    row = lines.places.index(timeline_entry.position)
    turn = lines.rounds[row], lines.turns[row]
    for following in range(row + 1, len(lines.places)):
        if (lines.rounds[following - 1], lines.turns[following - 1]) != turn:
            return
        yield _RestingLine(lines.places[following], lines.names[following], "turn")


def _by_pieces(moment: Moment, timeline_entry: TimelineEntry, names: Names) -> Iterator[_RestingLine]:
    """Yield the later lines that put something on a unique piece of the line, or pass the piece on."""
    rulebook, current, history = moment.rulebook, moment.newest, moment.game.history
    for posting in _postings(moment, timeline_entry):
        piece = posting.commodity
        if current.holdings.of(BOX, piece) != -1 or not sees_holding(
            rulebook.secrets, current, BOX, piece, moment.viewer
        ):
            continue
        name = names.commodity(piece)
        moving = history.effective_moving(piece, None, moment.at, moment.corrections)
        passed_on = next(
            (
                later
                for later in moving
                if later.position > timeline_entry.position
                and _gives(_postings(moment, later), posting.target, piece)
            ),
            None,
        )
        if passed_on is not None:
            yield _RestingLine(passed_on.position, name_of(passed_on.label), "piece", piece, name)
        lies_on = rulebook.accounts.account_on(piece)
        if lies_on is None:
            continue
        for later in history.effective_moving(None, lies_on, moment.at, moment.corrections):
            until = passed_on is None or later.position < passed_on.position
            if timeline_entry.position < later.position and until and _touches(_postings(moment, later), lies_on):
                yield _RestingLine(later.position, name_of(later.label), "piece", piece, name)


def _by_amounts(moment: Moment, timeline_entry: TimelineEntry, names: Names) -> Iterator[_RestingLine]:
    """Yield the next line of each seat that depends on the amount received by the line."""
    rulebook, current = moment.rulebook, moment.newest
    brought: Counter[tuple[str, str]] = Counter()
    for posting in _postings(moment, timeline_entry):
        brought[posting.source, posting.commodity] -= posting.amount
        brought[posting.target, posting.commodity] += posting.amount
    for (account, commodity), amount in brought.items():
        if (
            amount <= 0
            or rulebook.accounts.seat_of(current, account) is None
            or current.holdings.of(BOX, commodity) == -1
        ):
            continue
        if not sees_holding(rulebook.secrets, current, account, commodity, moment.viewer):
            continue
        spent = _first_unpaid(moment, timeline_entry, account, commodity, amount)
        if spent is not None:
            yield _RestingLine(
                spent.position, name_of(spent.label), "amount", commodity, names.commodity(commodity)
            )


def _first_unpaid(
    moment: Moment, timeline_entry: TimelineEntry, account: str, commodity: str, amount: int
) -> TimelineEntry | None:
    """Return the first later action with a payment from the account that depends on this amount."""
    balance = 0
    for action in moment.game.history.effective_moving(commodity, account, moment.at, moment.corrections):
        change = _change((posting for event in action.events for posting in event.postings), account, commodity)
        balance += change
        if action.position > timeline_entry.position and change < 0 <= balance < amount:
            visible_change = _change(_postings(moment, action), account, commodity)
            return action if visible_change else None
    return None


def _change(postings: Iterable[Posting], account: str, commodity: str) -> int:
    """Return the change of an account's amount of a commodity by postings."""
    return sum(
        posting.amount * ((posting.target == account) - (posting.source == account))
        for posting in postings
        if posting.commodity == commodity
    )


def _postings(moment: Moment, timeline_entry: TimelineEntry) -> Iterator[Posting]:
    """Yield the postings of an action that count and are visible to the viewer."""
    for _, event in visible_entry(timeline_entry, moment.viewer).effective_events:
        yield from event.postings


def _gives(postings: Iterable[Posting], account: str, commodity: str) -> bool:
    return any(posting.source == account and posting.commodity == commodity for posting in postings)


def _touches(postings: Iterable[Posting], account: str) -> bool:
    return any(account in {posting.source, posting.target} for posting in postings)
