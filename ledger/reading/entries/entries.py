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
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Amendment, Event, Way, kind_of
from ledger.kernel.facts.labels import ActionStatus, Name
from ledger.kernel.facts.names import told_apart
from ledger.kernel.facts.refusals import Malformed, Warned
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Chances, Entry
from ledger.kernel.journal.sight import (
    Shown,
    Sight,
    foreseeable,
    foreseen,
    reads,
    seen_account,
    sees_holding,
    sight,
    veiled,
    viewer_now,
)
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.language.sentences import Speaker, speak
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.edits import asked_for, told_of_today
from ledger.reading.words.naming import Names
from ledger.reading.words.telling import PRIVATE, Teller

_DOES_NOT_COUNT = frozenset({"undone", "voided"})

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
    """The receipt of an accepted action: its number, its leaf hash in hexadecimal, the size of the log with it.

    `proof` is a receipt that can be shown to others (C2SP tlog-proof), where the request asked for it.
    """

    number: int
    leaf: str
    size: int
    proof: str | msgspec.UnsetType = msgspec.UNSET


class EntryNames(msgspec.Struct, frozen=True):
    """The names for people, by id, of the seats, accounts and commodities that occur in an entry."""

    seats: dict[str, str]
    accounts: dict[str, str]
    commodities: dict[str, str]


class Effect(msgspec.Struct, frozen=True):
    """An account's holding of a commodity right before and right after an action."""

    account: str
    commodity: str
    before: int
    after: int


class EntryView(msgspec.Struct, frozen=True):
    """An action. `events` are as recorded, whatever the status; `version` is the game's version after its entry.

    `action` is its name: 57, or "60.1" for the first action that correction 60 inserted. `number` is its number in
    the journal; an inserted action has its correction's, and stands right after the action `after`.

    `sentence` tells the action as it counts now, `status_text` how it stands and by which correction. `names` has
    the names of the ids that occur in the entry.
    """

    action: Name
    number: int
    kind: str
    seat: str | None
    by: str | None
    sentence: str
    by_text: str | None
    """Who did it, and for whom: "by Ana", "by the banker, for Ana". None where `by` is."""
    params: dict[str, Any]
    draws: dict[str, list[int | str]]
    recorded_at: datetime
    status: ActionStatus
    status_text: str
    events: tuple[EventView, ...]
    effects: tuple[Effect, ...]
    """How the visible holdings changed that the action moved; none when the action does not count."""
    path: tuple[Way, ...]
    """The ways of the tokens that the action moved; none when the action does not count."""
    balances: dict[str, Mapping[str, int]]
    """What the action moved or changed and the viewer may see: holdings after it, without zeros."""
    names: EntryNames
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
    chance: Chances | msgspec.UnsetType = msgspec.UNSET
    """What it tells of the chance of a game in which the table does not throw: where its dice come from, too."""


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
        data={
            name: value for name in _data_of(type(event)) if (value := getattr(event, name)) is not msgspec.UNSET
        },
        postings=tuple(
            PostingView(posting.commodity, posting.amount, posting.source, posting.target)
            for posting in event.postings
        ),
        text=speak(getattr(event, language), event, language, speakers),
    )


class SeenHoldings:
    """Single holdings in one state, as viewers see them. An audience is asked for once for all viewers."""

    def __init__(self, rulebook: Rulebook[Any], state: State) -> None:
        self.state = state
        self._rulebook = rulebook
        self._audiences: dict[tuple[str, str], Audience] = {}

    def seen(self, account: str, commodity: str, viewer: Viewer) -> tuple[str, int] | None:
        """How much the account holds of a commodity, with the commodity's name; None when the viewer sees nothing.

        Under a veil that is the veil's name, and how much the viewer sees under it.
        """
        holdings = self.state.holdings
        if self._sees(account, commodity, viewer):
            return commodity, holdings.of(account, commodity)
        if not self._rulebook.veils:
            return None
        veil = self._rulebook.veil(commodity)
        if veil is None:
            if holdings.holder(commodity) is not None:
                return None
            veil = commodity  # The posting itself names the veil.
        return veil, seen_account(self._rulebook, self.state, account, viewer).get(veil, 0)

    def _sees(self, account: str, commodity: str, viewer: Viewer) -> bool:
        if viewer.sees_all:
            return True
        audience = self._audiences.get((account, commodity))
        if audience is None:
            audience = self._rulebook.holding_audience(self.state, account, commodity)
            self._audiences[account, commodity] = audience
        return audience.admits(viewer)


