"""VII. Doses: for sale at Spawn, sold by players at the three corners of the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.cards import answers, weather
from ledger.rulebooks.negopoly.estate import neighbourhoods, police_orders, quarters
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.pieces import ITEMS, Square
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_passage,
    change_turn,
    index_of,
    open_passages,
    passed,
    pay,
    place_of,
    squares_of,
    throw,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, POLICE, OneDie, Passage, Question, player
from ledger.rulebooks.parts.readers import Private

chapter = Chapter("VII. Doses")

DOSE = "dose"

FIRST = ITEMS[DOSE].price
"""Price of the first dose of an inventory, in whole ₦ (VII.A.2)."""

FURTHER = 70
"""Price of each further dose, in whole ₦ (VII.A.3)."""

Doses = Annotated[int, Meta(ge=1, le=1000, description="doses; more take several purchases"), of_kind("quantity")]
Corner = Literal["prison", "hopital", "comico"]


class Sale(msgspec.Struct, frozen=True):
    """A corner's terms for a dose: the price in whole ₦, the `highest` winning die, and the rule of the price."""

    rule: str
    highest: int
    price: int


SALES: dict[Corner, Sale] = {
    "prison": Sale("VII.B.3", highest=4, price=100),
    "hopital": Sale("VII.B.4", highest=3, price=150),
    "comico": Sale("VII.B.5", highest=3, price=250),
}
"""The three corners, in the order of VII.B.1."""


@chapter.event
class DosesBought(Private, frozen=True, kw_only=True):  # inventories are private
    """A player buys doses from the bank in a passage by Spawn; they are in the inventory at once (VII.A.4)."""

    en: ClassVar[str] = "{seat:seat} buys {quantity} {quantity:plural|dose|doses} for {total:money}."
    fr: ClassVar[str] = "{seat:seat} achète {quantity} {quantity:plural|dose|doses} pour {total:money}."

    rule: str
    quantity: int
    unit_prices: tuple[int, ...]
    passage: int | None = None
    """The index of the passage in the turn."""

    @property
    def total(self) -> int:
        """The cost of the purchase, in whole ₦."""
        return sum(self.unit_prices)

    def apply(self, state: Negopoly) -> None:
        """Add the doses to the later passages of the turn, because the token carries them on."""
        _carry(state, self.passage, self.quantity)


@chapter.event
class DoseSold(Event, frozen=True, kw_only=True):
    """A sale at a corner succeeds: the bank takes the dose and pays (VII.B.3 to VII.B.5)."""

    en: ClassVar[str] = "{seat:seat} sells a dose on {square:square} for {price:money} (die {die})."
    fr: ClassVar[str] = "{seat:seat} vend une dose sur {square:square} pour {price:money} (dé {die})."

    rule: str
    seat: str
    square: int
    die: int
    price: int
    passage: int | None = None
    """The index of the passage in the turn."""

    def apply(self, state: Negopoly) -> None:
        """Count one offered dose in the passage, and one dose fewer in the later passages."""
        _offer(state, self.passage)
        _carry(state, self.passage, -1)


@chapter.event
class SaleFailed(Event, frozen=True, kw_only=True):
    """A sale fails and the player keeps the dose: at Prison or Hôpital (VII.B.7), or by V.E.14."""

    en: ClassVar[str] = "{seat:seat} fails to sell a dose on {square:square} (die {die})."
    fr: ClassVar[str] = "{seat:seat} ne parvient pas à vendre une dose sur {square:square} (dé {die})."

    rule: str = "VII.B.7"
    seat: str
    square: int
    die: int
    passage: int | None = None
    """The index of the passage in the turn."""

    def apply(self, state: Negopoly) -> None:
        """Count one offered dose in the passage."""
        _offer(state, self.passage)


@chapter.event
class DoseSeized(Event, frozen=True, kw_only=True):
    """A sale at Comico fails: the police take the dose, without an arrest (VII.B.8)."""

    en: ClassVar[str] = "{seat:seat} fails to sell a dose on {square:square}: the police take it (die {die})."
    fr: ClassVar[str] = (
        "{seat:seat} ne parvient pas à vendre une dose sur {square:square} : la police la prend (dé {die})."
    )

    rule: str = "VII.B.8"
    seat: str
    square: int
    die: int
    passage: int | None = None
    """The index of the passage in the turn."""

    def apply(self, state: Negopoly) -> None:
        """Count one offered dose in the passage, and one dose fewer in the later passages."""
        _offer(state, self.passage)
        _carry(state, self.passage, -1)


