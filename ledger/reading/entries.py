"""Journal entries as one viewer sees them in one language, for the API, the audit and the replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.accounts import Posting
from ledger.kernel.actions import Action
from ledger.kernel.audience import Viewer
from ledger.kernel.events import Amendment, Event, kind_of
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.timeline import Standing
from ledger.kernel.journal import Entry
from ledger.kernel.labels import Name
from ledger.kernel.refusals import Malformed, Warned
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import (
    Shown,
    Sight,
    foreseen,
    reads,
    seen_account,
    sees_holding,
    sight,
    veiled,
    viewer_now,
)
from ledger.kernel.sentences import Speaker, speak
from ledger.kernel.state import State

PRIVATE = "private"
"""The kind of an action of which the viewer may only know that it happened."""


_APART = frozenset({"rule", "postings"})
"""The fields of an event that are not part of its `data`."""


class PostingView(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A posting: a whole amount of a commodity, moved from one account to another."""

    commodity: str
    amount: int
    source: str
    target: str


class EventView(msgspec.Struct, frozen=True):
    """An event: its sequence number, its kind, its rule, its data, its postings, and a sentence.

    `seq` counts the events of the game. It is null for a viewer who may not see all events, because it would
    reveal how many hidden events there are.
    """

    seq: int | None
    kind: str
    rule: str
    data: dict[str, Any]
    postings: tuple[PostingView, ...]
    text: str


class WarningView(msgspec.Struct, frozen=True):
    """A rule and a sentence: why the action is voided, which rule was waived, what a correction leaves
    inconsistent, or which of two records of a card is to be looked at."""

    rule: str
    text: str


class Receipt(msgspec.Struct, frozen=True):
    """The receipt of an accepted action: its number and its leaf hash in hexadecimal."""

    number: int
    leaf: str


class EntryView(msgspec.Struct, frozen=True):
    """An action. `events` are as recorded, whatever the status; `version` is the game's version after its entry.

    `action` is its name: 57, or "60.1" for the first action that correction 60 inserted. `number` is its number in
    the journal; an inserted action has its correction's, and stands right after the action `after`.
    """

    action: Name
    number: int
    kind: str
    seat: str | None
    by: str | None
    params: dict[str, Any]
    draws: dict[str, list[int | str]]
    recorded_at: datetime
    status: str
    events: tuple[EventView, ...]
    balances: dict[str, Mapping[str, int]]
    warnings: tuple[WarningView, ...]
    override: str | None
    receipt: Receipt
    version: int
    corrected_by: int | None = None
    """The number of the correction that set the status."""
    restated: tuple[EventView, ...] = ()
    """The events that count instead of `events` when the action is restated."""
    reason: WarningView | None = None
    """Why the action is voided: the rule that refuses it now, and the sentence."""
    after: Name | None = None
    settled: tuple[EntryView, ...] | msgspec.UnsetType = msgspec.UNSET
    """The default steps that the game took right before it, in the answer to a request that asked for them."""
    changes: Mapping[str, Mapping[str, int]] = {}
    """By how much a correction changed holdings, by account and commodity; negative for less."""


@cache
def _data_of(kind: type[Event]) -> tuple[str, ...]:
    """The fields that are the `data` of events of a kind."""
    return tuple(name for name in kind.__struct_fields__ if name not in _APART)


def view_event(event: Event, seq: int | None, language: str, speakers: Mapping[str, Speaker]) -> EventView:
    """The view of an event, with its sentence. The event is already redacted for the viewer."""
    return EventView(
        seq=seq,
        kind=kind_of(event),
        rule=event.rule,
        data={name: getattr(event, name) for name in _data_of(type(event))},
        postings=tuple(
            PostingView(posting.commodity, posting.amount, posting.source, posting.target)
            for posting in event.postings
        ),
        text=speak(getattr(event, language), event, language, speakers),
    )