Held = Callable[[str], Mapping[str, int]]
"""A function that gives the holdings of an account."""

Moved = Mapping[tuple[str, str], int]
"""How much came to an account of a commodity (negative when it went), by account and commodity."""


class Look(msgspec.Struct, frozen=True):
    """What one viewer sees of an entry. Viewers whose looks are equal get the same view of it.

    `made` is the correction that the action made, `set_by` the one that set its status.
    """

    shown: Sight
    first_seq: int | None
    own: bool
    warnings: tuple[Warned, ...]
    effects: tuple[Effect, ...]
    balances: dict[str, Mapping[str, int]]
    made: SeenCorrection | None = None
    set_by: SeenCorrection | None = None
    amendments: tuple[Amendment, ...] = ()
    changes: Mapping[str, Mapping[str, int]] = {}


class EntryWriter:
    """Writes the entries of one game as one viewer sees them, in one language.

    Takes the state `now`, which says whether the game has ended and what its end reveals, and what the
    viewer sees of the `corrections` that are among the entries or touch them, by number (see `seen_corrections`).
    `names` are the names in this state and this language, where they are at hand.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        now: State,
        viewer: Viewer,
        language: str,
        corrections: Mapping[int, SeenCorrection] = MappingProxyType({}),
        names: Names | None = None,
    ) -> None:
        self._rulebook = rulebook
        self._viewer = viewer_now(now, viewer)
        self._corrections = corrections
        self._text = _EntryText(rulebook, Names(rulebook, now, language) if names is None else names)

    def view(self, standing: Standing, leaf: bytes, before: State, after: State) -> EntryView:
        """The view of an entry.

        Takes its standing, the hash of its stored bytes, and the states right before it and right after it.
        """
        return self.opened(standing, before)(leaf, after)

    def opened(self, standing: Standing, before: State) -> Callable[[bytes, State], EntryView]:
        """A function that gives the view of an entry, for whoever folds one state through the history.

        Takes the entry's standing and the state right before it, which may be changed as soon as this returns. The
        function takes the hash of the entry's stored bytes, and the state right after it.
        """
        look = self.looked(standing, SeenHoldings(self._rulebook, before))
        return lambda leaf, after: self.write(standing, leaf, look(SeenHoldings(self._rulebook, after)))

    def write(self, standing: Standing, leaf: bytes, look: Look) -> EntryView:
        """The view of an entry for every viewer who has this look at it."""
        return self._text.view(standing, leaf, look)

    def sentence(self, standing: Standing) -> str:
        """The sentence of an entry alone, as its view has it; no state is needed."""
        entry, viewer = standing.entry, self._viewer
        made = None if standing.insert else self._corrections.get(entry.number)
        amendments = () if made is None or viewer.sees_all else made.amendments
        own = viewer.seat is not None and entry.by == viewer.seat
        return self._text.sentence(entry, sight(standing, viewer), own=own, amendments=amendments, made=made)

    def looked(self, standing: Standing, before: SeenHoldings) -> Callable[[SeenHoldings], Look]:
        """A function that gives what the viewer sees of an entry.

        Takes its standing and the holdings right before it. The function takes the holdings right after it.
        """
        entry, viewer = standing.entry, self._viewer
        shown = sight(standing, viewer)
        made = None if standing.insert else self._corrections.get(entry.number)
        changes = {} if made is None else made.changes
        moved = _moved(_telling(shown), changes)
        counts = shown.status not in _DOES_NOT_COUNT
        # Before the first action nobody has a seat; and the state before a correction has the correction, too.
        is_counted_back = made is not None or not before.state.version
        had = {} if is_counted_back or not counts else _seen(moved, before, viewer)

        def look(after: SeenHoldings) -> Look:
            has = _seen(moved, after, viewer)
            effects = _effects_back(moved, has) if is_counted_back else _effects(had, has)
            return Look(
                shown,
                entry.first_seq if viewer.sees_all else None,
                viewer.seat is not None and entry.by == viewer.seat,
                _warnings(entry, shown, viewer),
                tuple(effects) if counts else (),
                _balances(has),
                made,
                None if shown.by is None else self._corrections.get(shown.by),
                # Who sees everything reads the whole consequences in the event.
                () if made is None or viewer.sees_all else made.amendments,
                changes,
            )

        return look


def _telling(shown: Sight) -> Shown:
    """The events that tell the action: those that count when it is restated, else those recorded."""
    return shown.counting if shown.status == "restated" else shown.recorded


def _moved(events: Shown, changes: Mapping[str, Mapping[str, int]]) -> dict[tuple[str, str], int]:
    """What visible events moved, and what a correction changed."""
    moved: dict[tuple[str, str], int] = {}
    for _, event in events:
        for posting in event.postings:
            for account, amount in ((posting.source, -posting.amount), (posting.target, posting.amount)):
                key = account, posting.commodity
                moved[key] = moved.get(key, 0) + amount
    for account, amounts in changes.items():
        for commodity, amount in amounts.items():
            key = account, commodity
            moved[key] = moved.get(key, 0) + amount
    return moved


_Seen = Mapping[tuple[str, str], tuple[str, int] | None]
"""What a viewer sees of holdings: the name, which may be a veil's, and the amount; None for nothing."""


