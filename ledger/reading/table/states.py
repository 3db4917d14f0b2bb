"""The whole state of a game at a moment, as visible to a viewer."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.games.moments import Moment
from ledger.games.setups import Origin
from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.rules.display import AwaitedView, ClockView, Display, PhaseView, StandingView, TurnView
from ledger.reading.entries.overdue import Overdue, overdue, present
from ledger.reading.money.accounts import AllHoldings, open_agreements
from ledger.reading.money.dues import DueView, dues_of
from ledger.reading.money.obligations import ObligationView, obligations_of
from ledger.reading.money.standings import standings
from ledger.reading.moves.awaiting import awaited
from ledger.reading.table.glances import Status, status_of
from ledger.reading.table.newest import LastView, last_line
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import SeatView, seated
from ledger.rulebooks.parts.boards import shown_on


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the caller sees it after action number `version`. `head` is the number of the newest action.

    What is alike in all games comes first; `table` is what the rulebook adds. `accounts` are all accounts with the
    holdings that the caller may see. `agreements` are the open agreements by collection.

    What there is not is left out: no member is ever null, so that a JSON Merge Patch (RFC 7396) can carry every
    change.
    """

    game: str
    rulebook: str
    origin: Origin | UnsetType = UNSET
    """The game continued by this game, if any."""
    continued: str | UnsetType = UNSET
    """The game that the table of this ended game plays next, if any (`POST …/again`)."""
    status: Status
    version: int
    head: int
    seats: tuple[SeatView, ...]
    """The seats in the order of turns."""
    round: int | UnsetType = UNSET
    turn: TurnView | UnsetType = UNSET
    phase: PhaseView
    clock: ClockView | UnsetType = UNSET
    standings: tuple[StandingView, ...]
    """The standings of the seats, in the order of turns."""
    awaited: tuple[AwaitedView, ...]
    """The awaited tasks, the most pressing first; like the moves, after the actions due by time."""
    display: Display
    """The things on the board (`GET …/board`)."""
    table: dict[str, Any]
    accounts: dict[str, dict[str, int]]
    account_names: dict[str, str]
    """The names of these accounts for people."""
    agreements: dict[str, list[dict[str, Any]]]
    obligations: tuple[ObligationView, ...]
    """The debts, deposits and answers due that the caller may know of (`GET …/obligations`)."""
    dues: tuple[DueView, ...]
    """The next three things that fall due and that the caller may see, the most pressing first."""
    last: LastView | UnsetType = UNSET
    """The newest line that everybody sees."""
    due: Overdue | UnsetType = UNSET
    """The actions due by time, recorded right before the next action."""
    ahead: int | UnsetType = UNSET
    """The lead of the game's times over the clock of the service in seconds, after the clock was set back.

    Left out below a minute. A deadline ends earlier on the clock by the lead.
    """


_LEVEL = timedelta()


def shown_state(moment: Moment, at: datetime, language: str, ahead: timedelta = _LEVEL) -> GameState:
    """Return the state at a moment, as visible to its viewer. `at` is the time of the game, for `due`.

    `language` is "en" or "fr". `ahead` is the lead of the game's time over the clock.
    """
    return state_with(moment, overdue(moment, at, language), at, language, ahead)


def state_with(
    moment: Moment, due: Overdue | None, at: datetime, language: str, ahead: timedelta = _LEVEL
) -> GameState:
    """Return the state at a moment with known due actions (`overdue` at the time `at`)."""
    view = moment.shared(
        ("state", moment.viewer, language),
        lambda: replace(folded_state(moment, language), last=last_line(moment, language)),
    )
    if ahead and moment.state is moment.newest:
        view = replace(view, ahead=round(ahead.total_seconds()))
    if moment.continued is not None:
        view = replace(view, continued=moment.continued)
    if due is None:
        return view
    return replace(view, due=due, awaited=_awaited_then(moment, view.awaited, at, language))


def _awaited_then(
    moment: Moment, earlier: tuple[AwaitedView, ...], at: datetime, language: str
) -> tuple[AwaitedView, ...]:
    """Return the awaited tasks after the actions due by time, in line with the moves.

    A time limit from the next action on has no end yet.
    """
    tasks = awaited(moment.rulebook, present(moment, at), moment.viewer, language)
    return tuple(task if task in earlier else replace(task, until=UNSET) for task in tasks)


def folded_state(moment: Moment, language: str) -> GameState:
    """Build the state from the fold alone: without the newest line, and without the actions due by time."""
    rulebook, state, viewer = moment.rulebook, moment.state, moment.viewer
    alike = _common_state(moment, language)
    visible = alike.holdings.seen_by(viewer)
    return GameState(
        game=moment.game.id,
        rulebook=rulebook.id,
        origin=moment.game.setup.origin or UNSET,
        status=status_of(rulebook, state),
        version=state.version,
        head=moment.version,
        seats=alike.seats,
        round=alike.round,
        turn=alike.turn,
        phase=alike.phase,
        clock=alike.clock,
        standings=standings(rulebook, state, viewer, language),
        awaited=awaited(rulebook, state, viewer, language),
        display=alike.display or shown_on(rulebook, state, viewer, language),
        table={**alike.public, **rulebook.screen.own_view(state, viewer)},
        accounts=visible,
        account_names={account: alike.names.account(account) for account in visible},
        agreements=open_agreements(rulebook, state, viewer),
        obligations=obligations_of(moment, language),
        dues=dues_of(moment, language),
    )


class _CommonState(NamedTuple):
    """The parts of a state common to all viewers, in a language.

    `display` is None if viewers see different displays.
    """

    seats: tuple[SeatView, ...]
    round: int | UnsetType
    turn: TurnView | UnsetType
    phase: PhaseView
    clock: ClockView | UnsetType
    display: Display | None
    public: dict[str, Any]
    holdings: AllHoldings
    names: Names


def _common_state(moment: Moment, language: str) -> _CommonState:
    """Return the common parts for all viewers, computed once for the newest state."""
    rulebook, state = moment.rulebook, moment.state

    def find() -> _CommonState:
        turn, clock = rulebook.screen.turn(state), rulebook.screen.clock(state)
        return _CommonState(
            seats=seated(moment.game, state),
            round=rulebook.screen.summary(state).get("round", UNSET),
            turn=UNSET if turn is None else turn,
            phase=rulebook.screen.phase(state, language),
            clock=UNSET if clock is None else clock,
            display=shown_on(rulebook, state, SPECTATOR, language) if rulebook.screen.display_is_public else None,
            public=rulebook.screen.public_view(state),
            holdings=AllHoldings(rulebook, state),
            names=Names(rulebook, state, language),
        )

    return moment.shared(("alike", language), find)
