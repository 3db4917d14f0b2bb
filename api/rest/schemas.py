"""The shapes of answers: what is sent is of these types, and OpenAPI's schemas are made from them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from api.rest.requests import (
    NewAction,
    NewCorrection,
    NewDispute,
    NewFork,
    NewGame,
    NewRedo,
    NewRuling,
    NewStatement,
    NewUndo,
    NewWithdrawal,
)
from ledger.games.setups import Origin
from ledger.kernel.moves import Move
from ledger.kernel.register import Rule
from ledger.reading.audit_lines import AuditLine
from ledger.reading.entries import EntryView
from ledger.reading.precedents import RulingView
from ledger.reading.previews import Preview
from ledger.reading.statements import Line
from ledger.reading.why import Why
from replays.frames import Frame
from replays.statistics.shapes import Statistics

Role = Literal["banker", "player", "spectator"]
Status = Literal["setup", "play", "ended"]


class Tokens(msgspec.Struct, frozen=True):
    """The tokens of a new game, shown this once: the banker's, one for each seat, and the spectators'."""

    banker: str
    players: dict[str, str]
    spectator: str


class GameCreated(msgspec.Struct, frozen=True):
    """A new game's id and its tokens."""

    game: str
    tokens: Tokens


class SeatView(msgspec.Struct, frozen=True):
    """A player's seat."""

    seat: str
    name: str


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may see of a game at a glance. A rulebook may add members of its own."""

    game: str
    rulebook: str
    title: str
    created_at: datetime
    origin: Origin | None
    """What it goes on from, if it did not begin with its own first action."""
    dice: str
    seats: tuple[SeatView, ...]
    status: Status
    version: int
    round: int | None
    turn: str | None
    """The seat whose turn it is."""


class GamePage(msgspec.Struct, frozen=True):
    """Games, newest first."""

    games: tuple[GameSummary, ...]
    next: str | None


class JournalPage(msgspec.Struct, frozen=True):
    """Entries of the journal, in the order asked for, with the cursors of the pages around them."""

    actions: tuple[EntryView, ...]
    next: str | None
    previous: str | None
    version: int


class AuditPage(msgspec.Struct, frozen=True):
    """Lines of the audit, in the order asked for, with the cursors of the pages around them."""

    lines: tuple[AuditLine, ...]
    next: str | None
    previous: str | None
    version: int


class ReplayPage(msgspec.Struct, frozen=True):
    """Frames in the order of the history, with the cursors of the pages around them."""

    frames: tuple[Frame, ...]
    next: str | None
    previous: str | None
    version: int


class WhyPage(Why, frozen=True, kw_only=True):
    """Where an amount comes from, with the cursor of the postings before those that are given."""

    next: str | None
    version: int


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the caller sees it, after action number `version`; `head` is the newest there is.

    `table` is what the rulebook shows; `accounts` every account with the holdings the caller may see; `agreements`
    the open ones by their collection.
    """

    game: str
    rulebook: str
    origin: Origin | None
    """What the game goes on from, if it did not begin with its own first action."""
    status: Status
    version: int
    head: int
    seats: tuple[SeatView, ...]
    table: dict[str, Any]
    accounts: dict[str, dict[str, int]]
    agreements: dict[str, list[dict[str, Any]]]


class AccountView(msgspec.Struct, frozen=True):
    """An account and what the caller may see of its holdings: amounts (whole) by commodity."""

    account: str
    holdings: dict[str, int]


class Accounts(msgspec.Struct, frozen=True):
    """Every account of which the caller sees a holding."""

    accounts: tuple[AccountView, ...]
    version: int


class Account(msgspec.Struct, frozen=True):
    """One account."""

    account: str
    holdings: dict[str, int]
    version: int


class Statement(msgspec.Struct, frozen=True):
    """An account's postings, oldest first, each with the balance after it."""

    account: str
    lines: tuple[Line, ...]
    next: str | None
    version: int


class Agreements(msgspec.Struct, frozen=True):
    """The agreements of a collection that the caller may see, in the order of their opening."""

    collection: str
    agreements: tuple[dict[str, Any], ...]
    version: int


class StatementView(msgspec.Struct, frozen=True):
    """What a seat, or the banker, says in a dispute."""

    by: str
    text: str
    at: datetime


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """Actions that a seat contests. `parties` are the seats that may know of it, None for everybody.

    `ruling` is the number of the action that ended it.
    """

    id: str
    status: Literal["open", "withdrawn", "ruled"]
    opener: str
    opened_at: datetime
    actions: tuple[int, ...]
    claim: str
    rules: tuple[str, ...]
    parties: tuple[str, ...] | None
    statements: tuple[StatementView, ...]
    ruling: str | None


class DisputeList(msgspec.Struct, frozen=True):
    """The disputes that the caller may know of, in the order of their opening."""

    disputes: tuple[DisputeView, ...]
    version: int


class DisputeAnswer(msgspec.Struct, frozen=True):
    """One dispute."""

    dispute: DisputeView
    version: int


