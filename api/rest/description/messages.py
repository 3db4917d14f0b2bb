"""The messages of a game's stream, with their members, for the API description."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from api.rest.description.schemas import AllMoves
from ledger.acting.sharing import Wanted
from ledger.kernel.facts.labels import Name
from ledger.reading.entries.overdue import Overdue
from ledger.reading.entries.views import EntryView
from ledger.reading.moves.shown import ShownMoves
from ledger.reading.table.states import GameState


class RewrittenMessage(msgspec.Struct, frozen=True):
    """The `numbers` of the earlier entries that the entry of this version changed, and the first of them."""

    version: int
    numbers: tuple[Name, ...]
    from_: int = msgspec.field(name="from")


class StateMessage(msgspec.Struct, frozen=True):
    """The whole `state`, or a `patch` (RFC 7396) of that at version `since`."""

    version: int
    state: GameState | UnsetType = UNSET
    since: int | UnsetType = UNSET
    patch: dict[str, Any] | UnsetType = UNSET


class MovesMessage(ShownMoves, frozen=True, kw_only=True):
    """The moves of the caller's seat."""

    version: int


class DueMessage(msgspec.Struct, frozen=True):
    """What time has made due."""

    version: int
    due: Overdue


class PresenceMessage(msgspec.Struct, frozen=True):
    """Who is connected, and since when those are away who were."""

    version: int
    seats: dict[str, bool]
    banker: bool
    spectators: int
    left: dict[str, datetime]


class HeartbeatMessage(msgspec.Struct, frozen=True):
    """The time of the server."""

    version: int
    at: datetime


class EndedMessage(msgspec.Struct, frozen=True):
    """The game has ended."""

    version: int


class ContinuedMessage(msgspec.Struct, frozen=True):
    """The table of the ended game plays again, in the game `game`."""

    version: int
    game: str


class ClosedMessage(msgspec.Struct, frozen=True):
    """The last message: why there are no more."""

    reason: Literal["token-revoked"]


class GapMessage(msgspec.Struct, frozen=True):
    """Entries after `after` were missed: read the journal again."""

    after: int
    version: int


MESSAGES: Mapping[str, tuple[type, ...]] = {
    "entry": (EntryView,),
    "rewritten": (RewrittenMessage,),
    "state": (StateMessage,),
    "moves": (MovesMessage, AllMoves),
    "due": (DueMessage,),
    "throw": (Wanted,),
    "presence": (PresenceMessage,),
    "heartbeat": (HeartbeatMessage,),
    "ended": (EndedMessage,),
    "continued": (ContinuedMessage,),
    "closed": (ClosedMessage,),
    "gap": (GapMessage,),
}
"""The possible types of a message's `data`, by its `event`."""
