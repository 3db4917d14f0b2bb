"""The types of answers about tokens, invitations, the demo and the caller."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from api.rest.description.log_schemas import GameLog
from api.rest.description.requests import (
    DemoName,
    Role,
)
from ledger.kernel.facts.state import Seat


class Tokens(msgspec.Struct, frozen=True):
    """The tokens of a new game, shown only once: the banker's, one for each seat, and the spectators'."""

    banker: str
    players: dict[str, str]
    spectator: str


class IssuedToken(msgspec.Struct, frozen=True):
    """A token without its secret. `revoked_at` is null while it is in force; `yours` marks the caller's own."""

    id: str
    role: Role
    seat: str | None
    created_at: datetime
    revoked_at: datetime | None
    yours: bool


class TokenList(msgspec.Struct, frozen=True):
    """All tokens ever issued for a game, oldest first."""

    tokens: tuple[IssuedToken, ...]


class NewToken(msgspec.Struct, frozen=True):
    """A new token that replaces another one, shown only once."""

    token: str
    role: Role
    seat: str | None


class InvitationView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An open invitation: for whom it is, and until when. `seat` and `name` are those of a player's seat.

    `replaces` is the id of the token that is revoked when the code is used. Those of a seat are revoked anyway.
    """

    id: str
    role: Role
    seat: str | msgspec.UnsetType = msgspec.UNSET
    name: str | msgspec.UnsetType = msgspec.UNSET
    replaces: str | msgspec.UnsetType = msgspec.UNSET
    created_at: datetime
    expires_at: datetime


class InvitationCreated(InvitationView, frozen=True, kw_only=True):
    """A new invitation, with its code and the link that holds the code; both are shown only once."""

    code: str
    link: str


class InvitationList(msgspec.Struct, frozen=True):
    """The open invitations of a game, oldest first, without their codes."""

    invitations: tuple[InvitationView, ...]


class JoinedGame(msgspec.Struct, frozen=True, kw_only=True):
    """The game that a code opened, and the token, shown only once. `seat` and `name` are those of a player."""

    game: str
    rulebook: str
    title: str
    role: Role
    seat: str | msgspec.UnsetType = msgspec.UNSET
    name: str | msgspec.UnsetType = msgspec.UNSET
    token: str
    log: GameLog


class InvitedSeat(msgspec.Struct, frozen=True):
    """A seat of the table behind a code. `occupied` if a device has joined for the seat and still holds it."""

    name: str
    letter: str
    colour: int
    occupied: bool


class InvitedTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table behind an open code: the game, the seats in the order of turns, and the role of the code.

    `letter` is the letter of the seat that the code is for; absent for a screen.
    """

    title: str
    rulebook: str
    rulebook_title: str
    role: Role
    letter: str | msgspec.UnsetType = msgspec.UNSET
    seats: tuple[InvitedSeat, ...]


class DemoGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the demo: the evening under way, or the finished one."""

    name: DemoName
    game: str
    rulebook: str
    title: str
    seats: tuple[Seat, ...]


class DemoStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something to try in the evening under way, on a screen; only for some seats, if there are `seats`.

    It ends by a line of one of the `kinds`, by a page of the console, or by a look at the `past`. `ask` asks for
    it, `type` is what is typed, and `done` says what happened.
    """

    screen: Literal["desk", "phone", "wall"]
    ask: str
    done: str | None
    type: str | None
    kinds: tuple[str, ...]
    seats: tuple[str, ...]
    page: str | None
    past: bool


class DemoView(msgspec.Struct, frozen=True, kw_only=True):
    """The games of the demo, and what to try; nothing where the service has no demo.

    `again` is whether everybody may begin the evening again.
    """

    games: tuple[DemoGame, ...]
    steps: tuple[DemoStep, ...]
    again: bool


Ability = Literal[
    "read",
    "read_everything",
    "act",
    "act_for_others",
    "waive_rules",
    "dispute",
    "undo",
    "ask_for_undo",
    "correct",
    "rule",
    "invite",
    "manage_tokens",
    "continue_in_new_game",
]


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller's token is: its game, role and id, and what it may ask for.

    A player's has the seat, as in every list of seats. The rules may still refuse what the token may ask for.
    """

    game: str
    rulebook: str
    title: str
    role: Role
    seat: str | msgspec.UnsetType = msgspec.UNSET
    name: str | msgspec.UnsetType = msgspec.UNSET
    letter: str | msgspec.UnsetType = msgspec.UNSET
    colour: int | msgspec.UnsetType = msgspec.UNSET
    token: str
    may: tuple[Ability, ...]
    log: GameLog


class ResourceView(msgspec.Struct, frozen=True):
    """A resource: the template of its address (RFC 6570), its methods, and what it is."""

    template: str
    methods: tuple[str, ...]
    title: str


class ApiIndex(msgspec.Struct, frozen=True):
    """The resources of the API, and where they are described."""

    service: str
    openapi: str
    documentation: str
    resources: tuple[ResourceView, ...]
