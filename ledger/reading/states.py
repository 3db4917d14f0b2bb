"""The whole state of a game at a moment, as one viewer may see it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.games.setups import Origin
from ledger.reading.accounts import accounts, open_agreements
from ledger.reading.glances import Status, status_of
from ledger.reading.overdue import Overdue, overdue
from ledger.reading.seating import SeatView, seated


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the caller sees it after action number `version`. `head` is the number of the newest action.

    `table` is the rulebook's own view of the table. `accounts` are all accounts with the holdings that the caller
    may see. `agreements` are the open agreements by collection. What there is not is left out: no member is ever
    null, so that a JSON Merge Patch (RFC 7396) can carry every change.
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
    table: dict[str, Any]
    accounts: dict[str, dict[str, int]]
    agreements: dict[str, list[dict[str, Any]]]
    due: Overdue | UnsetType = UNSET
    """What time has made due now and the next action brings first."""


def shown_state(moment: Moment, at: datetime, language: str) -> GameState:
    """The state at a moment, as its viewer may see it. `at` is the time for which `due` is said.

    `language` is "en" or "fr".
    """
    return state_with(moment, overdue(moment, at, language), language)


def state_with(moment: Moment, due: Overdue | None, language: str) -> GameState:
    """The state at a moment when it is known already what time has made due (`overdue`)."""
    rulebook, state, viewer = moment.rulebook, moment.state, moment.viewer
    return GameState(
        game=moment.game.id,
        rulebook=rulebook.id,
        origin=moment.game.setup.origin or UNSET,
        status=status_of(rulebook, state),
        version=state.version,
        head=moment.version,
        seats=seated(moment.game, state),
        table=rulebook.view(state, viewer),
        accounts=accounts(rulebook, state, viewer),
        agreements=open_agreements(rulebook, state, viewer),
        due=UNSET if due is None else due,
    )