class EntryWriter:
    """Writes the entries of one game as one viewer sees them, in one language.

    Takes the state `now`, which says whether the game has ended and what its end reveals, and what the
    viewer sees of the `corrections` among the entries, by number (see `seen_corrections`).
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        now: State,
        viewer: Viewer,
        language: str,
        corrections: Mapping[int, SeenCorrection] = MappingProxyType({}),
    ) -> None:
        self._rulebook = rulebook
        self._viewer = viewer_now(now, viewer)
        self._language = language
        self._speakers = rulebook.speakers(now)
        self._corrections = corrections

    def view(self, standing: Standing, leaf: bytes, after: State) -> EntryView:
        """The view of an entry. Takes its standing, the hash of its stored bytes, and the state right after it."""
        entry = standing.entry
        shown = sight(standing, self._viewer)
        first = entry.first_seq if self._viewer.sees_all else None
        correction = None if standing.insert else self._corrections.get(entry.number)
        # Who sees everything reads the whole consequences in the event.
        amendments = () if correction is None or self._viewer.sees_all else correction.amendments
        changes = {} if correction is None else correction.changes
        events = _views(_told_by(entry, shown.recorded), first, self._language, self._speakers, amendments)
        restated = (
            _views(shown.counting, first, self._language, self._speakers, ()) if shown.status == "restated" else ()
        )
        return _view(
            self._rulebook,
            entry,
            leaf,
            self._viewer,
            self._language,
            shown,
            events=events,
            restated=restated,
            balances=_balances(
                restated or events,
                lambda account: seen_account(self._rulebook, after, account, self._viewer),
                changes,
            ),
            changes=changes,
            inserted=(standing.name, standing.after) if standing.insert else None,
        )


def _told_by(entry: Entry, shown: Shown) -> Shown:
    """Visible events, in which a player's own undo says whose it is. Undos of older games do not store that."""
    if entry.by in {"banker", "system"}:
        return shown
    return tuple(
        (place, msgspec.structs.replace(event, by=entry.by) if isinstance(event, HistoryCorrected) else event)
        for place, event in shown
    )


def view_dry_run(
    rulebook: Rulebook[Any],
    entry: Entry,
    events: Sequence[Event],
    before: State,
    after: State,
    viewer: Viewer,
    language: str,
    changes: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
) -> EntryView:
    """The view of an entry in a dry run. A dry run never reveals what only performing the action would.

    Takes the entry and its events, the states before and after it, and by how much a correction would change
    holdings (see `foreseen_changes`). A dry run of the action that ends the game reveals nothing either.
    """
    viewer = viewer_now(before, viewer)
    events = _foreseeable(events, viewer)
    standing = Standing(entry, "effective", tuple(events), tuple(events), place=(entry.number, 0, 0))
    shown = tuple(
        (place, visible) for place, event in enumerate(events) if (visible := foreseen(event, viewer)) is not None
    )
    first = entry.first_seq if viewer.sees_all else None
    views = _views(shown, first, language, rulebook.speakers(before), ())
    held = _foreseen_holdings(rulebook, events, before, after, viewer)
    return _view(
        rulebook,
        entry,
        b"",
        viewer,
        language,
        msgspec.structs.replace(sight(standing, viewer), recorded=shown),
        events=views,
        restated=(),
        balances=_balances(views, held, changes),
        changes=changes,
    )


def _foreseeable(events: Sequence[Event], viewer: Viewer) -> Sequence[Event]:
    """The events up to the first one that reveals something to the viewer. Later events could reveal it, too."""
    if viewer.sees_all:
        return events
    learnt = next((place for place, event in enumerate(events) if event.reveals().admits(viewer)), len(events))
    return events[: learnt + 1]


def _view(
    rulebook: Rulebook[Any],
    entry: Entry,
    leaf: bytes,
    viewer: Viewer,
    language: str,
    shown: Sight,
    *,
    events: tuple[EventView, ...],
    restated: tuple[EventView, ...],
    balances: dict[str, Mapping[str, int]],
    inserted: tuple[Name, Name | None] | None = None,
    changes: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
) -> EntryView:
    own = viewer.seat is not None and entry.by == viewer.seat
    known = own or shown.anything
    why = shown.why
    return EntryView(
        action=entry.number if inserted is None else inserted[0],
        number=entry.number,
        kind=entry.kind if known else PRIVATE,
        seat=entry.seat if known else None,
        by=entry.by if known else None,
        params=_params(rulebook, entry, whole=own or shown.whole) if known else {},
        draws=entry.draws if shown.whole else {},
        recorded_at=entry.recorded_at,
        status=shown.status,
        events=events,
        balances=balances,
        warnings=warning_views((*entry.warnings, *_left_inconsistent(shown)), viewer, language)
        if shown.whole
        else (),
        override=entry.override if shown.whole else None,
        receipt=Receipt(entry.number, leaf.hex()),
        version=entry.number,
        corrected_by=shown.by,
        restated=restated,
        reason=None if why is None else WarningView(why.rule, why.fr if language == "fr" else why.en),
        after=None if inserted is None else inserted[1],
        changes=dict(changes),
    )


