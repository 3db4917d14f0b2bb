"""The names of Corruption cards: the kind, with the districts, Actions or types that distinguish cards of a
kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.kernel.language.phrase import Phrase
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


def corruption_names(catalogue: Pieces, deeds: Mapping[str, Phrase]) -> Mapping[str, Phrase]:
    """Return the name of each Corruption card, by id: "Influence (Néo District, Marais)"."""
    named: dict[str, Phrase] = {}
    for card in catalogue.corruption:
        kind = catalogue.kinds[card.kind].name
        particular = [phrase for effect in card.effects for phrase in _particular(effect, catalogue, deeds)]
        en, fr = ", ".join(phrase.en for phrase in particular), ", ".join(phrase.fr for phrase in particular)
        named[card.id] = Phrase(f"{kind.en} ({en})", f"{kind.fr} ({fr})") if particular else kind
    return named


def _particular(effect: Effect, catalogue: Pieces, deeds: Mapping[str, Phrase]) -> Iterator[Phrase]:
    match effect:
        case InfluenceEliminate(districts=districts) | DiscardServer(districts=districts):
            names = (catalogue.districts[item].name for item in districts)
            yield from (Phrase(item, item) for item in names)
        case DiscardBoost(under=actions):
            yield from (deeds[item] for item in actions)
        case DiscardVerse(types=types):
            yield from (TYPES[item] for item in types)
        case DiscardAgentInService(type=kind) if kind is not None:
            yield TYPES[kind]
