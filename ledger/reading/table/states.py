"""The whole state of a game at a moment, as one viewer may see it."""

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
from ledger.reading.money.standings import standings
from ledger.reading.moves.awaiting import awaited
from ledger.reading.table.glances import Status, status_of
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
    """The game that this game continues, if it continues another."""
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
    """How the seats stand, in the order of turns."""
    awaited: tuple[AwaitedView, ...]
    """What the game waits for, the most pressing first; as the moves, with what is due already done."""
    display: Display
    """What lies on the board (`GET …/board`)."""
    table: dict[str, Any]
    accounts: dict[str, dict[str, int]]
    account_names: dict[str, str]
    """The names for people of these accounts."""
    agreements: dict[str, list[dict[str, Any]]]
    due: Overdue | UnsetType = UNSET
    """What time has made due now and the next action brings first."""
    ahead: int | UnsetType = UNSET
    """By how many seconds the times of the game are ahead of the clock of the service, because that was ahead once
    and was set back; left out below a minute. What ends at a time ends that much earlier by the clock."""


_LEVEL = timedelta()


def shown_state(moment: Moment, at: datetime, language: str, ahead: timedelta = _LEVEL) -> GameState:
    """The state at a moment, as its viewer may see it. `at` is the time of the game, for which `due` is said.

    `language` is "en" or "fr". `ahead` is by how much that time is ahead of the clock.
    """
    return state_with(moment, overdue(moment, at, language), at, language, ahead)


def state_with(
    moment: Moment, due: Overdue | None, at: datetime, language: str, ahead: timedelta = _LEVEL
) -> GameState:
    """The state at a moment when it is known already what time has made due (`overdue` at the time `at`)."""
    found = moment.shared(("state", moment.viewer, language), lambda: _timeless(moment, language))
    if ahead and moment.state is moment.now:
        found = replace(found, ahead=round(ahead.total_seconds()))
    if due is None:
        return found
    return replace(found, due=due, awaited=_awaited_then(moment, found.awaited, at, language))


def _awaited_then(
    moment: Moment, before: tuple[AwaitedView, ...], at: datetime, language: str
) -> tuple[AwaitedView, ...]:
    """What the game waits for once that is done which is due by time: these are the moves that there are now.

    A time that begins only with the next action has no end yet.
    """
    then = awaited(moment.rulebook, present(moment, at), moment.viewer, language)
    return tuple(one if one in before else replace(one, until=UNSET) for one in then)


def _timeless(moment: Moment, language: str) -> GameState:
    """The state without what is due: it does not depend on the time."""
    rulebook, state, viewer = moment.rulebook, moment.state, moment.viewer
    alike = _alike(moment, language)
    held = alike.holdings.seen_by(viewer)
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
        standings=standings(rulebook, state, viewer),
        awaited=awaited(rulebook, state, viewer, language),
        display=alike.display or shown_on(rulebook, state, viewer, language),
        table={**alike.public, **rulebook.own_view(state, viewer)},
        accounts=held,
        account_names={account: alike.names.account(account) for account in held},
        agreements=open_agreements(rulebook, state, viewer),
    )


class _Alike(NamedTuple):
    """What is the same for every viewer of a state in one language. `display` is None where it is not."""

    seats: tuple[SeatView, ...]
    round: int | UnsetType
    turn: TurnView | UnsetType
    phase: PhaseView
    clock: ClockView | UnsetType
    display: Display | None
    public: dict[str, Any]
    holdings: AllHoldings
    names: Names


def _alike(moment: Moment, language: str) -> _Alike:
    """What is the same for every viewer, found once for the newest state."""
    rulebook, state = moment.rulebook, moment.state

    def find() -> _Alike:
        turn, clock = rulebook.turn(state), rulebook.clock(state)
        return _Alike(
            seats=seated(moment.game, state),
            round=rulebook.summary(state).get("round", UNSET),
            turn=UNSET if turn is None else turn,
            phase=rulebook.phase(state, language),
            clock=UNSET if clock is None else clock,
            display=shown_on(rulebook, state, SPECTATOR, language) if rulebook.display_is_public else None,
            public=rulebook.public_view(state),
            holdings=AllHoldings(rulebook, state),
            names=Names(rulebook, state, language),
        )

    return moment.shared(("alike", language), find)
