"""The shapes of requests: bodies are decoded into these types, and OpenAPI's schemas are made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.actions import Cascade
from ledger.kernel.history.corrections import Drop, Number, Replace, Rewind


class NewPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat to be taken: its id ("ana") and the player's name ("Ana")."""

    seat: Annotated[
        str, Meta(pattern="^[a-z][a-z0-9_-]{0,19}$", description="not banker, system, spectator or bank")
    ]
    name: Annotated[str, Meta(min_length=1, max_length=80)]


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be created. `settings` follow the rulebook's own schema; `dice` says who throws."""

    rulebook: Annotated[str, Meta(min_length=1, max_length=40)]
    title: Annotated[str, Meta(min_length=1, max_length=120)] | None = None
    players: Annotated[tuple[NewPlayer, ...], Meta(min_length=1, max_length=20)]
    settings: dict[str, Any] = {}
    dice: Literal["table", "service"]


class ForkedFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game to go on from, the number of the last action to take over, and a token of that game.

    The token is its banker's, or, once it has ended, anybody's who has one.
    """

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    action: Number
    token: Annotated[str, Meta(min_length=1, max_length=200)]


class NewFork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"origin": "from"}):
    """A game to be created that goes on from a moment of another one: what if we had gone on from here.

    Rulebook, players, settings and dice are the other's, and so is the title unless there is one.
    """

    origin: ForkedFrom
    title: Annotated[str, Meta(min_length=1, max_length=120)] | None = None


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The banker's waiver of the rules that would refuse, with its reason."""

    reason: Annotated[str, Meta(min_length=1, max_length=2000)]


class NewAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to be performed. `seat` lets the banker act for a seat; `dry_run` writes nothing.

    The schema of `params` depends on the kind: see the rulebook's catalogue of actions.
    """

    kind: Annotated[str, Meta(min_length=1, max_length=80)]
    params: dict[str, Any] = {}
    seat: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    override: Override | None = None
    dry_run: bool = False


class ActionToInsert(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to be inserted into the history, as it would have been asked for."""

    kind: Annotated[str, Meta(min_length=1, max_length=80)]
    params: dict[str, Any] = {}
    seat: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    override: Override | None = None


class InsertAction(msgspec.Struct, frozen=True, tag_field="op", tag="insert", forbid_unknown_fields=True):
    """This action happened as well, right after action `after`."""

    after: Number
    action: ActionToInsert


Reason = Annotated[str, Meta(min_length=1, max_length=2000)]


class NewCorrection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction of the history. `cascade` says what becomes of later actions; `dry_run` writes nothing."""

    edits: Annotated[tuple[Drop | Replace | InsertAction | Rewind, ...], Meta(min_length=1, max_length=1000)]
    cascade: Cascade = "refuse"
    reason: Reason
    dry_run: bool = False


class NewUndo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to be undone: the last one played, unless another is named."""

    action: Number | None = None
    reason: Reason
    cascade: Cascade = "refuse"
    dry_run: bool = False


class NewRedo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction to be taken back: the latest one in force, unless it or the action it undid is named."""

    action: Number | None = None
    reason: Reason
    cascade: Cascade = "refuse"
    dry_run: bool = False


Words = Annotated[str, Meta(min_length=1, max_length=4000)]
ActionNumbers = Annotated[tuple[Number, ...], Meta(max_length=100)]
RuleNumbers = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...], Meta(max_length=50)]
ForSeat = Annotated[str, Meta(min_length=1, max_length=40)] | None


class NewDispute(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Actions that are contested: their numbers, the claim, and the rules it relies on.

    `seat` lets the banker write down what a seat contests; `dry_run` writes nothing.
    """

    claim: Words
    actions: ActionNumbers = ()
    rules: RuleNumbers = ()
    seat: ForSeat = None
    dry_run: bool = False


class NewStatement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a party says in a dispute; the banker speaks without naming a seat."""

    text: Words
    seat: ForSeat = None
    dry_run: bool = False


class NewWithdrawal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The opener of a dispute lets the matter rest."""

    seat: ForSeat = None
    dry_run: bool = False


class NewRuling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the banker finds, on which actions, by which rules, setting which aside, and what it orders, in order.

    The schemas of the remedies depend on the rulebook: see its catalogue of actions. `dry_run` writes nothing.
    """

    finding: Words
    actions: ActionNumbers = ()
    rules: RuleNumbers = ()
    waives: RuleNumbers = ()
    remedies: Annotated[tuple[dict[str, Any], ...], Meta(max_length=50)] = ()
    dry_run: bool = False
