"""The frames of a replay: what each action moved and changed, as recorded and as corrections left it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.facts.labels import BEYOND, ActionStatus, Name, Place
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import seen_account
from ledger.kernel.rules.display import Display
from ledger.reading.entries.views import EventView, PostingView, Receipt, WarningView
from ledger.reading.history.replay import SeenStates, Step, Transition, steps
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import seated
from ledger.rulebooks.parts.boards import positions_of, shown_on
from replays.standings import SeatStanding, standings_of

FURTHEST = 1000
"""The largest number of actions that are read for one page of a followed seat."""

_ACCOUNTS = "accounts"

_Between = Callable[[int, int], "Iterator[Frame]"]
"""A function (first, last) that gives the frames from one action to another."""


class StateChange(msgspec.Struct, frozen=True):
    """A change of the state by an action: its path, the value before and the value after.

    `what` is a path in the state: "table.turn.seat", "accounts.player:ana.NGD", "agreements.loans.57".
    """

    what: str
    before: Any
    after: Any


class FrameSide(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two sides of a frame: the action as recorded, or as corrections left it.

    `sentences` and `rules` are those of its events. `balances` are the balances, after the action, of the accounts
    in its `postings`. `positions` has the index of every token's square after the action; it is empty in a game
    without tokens. `changed` are the changes of the state that the viewer may see, and `told` are those of the
    table in sentences.
    """

    sentences: tuple[str, ...]
    rules: tuple[str, ...]
    postings: tuple[PostingView, ...]
    balances: dict[str, Mapping[str, int]]
    positions: dict[str, int]
    changed: tuple[StateChange, ...]
    told: tuple[str, ...]
    display: Display | UnsetType = UNSET
    """What lies on the board after the action, as in the state of the game, where it is asked for."""


class FrameStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat stands after an action, by the known corrections, in the game's money.

    `worth` is what the seat is worth, `change` how much of it the action changed (0 for one that does not count),
    and `recorded` what the seat was worth when the action was recorded; null for an inserted action. All three are
    null for a viewer who may not see them. `playing` is whether the seat is still in the game; null when nobody
    can leave a game before its end. `letter` and `colour` are those of the seat on every screen.
    """

    seat: str
    name: str
    letter: str
    colour: int
    playing: bool | None
    worth: int | None
    change: int | None
    recorded: int | None


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """An action of a replay. `action` is its name: 57, an integer, or "60.1" for the first one of correction 60.

    `recorded` is the action as it was recorded; null for an inserted action. `corrected` is the action as
    corrections left it; null for an action that no longer counts. The two are equal (`same`) where no correction
    made a difference.
    """

    action: Name
    number: int
    after: Name | None
    """The action right after which an inserted action stands."""
    place: Place
    """Its place in the history, which sorts actions as the history does."""
    kind: str
    seat: str | None
    seat_name: str | None
    by: str | None
    by_name: str | None
    recorded_at: datetime
    status: ActionStatus
    corrected_by: int | None
    reason: WarningView | None
    """Why the action is voided: the rule that refuses it now, and the sentence."""
    recorded: FrameSide | None
    corrected: FrameSide | None
    same: bool
    standings: tuple[FrameStanding, ...]
    """How the seats stand after the action, in the order of turns."""
    account_names: dict[str, str]
    """The names for people of the accounts on either side."""
    commodity_names: dict[str, str]
    """The names for people of the commodities on either side."""
    receipt: Receipt


# ----------------------------------------------------------------------------------------------
# The frames
# ----------------------------------------------------------------------------------------------


def frames(
    moment: Moment,
    *,
    first: int = 1,
    last: int | None = None,
    follow: str | None = None,
    language: str = "en",
    display: bool = False,
) -> Iterator[Frame]:
    """The frames from one action to another (by default the last one), as the viewer may see them.

    With `follow`, only frames about that seat are given, by what the viewer may see: actions of or for the seat,
    postings of its accounts, and moves of its token. The moment's `known_at` says which corrections are known.
    With `display`, the sides have what lies on the board, too.
    """
    writer = _FrameWriter(moment, language, display=display)
    for step in steps(moment, first=first, last=last, language=language):
        if follow is None or writer.concerns(step, follow):
            yield writer.frame(step)


class _FrameWriter:
    """Writes the frames of one game for one viewer."""

    def __init__(self, moment: Moment, language: str, *, display: bool = False) -> None:
        self._displays = display
        self._game = moment.game
        self._rulebook = moment.rulebook
        self._viewer = moment.viewer
        self._now, self._language = moment.now, language
        self._names = Names(moment.rulebook, moment.now, language, register_at="")
        self._states = SeenStates(moment.rulebook, moment.viewer)
        # The state after one action is the state before the next one, so each state is converted once.
        self._seen: deque[tuple[State, dict[str, Any]]] = deque(maxlen=4)
        self._displayed: deque[tuple[State, Display]] = deque(maxlen=4)
        self._stood: deque[tuple[State, Mapping[str, SeatStanding]]] = deque(maxlen=4)

    def frame(self, step: Step) -> Frame:
        """The frame of one action."""
        view = step.view
        counting = view.restated if view.status == "restated" else view.events
        recorded = None if step.recorded is None else self._side(step.recorded, view.events)
        if step.corrected is step.recorded:
            corrected = recorded
        else:
            corrected = None if step.corrected is None else self._side(step.corrected, counting)
        return Frame(
            action=step.name,
            number=view.number,
            after=step.after,
            place=step.place,
            kind=view.kind,
            seat=view.seat,
            seat_name=self._names.seat(view.seat),
            by=view.by,
            by_name=self._names.asker(view.by),
            recorded_at=view.recorded_at,
            status=view.status,
            corrected_by=view.corrected_by,
            reason=view.reason,
            recorded=recorded,
            corrected=corrected,
            same=recorded == corrected,
            standings=self._standings(step),
            **self._named(recorded, corrected),
            receipt=view.receipt,
        )

    def _standings(self, step: Step) -> tuple[FrameStanding, ...]:
        before, after = self._standing(step.effective.before), self._standing(step.effective.after)
        then = {} if step.recorded is None else self._standing(step.recorded.after)
        return tuple(
            FrameStanding(
                seat=view.seat,
                name=view.name,
                letter=view.letter,
                colour=view.colour,
                playing=now.playing,
                worth=now.worth,
                change=None if now.worth is None else now.worth - (_worth(before, view.seat) or 0),
                recorded=_worth(then, view.seat),
            )
            for view in seated(self._game, step.effective.after)
            for now in (after[view.seat],)
        )

    def _standing(self, state: State) -> Mapping[str, SeatStanding]:
        for known, stood in self._stood:
            if known is state:
                return stood
        stood = {one.seat: one for one in standings_of(self._rulebook, state, self._viewer)}
        self._stood.append((state, stood))
        return stood

    def _named(self, *sides: FrameSide | None) -> dict[str, dict[str, str]]:
        """The names of the accounts and commodities in postings, balances and changes."""
        accounts: set[str] = set()
        commodities: set[str] = set()
        for side in sides:
            if side is None:
                continue
            for posting in side.postings:
                accounts |= {posting.source, posting.target}
                commodities.add(posting.commodity)
            for account, held in side.balances.items():
                accounts.add(account)
                commodities |= set(held)
            for account, commodity, *_ in holdings_changed(side):
                accounts.add(account)
                commodities.add(commodity)
        return {
            "account_names": {account: self._names.account(account) for account in sorted(accounts)},
            "commodity_names": {commodity: self._names.commodity(commodity) for commodity in sorted(commodities)},
        }

    def concerns(self, step: Step, seat: str) -> bool:
        """Whether an action is about a seat, by what the viewer may see."""
        view = step.view
        if seat in {view.seat, view.by}:
            return True
        own = self._rulebook.accounts_of(seat)
        moved = (posting for event in (*view.events, *view.restated) for posting in event.postings)
        if any(posting.source in own or posting.target in own for posting in moved):
            return True
        transitions = (transition for transition in (step.recorded, step.corrected) if transition is not None)
        return any(self._moves_token(transition, seat) for transition in transitions)

    def _moves_token(self, transition: Transition, seat: str) -> bool:
        before, after = (
            positions_of(self._rulebook, state).get(seat) for state in (transition.before, transition.after)
        )
        return before != after

    def _side(self, transition: Transition, events: tuple[EventView, ...]) -> FrameSide:
        postings = tuple(posting for event in events for posting in event.postings)
        accounts = dict.fromkeys(account for one in postings for account in (one.source, one.target))
        held = {
            account: seen_account(self._rulebook, transition.after, account, self._viewer) for account in accounts
        }
        before, after = self._state(transition.before), self._state(transition.after)
        return FrameSide(
            sentences=tuple(event.text for event in events),
            rules=tuple(dict.fromkeys(event.rule for event in events)),
            postings=postings,
            balances={account: amounts for account, amounts in held.items() if amounts},
            positions=dict(positions_of(self._rulebook, transition.after)),
            changed=tuple(_differences(before, after)),
            told=tuple(self._told(before["table"], after["table"])),
            display=self._display(transition.after) if self._displays else UNSET,
        )

    def _display(self, state: State) -> Display:
        for known, shown in self._displayed:
            if known is state:
                return shown
        shown = shown_on(self._rulebook, state, self._viewer, self._language)
        self._displayed.append((state, shown))
        return shown

    def _told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
        """How the table changes, in sentences; nothing for the action that lays it out."""
        if before and before != after:
            yield from self._rulebook.changes_told(self._now, before, after, self._language)

    def _state(self, state: State) -> dict[str, Any]:
        for known, seen in self._seen:
            if known is state:
                return seen
        seen = self._states.of(state)
        self._seen.append((state, seen))
        return seen


def _worth(standings: Mapping[str, SeatStanding], seat: str) -> int | None:
    return standings[seat].worth if seat in standings else None


def holdings_changed(side: FrameSide) -> Iterator[tuple[str, str, int, int]]:
    """The changes of holdings: the account, the commodity, and the amounts before and after."""
    for change in side.changed:
        kind, _, rest = change.what.partition(".")
        if kind != _ACCOUNTS:
            continue
        account, _, commodity = rest.partition(".")
        if commodity:
            yield account, commodity, change.before or 0, change.after or 0
            continue
        before, after = change.before or {}, change.after or {}
        for one in sorted({*before, *after}):  # The account appears or disappears as a whole.
            yield account, one, before.get(one, 0), after.get(one, 0)


def _differences(before: Mapping[str, Any], after: Mapping[str, Any], where: str = "") -> Iterator[StateChange]:
    """The differences of two states, member by member."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is new or old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new, f"{where}{name}.")
        else:
            yield StateChange(f"{where}{name}", old, new)


