"""The vocabulary of cards and squares: each has a list of effects, carried out in order.

A face of a chance die is a card with a `face`. Amounts are whole units of the game's money.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.parts.forms import SMALL_ID_FORM

Amount = Annotated[int, Meta(ge=1, le=1_000_000_000)]
SquareId = Annotated[str, Meta(pattern=SMALL_ID_FORM)]
ToBank = Literal["bank", "pot"]
Bound = Annotated[int, Meta(ge=0, le=1_000_000_000)] | Literal["drawer"]
RentDue = Literal["usual", "double", "thrown", "thrown_by_factor"]
Share = tuple[Annotated[int, Meta(ge=1, le=100)], Annotated[int, Meta(ge=1, le=100)]]
"""A fraction: [1, 10] is a tenth."""
Wealth = Literal["cash", "worth"]
Times = Literal["thrown"] | UnsetType
"""The amount counts once, or with "thrown" once for each point of the throw of the chance die."""


Who = Literal["others", "all", "poorest", "richest", "next", "previous", "chosen"]
"""The players under an effect, each as if in the place of the drawer.

The poorest and the richest are counted by money in hand, out of all players; a tie means all of the tied.
"""


class Holding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition on a player: a count is below or above a number, or the count of the drawer.

    A house counts one, and a hotel one.
    """

    of: Literal["cash", "worth", "houses", "titles"]
    below: Bound | UnsetType = UNSET
    above: Bound | UnsetType = UNSET


class BaseEffect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op"):
    """An effect on the drawer of a card; with `who` on further players; with `when` only under a condition."""

    who: Who | UnsetType = UNSET
    when: Holding | UnsetType = UNSET


