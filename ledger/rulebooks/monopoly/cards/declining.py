"""Cards declined for a sum, at tables with such a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, fees_to, on_turn, pieces
from ledger.rulebooks.parts.seats import payment

chapter = Chapter("Declining a card")


@chapter.event
class CardDeclined(Event, frozen=True, kw_only=True):
    """A player pays for not drawing a card."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} and draws no card: {deck:deck}."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} et ne tire pas de carte : {deck:deck}."

    seat: str
    deck: str
    amount: int

    def apply(self, state: Monopoly) -> None:
        """Close the landing."""
        state.landing = None


@chapter.action(
    summary=("decline a card", "refuser une carte"),
    when=(
        "after stopping on a card square, where the table sets a price for it",
        "après un arrêt sur une case de cartes, si la table en fixe le prix",
    ),
)
class DeclineCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player on a card square pays the price of the table instead of drawing a card."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a price at the table, without a card to draw, and without money to spare."""
        state, seat = draft.state, on_turn(draft)
        rule, price, landing = cite(state, "card_declined"), state.settings.card_declined_for, state.landing
        if price is None:
            raise Impossible(
                rule, "at this table every card is drawn", "à cette table, chaque carte se tire", seat=seat
            )
        if landing is None or landing.seat != seat or landing.todo != "card":
            raise Impossible(
                rule, "{seat:seat} has no card to draw", "{seat:seat} n'a pas de carte à tirer", seat=seat
            )
        debts.require_spare(draft, seat, price, rule)
        paid = payment(draft, seat, price, rule, fees_to(state, "card")) if price else ()
        deck = pieces(state).squares[landing.square].deck
        draft.record(CardDeclined(rule=rule, seat=seat, deck=deck, amount=price, postings=paid))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer to decline to the player on a card square with enough money."""
        landing, price = state.landing, state.settings.card_declined_for
        if price is None or landing is None or landing.seat != seat or landing.todo != "card":
            return ()
        return (Choice({}),) if price <= debts.spare(state, seat) else ()