class RulingPreview(msgspec.Struct, frozen=True):
    """The entry that a ruling would give, and what it would make of the history when it corrects it."""

    entry: EntryView
    correction: Preview | None


class RulingPage(msgspec.Struct, frozen=True):
    """Rulings, newest first."""

    rulings: tuple[RulingView, ...]
    next: str | None


class ObstacleView(msgspec.Struct, frozen=True):
    """Why an action with these parameters may not be done now; `rule` is None when no numbered rule says so."""

    kind: str
    params: dict[str, Any]
    rule: str | None
    detail: str


class Moves(msgspec.Struct, frozen=True):
    """What may be done now, and, where it was asked, why something may not."""

    seat: str | None
    moves: tuple[Move, ...]
    obstacles: tuple[ObstacleView, ...]
    version: int


class TokenView(msgspec.Struct, frozen=True):
    """A token without its secret. `revoked_at` is None while it is in force; `yours` marks the one in use."""

    id: str
    role: Role
    seat: str | None
    created_at: datetime
    revoked_at: datetime | None
    yours: bool


class TokenList(msgspec.Struct, frozen=True):
    """Every token ever issued for a game, oldest first."""

    tokens: tuple[TokenView, ...]


class NewToken(msgspec.Struct, frozen=True):
    """A token that takes another's place, shown this once."""

    token: str
    role: Role
    seat: str | None


class PlayerCount(msgspec.Struct, frozen=True):
    """The smallest and the largest number of players."""

    fewest: int
    most: int


class RulebookSummary(msgspec.Struct, frozen=True):
    """A game that the service knows."""

    id: str
    title: str
    players: PlayerCount


class Rulebooks(msgspec.Struct, frozen=True):
    """The games that the service knows."""

    rulebooks: tuple[RulebookSummary, ...]


class RulebookView(msgspec.Struct, frozen=True, kw_only=True):
    """A game that the service knows: what a frontend needs to create one and to draw its table.

    `settings` is a JSON Schema with the defaults.
    """

    id: str
    title: str
    currency: str
    players: PlayerCount
    settings: dict[str, Any]
    agreements: tuple[str, ...]
    components: dict[str, Any]
    board: tuple[dict[str, Any], ...]


class ActionView(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of action: who may ask for it, when, the rules it carries, and its parameters as JSON Schema."""

    kind: str
    chapter: str
    by: tuple[str, ...]
    rules: tuple[str, ...]
    summary: str
    when: str
    parameters: dict[str, Any]


class Catalogue(msgspec.Struct, frozen=True):
    """Every kind of action of a rulebook."""

    actions: tuple[ActionView, ...]


class RuleView(msgspec.Struct, frozen=True, kw_only=True):
    """A numbered rule: its article, what it requires, and the decision taken where the document is silent."""

    id: str
    article: str
    title: str
    requires: str
    category: str
    actions: tuple[str, ...]
    decision: str

    @classmethod
    def of(cls, rule: Rule) -> RuleView:
        """The rule as it is answered."""
        return cls(
            id=rule.id,
            article=rule.article,
            title=rule.title,
            requires=rule.requires,
            category=rule.category,
            actions=rule.actions,
            decision=rule.decision,
        )


class Rules(msgspec.Struct, frozen=True):
    """Rules of a register, in the order of its document."""

    rules: tuple[RuleView, ...]


class Health(msgspec.Struct, frozen=True):
    """The service is alive, or ready."""

    status: Literal["ok"]


class Index(msgspec.Struct, frozen=True):
    """Where to go from here."""

    service: str
    api: str
    documentation: str
    openapi: str
    health: str


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong with one field of the body (a JSON Pointer) or one parameter of the query."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None
    value: Any = None


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `rule`, `rules` and `kind` come with a refused action, `errors` with a wrong
    shape, `preview` with a correction that would change later actions.
    """

    type: str
    title: str
    status: int
    detail: str
    rule: str | msgspec.UnsetType = msgspec.UNSET
    rules: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    kind: str | msgspec.UnsetType = msgspec.UNSET
    errors: tuple[Fault, ...] | msgspec.UnsetType = msgspec.UNSET
    preview: Preview | msgspec.UnsetType = msgspec.UNSET


DOCUMENTED = (
    NewGame,
    NewFork,
    NewAction,
    NewCorrection,
    NewUndo,
    NewRedo,
    NewDispute,
    NewStatement,
    NewWithdrawal,
    NewRuling,
    DisputeList,
    DisputeAnswer,
    RulingPreview,
    RulingPage,
    Preview,
    GameCreated,
    GameSummary,
    GamePage,
    EntryView,
    JournalPage,
    AuditPage,
    ReplayPage,
    WhyPage,
    GameState,
    Accounts,
    Account,
    Statement,
    Statistics,
    Agreements,
    Moves,
    TokenList,
    NewToken,
    Rulebooks,
    RulebookView,
    ActionView,
    Catalogue,
    RuleView,
    Rules,
    Health,
    Index,
    ProblemDetails,
)
"""Every type that stands in the OpenAPI document under its own name."""
