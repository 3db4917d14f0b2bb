"""The names of Corruption cards: their kind, and what tells cards of a kind apart (districts, Actions, types)."""

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


def corruption_names(found: Pieces, deeds: Mapping[str, Both]) -> Mapping[str, Both]:
    """The name of each Corruption card, by id: "Influence (Néo District, Marais)"."""
    named: dict[str, Both] = {}
    for card in found.corruption:
        kind = found.kinds[card.kind].name
        particular = [one for effect in card.effects for one in _particular(effect, found, deeds)]
        en, fr = (", ".join(one[language] for one in particular) for language in (0, 1))
        named[card.id] = (f"{kind.en} ({en})", f"{kind.fr} ({fr})") if particular else (kind.en, kind.fr)
    return named


def _particular(effect: Effect, found: Pieces, deeds: Mapping[str, Both]) -> Iterator[Both]:
    match effect:
        case InfluenceEliminate(districts=districts) | DiscardServer(districts=districts):
            names = (found.districts[one].name for one in districts)
            yield from ((one, one) for one in names)
        case DiscardBoost(under=actions):
            yield from (deeds[one] for one in actions)
        case DiscardVerse(types=types):
            yield from (TYPES[one] for one in types)
        case DiscardAgentInService(type=kind) if kind is not None:
            yield TYPES[kind]
