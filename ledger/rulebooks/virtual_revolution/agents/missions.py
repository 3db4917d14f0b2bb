"""Missions: whether the condition of a Verse is met (vr:verse.8, vr:verse_card.*)."""

from __future__ import annotations

from collections import Counter

from ledger.rulebooks.virtual_revolution.table.mission_terms import (
    AgentsInService,
    AgentsInServiceEach,
    BoostsOwned,
    DirectorsInOneDistrict,
    ImmunityTokens,
    InfluenceInOneArrondissement,
    InfluenceInRecycling,
    NoMission,
    ServerInDistricts,
    ServersAdjacent,
    SufferRaid,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    boosts_of,
    directors_of,
    immunity,
    in_service,
    influenced,
    pieces,
    recycled,
    servers_of,
    tokens,
    type_of,
)


def is_met(state: VirtualRevolution, seat: str, verse: str) -> bool:
    """Return True if the owner of a Verse meets the mission now; a past raid counts (vr:verse_card.9)."""
    catalogue = pieces(state)
    mission = catalogue.verses[verse].mission
    match mission:
        case NoMission():
            return True
        case AgentsInService(type=agent_type, amount=amount, exactly=exactly):
            serving = sum(agent_type in ("any", type_of(state, agent)) for agent in in_service(state, seat))
            return serving == amount if exactly else serving >= amount
        case AgentsInServiceEach(types=types):
            return {*types} <= {type_of(state, agent) for agent in in_service(state, seat)}
        case ServerInDistricts(districts=districts):
            return any(catalogue.places[area].district in districts for area in servers_of(state, seat))
        case SufferRaid():
            return verse in state.raided
        case DirectorsInOneDistrict(amount=amount):
            placed = Counter(catalogue.places[area].district for area in directors_of(state, seat))
            return any(count >= amount for count in placed.values())
        case InfluenceInOneArrondissement(amount=amount):
            return any(tokens(state, seat, area) >= amount for area in influenced(state, seat))
        case InfluenceInRecycling(amount=amount):
            return recycled(state, seat) >= amount
        case ServersAdjacent(amount=amount):
            built = servers_of(state, seat)
            return any(_near(state, built, area) + 1 >= amount for area in built) if amount > 1 else bool(built)
        case ImmunityTokens(amount=amount):
            return immunity(state, seat) >= amount
        case BoostsOwned(amount=amount):
            return len(boosts_of(state, seat)) >= amount


def _near(state: VirtualRevolution, built: list[int], area: int) -> int:
    """Count the Servers next to an arrondissement."""
    return sum(site in pieces(state).places[area].adjacent for site in built)
