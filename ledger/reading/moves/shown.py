"""The shapes of moves for people: a move with its words, its choice, its costs, and what it needs drawn."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.wording import Lot, Rank, Verbs
from ledger.kernel.rules.icons import Icon
from ledger.reading.money.obligations import ObligationView


class WantedDraw(msgspec.Struct, frozen=True, kw_only=True):
    """Dice or cards that the table throws or draws for an action.

    `name` is the name of the draw, `count` how many dice or cards, `sides` how many sides the dice have. `deck` is
    the deck of the cards, one of the `groups` of the names, and `cards` are those of its cards that may come, as
    far as the viewer may know: neither is there where no deck has a name. `parameter` is the parameter of the
    action that takes them; its schema says in which shape.
    """

    name: str
    label: Phrase
    kind: Literal["die", "card"]
    count: int
    sides: int | UnsetType = UNSET
    deck: str | UnsetType = UNSET
    cards: tuple[str, ...] | UnsetType = UNSET
    parameter: str | UnsetType = UNSET


class FreeParameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a move that may be changed or added.

    `x-kind` is what it is, as in the JSON Schema of the action. `required` says that the action needs it: what
    `params` has for it is an example. `minimum` and `maximum` are its bounds, both included, where the state gives
    them.
    """

    kind: str | UnsetType = msgspec.field(name="x-kind", default=UNSET)
    required: bool
    minimum: int | UnsetType = UNSET
    maximum: int | UnsetType = UNSET


class Cost(msgspec.Struct, frozen=True):
    """So much of a commodity that a seat spends."""

    commodity: str
    amount: int


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a choice. What is the same for all options is a member of the move, and not of the option.

    `params` are further parameters that go with this value, `free` those that may be changed, `draws` what it
    needs drawn, `chance` is true if the service throws or draws for it, `cost` its price in money, `costs` all
    that it costs, `settles` the obligations that it settles.

    For a value that is a title, a card or another commodity, `group` is one of the `groups` of the names, `icon`
    its icon, and `effect` the effect of a card at a glance: "+₦100".
    """

    value: Any
    label: Phrase
    params: dict[str, Any] | UnsetType = UNSET
    free: dict[str, FreeParameter] | UnsetType = UNSET
    draws: tuple[WantedDraw, ...] | UnsetType = UNSET
    chance: bool | UnsetType = UNSET
    cost: int | UnsetType = UNSET
    settles: tuple[ObligationView, ...] | UnsetType = UNSET
    costs: tuple[Cost, ...] | UnsetType = UNSET
    group: str | UnsetType = UNSET
    icon: Icon | UnsetType = UNSET
    effect: str | UnsetType = UNSET


class OpenChoice(msgspec.Struct, frozen=True):
    """The parameter of a move that takes the value of one of the options."""

    parameter: str
    options: tuple[Option, ...]


class GroupView(msgspec.Struct, frozen=True):
    """The group in which a move is shown, with its heading in the language of the request; the smallest order
    comes first."""

    id: str
    label: str
    order: int


class LotView(Lot, frozen=True, kw_only=True):
    """The form of all moves of a kind with a lot for the market (`Lot`), and the name of the kind."""

    label: Phrase


class ShownMove(msgspec.Struct, frozen=True, kw_only=True):
    """A move of a seat, as a page offers moves.

    An action has the `kind` and the `params` of the move and, with a `choice`, the value and the `params` of an
    option. The parameters in `free` may be changed or added, within bounds. A value in `params` of a parameter in
    `free` is an example; all further values are fixed.

    `id` is the kind, or "kind:…" for a kind with several moves; the id of a legal move stays. With `only`, the
    game waits for this move of the seat alone. `verbs` are the words for the entry line. `bare` is the move for
    amounts without a verb. A `final` move is to be confirmed. `confirm` is "hold" for a move beyond a single
    touch: a final move, the end of a turn, the acceptance of a debt, a gift; left out for all further moves.

    `draws` are the dice and cards needed first; left out if the service throws, and for hidden draws. `chance` is
    true if the service throws or draws them: a dry run cannot tell what comes; left out otherwise. `cost` is the
    money that the seat spends; left out if a die, the payment or a correction decides the sum. `costs` is
    everything that the seat spends, money and counted things such as doses or tokens; left out if nothing is spent
    or known. `settles` are the obligations that the move settles, such as a debt.

    `lot` is for a move with a lot for the market: all moves of the kind are one form with the
    parameters named there. Left out for further moves.
    """

    id: str
    kind: str
    params: dict[str, Any]
    free: dict[str, FreeParameter]
    choice: OpenChoice | UnsetType = UNSET
    label: Phrase
    group: GroupView
    rank: Rank
    only: bool
    verbs: Verbs
    bare: bool
    final: bool
    confirm: Literal["hold"] | UnsetType = UNSET
    draws: tuple[WantedDraw, ...] | UnsetType = UNSET
    chance: bool | UnsetType = UNSET
    cost: int | UnsetType = UNSET
    settles: tuple[ObligationView, ...] | UnsetType = UNSET
    costs: tuple[Cost, ...] | UnsetType = UNSET
    lot: LotView | UnsetType = UNSET
    rules: tuple[str, ...]


class ShownMoves(msgspec.Struct, frozen=True, kw_only=True):
    """The moves of a seat, or the banker's own when `seat` is left out. What the game waits for comes first."""

    seat: str | UnsetType = UNSET
    moves: tuple[ShownMove, ...]
