"""The names of Corruption cards: the kind, with the districts, Actions or types that distinguish cards of a
kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rulebooks.parts.speaking import Both
from ledger.rulebooks.virtual_revolution.showing.choosing import TYPES
from ledger.rulebooks.virtual_revolution.table.operations import (
    DiscardAgentInService,
    DiscardBoost,
    DiscardServer,
    DiscardVerse,
    Effect,
    InfluenceEliminate,
)
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces


def corruption_names(catalogue: Pieces, deeds: Mapping[str, Both]) -> Mapping[str, Both]:
    """Return the name of each Corruption card, by id: "Influence (Néo District, Marais)"."""
    named: dict[str, Both] = {}
    for card in catalogue.corruption:
        kind = catalogue.kinds[card.kind].name
        particular = [phrase for effect in card.effects for phrase in _particular(effect, catalogue, deeds)]
        en, fr = (", ".join(phrase[language] for phrase in particular) for language in (0, 1))
        named[card.id] = (f"{kind.en} ({en})", f"{kind.fr} ({fr})") if particular else (kind.en, kind.fr)
    return named


def _particular(effect: Effect, catalogue: Pieces, deeds: Mapping[str, Both]) -> Iterator[Both]:
    match effect:
        case InfluenceEliminate(districts=districts) | DiscardServer(districts=districts):
            names = (catalogue.districts[item].name for item in districts)
            yield from ((item, item) for item in names)
        case DiscardBoost(under=actions):
            yield from (deeds[item] for item in actions)
        case DiscardVerse(types=types):
            yield from (TYPES[item] for item in types)
        case DiscardAgentInService(type=kind) if kind is not None:
            yield TYPES[kind]
