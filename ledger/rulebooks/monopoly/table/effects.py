"""The vocabulary of cards: a card is a list of effects, carried out in order.

A face of a chance die is a card with a `face`. Amounts are whole units of the game's money.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.rulebooks.parts.forms import SMALL_ID_FORM

Amount = Annotated[int, Meta(ge=1, le=1_000_000_000)]
SquareId = Annotated[str, Meta(pattern=SMALL_ID_FORM)]
ToBank = Literal["bank", "pot"]
Times = Literal["thrown"] | UnsetType
"""The amount counts once, or with "thrown" once for each point of the throw of the chance die."""


class _Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op"):
    pass


class Pay(_Effect, frozen=True, kw_only=True, tag="pay"):
    """Pay the bank, or into the pot."""

    amount: Amount
    to: ToBank = "bank"
    times: Times = UNSET


class Receive(_Effect, frozen=True, kw_only=True, tag="receive"):
    """Receive money from the bank."""

    amount: Amount
    times: Times = UNSET


class ReceiveFromEach(_Effect, frozen=True, kw_only=True, tag="receive_from_each"):
    """Receive the amount from each of the others."""

    amount: Amount


class PayToEach(_Effect, frozen=True, kw_only=True, tag="pay_to_each"):
    """Pay the amount to each of the others."""

    amount: Amount


class PayPerBuilding(_Effect, frozen=True, kw_only=True, tag="pay_per_building"):
    """Pay for each house and each hotel on one's titles."""

    house: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    hotel: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    to: ToBank = "bank"


class GoTo(_Effect, frozen=True, kw_only=True, tag="go_to"):
    """Go forward to a square; `salary` says whether passing the start pays."""

    square: SquareId
    salary: bool = True


class GoBack(_Effect, frozen=True, kw_only=True, tag="go_back"):
    """Go back some squares; no salary."""

    steps: Annotated[int, Meta(ge=1, le=100)]


class GoToNearest(_Effect, frozen=True, kw_only=True, tag="go_to_nearest"):
    """Go forward to the nearest square of a group or of a kind.

    `rent` is the rent due to the owner: the usual rent, twice the usual rent, a new throw times the usual
    multiplier, or a new throw times `factor`.
    """

    of: SquareId
    salary: bool = True
    rent: Literal["usual", "double", "thrown", "thrown_by_factor"] = "usual"
    factor: Annotated[int, Meta(ge=1, le=1_000_000)] = 10


class GoToPrison(_Effect, frozen=True, kw_only=True, tag="prison"):
    """Go to prison, without the salary."""


class SwapTokens(_Effect, frozen=True, kw_only=True, tag="swap_tokens"):
    """Exchange squares with another token out of prison; neither passes or stops anywhere.

    The other token is that of the next player, of the previous player, or the nearest one ahead on the board.
    """

    partner: Literal["next", "previous", "ahead"]


class Keep(_Effect, frozen=True, kw_only=True, tag="keep"):
    """Keep the card (or take a pass of the bank, by a die), to get out of prison."""


Effect = (
    Pay
    | Receive
    | ReceiveFromEach
    | PayToEach
    | PayPerBuilding
    | GoTo
    | GoBack
    | GoToNearest
    | GoToPrison
    | SwapTokens
    | Keep
)
