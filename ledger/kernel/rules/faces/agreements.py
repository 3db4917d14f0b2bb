"""Agreements: the open and ended agreements of a game with their terms, and all that is owed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, Literal, TypeVar

from ledger.kernel.facts.agreements import Agreement, Terms
from ledger.kernel.facts.agreements import tag_of as name_of_agreement
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase

S = TypeVar("S", bound=State)


class Agreements(Generic[S]):
    """The agreements of a game with their terms, and the obligations. By default, there are none."""

    agreement_types: Mapping[str, type[Agreement]] = {}
    """The kinds of agreement by the name of the collection: {"loans": Loan, …}."""
    matters: Mapping[str, Phrase] = {}
    """The words for each kind of obligation: a template over the fields of the obligation, for the speakers."""
    settling: Mapping[str, Mapping[str, Mapping[str, str]]] = {}
    """The actions that settle each kind of obligation: {"loan": {"repay_loan": {"loan": "about"}}}.

    A parameter of the action equals a field of the obligation. The parameter "seat" is the acting seat, as debtor
    or creditor: the action of a party settles the obligation even without the other parameters.
    """

    answers: Mapping[str, Literal["accept", "refuse"]] = {}
    """The actions that answer a proposal: {"agree_deal": "accept", "withdraw_deal": "refuse"}. Taking back one's
    own proposal is a refusal, too.
    """

    def of(self, state: S, collection: str) -> list[Agreement]:
        """Return every agreement of a collection, ended agreements included, in order of opening."""
        return []

    def has_ended(self, state: S, agreement: Agreement) -> bool:
        """Return True if the agreement has ended."""
        return agreement.status != "open"

    def open_agreements(self, state: S) -> Iterable[Agreement]:
        """Return the open agreements of all collections; fast even late in a long game."""
        agreements = (agreement for collection in self.agreement_types for agreement in self.of(state, collection))
        return (agreement for agreement in agreements if not self.has_ended(state, agreement))

    def terms(self, state: S, agreement: Agreement, language: str) -> Terms:
        """Return the terms of an agreement in "en" or "fr": title, parties, status, due date."""
        kind = name_of_agreement(agreement)
        return Terms(label=kind, title=f"{kind.capitalize()} {agreement.id}", status=agreement.status)

    def obligations(self, state: S) -> Iterable[Obligation]:
        """Return all that the state shows as owed: debts, deposits, answers due; nothing after the end."""
        return ()
