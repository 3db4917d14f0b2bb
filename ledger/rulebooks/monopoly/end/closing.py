"""The end of play in a game or a season: amounts due are paid, and open business lapses."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.end import worth
from ledger.rulebooks.monopoly.houses import shortage
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash
from ledger.rulebooks.monopoly.trading import auctions
from ledger.rulebooks.parts import agreements

chapter = worth.chapter


@chapter.event
class PlayStopped(Event, frozen=True, kw_only=True):
    """Nobody plays any more: offers and rents that nobody has claimed lapse, and no turn is under way."""

    en: ClassVar[str] = "Play stops: open offers and unclaimed rents lapse."
    fr: ClassVar[str] = "Le jeu s'arrête : les offres ouvertes et les loyers non réclamés tombent."

    def apply(self, state: Monopoly) -> None:
        """Close all open business."""
        for trade in list(state.open.values()):
            agreements.keep(state, replace(trade, status="lapsed"), ended=True)
        state.rents, state.received = [], []
        state.turn, state.must_throw = None, False
        state.landing, state.held = None, None


def stop(draft: Draft, *, rule: str) -> None:
    """Stop play: auctions and wishes lapse, bids go back, and debts are paid as far as the money goes."""
    auctions.lapse(draft, rule=rule)
    shortage.forget_wishes(draft)
    _pay_debts(draft, rule)
    draft.record(PlayStopped(rule=rule))


def _pay_debts(draft: Draft, rule: str) -> None:
    """Pay all debts as far as the money of the debtors goes, the oldest first, and forgive the rest.

    A creditor paid may be able to pay in turn, so the loop goes on until nobody can pay.
    """
    paid = True
    while paid:
        paid = False
        for debt in list(draft.state.debts):
            part = min(debt.amount, cash(draft.state, debt.debtor))
            if part > 0:
                debts.pay_part(draft, debt, part)
                paid = True
    for debt in list(draft.state.debts):
        debts.forgive(draft, debt, rule=rule)


@chapter.event
class GameWon(Event, frozen=True, kw_only=True):
    """The game is over."""

    en: ClassVar[str] = "The game is over, won by {winners:seats}."
    fr: ClassVar[str] = "La partie est terminée, gagnée par {winners:seats}."

    winners: tuple[str, ...]
    """The best; several of equal worth share the win."""

    def apply(self, state: Monopoly) -> None:
        """Store the winners and end the game."""
        state.winners, state.turn, state.ended = self.winners, None, True
