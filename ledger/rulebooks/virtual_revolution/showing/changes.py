"""Differences of two views of a table, in sentences: the effect of a correction, or of an action, on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed
from ledger.rulebooks.parts.speaking import Both

_REST: Mapping[str, Both] = {
    "stage": ("what the game has come to", "où en est la partie"),
    "seating": ("the seats", "les sièges"),
    "colours": ("the colours", "les couleurs"),
    "settings": ("the settings", "les réglages"),
    "offers": ("the Agents on offer", "les Agents disponibles"),
    "display": ("the Verses on display", "les Verses disponibles"),
    "verse_top": ("the top of the Verse deck", "le dessus de la pioche Verse"),
    "boosts": ("the Boost cards available", "les cartes Boost disponibles"),
    "necro": ("the Necro cards turned up", "les cartes Nécro révélées"),
    "agent_discard": ("the Agent discard", "la défausse des Agents"),
    "decks": ("the decks", "les pioches"),
    "turn_under_way": ("the turn under way", "le tour en cours"),
    "changed": ("Actions with other figures", "les Actions aux valeurs changées"),
    "demands": ("what is asked of players", "ce qui est demandé aux joueurs"),
    "raids": ("who is still to be raided", "qui doit encore être perquisitionné"),
    "raid": ("the raid under way", "la perquisition en cours"),
    "attack": ("the Necro attack under way", "l'attaque Nécro en cours"),
    "waiting": ("who may still answer", "qui peut encore répondre"),
    "choosers": ("who chooses a place in the order", "qui choisit sa place dans l'ordre"),
    "places": ("the places chosen in the order", "les places choisies dans l'ordre"),
    "chosen": ("who has chosen an Objective", "qui a choisi un Objectif"),
    "types": ("the types chosen for Agents", "les types choisis pour des Agents"),
    "first": ("who starts the game", "qui commence la partie"),
    "prepared": ("what has been prepared", "ce qui a été préparé"),
    "scores": ("the scores", "les scores"),
    "aside": ("the Agents set aside", "les Agents écartés"),
    "you": ("your own cards", "vos propres cartes"),
    "hands": ("the hands", "les mains"),
    "all_objectives": ("the Objectives", "les Objectifs"),
}
"""The parts of a view whose differences are named without details."""


def describe_changes(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Yield the differences of two views, the most visible first. `language` is "en" or "fr"."""
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_REST)


def _winners(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    (en, fr), (was, etait) = (says.all("seat", seats or ()) for seats in (later, earlier))
    yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {etait}."


def _round(earlier: int, later: int, says: Says) -> Iterator[Both]:
    yield f"It is round {later}, not round {earlier}.", f"On en est à la manche {later}, et non à la {earlier}."


def _turn(earlier: str | None, later: str | None, says: Says) -> Iterator[Both]:
    (en, fr), (was, etait) = says("seat", later), says("seat", earlier)
    yield f"The turn is {en}'s, not {was}'s.", f"Le tour est à {fr}, et non à {etait}."


def _order(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    en, fr = says.all("seat", later or ())
    yield f"The turn order is {en}.", f"L'ordre du tour est {fr}."


def _titles(earlier: Mapping[str, str] | None, later: Mapping[str, str] | None, says: Says) -> Iterator[Both]:
    was, current = earlier or {}, later or {}
    for district in changed(was, current):
        name, nom = says("district", district)
        en, fr = says("seat", current.get(district))
        yield f"The Title of {name} belongs to {en}.", f"Le Titre {nom} est à {fr}."


_FIGURES: Mapping[str, Both] = {
    "eurocredits": ("eurocredits", "eurocrédits"),
    "immunity": ("Immunity tokens", "jetons Immunité"),
    "revenue": ("points of Revenue", "points de Revenus"),
    "vp2_tokens": ("2 VP tokens", "jetons 2 PV"),
    "corruption": ("Corruption cards", "cartes Corruption"),
    "score_so_far": ("points so far", "points pour l'instant"),
}


def _seats(earlier: Any, later: Any, says: Says) -> Iterator[Both]:
    for seat in changed(earlier or {}, later or {}):
        was, current = (earlier or {}).get(seat, {}), (later or {}).get(seat, {})
        who, qui = says("seat", seat)
        for name, (en, fr) in _FIGURES.items():
            if was.get(name) != current.get(name):
                old, new = was.get(name, 0), current.get(name, 0)
                yield f"{who} has {new} {en}, not {old}.", f"{qui} a {new} {fr}, et non {old}."
        others = [name for name in changed(was, current) if name not in _FIGURES]
        if others:
            yield f"{who} has other pieces on the table.", f"{qui} a d'autres pièces sur la table."


_TELLINGS: Mapping[str, Telling] = {
    "winners": _winners,
    "round": _round,
    "turn": _turn,
    "order": _order,
    "titles": _titles,
    "seats": _seats,
}

PARTS = frozenset((*_TELLINGS, *_REST))
"""All parts of a view, for a completeness check."""
