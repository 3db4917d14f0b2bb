"""The least sum of the pot at tables with such a rule: the bank adds to a smaller pot."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.state import Draft, cite, currency
from ledger.rulebooks.monopoly.table.terms import POT

chapter = Chapter("The least sum of the pot")


@chapter.event
class PotFilled(Event, frozen=True, kw_only=True):
    """The bank adds to a pot below the least sum of the table."""

    en: ClassVar[str] = "The bank adds {amount:money} to the pot."
    fr: ClassVar[str] = "La banque ajoute {amount:money} à la cagnotte."

    amount: int


def fill(draft: Draft) -> None:
    """Fill the pot up to the least sum of the table, before somebody collects the pot."""
    state = draft.state
    missing = state.settings.pot_least - state.holdings.of(POT, currency(state))
    if missing > 0:
        paid = draft.move(currency(state), missing, BANK, POT)
        draft.record(PotFilled(rule=cite(state, "pot_least"), amount=missing, postings=paid))
