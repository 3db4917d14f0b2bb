"""I.B. Money, debts and property: players give money freely, in full and without a fee."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import ClassVar

from msgspec import UNSET

from ledger.kernel.facts.audience import Audience, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Money, SeatId
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, others_in_play, seat_named, still_in
from ledger.rulebooks.negopoly.table.terms import MONEY, player
from ledger.rulebooks.parts.seats import payment
from ledger.rulebooks.parts.trades import Leg

chapter = Chapter("I. Fundamental principles")


@chapter.event
class MoneyTransferred(Event, frozen=True, kw_only=True):
    """A player pays another player, in full and without a reason (I.B.6, I.B.7); only these two see it (I.C.6)."""

    en: ClassVar[str] = "{seat:seat} gives {amount:money} to {to:seat}."
    fr: ClassVar[str] = "{seat:seat} donne {amount:money} à {to:seat}."

    rule: str = "I.B.6"
    seat: str
    to: str
    amount: int

    def audience(self) -> Audience:
        """Return the payer and the payee."""
        return only(self.seat, self.to)


@chapter.action(
    summary=("give money to another player", "donner de l'argent à un autre joueur"),
    when=("at any moment", "à tout moment"),
)
class TransferMoney(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player gives another player any amount that they have, at any time (I.B.6)."""

    to: SeatId
    amount: Money

    def decide(self, draft: Draft) -> None:
        """Credit the payee with the debited amount (I.B.7), whatever both balances are (I.B.2)."""
        seat = still_in(draft)
        to = seat_named(draft.state, self.to, "I.B.6")
        if to == seat:
            raise Impossible(
                "I.B.6",
                "{seat:seat} cannot give money to themselves",
                "{seat:seat} ne peut pas se donner de l'argent",
                seat=seat,
            )
        owing = draft.state.settings.voluntary_overdraft
        postings = payment(draft, seat, self.amount, "I.B.6", player(to), owing=owing)
        draft.record(MoneyTransferred(seat=seat, to=to, amount=self.amount, postings=postings))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each player as the payee. The amount is free."""
        maximum = UNSET if state.settings.voluntary_overdraft else max(1, state.holdings.of(player(seat), MONEY))
        free = {"amount": Bounds(1, maximum)}
        return (Choice({"to": other, "amount": 1}, free, alike="any") for other in others_in_play(state, seat))


def warn_of_debts(draft: Draft, legs: Collection[Leg]) -> None:
    """Warn the banker of each party that gives titles or goods away and is left in debt to the bank (I.B.4)."""
    for seat in dict.fromkeys(leg.giver for leg in legs if leg.commodity != MONEY):
        balance = draft.state.holdings.of(player(seat), MONEY)
        if balance < 0 and draft.may_warn("I.B.4"):
            draft.warn(
                "I.B.4",
                "{seat:seat} gives {goods:each|goods} away and is left owing the bank {owed:money}",
                "{seat:seat} cède {goods:each|goods} et reste devoir {owed:money} à la banque",
                seat=seat,
                goods=tuple(leg.commodity for leg in legs if leg.giver == seat and leg.commodity != MONEY),
                owed=-balance,
            )