# ----------------------------------------------------------------------------------------------
# Pages
# ----------------------------------------------------------------------------------------------


class Page(msgspec.Struct, frozen=True):
    """A page of frames in the order of the history, and the places of the neighbouring pages; None for none."""

    frames: tuple[Frame, ...]
    following: Place | None
    """The next page begins after this place."""
    preceding: Place | None
    """The previous page ends before this place."""


def page(
    moment: Moment,
    *,
    limit: int,
    after: Place | None = None,
    before: Place | None = None,
    within: tuple[Place, Place] | None = None,
    follow: str | None = None,
    language: str = "en",
    display: bool = False,
) -> Page:
    """A page of up to `limit` frames: after a place, before a place, or from the first action on.

    `within` are the first and the last place to read. Takes the other parameters of `frames`, too. A page that
    follows a seat may have fewer frames, or none, although there is another page, because it reads at most
    `FURTHEST` actions.
    """
    begin, end = within or ((1,), moment.through)

    def between(first: int, last: int) -> Iterator[Frame]:
        found = frames(moment, first=first, last=last, follow=follow, language=language, display=display)
        return (frame for frame in found if begin <= frame.place <= end)

    first, last = max(begin[0], 1), min(end[0], moment.known_at)
    if before is not None:
        return _page_before(between, before, limit, first, last)
    return _page_after(between, after, limit, first, last)


def _page_after(between: _Between, after: Place | None, limit: int, first: int, last: int) -> Page:
    start = first if after is None else max(first, after[0])
    end = min(last, start + FURTHEST - 1)
    found = list(islice((one for one in between(start, end) if after is None or one.place > after), limit + 1))
    shown = tuple(found[:limit])
    following = preceding = None
    if len(found) > limit:
        following = shown[-1].place
    elif end < last:
        following = end, BEYOND, 0
    if after is not None:
        preceding = shown[0].place if shown else (*after, 0)
    return Page(shown, following, preceding)


def _page_before(between: _Between, before: Place, limit: int, first: int, last: int) -> Page:
    end = min(last, before[0])
    furthest = max(first, end - FURTHEST + 1)
    found: list[Frame] = []
    while len(found) <= limit and end >= furthest:
        start = max(furthest, end - limit)
        found = [*(one for one in between(start, end) if one.place < before), *found]
        end = start - 1
    shown = tuple(found[-limit:])
    preceding = None
    if len(found) > limit:
        preceding = shown[0].place
    elif end >= first:
        preceding = end + 1, 0, 0
    following = shown[-1].place if shown else (*before[:-1], before[-1] - 1)
    return Page(shown, following, preceding)
