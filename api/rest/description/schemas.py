"""The types of answers, also the source of the OpenAPI schemas."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from api.rest.description.access_schemas import (
    ApiIndex,
    DemoView,
    InvitationCreated,
    InvitationList,
    InvitationView,
    InvitedSeat,
    InvitedTable,
    JoinedGame,
    Me,
    NewToken,
    ResourceView,
    TokenList,
    Tokens,
)
from api.rest.description.log_schemas import Consistency, Cosigned, GameLog
from api.rest.description.requests import (
    Joining,
    Laying,
    NewAcceptance,
    NewAction,
    NewAgain,
    NewChain,
    NewCorrection,
    NewCosignature,
    NewDispute,
    NewExchange,
    NewFork,
    NewGame,
    NewRedo,
    NewRuling,
    NewStatement,
    NewUndo,
    NewValue,
    NewWithdrawal,
    RoleInvitation,
    SeatInvitation,
    TakingSeat,
)
from api.rest.description.rulebook_schemas import (
    ActionView,
    Catalogue,
    EditionView,
    GameBoard,
    Rulebooks,
    RulebookSettings,
    RulebookView,
    Rules,
    RuleView,
)
from api.rest.problems.kinds import KINDS
from ledger.acting.sharing import SharedDice
from ledger.games.setups import Origin
from ledger.kernel.facts.labels import DiceMode
from ledger.kernel.rules.display import BoardView
from ledger.reading.entries.journal import Totals
from ledger.reading.entries.lines import IndexOfLines
from ledger.reading.entries.overdue import Overdue
from ledger.reading.entries.views import EntryView
from ledger.reading.history.audit_lines import AuditLine
from ledger.reading.history.disputes import DisputeView
from ledger.reading.history.precedents import RulingView
from ledger.reading.history.preview_views import Preview
from ledger.reading.history.touches import LineTouches
from ledger.reading.money.accounts import KnownAccount, KnownCommodity
from ledger.reading.money.agreements import AgreementView
from ledger.reading.money.obligations import ObligationView
from ledger.reading.money.statements import StatementLine
from ledger.reading.money.why import Why
from ledger.reading.moves.needs import NeedView
from ledger.reading.moves.shown import ShownMoves, WantedDraw
from ledger.reading.moves.steps import PartsView
from ledger.reading.table.glances import Status
from ledger.reading.table.states import GameState
from ledger.reading.words.glossary import GlossaryView
from ledger.reading.words.seating import SeatView
from replays.frames import Frame
from replays.statistics.shapes import Statistics


class EditionWarning(msgspec.Struct, frozen=True):
    """A part of an edition without effect, or forgotten: a JSON Pointer into the body, and the reason."""

    pointer: str
    detail: str


class GameCreated(msgspec.Struct, frozen=True):
    """The id and the tokens of a new game, and its log.

    `warnings` are about the edition of the table, in the language of the request; the game is played anyway.
    """

    game: str
    tokens: Tokens
    log: GameLog
    warnings: tuple[EditionWarning, ...] | UnsetType = UNSET


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A summary of a game, the same for every viewer. The last members depend on the rulebook."""

    game: str
    rulebook: str
    title: str
    created_at: datetime
    origin: Origin | None
    """The game continued by this game, if any."""
    dice: DiceMode
    seats: tuple[SeatView, ...]
    """The seats in the order of turns."""
    status: Status
    version: int
    round: int | None
    turn: str | None
    """The seat to move."""
    due: Overdue | None
    """The actions due by time, which the next action carries out first; null for none."""
    in_play: tuple[str, ...] | UnsetType = UNSET
    """The seats still in the game."""
    winners: tuple[str, ...] | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    stage: str | UnsetType = UNSET
    awaited: tuple[str, ...] | UnsetType = UNSET
    seller: str | UnsetType = UNSET


class GamePage(msgspec.Struct, frozen=True):
    """A page of games, newest first."""

    games: tuple[GameSummary, ...]
    next: str | None


class JournalPage(msgspec.Struct, frozen=True):
    """A page of journal entries in the requested order, with the cursors of the next and previous pages."""

    actions: tuple[EntryView, ...]
    next: str | None
    previous: str | None
    version: int
    totals: Totals | msgspec.UnsetType = msgspec.UNSET
    """The totals over all entries that meet the filter, on all pages, if requested."""


