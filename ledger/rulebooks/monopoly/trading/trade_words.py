"""Return the terms of a trade, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ledger.kernel.facts.agreements import Agreement, PromisedTransfer, Terms
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, speak
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.rulebooks.monopoly.debts import obligations
from ledger.rulebooks.monopoly.showing.speaking import speakers_of
from ledger.rulebooks.monopoly.table.state import Monopoly
from ledger.rulebooks.monopoly.table.terms import Trade
from ledger.rulebooks.parts import agreements

STATUSES: Mapping[str, Phrase] = {
    "open": Phrase("proposed", "proposé"),
    "accepted": Phrase("concluded", "conclu"),
    "refused": Phrase("refused", "refusé"),
    "withdrawn": Phrase("taken back", "retiré"),
    "lapsed": Phrase("lapsed", "caduc"),
}
"""The statuses of a trade, in English and French."""


def terms_of(state: Monopoly, agreement: Agreement, language: str, speakers: Mapping[str, Speaker]) -> Terms:
    """Return the terms of a trade, in "en" or "fr". Raises TypeError for another kind of agreement."""
    if not isinstance(agreement, Trade):
        raise TypeError(f"{agreement.id} is not a trade")

    def say(english: str, french: str, **values: Any) -> str:
        return speak(Phrase(english, french).in_language(language), values, language, speakers)

    sides = []
    for seat in (agreement.by, agreement.to):
        things = [(leg.commodity, leg.amount) for leg in agreement.legs if leg.giver == seat]
        if things:
            sides.append(
                say(
                    "{who:seat} gives {things:each|pieces}",
                    "{who:seat} donne {things:each|pieces}",
                    who=seat,
                    things=things,
                )
            )
    sides += (
        [f"“{words}”" for words in agreement.terms]
        if language == "en"
        else [f"« {words} »" for words in agreement.terms]
    )
    return Terms(
        label=Phrase("trade", "échange").in_language(language),
        title=say("; ", " ; ").join(sides),
        status=STATUSES[agreement.status].in_language(language),
        parties=(agreement.by, agreement.to),
        gives=tuple(
            PromisedTransfer(source=leg.giver, target=leg.taker, commodity=leg.commodity, amount=leg.amount)
            for leg in agreement.legs
        ),
        terms=agreement.terms,
        agreed=(agreement.by, agreement.to) if agreement.status == "accepted" else (agreement.by,),
    )


class MonopolyAgreements(Agreements[Monopoly]):
    """The agreements of the game, and their terms."""

    agreement_types: Mapping[str, type[Agreement]] = {"trades": Trade}
    matters = obligations.MATTERS
    answers = {"accept_trade": "accept", "reject_trade": "refuse"}

    def __init__(self, actions: Collection[str]) -> None:
        self.settling = {
            matter: {kind: terms for kind, terms in kinds.items() if kind in actions}
            for matter, kinds in obligations.SETTLING.items()
        }

    def of(self, state: Monopoly, collection: str) -> list[Agreement]:
        """Return the trades, open or ended, in the order of proposal."""
        return agreements.in_order(agreements.scan(state, self.agreement_types[collection]))

    def open_agreements(self, state: Monopoly) -> Iterable[Agreement]:
        """Return the trades awaiting an answer."""
        return state.open.values()

    def terms(self, state: Monopoly, agreement: Agreement, language: str) -> Terms:
        """Return the terms of a trade."""
        return terms_of(state, agreement, language, speakers_of(state))

    def obligations(self, state: Monopoly) -> Iterable[Obligation]:
        """Return the debts, rents, taxes, throws and bids, which are public."""
        return obligations.obligations(state)
