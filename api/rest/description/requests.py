"""The types of request bodies, for decoding and for the OpenAPI schemas."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.dice.chains import LONGEST
from ledger.kernel.facts.edits import Amend, Cascade, Drop, Replace, Rewind
from ledger.kernel.facts.labels import ActionName, Number
from ledger.kernel.journal.entry import Hex
from ledger.kernel.rules.opening import Dice

Role = Literal["banker", "player", "spectator"]
DemoName = Literal["evening", "finished"]

TokenId = Annotated[str, Meta(min_length=1, max_length=40)]


class NewPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a new game: the id of the seat ("ana") and the player's name ("Ana").

    A name like that of an earlier player gets a number: "Ana (2)".
    """

    seat: Annotated[
        str, Meta(pattern="^[a-z][a-z0-9_-]{0,19}$", description="Not banker, system, spectator or bank.")
    ]
    name: Annotated[str, Meta(min_length=1, max_length=80)]


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to create.

    `settings` follow the rulebook's own schema. `dice` says who throws the dice and draws the cards: the players
    at the table (`table`), the service from a seed of its own (`service`), or all seats together with the service
    (`shared`; with `shared_or_table` the table throws where a seat does not reveal its value). A table may bring
    an `edition` of its own where the rulebook takes one, as `monopoly` does: of at most 256 KB, with its title,
    its options, and its pieces (names, squares, groups, decks, cards). `settings` beside it come before its
    options.
    """

    rulebook: Annotated[str, Meta(min_length=1, max_length=40)]
    title: Annotated[str, Meta(min_length=1, max_length=120)] | None = None
    players: Annotated[tuple[NewPlayer, ...], Meta(min_length=1, max_length=20)]
    settings: dict[str, Any] = {}
    edition: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    dice: Dice


class ForkedFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game to continue: its id, the number of the last action to copy, and a token of that game.

    The token is the banker's, or any token of the game after an end that has revealed everything.
    """

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    action: Number
    token: Annotated[str, Meta(min_length=1, max_length=200)]


class NewFork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"origin": "from"}):
    """A game to create that continues from a moment of another game.

    The rulebook, players, settings and dice are those of the other game; so is the title, unless one is given.
    """

    origin: ForkedFrom
    title: Annotated[str, Meta(min_length=1, max_length=120)] | None = None


class Partner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The other game of an exchange: its id, and the token of its banker."""

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    token: Annotated[str, Meta(min_length=1, max_length=200)]


class ExchangedFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game to go on from, the token of its banker, and the game with which a seat changes places."""

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    token: Annotated[str, Meta(min_length=1, max_length=200)]
    exchange: Partner


class NewExchange(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"origin": "from"}
):
    """A game to create that goes on from the end of a season, with a seat of another game in the place of one.

    The rules say which seats change places: in Monopolys the best merchant of a division, who has asked to move
    up, and the worst one of the division above. Settings and dice are those of the game that it goes on from; so
    is the title, unless one is given. The other division goes on by a second request, with the two games the
    other way round.
    """

    origin: ExchangedFrom
    title: Annotated[str, Meta(min_length=1, max_length=120)] | None = None


class NewAgain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to create for the table of an ended game: the id of that game.

    The players keep their seats, names, letters and colours, and sit in a new order. Rulebook, title, settings,
    board and dice are those of the other game. `token` is the token of its banker. Without `token`, it is the one
    in the header.
    """

    again: Annotated[str, Meta(min_length=1, max_length=100)]
    token: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class SeatInvitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation to a player's seat.

    When its code is used, the earlier tokens of the seat are revoked. `replaces` may name one of them by its id.
    """

    seat: Annotated[str, Meta(min_length=1, max_length=40)]
    replaces: TokenId | None = None


class RoleInvitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation to watch the game, as on a screen at the wall, or to a second desk of the banker.

    When its code is used, the token whose id is `replaces` is revoked; other tokens stay in force.
    """

    role: Literal["spectator", "banker"]
    replaces: TokenId | None = None


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code of an invitation, and the game that it is for, if the caller knows it."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]
    game: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


class Laying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to lay of the demo: without `again` only what is missing.

    `again` is the game of the evening under way, which another one replaces.
    """

    again: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


class TakingSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of the demo: which of its games, as whom, and for a player the seat."""

    name: DemoName
    role: Role
    seat: Annotated[str, Meta(min_length=1, max_length=20)] | None = None


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The banker's waiver of the rules that would refuse the action, with the reason."""

    reason: Annotated[str, Meta(min_length=1, max_length=2000)]


class NewAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to perform. The banker names a `seat` to act for that seat; a `dry_run` writes nothing.

    With `settle`, the banker lets the game first take the default steps that the action needs: unanswered
    questions get their default answer, the stop is resolved, the turn of a player who has rolled is ended.
    With `proof`, the receipt in the answer has a proof that can be shown to others (see `proofs/{number}`).
    The schema of `params` depends on the kind of action: see the rulebook's catalogue of actions.
    """

    kind: Annotated[str, Meta(min_length=1, max_length=80)]
    params: dict[str, Any] = {}
    seat: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    override: Override | None = None
    dry_run: bool = False
    settle: bool = False
    proof: bool = False


class NewChain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hash chain to commit to: its end in hexadecimal, and how many values it has."""

    end: Hex
    length: Annotated[int, Meta(ge=1, le=LONGEST)]


class NewValue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The value of a seat for a throw, in hexadecimal."""

    throw: Number
    value: Hex


class NewCosignature(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signature of a witness: its verifier key, and a checkpoint of the game with its signature."""

    key: Annotated[str, Meta(min_length=1, max_length=400)]
    note: Annotated[str, Meta(min_length=1, max_length=20_000)]


class ActionToInsert(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to insert into the history, in the form of a request to perform it."""

    kind: Annotated[str, Meta(min_length=1, max_length=80)]
    params: dict[str, Any] = {}
    seat: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    override: Override | None = None


class InsertAction(msgspec.Struct, frozen=True, tag_field="op", tag="insert", forbid_unknown_fields=True):
    """Insert an action into the history right after action `after`."""

    after: ActionName
    action: ActionToInsert


Reason = Annotated[str, Meta(min_length=1, max_length=2000)]


class NewCorrection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction of the history.

    An edit `amend` makes the other edits take the place of an earlier correction, which was a mistake. `cascade`
    says what happens to later actions: `restate` decides them again, `keep` keeps them as recorded, `refuse`
    refuses the correction when one of them would change. A `dry_run` writes nothing.
    """

    edits: Annotated[
        tuple[Drop | Replace | InsertAction | Rewind | Amend, ...], Meta(min_length=1, max_length=1000)
    ]
    cascade: Cascade = "refuse"
    reason: Reason
    dry_run: bool = False


class NewUndo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to undo, by default the last one played.

    With `amends` this undo takes the place of an earlier correction, which was a mistake; it then names its
    `action`.
    """

    action: ActionName | None = None
    amends: Number | msgspec.UnsetType = msgspec.UNSET
    reason: Reason
    cascade: Cascade = "refuse"
    dry_run: bool = False


class NewRedo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction to undo, by default the latest one in force.

    `action` is the number of the correction, or an action that the correction undid.
    """

    action: ActionName | None = None
    reason: Reason
    cascade: Cascade = "refuse"
    dry_run: bool = False


Words = Annotated[str, Meta(min_length=1, max_length=4000)]
ActionNames = Annotated[tuple[ActionName, ...], Meta(max_length=100)]
RuleNumbers = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...], Meta(max_length=50)]
ForSeat = Annotated[str, Meta(min_length=1, max_length=40)] | None


class NewDispute(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dispute to open: the claim, the contested actions, and the rules that the claim relies on.

    `edits` are the correction that the opener asks for, which the banker can accept as it is. The banker names a
    `seat` to open the dispute for that seat. A `dry_run` writes nothing.
    """

    claim: Words
    actions: ActionNames = ()
    rules: RuleNumbers = ()
    edits: Annotated[tuple[Drop | Replace | InsertAction | Rewind | Amend, ...], Meta(max_length=20)] = ()
    seat: ForSeat = None
    dry_run: bool = False


class NewStatement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statement in a dispute. The banker names a `seat` to speak for that seat, or none to speak as banker."""

    text: Words
    seat: ForSeat = None
    dry_run: bool = False


class NewWithdrawal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The withdrawal of a dispute by the seat that opened it."""

    seat: ForSeat = None
    dry_run: bool = False


class NewAcceptance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker grants what a dispute asks for: a ruling whose remedy is the correction that the dispute carries.

    The `finding` is the claim unless another is given. A `dry_run` writes nothing.
    """

    finding: Words | None = None
    rules: RuleNumbers = ()
    cascade: Cascade = "restate"
    dry_run: bool = False


class NewRuling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruling: the finding, the actions and rules that it cites, the rules that it waives, and its remedies.

    The remedies take effect in their order. Their schemas depend on the rulebook: see its catalogue of actions. A
    `dry_run` writes nothing.
    """

    finding: Words
    actions: ActionNames = ()
    rules: RuleNumbers = ()
    waives: RuleNumbers = ()
    remedies: Annotated[tuple[dict[str, Any], ...], Meta(max_length=50)] = ()
    dry_run: bool = False