def _seen(moved: Iterable[tuple[str, str]], held: SeenHoldings, viewer: Viewer) -> _Seen:
    """What the viewer sees of the holdings moved."""
    return {key: held.seen(*key, viewer) for key in moved}


def _effects(before: _Seen, after: _Seen) -> Iterator[Effect]:
    """The changes of holdings. The viewer must see a holding before and after."""
    told: set[tuple[str, str]] = set()
    for key, had in before.items():
        has = after[key]
        if had is None or has is None or had[0] != has[0] or had[1] == has[1] or (key[0], had[0]) in told:
            continue
        told.add((key[0], had[0]))
        yield Effect(key[0], had[0], had[1], has[1])


def _effects_back(moved: Moved, after: _Seen) -> Iterator[Effect]:
    """The changes of the holdings moved, counted back from what they are after them."""
    changes: dict[tuple[str, str], list[int]] = {}
    for key, amount in moved.items():
        has = after[key]
        if has is not None:
            changes.setdefault((key[0], has[0]), [has[1], 0])[1] += amount
    for (account, name), (amount, change) in changes.items():
        if change:
            yield Effect(account, name, amount - change, amount)


def _balances(after: _Seen) -> dict[str, Mapping[str, int]]:
    """Visible holdings by account and commodity, without zeros."""
    found: dict[str, dict[str, int]] = {}
    for (account, _), has in after.items():
        if has is not None and has[1]:
            found.setdefault(account, {})[has[0]] = has[1]
    return {account: dict(sorted(amounts.items())) for account, amounts in found.items()}


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
    since: State | None = None,
) -> EntryView:
    """The view of an entry in a dry run. A dry run never reveals what only performing the action would.

    Takes the entry and its events, the states before and after it, and by how much a correction would change
    holdings (see `foreseen_changes`). A dry run of the action that ends the game reveals nothing either. Where
    other actions come first, `since` is the state after them, from which the effects are counted.
    """
    viewer = viewer_now(before, viewer)
    events = foreseeable(events, viewer)
    standing = Standing(entry, "effective", tuple(events), tuple(events), place=(entry.number, 0, 0))
    shown = msgspec.structs.replace(
        sight(standing, viewer),
        recorded=tuple(
            (place, visible)
            for place, event in enumerate(events)
            if (visible := foreseen(event, viewer)) is not None
        ),
    )
    learnt = _learnt(events, before, after, viewer)
    held = _foreseen_holdings(rulebook, events, learnt, before, after, viewer)
    moved = _moved(shown.recorded, changes)
    effects = _foreseen_effects(
        moved,
        SeenHoldings(rulebook, before if since is None else since),
        SeenHoldings(rulebook, after) if learnt is None else None,
        held,
        viewer,
    )
    look = Look(
        shown,
        entry.first_seq if viewer.sees_all else None,
        viewer.seat is not None and entry.by == viewer.seat,
        _warnings(entry, shown, viewer),
        tuple(effects),
        _foreseen_balances(rulebook, moved, held),
        changes=changes,
    )
    return _EntryText(rulebook, Names(rulebook, before, language)).view(standing, b"", look)


