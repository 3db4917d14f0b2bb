"""The frames of a replay: the movements and changes of each action, as recorded and as corrected."""

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
from ledger.kernel.journal.sight import visible_holdings
from ledger.kernel.rules.display import Display
from ledger.reading.entries.views import EventView, PostingView, Receipt, WarningView
from ledger.reading.history.replay import SeenStates, Step, Transition, steps
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import seated
from ledger.rulebooks.parts.boards import positions_of, shown_on
from replays.standings import SeatStanding, standings_of

FURTHEST = 1000
"""The largest number of actions read for a page that follows a seat."""

_ACCOUNTS = "accounts"

_Between = Callable[[int, int], "Iterator[Frame]"]
"""A function that returns the frames from action `first` to action `last`."""


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
    """The display of the board after the action, as in the state of the game, if requested."""


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
    """The action directly before an inserted action."""
    place: Place
    """The place in the history, for sorting actions."""
    kind: str
    seat: str | None
    seat_name: str | None
    by: str | None
    by_name: str | None
    recorded_at: datetime
    status: ActionStatus
    corrected_by: int | None
    reason: WarningView | None
    """The reason for voiding the action: the rule now broken, and the sentence."""
    recorded: FrameSide | None
    corrected: FrameSide | None
    same: bool
    standings: tuple[FrameStanding, ...]
    """The standings of the seats after the action, in the order of turns."""
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
    """Yield the frames from one action to another (by default the last), as visible to the viewer.

    With `follow`, only frames about a seat are given, judged by the visible data: actions of or for the seat,
    postings of its accounts, and moves of its token. The moment's `known_at` limits the known corrections. With
    `display`, each side also has the display of the board.
    """
    writer = _FrameWriter(moment, language, display=display)
    for step in steps(moment, first=first, last=last, language=language):
        if follow is None or writer.concerns(step, follow):
            yield writer.frame(step)