class LineTouchesAnswer(LineTouches, frozen=True, kw_only=True):
    """What touches a line, at the game's version `version`."""

    version: int


class AuditPage(msgspec.Struct, frozen=True):
    """A page of audit lines in the requested order, with the cursors of the next and previous pages."""

    lines: tuple[AuditLine, ...]
    next: str | None
    previous: str | None
    version: int


class ReplayPage(msgspec.Struct, frozen=True):
    """A page of frames in the order of the history, with the cursors of the next and previous pages."""

    frames: tuple[Frame, ...]
    next: str | None
    previous: str | None
    version: int


class ReplayIndex(IndexOfLines, frozen=True, kw_only=True):
    """The lines of a game as columns, with the cursor of the lines that follow."""

    next: str | None
    version: int


class WhyPage(Why, frozen=True, kw_only=True):
    """The origin of an amount, with the cursor of the earlier postings."""

    next: str | None
    version: int


class AccountView(msgspec.Struct, frozen=True):
    """An account with the holdings that the caller may see: whole amounts by commodity."""

    account: str
    holdings: dict[str, int]


class Accounts(msgspec.Struct, frozen=True):
    """All accounts of which the caller may see a holding."""

    accounts: tuple[AccountView, ...]
    version: int


class KnownAccounts(msgspec.Struct, frozen=True):
    """The accounts and commodities that a remedy may name, with their names in English and French.

    They are those that the caller may know of; the banker knows all. `accounts` of a commodity are those between
    which `adjust` may move it.
    """

    accounts: tuple[KnownAccount, ...]
    commodities: tuple[KnownCommodity, ...]
    version: int


class Account(msgspec.Struct, frozen=True):
    """One account with the holdings that the caller may see, at the game's version `version`."""

    account: str
    holdings: dict[str, int]
    version: int


class Statement(msgspec.Struct, frozen=True):
    """A page of an account's postings, oldest first, each with the balance after it.

    Every page has what the seat of the account owes, and what is owed to the account, at the statement's end.
    """

    account: str
    lines: tuple[StatementLine, ...]
    next: str | None
    version: int
    owes: tuple[ObligationView, ...]
    owed: tuple[ObligationView, ...]


class Agreements(msgspec.Struct, frozen=True):
    """A page of the agreements of a collection that the caller may see, in the order of their opening."""

    collection: str
    agreements: tuple[dict[str, Any], ...]
    next: str | None
    version: int


class AgreementPage(msgspec.Struct, frozen=True):
    """A page of the agreements of all collections, in one shape, with the cursor of the next page."""

    agreements: tuple[AgreementView, ...]
    next: str | None
    version: int


class Obligations(msgspec.Struct, frozen=True):
    """The obligations that the caller may know of, at the moment right after the action `version`."""

    obligations: tuple[ObligationView, ...]
    version: int


class DisputeList(msgspec.Struct, frozen=True):
    """The disputes that the caller may know of, in the order of their opening."""

    disputes: tuple[DisputeView, ...]
    version: int


class PreparedCorrection(msgspec.Struct, frozen=True):
    """What the correction that a dispute asks for would change if it were accepted now.

    Later actions are decided again, as they are by an acceptance. `refusal` says why it cannot be made (any more);
    `preview` is null then.
    """

    preview: Preview | None
    refusal: str | None


class DisputeAnswer(msgspec.Struct, frozen=True):
    """One dispute. The banker reads what accepting the correction that an open one asks for would change."""

    dispute: DisputeView
    prepared: PreparedCorrection | None
    version: int


class RulingPreview(msgspec.Struct, frozen=True):
    """The entry that a ruling would have, and the preview of its correction when a remedy corrects the history."""

    entry: EntryView
    correction: Preview | None


class RulingPage(msgspec.Struct, frozen=True):
    """A page of rulings, newest first."""

    rulings: tuple[RulingView, ...]
    next: str | None


class ObstacleView(msgspec.Struct, frozen=True):
    """Why an action with these parameters is refused now. `rule` is null when no numbered rule refuses it.

    `label` is what people call the action, and `rule_text` what the rule requires, both in the language of the
    request.
    """

    kind: str
    label: str
    params: dict[str, Any]
    rule: str | None
    rule_text: str | None
    detail: str