class Each(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount for each thing of a player; `player` counts the opponents."""

    house: Amount | UnsetType = UNSET
    hotel: Amount | UnsetType = UNSET
    title: Amount | UnsetType = UNSET
    street: Amount | UnsetType = UNSET
    station: Amount | UnsetType = UNSET
    utility: Amount | UnsetType = UNSET
    player: Amount | UnsetType = UNSET


class Sum(BaseEffect, frozen=True, kw_only=True):
    """A sum of money: an `amount`, an amount for `each` thing, or a `share` of money or worth, rounded down.

    `at_least` and `at_most` are the bounds of a computed sum.
    """

    amount: Amount | UnsetType = UNSET
    each: Each | UnsetType = UNSET
    share: Share | UnsetType = UNSET
    of: Wealth | UnsetType = UNSET
    at_least: Amount | UnsetType = UNSET
    at_most: Amount | UnsetType = UNSET


class Pay(Sum, frozen=True, kw_only=True, tag="pay"):
    """Pay the bank, into the pot, or each opponent; with `who`, also the drawer."""

    to: Literal["bank", "pot", "each", "drawer"] = "bank"
    times: Times = UNSET


class Receive(Sum, frozen=True, kw_only=True, tag="receive"):
    """Receive from the bank, out of the pot, or from each opponent; with `who`, also from the drawer."""

    times: Times = UNSET
    source: Literal["bank", "pot", "each", "drawer"] | UnsetType = UNSET


class ReceiveFromEach(BaseEffect, frozen=True, kw_only=True, tag="receive_from_each"):
    """Receive the amount from each of the others."""

    amount: Amount


class PayToEach(BaseEffect, frozen=True, kw_only=True, tag="pay_to_each"):
    """Pay the amount to each of the others."""

    amount: Amount


class PayPerBuilding(BaseEffect, frozen=True, kw_only=True, tag="pay_per_building"):
    """Pay for each house and each hotel on one's titles."""

    house: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    hotel: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    to: ToBank = "bank"


class GoTo(BaseEffect, frozen=True, kw_only=True, tag="go_to"):
    """Go forward to a square; `salary` says whether passing the start pays."""

    square: SquareId
    salary: bool = True


class GoBack(BaseEffect, frozen=True, kw_only=True, tag="go_back"):
    """Go back some squares; no salary."""

    steps: Annotated[int, Meta(ge=1, le=100)]


class GoToNearest(BaseEffect, frozen=True, kw_only=True, tag="go_to_nearest"):
    """Go forward to the nearest square of a group or of a kind.

    `rent` is the rent due to the owner: the usual rent, twice the usual rent, a new throw times the usual
    multiplier, or a new throw times `factor`.
    """

    of: SquareId
    salary: bool = True
    rent: RentDue = "usual"
    factor: Annotated[int, Meta(ge=1, le=1_000_000)] = 10


class GoToPrison(BaseEffect, frozen=True, kw_only=True, tag="prison"):
    """Go to prison, without the salary."""


class SwapTokens(BaseEffect, frozen=True, kw_only=True, tag="swap_tokens"):
    """Exchange squares with another token out of prison; neither passes or stops anywhere.

    The other token is that of the next player, of the previous player, or the nearest one ahead on the board.
    """

    partner: Literal["next", "previous", "ahead"]


KeptUse = Literal["leave_prison", "no_rent", "double_rent", "say_no", "refuse_card", "half_price", "effects"]


class Keep(BaseEffect, frozen=True, kw_only=True, tag="keep"):
    """Keep the card (or take a pass of the bank, by a die), to get out of prison, or for another `use`.

    With the use "effects", the `effects` follow when the player plays the card: on the player's turn, or at any
    time.
    """

    use: KeptUse | UnsetType = UNSET
    effects: Annotated[tuple[Simple | ChooseOption, ...], Meta(min_length=1, max_length=10)] | UnsetType = UNSET
    playable: Literal["turn", "any"] | UnsetType = UNSET


class Move(BaseEffect, frozen=True, kw_only=True, tag="move"):
    """Go by some squares, to a square, to the nearest of a group or a kind, or as far as a new throw says.

    The start and the squares in passing pay on the way forward, unless `salary` says otherwise. `rent` and
    `factor` are as in `GoToNearest`. Without `stops` the last square asks nothing.
    """

    by: Annotated[int, Meta(ge=1, le=1_000)] | UnsetType = UNSET
    to: SquareId | UnsetType = UNSET
    nearest: SquareId | UnsetType = UNSET
    thrown: bool = False
    direction: Literal["forward", "back"] = "forward"
    salary: bool | UnsetType = UNSET
    rent: RentDue = "usual"
    factor: Annotated[int, Meta(ge=1, le=1_000_000)] = 10
    stops: bool = True

    @property
    def pays(self) -> bool:
        """True if the start and the squares on the way pay."""
        return self.direction == "forward" if self.salary is UNSET else self.salary


class MissTurns(BaseEffect, frozen=True, kw_only=True, tag="miss_turns"):
    """Miss the next turns."""

    turns: Annotated[int, Meta(ge=1, le=10)] = 1


class ThrowAgain(BaseEffect, frozen=True, kw_only=True, tag="throw_again"):
    """Throw once more in the turn under way."""


# ----------------------------------------------------------------------------------------------
# Choices, titles and buildings
# ----------------------------------------------------------------------------------------------

PriceShare = tuple[Annotated[int, Meta(ge=0, le=1_000_000)], Annotated[int, Meta(ge=1, le=1_000_000)]]
"""A part of a printed price, as numerator and denominator."""


class PricedEffect(BaseEffect, frozen=True, kw_only=True):
    """An effect with a price: an amount, or a share of the printed price."""

    price: Annotated[int, Meta(ge=0, le=1_000_000_000)] | UnsetType = UNSET
    share: PriceShare | UnsetType = UNSET


class Option(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list of effects to choose."""

    title: Annotated[str, Meta(min_length=1, max_length=100)] | Phrase
    effects: Annotated[tuple[Simple, ...], Meta(min_length=1, max_length=10)]

    @property
    def words(self) -> Phrase:
        """The words of the option in English and French."""
        return self.title if isinstance(self.title, Phrase) else Phrase(en=self.title, fr=self.title)


class ChooseOption(BaseEffect, frozen=True, kw_only=True, tag="choose"):
    """Choose a list of effects; the first list is the default."""

    options: Annotated[tuple[Option, ...], Meta(min_length=2, max_length=6)]


class DrawFrom(BaseEffect, frozen=True, kw_only=True, tag="draw"):
    """Draw a card of another deck."""

    deck: SquareId


class TakeTitle(PricedEffect, frozen=True, kw_only=True, tag="take_title"):
    """Take a title from an opponent, or from the bank, or none; `consent` requires the owner's consent.

    `of` limits the titles to a group, a kind, or one title. The price, if any, is paid to the owner.
    """

    of: SquareId | UnsetType = UNSET
    source: Literal["player", "bank"] = "player"
    consent: bool = False


class BuyTitle(PricedEffect, frozen=True, kw_only=True, tag="buy_title"):
    """Buy a title of the bank, at the printed price or a special price, or none."""

    of: SquareId | UnsetType = UNSET


class GiveTitle(BaseEffect, frozen=True, kw_only=True, tag="give_title"):
    """Give a title to an opponent: to the next, the previous, or a chosen opponent."""

    of: SquareId | UnsetType = UNSET
    to: Literal["chosen", "next", "previous"] = "chosen"


class SwapTitles(BaseEffect, frozen=True, kw_only=True, tag="swap_titles"):
    """Exchange a title for a title of an opponent, or leave both; `consent` requires the opponent's consent."""

    of: SquareId | UnsetType = UNSET
    consent: bool = False


Which = Literal["chosen", "cheapest", "dearest"]
Chooser = Literal["owner", "drawer"]
"""The player with the choice, for an effect on an opponent."""


class LoseTitle(PricedEffect, frozen=True, kw_only=True, tag="lose_title"):
    """Give a title back to the bank. The bank pays the price, if any."""

    of: SquareId | UnsetType = UNSET
    which: Which = "chosen"
    chooser: Chooser = "owner"


class AuctionTitle(BaseEffect, frozen=True, kw_only=True, tag="auction_title"):
    """A title of the bank is auctioned."""

    of: SquareId | UnsetType = UNSET
    which: Which = "chosen"


class BuildOn(PricedEffect, frozen=True, kw_only=True, tag="build"):
    """Build on legal sites, free or at a price, or leave the sites unbuilt."""

    count: Annotated[int, Meta(ge=1, le=20)] = 1


class LoseBuilding(BaseEffect, frozen=True, kw_only=True, tag="lose_building"):
    """Lose buildings to the bank without payment; the owner or the drawer chooses."""

    count: Annotated[int, Meta(ge=1, le=20)] = 1
    chooser: Chooser = "owner"


Simple = (
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
    | DrawFrom
    | TakeTitle
    | BuyTitle
    | GiveTitle
    | SwapTitles
    | LoseTitle
    | AuctionTitle
    | BuildOn
    | LoseBuilding
    | Move
    | MissTurns
    | ThrowAgain
)
"""The effects without effects of their own: those that an option may have."""

Effect = Simple | ChooseOption | Keep

MOVES = (GoTo, GoBack, GoToNearest, GoToPrison, SwapTokens, Move)
"""The effects that move a token."""
