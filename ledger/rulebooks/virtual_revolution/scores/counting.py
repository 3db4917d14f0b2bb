"""Counting for scores: a seat's number of scoring pieces, and the points of a card."""

from __future__ import annotations

from typing import assert_never

from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.operations import AGENT_TYPES, VerseType
from ledger.rulebooks.virtual_revolution.table.score_terms import (
    AgentsByLevel,
    IfFewest,
    IfMost,
    Per,
    PerAgent,
    PerAgentTrio,
    PerAmount,
    PerArrondissementControlled,
    PerArrondissementWithInfluence,
    PerBoost,
    PerBoostedAction,
    PerCorruptionAtFinalRaid,
    PerDistrictWithoutInfluence,
    PerImmunity,
    PerInfluenceInRecycling,
    PerServer,
    PerVerse,
    Score,
    SumOf,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    agents_of,
    boost_action,
    boosts_of,
    cash,
    controls,
    hand_size,
    immunity,
    influenced,
    pieces,
    recycled,
    servers_of,
    titles_of,
    tokens,
    type_of,
    verses_of,
)


def points_of(state: VirtualRevolution, seat: str, score: Score, verse_type: VerseType | None = None) -> int:
    """Return the points of a score before any cap. `verse_type` is the chosen type, if the score has a choice."""
    match score:
        case SumOf(of=parts):
            return sum(points_of(state, seat, part, verse_type) for part in parts)
        case AgentsByLevel():
            return _by_level(state, seat, score)
        case Per(vp=vp, vp_by_players=by_players):
            each = by_players.get(str(len(state.seating)), vp)
            return each * count(state, seat, score, verse_type)
        case _:
            return score.vp * count(state, seat, score, verse_type)


def _by_level(state: VirtualRevolution, seat: str, score: AgentsByLevel) -> int:
    """Return the points of both lines of an Objective for Agents of two types by level (vr:objective.9)."""
    each = {
        (score.first, 1): score.first_level_1,
        (score.first, 2): score.first_level_2,
        (score.second, 1): score.second_level_1,
        (score.second, 2): score.second_level_2,
    }
    agents = pieces(state).agents
    return sum(each.get((type_of(state, agent), agents[agent].level), 0) for agent in agents_of(state, seat))


def count(state: VirtualRevolution, seat: str, score: Score, verse_type: VerseType | None = None) -> int:
    """Count a seat's pieces for a score: whole steps for an amount; 0 or 1 for a comparison between players."""
    catalogue = pieces(state)
    match score:
        case PerAgent(type=agent_type):
            return sum(type_of(state, item) == agent_type for item in agents_of(state, seat))
        case PerAgentTrio():
            types = [type_of(state, item) for item in agents_of(state, seat)]
            return min(types.count(item) for item in AGENT_TYPES)
        case PerVerse(type=kind):
            return sum(catalogue.verses[item].type == kind for item in verses_of(state, seat))
        case PerArrondissementControlled(districts=districts):
            return sum(controls(state, seat, area) for item in districts for area in catalogue.members[item])
        case PerDistrictWithoutInfluence():
            return _empty_districts(state, seat)
        case PerCorruptionAtFinalRaid():
            return state.final_hands.get(seat, hand_size(state, seat))
        case PerArrondissementWithInfluence(minimum=least):
            return sum(tokens(state, seat, area) >= least for area in catalogue.places)
        case PerInfluenceInRecycling():
            return recycled(state, seat)
        case PerBoost():
            return len(boosts_of(state, seat))
        case PerBoostedAction():
            return len({boost_action(state, item) for item in boosts_of(state, seat)})
        case PerServer():
            return len(servers_of(state, seat))
        case PerImmunity():
            return immunity(state, seat)
        case IfFewest(what=what):
            amounts = {item: _amount(state, item, what) for item in state.seating}
            return int(amounts[seat] == min(amounts.values()))
        case IfMost(what=what):
            amounts = {item: _amount(state, item, what) for item in state.seating}
            return int(amounts[seat] == max(amounts.values()))
        case PerAmount(what=what, step=step):
            return state.holdings.of(player(seat), what) // step
        case Per():
            return _pieces_of(state, seat, score, verse_type)
        case AgentsByLevel(first=first, second=second):
            return sum(type_of(state, item) in {first, second} for item in agents_of(state, seat))
        case SumOf(of=parts):
            return sum(count(state, seat, item, verse_type) for item in parts)
        case _:
            assert_never(score)


def _pieces_of(state: VirtualRevolution, seat: str, score: Per, verse_type: VerseType | None) -> int:
    """Count the pieces of an Objective."""
    catalogue = pieces(state)
    types = [catalogue.verses[verse].type for verse in verses_of(state, seat)]
    match score.what:
        case "controlled_arrondissement":
            return sum(controls(state, seat, area) for area in catalogue.places)
        case "different_verse_type":
            return len(set(types))
        case "district_without_influence":
            return _empty_districts(state, seat)
        case "server":
            return len(servers_of(state, seat))
        case "title":
            return len(titles_of(state, seat))
        case "verse":
            return len(types)
        case "verse_of_one_chosen_type":
            return 0 if verse_type is None else types.count(verse_type)


def _empty_districts(state: VirtualRevolution, seat: str) -> int:
    """Count the districts without an influence token of a seat; Servers do not matter."""
    catalogue = pieces(state)
    there = {catalogue.places[area].district for area in influenced(state, seat)}
    return len(catalogue.districts.keys() - there)


def _amount(state: VirtualRevolution, seat: str, kind: str) -> int:
    """Return a seat's amount for comparisons: money, or influence tokens in Néo Paris."""
    if kind == "eurocredit":
        return cash(state, seat)
    return sum(tokens(state, seat, area) for area in influenced(state, seat))
