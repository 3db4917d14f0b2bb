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
    """Whether the owner of a Verse meets its mission at this moment; a raid is remembered (vr:verse_card.9)."""
    found = pieces(state)
    mission = found.verses[verse].mission
    match mission:
        case NoMission():
            return True
        case AgentsInService(type=wanted, amount=amount, exactly=exactly):
            serving = sum(wanted in ("any", type_of(state, one)) for one in in_service(state, seat))
            return serving == amount if exactly else serving >= amount
        case AgentsInServiceEach(types=types):
            return {*types} <= {type_of(state, one) for one in in_service(state, seat)}
        case ServerInDistricts(districts=districts):
            return any(found.places[place].district in districts for place in servers_of(state, seat))
        case SufferRaid():
            return verse in state.raided
        case DirectorsInOneDistrict(amount=amount):
            placed = Counter(found.places[place].district for place in directors_of(state, seat))
            return any(count >= amount for count in placed.values())
        case InfluenceInOneArrondissement(amount=amount):
            return any(tokens(state, seat, place) >= amount for place in influenced(state, seat))
        case InfluenceInRecycling(amount=amount):
            return recycled(state, seat) >= amount
        case ServersAdjacent(amount=amount):
            built = servers_of(state, seat)
            return any(_near(state, built, place) + 1 >= amount for place in built) if amount > 1 else bool(built)
        case ImmunityTokens(amount=amount):
            return immunity(state, seat) >= amount
        case BoostsOwned(amount=amount):
            return len(boosts_of(state, seat)) >= amount


def _near(state: VirtualRevolution, built: list[int], place: int) -> int:
    """How many of the Servers stand beside this one."""
    return sum(one in pieces(state).places[place].adjacent for one in built)
