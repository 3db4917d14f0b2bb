"""VI.C. Hôpital: the transfer of players to Hôpital, and the forged prescription.

A prescription moves a player's own token: the action is in `movement`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.board import tokens
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, index_of, open_passages, passed, pay, squares_of
from ledger.rulebooks.negopoly.table.terms import MONEY, player
from ledger.rulebooks.parts.readers import Private

chapter = Chapter("VI.C. Hôpital")

PRESCRIPTION = "ordonnance"


@chapter.event
class HospitalBilled(Event, frozen=True, kw_only=True):
    """A player sent to Hôpital pays its bill, if the table has set one; a mandatory payment (I.B.3)."""

    en: ClassVar[str] = "Hôpital bills {seat:seat} {amount:money}."
    fr: ClassVar[str] = "L'Hôpital facture {amount:money} à {seat:seat}."

    rule: str = "VI.C.1"
    seat: str
    amount: int


@chapter.event
class PrescriptionBought(Private, frozen=True, kw_only=True):  # inventories are private
    """A player buys a forged prescription (VI.C.3)."""

    en: ClassVar[str] = "{seat:seat} buys a forged prescription for {price:money}."
    fr: ClassVar[str] = "{seat:seat} achète une ordonnance trafiquée pour {price:money}."

    rule: str = "VI.C.3"
    price: int


def admit(draft: Draft, seat: str, *, cause: str, rule: str) -> None:
    """Send a player to Hôpital by `rule`, with the bill and the stay set by the table.

    `cause` is the reason: "overdose", "explosion"… The default settings have no bill and no stay (VI.C.1).
    """
    settings = draft.state.settings
    tokens.send(draft, seat, index_of(draft.state, "hopital"), cause=cause, rule=rule)
    if settings.hospital_bill and not disruption.squares_off(draft.state):
        bill = Posting(MONEY, settings.hospital_bill, player(seat), BANK)
        draft.record(HospitalBilled(seat=seat, amount=settings.hospital_bill, postings=(bill,)))
    tokens.detain(draft, seat, settings.hospital_missed_turns, rule="VI.C.1")


@chapter.action(
    summary=("buy a forged prescription", "acheter une ordonnance trafiquée"),
    when=("in your own turn, stopped on Hôpital", "pendant son tour, à l'arrêt sur l'Hôpital"),
)
class BuyPrescription(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who has stopped on Hôpital buys a forged prescription for ₦140 (VI.C.3)."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a stop on Hôpital. A purchase is one prescription; their number is not limited."""
        passed(draft, squares_of(draft.state, "hopital"), "VI.C.3", stop_only=True)
        seat = draft.seat
        price = ITEMS[PRESCRIPTION].price
        paid = pay(draft, seat, price, "VI.C.3")
        handed = Posting(PRESCRIPTION, 1, BANK, player(seat))
        draft.record(PrescriptionBought(seat=seat, price=price, postings=(*paid, handed)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action after a stop on Hôpital."""
        return (Choice({}),) if open_passages(state, squares_of(state, "hopital"), stop_only=True) else ()
