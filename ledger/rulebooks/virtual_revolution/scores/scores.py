"""What a seat scores, line by line, each with its rule (vr:scoring.*, vr:objective.*, the ends of Verses).

Nothing here changes a game: the same lines are the score so far while it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.scores.counting import count, points_of
from ledger.rulebooks.virtual_revolution.table.operations import AGENT_TYPES, VERSE_TYPES
from ledger.rulebooks.virtual_revolution.table.score_terms import Per, Score, SumOf
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    agents_of,
    cash,
    controls,
    pieces,
    revenue,
    servers_of,
    titles_of,
    type_of,
    verses_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import VP2, Chosen, Line, objectives


def score(state: VirtualRevolution, seat: str, choice: Chosen | None) -> tuple[Line, ...]:
    """All lines of a seat's score, with those of the Objective chosen where there is one."""
    return (
        *_common(state, seat),
        *_verses(state, seat),
        *(() if choice is None else (objective_line(state, seat, choice),)),
        *_changes(state, seat),
    )


def score_so_far(state: VirtualRevolution, seat: str, *, objectives: bool) -> tuple[Line, ...]:
    """What a seat would score if the game ended now.

    Without `objectives` everything in it is public. With them, the line of the Objective chosen is added, or of
    the one that would score most: that is the seat's secret.
    """
    return score(state, seat, (state.chosen.get(seat) or best_choice(state, seat)) if objectives else None)


def total(lines: tuple[Line, ...]) -> int:
    """The points of all lines."""
    return sum(line.points for line in lines)


def trios(state: VirtualRevolution, seat: str) -> int:
    """How many trios of Agents of three different types a seat has, each Agent used once (vr:scoring.7)."""
    types = [type_of(state, agent) for agent in agents_of(state, seat)]
    return min(types.count(one) for one in AGENT_TYPES)


def _common(state: VirtualRevolution, seat: str) -> Iterator[Line]:
    """What everybody scores."""
    found = pieces(state)
    scale, held = found.scoring, state.holdings
    tokens, money, income = held.of(player(seat), VP2), cash(state, seat), revenue(state, seat)
    places = sum(controls(state, seat, place) for place in found.places)
    titles, agents, threes = len(titles_of(state, seat)), len(agents_of(state, seat)), trios(state, seat)
    servers = len(servers_of(state, seat))
    most = min(servers, len(scale.servers) - 1)
    yield Line(what="vp2_token", count=tokens, points=tokens * scale.vp2_token, rule="vr:scoring.1")
    yield Line(what="eurocredit", count=money, points=money // scale.eurocredit_step, rule="vr:scoring.2")
    yield Line(what="revenue", count=income, points=income * scale.revenue, rule="vr:scoring.3")
    yield Line(what="arrondissement", count=places, points=places * scale.arrondissement, rule="vr:scoring.4")
    yield Line(what="title", count=titles, points=titles * scale.title, rule="vr:scoring.5")
    yield Line(what="agent", count=agents, points=agents * scale.agent, rule="vr:scoring.6")
    yield Line(what="agent_trio", count=threes, points=threes * scale.agent_trio, rule="vr:scoring.7")
    yield Line(what="server", count=servers, points=scale.servers[most], rule="vr:scoring.8")


def _verses(state: VirtualRevolution, seat: str) -> Iterator[Line]:
    """Each Verse online, by its own text (vr:scoring.9); one in Loading scores nothing by itself (vr:verse.13)."""
    for one in verses_of(state, seat):
        if one in state.online:
            verse = pieces(state).verses[one]
            points = min(points_of(state, seat, verse.end), verse.max, *_caps(state, seat, "verse"))
            yield Line(
                what="verse", count=count(state, seat, verse.end), points=points, rule=verse.rules.end, of=one
            )


def objective_line(state: VirtualRevolution, seat: str, choice: Chosen) -> Line:
    """The line of an Objective, at most what the card allows (vr:scoring.11)."""
    card = pieces(state).objectives[choice.objective]
    points = points_of(state, seat, card.score, choice.verse_type)
    most = min(points, card.max, *_caps(state, seat, "objective"))
    counted = count(state, seat, card.score, choice.verse_type)
    return Line(what="objective", count=counted, points=most, rule=card.rule, of=card.id)


def best_choice(state: VirtualRevolution, seat: str) -> Chosen | None:
    """The Objective of a seat that scores most, with its type of Verse; None without Objectives."""
    found = [
        Chosen(objective=one, verse_type=verse_type)
        for one in decks.held_in(state, objectives(seat))
        for verse_type in (VERSE_TYPES if counts_one_type(pieces(state).objectives[one].score) else (None,))
    ]
    return max(found, key=lambda one: objective_line(state, seat, one).points, default=None)


def counts_one_type(score: Score) -> bool:
    """Whether an Objective counts Verses of one type, which its player chooses (vr:objective.5)."""
    if isinstance(score, SumOf):
        return any(map(counts_one_type, score.of))
    return isinstance(score, Per) and score.what == "verse_of_one_chosen_type"


def _caps(state: VirtualRevolution, seat: str, line: str) -> list[int]:
    """The caps that Necro cards set on a seat's Verses or Objective."""
    return [one.amount for one in state.changes if one.seat == seat and one.line == line and one.is_cap]


def _changes(state: VirtualRevolution, seat: str) -> Iterator[Line]:
    """What Necro cards take from a seat: points outright, or for each unit of another line."""
    units = {"title": len(titles_of(state, seat)), "agent_trio": trios(state, seat), "points": 1}
    for one in state.changes:
        if one.seat == seat and not one.is_cap:
            many = units.get(one.line, 0)
            yield Line(what=one.line, count=many, points=many * one.amount, rule=one.rule, of="necro")
