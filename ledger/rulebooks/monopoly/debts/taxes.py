"""Taxes, and the pot on some boards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import UNSET

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, pots
from ledger.rulebooks.monopoly.houses.wealth import share_of
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    currency,
    fees_to,
    has_role,
    on_turn,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import POT
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Taxes and the pot")


@chapter.event
class TaxFellDue(Event, frozen=True, kw_only=True):
    """A player answers for the tax of a square: it is paid at once, or owed."""

    en: ClassVar[str] = "The tax of {square:square} is {amount:money} for {seat:seat}."
    fr: ClassVar[str] = "La taxe {square:de|square} est de {amount:money} pour {seat:seat}."

    seat: str
    square: int
    amount: int

    def apply(self, state: Monopoly) -> None:
        """Close the landing."""
        state.landing = None


@chapter.event
class PotCollected(Event, frozen=True, kw_only=True):
    """A player receives everything that lies in the pot."""

    en: ClassVar[str] = "{seat:seat} receives the pot: {amount:money}."
    fr: ClassVar[str] = "{seat:seat} reçoit la cagnotte : {amount:money}."

    seat: str
    amount: int


def collect(draft: Draft, seat: str) -> None:
    """Pay out the pot to a player on its square; an empty pot pays nothing."""
    pots.fill(draft)
    state = draft.state
    amount = state.holdings.of(POT, currency(state))
    if amount > 0 and has_role(state, "pot"):
        paid = draft.move(currency(state), amount, POT, purse(seat))
        draft.record(PotCollected(rule=cite(state, "pot"), seat=seat, amount=amount, postings=paid))


def tax_of(state: Monopoly, seat: str, square: Square) -> int:
    """Return the tax of a square for a player: the amount of the board, or a share."""
    return square.amount if square.share is UNSET else share_of(state, seat, square.share, square.of)


@chapter.action(
    summary=("pay the tax", "payer la taxe"),
    when=("after stopping on a tax square", "après un arrêt sur une case de taxe"),
)
class PayTax(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player who has stopped on a tax square pays the bank; without the money it is a debt."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a tax to pay."""
        state, seat = draft.state, on_turn(draft)
        landing = state.landing
        if landing is None or landing.todo != "tax" or landing.seat != seat:
            raise Impossible(
                cite(state, "tax"),
                "{seat:seat} has no tax to pay",
                "{seat:seat} n'a pas de taxe à payer",
                seat=seat,
            )
        square = pieces(state).squares[landing.square]
        rule, amount = cite(state, "tax", square), tax_of(state, seat, square)
        draft.record(TaxFellDue(rule=rule, seat=seat, square=landing.square, amount=amount))
        debts.charge(draft, seat, fees_to(state), amount, rule=rule, cause="tax")

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the payment to the player on a tax square."""
        landing = state.landing
        due = landing is not None and landing.seat == seat and landing.todo == "tax"
        return (Choice({}),) if due else ()