def warning_views(warnings: Iterable[Warned], viewer: Viewer, language: str) -> tuple[WarningView, ...]:
    """The waived rules that the viewer may know of, of an action that the viewer sees whole."""
    return tuple(
        WarningView(warned.rule, warned.fr if language == "fr" else warned.en)
        for warned in warnings
        if reads(warned.told, viewer)
    )


def _left_inconsistent(shown: Sight) -> Iterator[Warned]:
    """What the correction of an action left inconsistent, if the action made one."""
    for _, event in shown.recorded:
        if isinstance(event, HistoryCorrected):
            yield from event.warnings


def _params(rulebook: Rulebook[Any], entry: Entry, *, whole: bool) -> dict[str, Any]:
    """The parameters of an action: all, or only those for a viewer who does not see the action whole."""
    if whole:
        return dict(msgspec.json.decode(entry.params))
    action = rulebook.actions.get(entry.kind)
    if action is None or action.redacted is Action.redacted:
        return {}
    try:
        redacted = rulebook.action(entry.kind, bytes(entry.params)).redacted()
    except Malformed:  # The parameters have an older shape.
        return {}
    return {} if redacted is None else dict(msgspec.to_builtins(redacted))


def _views(
    shown: Shown,
    first_seq: int | None,
    language: str,
    speakers: Mapping[str, Speaker],
    corrected: Sequence[Amendment],
) -> tuple[EventView, ...]:
    """The views of visible events. A correction's event gets the `corrected` amendments that the viewer sees."""
    return tuple(
        view_event(
            event.telling(corrected) if corrected and isinstance(event, HistoryCorrected) else event,
            None if first_seq is None else first_seq + place,
            language,
            speakers,
        )
        for place, event in shown
    )


def _balances(
    shown: Iterable[EventView], held: Callable[[str], Mapping[str, int]], changed: Iterable[str] = ()
) -> dict[str, Mapping[str, int]]:
    """The balances, after the events, of the accounts in visible postings, as far as the viewer may see them.

    `changed` are the accounts whose holdings a correction changed.
    """
    postings = (posting for event in shown for posting in event.postings)
    accounts = dict.fromkeys(account for posting in postings for account in (posting.source, posting.target))
    accounts |= dict.fromkeys(changed)
    return {account: amounts for account in accounts if (amounts := held(account))}


def _foreseen_holdings(
    rulebook: Rulebook[Any], events: Sequence[Event], before: State, after: State, viewer: Viewer
) -> Callable[[str], Mapping[str, int]]:
    """A function that gives the holdings of an account after a dry run's events.

    They are the visible holdings after the events, unless performing the action would reveal something to the
    viewer. Then they are the visible holdings before the events, changed by the visible postings. What would be
    revealed moves under its veil, or not at all, even into the viewer's own accounts.
    """
    learnt = [not viewer.sees_all and event.reveals().admits(viewer) for event in events]
    ends = after.ended and not before.ended
    if viewer.sees_all or not (ends or any(learnt)):
        return lambda account: seen_account(rulebook, after, account, viewer)
    moved: list[tuple[Posting, bool]] = []
    for event, is_learnt in zip(events, learnt, strict=True):
        visible = event.redacted(viewer) if is_learnt else event
        if visible is not None:
            moved += [(posting, posting not in event.postings) for posting in visible.postings]

    def held(account: str) -> Mapping[str, int]:
        named: Counter[str] = Counter(before.holdings.account(account))
        under_veils: Counter[str] = Counter()
        for posting, is_veiled in moved:
            amounts = under_veils if is_veiled else named
            if posting.source == account:
                amounts[posting.commodity] -= posting.amount
            elif posting.target == account:
                amounts[posting.commodity] += posting.amount
        seen = {one for one in named if sees_holding(rulebook, before, account, one, viewer)}
        under_veils.update(veiled(rulebook, named, seen))
        return {commodity: amount for commodity, amount in sorted(under_veils.items()) if amount}

    return held