class _FrameWriter:
    """Writes the frames of a game for a viewer."""

    def __init__(self, moment: Moment, language: str, *, display: bool = False) -> None:
        self._displays = display
        self._game = moment.game
        self._rulebook = moment.rulebook
        self._viewer = moment.viewer
        self._current, self._language = moment.newest, language
        self._names = Names(moment.rulebook, moment.newest, language, register_at="")
        self._states = SeenStates(moment.rulebook, moment.viewer)
        # The state after an action is the state before the next, so each state is converted once.
        self._converted: deque[tuple[State, dict[str, Any]]] = deque(maxlen=4)
        self._displayed: deque[tuple[State, Display]] = deque(maxlen=4)
        self._stood: deque[tuple[State, Mapping[str, SeatStanding]]] = deque(maxlen=4)

    def frame(self, step: Step) -> Frame:
        """Write the frame of an action."""
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
        start, end = self._standing(step.effective.start), self._standing(step.effective.end)
        recorded = {} if step.recorded is None else self._standing(step.recorded.end)
        return tuple(
            FrameStanding(
                seat=view.seat,
                name=view.name,
                letter=view.letter,
                colour=view.colour,
                playing=timeline_entry.playing,
                worth=timeline_entry.worth,
                change=None
                if timeline_entry.worth is None
                else timeline_entry.worth - (_worth(start, view.seat) or 0),
                recorded=_worth(recorded, view.seat),
            )
            for view in seated(self._game, step.effective.end)
            for timeline_entry in (end[view.seat],)
        )

    def _standing(self, state: State) -> Mapping[str, SeatStanding]:
        for cached_state, stood in self._stood:
            if cached_state is state:
                return stood
        stood = {
            timeline_entry.seat: timeline_entry
            for timeline_entry in standings_of(self._rulebook, state, self._viewer)
        }
        self._stood.append((state, stood))
        return stood

    def _named(self, *sides: FrameSide | None) -> dict[str, dict[str, str]]:
        """Return the names of the accounts and commodities in postings, balances and changes."""
        accounts: set[str] = set()
        commodities: set[str] = set()
        for side in sides:
            if side is None:
                continue
            for posting in side.postings:
                accounts |= {posting.source, posting.target}
                commodities.add(posting.commodity)
            for account, amounts in side.balances.items():
                accounts.add(account)
                commodities |= set(amounts)
            for account, commodity, *_ in holdings_changed(side):
                accounts.add(account)
                commodities.add(commodity)
        return {
            "account_names": {account: self._names.account(account) for account in sorted(accounts)},
            "commodity_names": {commodity: self._names.commodity(commodity) for commodity in sorted(commodities)},
        }

    def concerns(self, step: Step, seat: str) -> bool:
        """Return True if an action is visibly about a seat."""
        view = step.view
        if seat in {view.seat, view.by}:
            return True
        accounts = self._rulebook.accounts.accounts_of(seat)
        moved = (posting for event in (*view.events, *view.restated) for posting in event.postings)
        if any(posting.source in accounts or posting.target in accounts for posting in moved):
            return True
        transitions = (transition for transition in (step.recorded, step.corrected) if transition is not None)
        return any(self._moves_token(transition, seat) for transition in transitions)

    def _moves_token(self, transition: Transition, seat: str) -> bool:
        start, end = (
            positions_of(self._rulebook, state).get(seat) for state in (transition.start, transition.end)
        )
        return start != end

    def _side(self, transition: Transition, events: tuple[EventView, ...]) -> FrameSide:
        postings = tuple(posting for event in events for posting in event.postings)
        accounts = dict.fromkeys(account for moved in postings for account in (moved.source, moved.target))
        balances = {
            account: visible_holdings(self._rulebook.secrets, transition.end, account, self._viewer)
            for account in accounts
        }
        state_before, state_after = self._state(transition.start), self._state(transition.end)
        return FrameSide(
            sentences=tuple(event.text for event in events),
            rules=tuple(dict.fromkeys(event.rule for event in events)),
            postings=postings,
            balances={account: amounts for account, amounts in balances.items() if amounts},
            positions=dict(positions_of(self._rulebook, transition.end)),
            changed=tuple(_differences(state_before, state_after)),
            told=tuple(self._change_sentences(state_before["table"], state_after["table"])),
            display=self._display(transition.end) if self._displays else UNSET,
        )

    def _display(self, state: State) -> Display:
        for cached_state, display in self._displayed:
            if cached_state is state:
                return display
        display = shown_on(self._rulebook, state, self._viewer, self._language)
        self._displayed.append((state, display))
        return display

    def _change_sentences(self, earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Iterator[str]:
        """Describe the changes of the table in sentences; nothing for the action that lays it out."""
        if earlier and earlier != later:
            yield from self._rulebook.language.describe_changes(self._current, earlier, later, self._language)

    def _state(self, state: State) -> dict[str, Any]:
        for cached_state, converted in self._converted:
            if cached_state is state:
                return converted
        converted = self._states.of(state)
        self._converted.append((state, converted))
        return converted


def _worth(standings: Mapping[str, SeatStanding], seat: str) -> int | None:
    return standings[seat].worth if seat in standings else None


def holdings_changed(side: FrameSide) -> Iterator[tuple[str, str, int, int]]:
    """Yield the changes of holdings: the account, the commodity, and the amounts before and after."""
    for change in side.changed:
        kind, _, path = change.what.partition(".")
        if kind != _ACCOUNTS:
            continue
        account, _, commodity = path.partition(".")
        if commodity:
            yield account, commodity, change.before or 0, change.after or 0
            continue
        old, new = change.before or {}, change.after or {}
        for name in sorted({*old, *new}):  # The account appears or disappears as a whole.
            yield account, name, old.get(name, 0), new.get(name, 0)


def _differences(earlier: Mapping[str, Any], later: Mapping[str, Any], where: str = "") -> Iterator[StateChange]:
    """Yield the differences of two states, member by member."""
    for name in sorted({*earlier, *later}):
        old, new = earlier.get(name), later.get(name)
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
    """The place before the first frame of the next page."""
    preceding: Place | None
    """The place after the last frame of the previous page."""


def page(
    moment: Moment,
    *,
    limit: int,
    lower: Place | None = None,
    upper: Place | None = None,
    within: tuple[Place, Place] | None = None,
    follow: str | None = None,
    language: str = "en",
    display: bool = False,
) -> Page:
    """Return a page of up to `limit` frames: after the place `lower`, before the place `upper`, or from the
    first action.

    `within` are the first and the last place to read. All further parameters are those of `frames`. A page that
    follows a seat may have few frames or none before the last page, because it reads at most `FURTHEST`
    actions.
    """
    begin, end = within or ((1,), moment.through)

    def between(first: int, last: int) -> Iterator[Frame]:
        candidates = frames(moment, first=first, last=last, follow=follow, language=language, display=display)
        return (frame for frame in candidates if begin <= frame.place <= end)

    first, last = max(begin[0], 1), min(end[0], moment.known_at)
    if upper is not None:
        return _page_before(between, upper, limit, first, last)
    return _page_after(between, lower, limit, first, last)


def _page_after(between: _Between, lower: Place | None, limit: int, first: int, last: int) -> Page:
    start = first if lower is None else max(first, lower[0])
    end = min(last, start + FURTHEST - 1)
    collected = list(
        islice((frame for frame in between(start, end) if lower is None or frame.place > lower), limit + 1)
    )
    selected = tuple(collected[:limit])
    following = preceding = None
    if len(collected) > limit:
        following = selected[-1].place
    elif end < last:
        following = end, BEYOND, 0
    if lower is not None:
        preceding = selected[0].place if selected else (*lower, 0)
    return Page(selected, following, preceding)


def _page_before(between: _Between, upper: Place, limit: int, first: int, last: int) -> Page:
    end = min(last, upper[0])
    furthest = max(first, end - FURTHEST + 1)
    collected: list[Frame] = []
    while len(collected) <= limit and end >= furthest:
        start = max(furthest, end - limit)
        collected = [*(frame for frame in between(start, end) if frame.place < upper), *collected]
        end = start - 1
    selected = tuple(collected[-limit:])
    preceding = None
    if len(collected) > limit:
        preceding = selected[0].place
    elif end >= first:
        preceding = end + 1, 0, 0
    following = selected[-1].place if selected else (*upper[:-1], upper[-1] - 1)
    return Page(selected, following, preceding)