def _foreseen_effects(
    moved: Moved, before: SeenHoldings, after: SeenHoldings | None, held: Held, viewer: Viewer
) -> Iterator[Effect]:
    """The changes that a dry run may tell of: from the state before to the holdings that it foresees.

    `after` is the state after it, where the dry run may show that; None where it may not.
    """
    if after is not None:
        yield from _effects(_seen(moved, before, viewer), _seen(moved, after, viewer))
        return
    told: set[tuple[str, str]] = set()
    for account, commodity in moved:
        had = before.seen(account, commodity, viewer)
        if had is None or (account, had[0]) in told:
            continue
        told.add((account, had[0]))
        has = held(account).get(had[0], 0)
        if has != had[1]:
            yield Effect(account, *had, has)


def _foreseen_balances(rulebook: Rulebook[Any], moved: Moved, held: Held) -> dict[str, Mapping[str, int]]:
    """The holdings of what a dry run moves, as it foresees them."""
    concerned: dict[str, set[str | None]] = {}
    for account, commodity in moved:
        concerned.setdefault(account, set()).update((commodity, rulebook.veil(commodity)))
    found = {
        account: {one: amount for one, amount in held(account).items() if one in commodities}
        for account, commodities in concerned.items()
    }
    return {account: amounts for account, amounts in found.items() if amounts}


class _EntryText:
    """Writes what a viewer sees of entries, in one language."""

    def __init__(self, rulebook: Rulebook[Any], names: Names) -> None:
        self._rulebook = rulebook
        self._names = names
        self._teller = Teller(names)

    def view(self, standing: Standing, leaf: bytes, look: Look) -> EntryView:
        """The view of an entry."""
        entry, shown, language = standing.entry, look.shown, self._names.language
        known = look.own or shown.anything
        kind, seat, by = (entry.kind, entry.seat, entry.by) if known else (PRIVATE, None, None)
        why = shown.why
        refused = None if why is None else WarningView(why.rule, why.fr if language == "fr" else why.en)
        events = self._events(_told_by(entry, shown.recorded), look.first_seq, look.amendments, look.made)
        restated = self._events(shown.counting, look.first_seq) if shown.status == "restated" else ()
        telling = restated if shown.status == "restated" else events
        params = _params(self._rulebook, entry, whole=look.own or shown.whole) if known else {}
        if look.made is not None and look.made.edits:
            params = asked_for(params, look.made.edits)
        added = bool(standing.insert) and shown.by == entry.number
        return EntryView(
            action=entry.number if not standing.insert else standing.name,
            number=entry.number,
            kind=kind,
            seat=seat,
            by=by,
            sentence=self._teller.sentence(kind, (event.text for event in telling), look.made),
            by_text=self._teller.by_text(kind, by, seat),
            params=params,
            draws=entry.draws if shown.whole else {},
            recorded_at=entry.recorded_at,
            status=shown.status,
            status_text=self._teller.status(
                "inserted" if added else shown.status,
                shown.by,
                look.set_by,
                None if refused is None else (refused.rule, refused.text),
            ),
            events=events,
            effects=look.effects,
            path=_path(shown),
            balances=look.balances,
            names=self._named(look, seat, by, params, (*events, *restated)),
            warnings=tuple(WarningView(one.rule, one.fr if language == "fr" else one.en) for one in look.warnings),
            override=entry.override if shown.whole else None,
            receipt=Receipt(entry.number, leaf.hex(), entry.number),
            version=entry.number,
            corrected_by=shown.by,
            restated=restated,
            reason=refused,
            after=standing.after if standing.insert else None,
            changes=dict(look.changes),
            chance=msgspec.UNSET if standing.insert else entry.chance,
        )

    def sentence(
        self,
        entry: Entry,
        shown: Sight,
        *,
        own: bool,
        amendments: Sequence[Amendment],
        made: SeenCorrection | None,
    ) -> str:
        """The sentence of an entry."""
        if shown.status == "restated":
            telling = self._events(shown.counting, None)
        else:
            telling = self._events(_told_by(entry, shown.recorded), None, amendments, made)
        kind = entry.kind if own or shown.anything else PRIVATE
        return self._teller.sentence(kind, (event.text for event in telling), made)

    def _events(
        self,
        shown: Shown,
        first_seq: int | None,
        corrected: Sequence[Amendment] = (),
        made: SeenCorrection | None = None,
    ) -> tuple[EventView, ...]:
        """The views of visible events. A correction's event gets the amendments that the viewer sees."""

        def told(event: Event) -> Event:
            if not isinstance(event, HistoryCorrected):
                return event
            event = event.telling(corrected) if corrected else event
            return event if made is None else told_of_today(self._rulebook, event, made.edits)

        return tuple(
            view_event(
                told(event),
                None if first_seq is None else first_seq + place,
                self._names.language,
                self._names.speakers,
            )
            for place, event in shown
        )

    def _named(
        self, look: Look, seat: str | None, by: str | None, params: Mapping[str, Any], events: Sequence[EventView]
    ) -> EntryNames:
        """The names of what occurs in the entry."""
        names = self._names
        accounts: dict[str, None] = {}
        commodities: dict[str, None] = {}
        for event in events:
            for posting in event.postings:
                accounts[posting.source] = accounts[posting.target] = None
                commodities[posting.commodity] = None
        for effect in look.effects:
            accounts[effect.account] = commodities[effect.commodity] = None
        for held in (look.balances, look.changes):
            for account, amounts in held.items():
                accounts[account] = None
                commodities |= dict.fromkeys(amounts)
        seats = names.seats
        words = {seat, by, *(account.rpartition(":")[2] for account in accounts)}
        _add_words(words, params)
        for event in events:
            _add_words(words, event.data)
        commodities |= dict.fromkeys(sorted(one for one in words if one and names.names_commodity(one)))
        return EntryNames(
            {one: name for one, name in told_apart(seats).items() if one in words},
            {one: names.account(one) for one in accounts},
            {one: names.commodity(one) for one in commodities},
        )


