"""What statistics are called where no rulebook has a word of its own."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.moving.exporting import ISSUERS
from ledger.reading.naming import Names
from ledger.rulebooks.parts.tallies import Words
from replays.statistics.collecting import DEBTS
from replays.statistics.flows import HELD

PARTIES: Mapping[str, Words] = {HELD: Words(en="held in trust", fr="en dépôt")}
PARTS: Mapping[str, Words] = {
    "balance": Words(en="money", fr="argent"),
    DEBTS: Words(en="debts", fr="dettes"),
}
PURPOSES: Mapping[str, Words] = {
    "fined": Words(en="fines", fr="amendes"),
    "holdings_adjusted": Words(en="rulings of the banker", fr="décisions du banquier"),
}


def said(words: Mapping[str, Words], name: str, language: str) -> str:
    """The word for it; its name with blanks when there is none."""
    found = words.get(name)
    return name.replace("_", " ") if found is None else found.said(language)


def party_said(party: str, names: Names) -> str:
    """What a party is called: a player, what issues things, or what holds them in trust."""
    if party in PARTIES:
        return PARTIES[party].said(names.language)
    return names.account(party) if party in ISSUERS else names.seat(party) or party