def price(state: Negopoly, holder: str, quantity: int, *, buyer: str | None = None) -> list[int]:
    """Return the price of each of `quantity` doses for the seat's inventory, in whole ₦ (VII.A.2, VII.A.3).

    Doses in transit do not count. The holder of Cyan pays a fixed price for every dose (V.E.5). For a gift, the
    ability of the buyer counts (VIII.D.6).
    """
    if quarters.has_ability(state, buyer or holder, "cyan"):
        return [neighbourhoods.DOSE_PRICE] * quantity
    first = FURTHER if state.holdings.of(player(holder), DOSE) else FIRST
    return [
        weather.modified(state, "dose_price", base, collects="bank")
        for base in (first, *[FURTHER] * (quantity - 1))
    ]


def price_rule(state: Negopoly, buyer: str, prices: list[int]) -> str:
    """Return the rule behind the prices."""
    if quarters.has_ability(state, buyer, "cyan"):
        return "V.E.5"
    first = weather.modified(state, "dose_price", FIRST, collects="bank")
    return "VII.A.2" if prices == [first] else "VII.A.3"


@chapter.action(
    summary=("buy doses", "acheter des doses"),
    when=("in your own turn, passing by Spawn", "pendant son tour, en passant par le Spawn"),
)
class BuyDoses(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by Spawn buys doses: ₦50 for the first, ₦70 for each further one (VII.A)."""

    amount: Doses = 1

    def decide(self, draft: Draft) -> None:
        """Refuse without a passage by Spawn or without the funds. The number is free. No die is thrown."""
        passage = passed(draft, squares_of(draft.state, "spawn"), "VII.A.1")
        seat = draft.seat
        prices = price(draft.state, seat, self.amount)
        rule = price_rule(draft.state, seat, prices)
        paid = pay(draft, seat, sum(prices), rule)
        handed = Posting(DOSE, self.amount, BANK, player(seat))
        draft.record(
            DosesBought(
                rule=rule,
                seat=seat,
                quantity=self.amount,
                unit_prices=tuple(prices),
                passage=place_of(draft.state, seat, passage),
                postings=(*paid, handed),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer doses while a passage by Spawn counts."""
        if open_passages(state, squares_of(state, "spawn")):
            yield Choice({"amount": 1}, free=("amount",))


chapter.upcast_action("buy_doses", renamed(quantity="amount"))


@chapter.action(
    summary=("offer one dose for sale at a corner", "proposer une dose à la vente à un coin"),
    when=(
        "in your own turn, passing by Prison, Hôpital or Comico, once a dose held on arrival",
        "pendant son tour, en passant par la Prison, l'Hôpital ou le Comico, une fois par dose tenue à l'arrivée",
    ),
)
class SellDoses(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by a corner announces the sale of one dose and throws one die (VII.B.2)."""

    corner: Corner | None = None
    dice: OneDie | None = None

    def decide(self, draft: Draft) -> None:
        """Find the corner and check the dose, then throw the die."""
        state = draft.state
        seat = draft.seat
        corner = self.corner or _only_corner(draft)
        passage = _attempt(draft, squares_of(state, corner))
        draft.require_funds(player(seat), DOSE, 1, "VII.B.9")
        draft.require(
            passage.offered < passage.doses,
            "VII.B.6",
            "{seat:seat} had {doses} doses on reaching {corner} and has offered {offered}: each is offered once",
            "{seat:seat} avait {doses} doses en arrivant à {corner} et en a proposé {offered} : "
            "chacune une seule fois",
            seat=seat,
            doses=passage.doses,
            offered=passage.offered,
            corner=state.board[passage.square].name,
        )
        (die,) = throw(draft, "sale die", self.dice)
        passage_index = place_of(state, seat, passage)
        attempt = {"corner": corner, "die": die, "passage": passage_index}
        if die <= SALES[corner].highest:
            _sell(draft, seat, corner, die, passage_index)
        elif not answers.ask(draft, seat, "on_failed_sale", rule="VII.B.10", about=attempt):
            _fail(draft, seat, corner, die, passage_index)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each corner passed."""
        yield from (Choice({"corner": corner}) for corner in _corners_passed(state, seat))


chapter.upcast_action("sell_doses", renamed(die="dice", into_lists={"dice"}))


def _sell(draft: Draft, seat: str, corner: Corner, die: int, passage_index: int | None) -> None:
    """Sell the dose to the bank at the corner's price (VII.B.3 to VII.B.5), changed by the weather (VI.A.7)."""
    state = draft.state
    sale = SALES[corner]
    paid = weather.modified(state, "dose_sale_price", sale.price, collects="player")
    handed = Posting(DOSE, 1, player(seat), BANK)
    draft.record(
        DoseSold(
            rule=sale.rule,
            seat=seat,
            square=index_of(state, corner),
            die=die,
            price=paid,
            passage=passage_index,
            postings=(handed, *draft.move(MONEY, paid, BANK, player(seat))),
        )
    )


def _fail(draft: Draft, seat: str, corner: Corner, die: int, passage_index: int | None) -> None:
    """Leave the dose with the seller. At Comico the police seize the dose (VII.B.7, VII.B.8)."""
    state = draft.state
    square = index_of(state, corner)
    if corner == "comico" and quarters.has_ability(state, seat, "orange"):
        # Confiscated goods go to the holder of Orange: the seller may get the dose back (V.E.14).
        draft.record(SaleFailed(rule="V.E.14", seat=seat, square=square, die=die, passage=passage_index))
    elif corner == "comico":
        seized = Posting(DOSE, 1, player(seat), POLICE)
        draft.record(DoseSeized(seat=seat, square=square, die=die, passage=passage_index, postings=(seized,)))
        police_orders.hand_over(draft, ((DOSE, 1),))
    else:
        draft.record(SaleFailed(seat=seat, square=square, die=die, passage=passage_index))


@reactions.answers("on_failed_sale", answers.options)
def _after_a_failure(draft: Draft, question: Question, answer: str) -> None:
    """Throw again if the player has answered with a card; the second result is final (VII.B.10)."""
    seat = question.seat
    corner, die, passage_index = (question.about[name] for name in ("corner", "die", "passage"))
    if answers.play(draft, question, answer) is not None:
        (die,) = throw(draft, "sale die", None)
    if not draft.state.holdings.of(player(seat), DOSE):
        return  # an eliminated player has no dose left
    if die <= SALES[corner].highest:
        _sell(draft, seat, corner, die, passage_index)
    else:
        _fail(draft, seat, corner, die, passage_index)


def _corners_passed(state: Negopoly, seat: str) -> list[Corner]:
    """Return the corners still open for sales in the seat's own turn; none in another player's turn."""
    if state.turn is None or state.turn.seat != seat:
        return []
    return [corner for corner in SALES if open_passages(state, squares_of(state, corner))]


def _only_corner(draft: Draft) -> Corner:
    """Return the only corner that the player passes by. Raises RuleBroken with no corner or with several."""
    corners = _corners_passed(draft.state, draft.seat)
    if len(corners) == 1:
        return corners[0]
    passed(draft, [square for corner in SALES for square in squares_of(draft.state, corner)], "VII.B.1")
    raise Impossible(
        "VII.B.2",
        "name the corner of the sale: {corners:each|corner}",
        "indiquez le coin de la vente : {corners:each|corner}",
        corners=corners or tuple(SALES),
    )


def _attempt(draft: Draft, squares: Sequence[Square]) -> Passage:
    """Return the passage of the next attempt: the latest passage with a dose not yet offered."""
    latest = passed(draft, squares, "VII.B.1")
    for passage in open_passages(draft.state, squares):
        if passage.offered < passage.doses:
            return passage
    return latest


def _offer(state: Negopoly, number: int | None) -> None:
    """Count an attempt in the passage at index `number` of the turn."""
    if state.turn is not None and number is not None:
        state.require_part(number < len(state.turn.passages))
        change_passage(state, number, offered=state.turn.passages[number].offered + 1)


def _carry(state: Negopoly, number: int | None, doses: int) -> None:
    """Change the number of doses in all passages after index `number` of the turn."""
    if state.turn is not None and number is not None:
        earlier = state.turn.passages[: number + 1]
        later = state.turn.passages[number + 1 :]
        change_turn(
            state,
            passages=(
                *earlier,
                *(replace(passage, doses=max(0, passage.doses + doses)) for passage in later),
            ),
        )
