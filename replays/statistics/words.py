"""Names in statistics beyond the names of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.kernel.language.phrase import Phrase
from ledger.moving.exporting import ISSUERS
from ledger.reading.words.naming import Names
from replays.statistics.collecting import DEBTS
from replays.statistics.flows import HELD

PARTIES: Mapping[str, Phrase] = {HELD: Phrase("held in trust", "en dépôt")}
PARTS: Mapping[str, Phrase] = {
    "balance": Phrase("money", "argent"),
    DEBTS: Phrase("debts", "dettes"),
}
PURPOSES: Mapping[str, Phrase] = {
    "fined": Phrase("fines", "amendes"),
    "holdings_adjusted": Phrase("rulings of the banker", "décisions du banquier"),
}


def word_for(words: Mapping[str, Phrase], name: str, language: str) -> str:
    """Return the word for a name, or the name with spaces."""
    label = words.get(name)
    return name.replace("_", " ") if label is None else label.in_language(language)


def party_name(party: str, names: Names) -> str:
    """Return the name of a party: a player, an issuer, or "held in trust"."""
    if party in PARTIES:
        return PARTIES[party].in_language(names.language)
    return names.account(party) if party in ISSUERS else names.seat(party) or party
