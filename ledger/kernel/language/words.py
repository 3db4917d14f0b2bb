"""Words that every game has: phases, askers, states of a dispute, remedies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ASKERS: Mapping[str, tuple[str, str]] = {
    "player": ("the players", "les joueurs"),
    "banker": ("the banker", "le banquier"),
    "system": ("the service", "le service"),
}
"""The names of the actors, in English and French."""


CASES: Mapping[str, tuple[str, str]] = {
    "open": ("open", "ouvert"),
    "withdrawn": ("withdrawn", "retiré"),
    "ruled": ("ruled on", "tranché"),
}
"""The names of the statuses of a dispute, in English and French."""


PHASES: Mapping[str, tuple[str, str]] = {
    "setup": ("set-up", "préparation"),
    "play": ("in play", "en cours"),
    "ended": ("over", "terminée"),
}
"""The names of the phases of a game, in English and French."""


REMEDIES: Mapping[str, tuple[str, str]] = {
    "correct": ("Correct the history as asked", "Corriger l'historique comme demandé"),
    "dismiss": ("Dismiss the dispute", "Rejeter le litige"),
}
"""The names of the remedies for a dispute, in English and French."""


def say_remedies(value: Any, language: str) -> str:
    """Return the names of the remedies of a ruling. Takes the remedies as plain data."""
    ops = [str(one["op"]) for one in value]
    return ", ".join(REMEDIES[op][language == "fr"] if op in REMEDIES else op for op in ops)


def say_case(value: Any, language: str) -> str:
    """Return the words for the state of a dispute."""
    return CASES[value][language == "fr"] if value in CASES else str(value)


def say_askers(value: Any, language: str) -> str:
    """Return the names of the actors that may request an action. Takes `Action.by`."""
    french = language == "fr"
    return (" et " if french else " and ").join(ASKERS[one][french] for one in value)
