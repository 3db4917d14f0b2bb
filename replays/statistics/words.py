"""Names in statistics beyond the names of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.moving.exporting import ISSUERS
from ledger.reading.words.naming import Names
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


def word_for(words: Mapping[str, Words], name: str, language: str) -> str:
    """Return the word for a name, or the name with spaces."""
    label = words.get(name)
    return name.replace("_", " ") if label is None else label.text(language)


def party_name(party: str, names: Names) -> str:
    """Return the name of a party: a player, an issuer, or "held in trust"."""
    if party in PARTIES:
        return PARTIES[party].text(names.language)
    return names.account(party) if party in ISSUERS else names.seat(party) or party
