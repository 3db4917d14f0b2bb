"""Counting for scores: how many of something a seat has, and the points that a card gives for it."""

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
    """The points of a score before any cap. `verse_type` is the type chosen, where one is."""
    match score:
        case SumOf(of=parts):
            return sum(points_of(state, seat, one, verse_type) for one in parts)
        case AgentsByLevel():
            return _by_level(state, seat, score)
        case Per(vp=vp, vp_by_players=by_players):
            each = by_players.get(str(len(state.seating)), vp)
            return each * count(state, seat, score, verse_type)
        case _:
            return score.vp * count(state, seat, score, verse_type)


def _by_level(state: VirtualRevolution, seat: str, score: AgentsByLevel) -> int:
    """The points of both lines of an Objective that counts Agents of two types by level (vr:objective.9)."""
    each = {
        (score.first, 1): score.first_level_1,
        (score.first, 2): score.first_level_2,
        (score.second, 1): score.second_level_1,
        (score.second, 2): score.second_level_2,
    }
    found = pieces(state).agents
    return sum(each.get((type_of(state, one), found[one].level), 0) for one in agents_of(state, seat))


def count(state: VirtualRevolution, seat: str, score: Score, verse_type: VerseType | None = None) -> int:
    """How many of what a score counts a seat has: whole steps for an amount, 0 or 1 for having the most."""
    found = pieces(state)
    match score:
        case PerAgent(type=wanted):
            return sum(type_of(state, one) == wanted for one in agents_of(state, seat))
        case PerAgentTrio():
            types = [type_of(state, one) for one in agents_of(state, seat)]
            return min(types.count(one) for one in AGENT_TYPES)
        case PerVerse(type=kind):
            return sum(found.verses[one].type == kind for one in verses_of(state, seat))
        case PerArrondissementControlled(districts=districts):
            return sum(controls(state, seat, place) for one in districts for place in found.members[one])
        case PerDistrictWithoutInfluence():
            return _empty_districts(state, seat)
        case PerCorruptionAtFinalRaid():
            return state.final_hands.get(seat, hand_size(state, seat))
        case PerArrondissementWithInfluence(minimum=least):
            return sum(tokens(state, seat, place) >= least for place in found.places)
        case PerInfluenceInRecycling():
            return recycled(state, seat)
        case PerBoost():
            return len(boosts_of(state, seat))
        case PerBoostedAction():
            return len({boost_action(state, one) for one in boosts_of(state, seat)})
        case PerServer():
            return len(servers_of(state, seat))
        case PerImmunity():
            return immunity(state, seat)
        case IfFewest(what=what):
            amounts = {one: _amount(state, one, what) for one in state.seating}
            return int(amounts[seat] == min(amounts.values()))
        case IfMost(what=what):
            amounts = {one: _amount(state, one, what) for one in state.seating}
            return int(amounts[seat] == max(amounts.values()))
        case PerAmount(what=what, step=step):
            return state.holdings.of(player(seat), what) // step
        case Per():
            return _pieces_of(state, seat, score, verse_type)
        case AgentsByLevel(first=first, second=second):
            return sum(type_of(state, one) in {first, second} for one in agents_of(state, seat))
        case SumOf(of=parts):
            return sum(count(state, seat, one, verse_type) for one in parts)
        case _:
            assert_never(score)


def _pieces_of(state: VirtualRevolution, seat: str, score: Per, verse_type: VerseType | None) -> int:
    """How many pieces an Objective counts."""
    found = pieces(state)
    types = [found.verses[one].type for one in verses_of(state, seat)]
    match score.what:
        case "controlled_arrondissement":
            return sum(controls(state, seat, place) for place in found.places)
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
    """How many districts have no influence token of a seat; Servers do not matter."""
    found = pieces(state)
    there = {found.places[place].district for place in influenced(state, seat)}
    return len(found.districts.keys() - there)


def _amount(state: VirtualRevolution, seat: str, what: str) -> int:
    """What is compared between players: money, or influence tokens in Néo Paris."""
    if what == "eurocredit":
        return cash(state, seat)
    return sum(tokens(state, seat, place) for place in influenced(state, seat))
