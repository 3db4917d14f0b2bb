"""I.B. Money, debts and property: money is given freely, whole and without a tax."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.actions import Action, Choice
from ledger.kernel.audience import Audience, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, others_in_play, pay, seat_named, still_in
from ledger.rulebooks.negopoly.table.terms import Amount, SeatId, player

chapter = Chapter("I. Fundamental principles")


@chapter.event
class MoneyTransferred(Event, frozen=True, kw_only=True):
    """Money from one player to another, whole and without a reason (I.B.6, I.B.7); their own affair (I.C.6)."""

    en: ClassVar[str] = "{seat:seat} gives {amount:money} to {to:seat}."
    fr: ClassVar[str] = "{seat:seat} donne {amount:money} à {to:seat}."

    rule: str = "I.B.6"
    seat: str
    to: str
    amount: int

    def audience(self) -> Audience:
        """Who pays and who is paid."""
        return only(self.seat, self.to)


@chapter.action(
    summary=("give money to another player", "donner de l'argent à un autre joueur"),
    when=("at any moment", "à tout moment"),
)
class TransferMoney(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give another player any amount one holds (I.B.6)."""

    to: SeatId
    amount: Amount

    def decide(self, draft: Draft) -> None:
        """The payee is credited exactly what the payer is debited (I.B.7), whatever it makes of either (I.B.2)."""
        seat = still_in(draft)
        to = seat_named(draft.state, self.to, "I.B.6")
        if to == seat:
            raise Impossible(
                "I.B.6",
                "{seat} cannot give money to themselves",
                "{seat} ne peut pas se donner de l'argent",
                seat=seat,
            )
        postings = pay(draft, seat, self.amount, "I.B.6", player(to))
        draft.record(MoneyTransferred(seat=seat, to=to, amount=self.amount, postings=postings))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """To anybody, any amount."""
        return (Choice({"to": other, "amount": 1}, free=("amount",)) for other in others_in_play(state, seat))