class Moves(ShownMoves, frozen=True, kw_only=True):
    """The legal actions of a seat, and, when asked for, why actions of one kind are refused.

    `seat` is left out for the banker's own moves. `parts` is the next step of an action that is chosen in parts.
    """

    obstacles: tuple[ObstacleView, ...]
    parts: PartsView | msgspec.UnsetType = msgspec.UNSET
    version: int


class AllMoves(msgspec.Struct, frozen=True):
    """The legal actions of every seat, in the order of turns, and then the banker's own (without a `seat`)."""

    seats: tuple[ShownMoves, ...]
    version: int


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """The service runs, or is ready.

    `warnings` are sentences for the operator about the settings, absent if there are none.
    """

    status: Literal["ok"]
    warnings: tuple[str, ...] = ()


class Index(msgspec.Struct, frozen=True):
    """The main addresses of the service."""

    service: str
    api: str
    documentation: str
    openapi: str
    health: str


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fault of one field of the body (`pointer`, a JSON Pointer) or of one parameter of the query."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None
    value: Any = None


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    """An error (RFC 9457).

    A refused action has `kind` and `rules`; the `rule` that it breaks comes with its title and its text from the
    register. A request of the wrong shape has `errors`. `pointer` (a JSON Pointer, RFC 6901) is the one member of
    the body that is at fault, where that is known: "/params/amount". An action that lacks a die or a card has
    `needs`. A dry run before a throw or a draw of the service has `draws`: how many dice or cards come first. A
    database that can write nothing has the `reason`: "disk-full", "read-only" or "no-rights".
    """

    type: Annotated[str, Meta(extra_json_schema={"enum": [f"/problems/{kind}" for kind in KINDS]})]
    title: str
    status: int
    detail: str
    rule: str | msgspec.UnsetType = msgspec.UNSET
    rule_title: str | msgspec.UnsetType = msgspec.UNSET
    rule_text: str | msgspec.UnsetType = msgspec.UNSET
    rules: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    pointer: str | msgspec.UnsetType = msgspec.UNSET
    kind: str | msgspec.UnsetType = msgspec.UNSET
    errors: tuple[Fault, ...] | msgspec.UnsetType = msgspec.UNSET
    needs: tuple[NeedView, ...] | msgspec.UnsetType = msgspec.UNSET
    draws: tuple[WantedDraw, ...] | msgspec.UnsetType = msgspec.UNSET
    reason: (
        Annotated[str, Meta(extra_json_schema={"enum": ["disk-full", "read-only", "no-rights"]})]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class ConflictDetails(ProblemDetails, frozen=True, kw_only=True):
    """A conflict with the rules or with the game. A correction that would change later actions has `preview`."""

    preview: Preview | msgspec.UnsetType = msgspec.UNSET


DOCUMENTED = (
    NewGame,
    NewAgain,
    NewExchange,
    NewFork,
    NewAction,
    NewCorrection,
    NewUndo,
    NewRedo,
    NewDispute,
    NewStatement,
    NewWithdrawal,
    NewAcceptance,
    NewRuling,
    DisputeList,
    DisputeAnswer,
    RulingPreview,
    RulingPage,
    Preview,
    NewChain,
    NewValue,
    SharedDice,
    NewCosignature,
    Cosigned,
    Consistency,
    GameLog,
    GameCreated,
    GameSummary,
    GamePage,
    EntryView,
    JournalPage,
    LineTouchesAnswer,
    AuditPage,
    ReplayPage,
    ReplayIndex,
    WhyPage,
    GameState,
    BoardView,
    GameBoard,
    Accounts,
    KnownAccounts,
    Account,
    Statement,
    Statistics,
    Agreements,
    AgreementPage,
    Obligations,
    GlossaryView,
    AllMoves,
    Moves,
    TokenList,
    NewToken,
    SeatInvitation,
    RoleInvitation,
    Joining,
    InvitationView,
    InvitationCreated,
    InvitationList,
    InvitedSeat,
    InvitedTable,
    JoinedGame,
    Laying,
    TakingSeat,
    DemoView,
    Me,
    ResourceView,
    ApiIndex,
    Rulebooks,
    EditionView,
    RulebookSettings,
    RulebookView,
    ActionView,
    Catalogue,
    RuleView,
    Rules,
    Health,
    Index,
    ProblemDetails,
    ConflictDetails,
)
"""The types with their own component schema in the OpenAPI document."""
