"""Words that every game has: phases, askers, states of a dispute, remedies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AND

ASKERS: Mapping[str, Phrase] = {
    "player": Phrase("the players", "les joueurs"),
    "banker": Phrase("the banker", "le banquier"),
    "system": Phrase("the service", "le service"),
}
"""The names of the actors, in English and French."""


CASES: Mapping[str, Phrase] = {
    "open": Phrase("open", "ouvert"),
    "withdrawn": Phrase("withdrawn", "retiré"),
    "ruled": Phrase("ruled on", "tranché"),
}
"""The names of the statuses of a dispute, in English and French."""


PHASES: Mapping[str, Phrase] = {
    "setup": Phrase("set-up", "préparation"),
    "play": Phrase("in play", "en cours"),
    "ended": Phrase("over", "terminée"),
}
"""The names of the phases of a game, in English and French."""


REMEDIES: Mapping[str, Phrase] = {
    "correct": Phrase("Correct the history as asked", "Corriger l'historique comme demandé"),
    "dismiss": Phrase("Dismiss the dispute", "Rejeter le litige"),
}
"""The names of the remedies for a dispute, in English and French."""


def say_remedies(value: Any, language: str) -> str:
    """Return the names of the remedies of a ruling. Takes the remedies as plain data."""
    ops = [str(one["op"]) for one in value]
    return ", ".join(REMEDIES[op].in_language(language) if op in REMEDIES else op for op in ops)


def say_case(value: Any, language: str) -> str:
    """Return the words for the state of a dispute."""
    return CASES[value].in_language(language) if value in CASES else str(value)


def say_askers(value: Any, language: str) -> str:
    """Return the names of the actors that may request an action. Takes `Action.by`."""
    return AND.in_language(language).join(ASKERS[one].in_language(language) for one in value)