def _path(shown: Sight) -> tuple[Way, ...]:
    """The ways of the tokens that visible events moved, one for each token."""
    if shown.status in _DOES_NOT_COUNT:
        return ()
    found = [way for _, event in _telling(shown) for way in event.ways()]
    if len(found) < 2:
        return tuple(found)
    ways: dict[str, tuple[str, ...]] = {}
    for way in found:
        ways[way.seat] = (*ways.get(way.seat, ()), *way.places)
    return tuple(Way(seat, places) for seat, places in ways.items())


def _add_words(words: set[str | None], value: Any) -> None:
    """Add the texts in plain data."""
    kind = type(value)
    if kind is str:
        words.add(value)
    elif kind is dict:
        words.update(value)
        for one in value.values():
            _add_words(words, one)
    elif kind in _LISTS:
        for one in value:
            _add_words(words, one)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            _add_words(words, getattr(value, name))


_LISTS = frozenset({list, tuple, set, frozenset})


def _warnings(entry: Entry, shown: Sight, viewer: Viewer) -> tuple[Warned, ...]:
    """The waived rules, and what a correction left inconsistent, as far as the viewer may know of them."""
    if not shown.whole:
        return ()
    return tuple(one for one in (*entry.warnings, *_left_inconsistent(shown)) if reads(one.told, viewer))


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
        return rulebook.params(entry.kind, bytes(entry.params))
    action = rulebook.actions.get(entry.kind)
    if action is None or action.redacted is Action.redacted:
        return {}
    try:
        redacted = rulebook.action(entry.kind, bytes(entry.params)).redacted()
    except Malformed:  # The parameters have no shape that is known.
        return {}
    return {} if redacted is None else dict(msgspec.to_builtins(redacted))


def _learnt(events: Sequence[Event], before: State, after: State, viewer: Viewer) -> list[bool] | None:
    """Which events would reveal something to the viewer; None when performing the action would reveal nothing."""
    if viewer.sees_all:
        return None
    learnt = [event.reveals().admits(viewer) for event in events]
    ends = after.ended and not before.ended
    return learnt if ends or any(learnt) else None


def _foreseen_holdings(
    rulebook: Rulebook[Any],
    events: Sequence[Event],
    learnt: list[bool] | None,
    before: State,
    after: State,
    viewer: Viewer,
) -> Held:
    """A function that gives the holdings of an account after a dry run's events.

    They are the visible holdings after the events, unless performing the action would reveal something to the
    viewer. Then they are the visible holdings before the events, changed by the visible postings. What would be
    revealed moves under its veil, or not at all, even into the viewer's own accounts.
    """
    if learnt is None:
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
