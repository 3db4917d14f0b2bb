"""The score of a seat, line by line, each line with a rule (vr:scoring.*, vr:objective.*, the ends of Verses).

Nothing here changes a game: during the game, these lines are the score so far.
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
    """Return all lines of a seat's score, with the line of the chosen Objective, if any."""
    return (
        *_common(state, seat),
        *_verses(state, seat),
        *(() if choice is None else (objective_line(state, seat, choice),)),
        *_changes(state, seat),
    )


def score_so_far(state: VirtualRevolution, seat: str, *, objectives: bool) -> tuple[Line, ...]:
    """Return the score of a seat if the game ended now.

    Without `objectives` all lines are public. With `objectives`, the chosen or the most valuable Objective is
    added, a secret of the seat.
    """
    return score(state, seat, (state.chosen.get(seat) or best_choice(state, seat)) if objectives else None)


def total(lines: tuple[Line, ...]) -> int:
    """Return the points of all lines."""
    return sum(line.points for line in lines)


def trios(state: VirtualRevolution, seat: str) -> int:
    """Count the trios of Agents of three different types of a seat, each Agent used once (vr:scoring.7)."""
    types = [type_of(state, agent) for agent in agents_of(state, seat)]
    return min(types.count(agent_type) for agent_type in AGENT_TYPES)


def _common(state: VirtualRevolution, seat: str) -> Iterator[Line]:
    """Yield the lines common to all seats."""
    catalogue = pieces(state)
    scale, holdings = catalogue.scoring, state.holdings
    tokens, money, income = holdings.of(player(seat), VP2), cash(state, seat), revenue(state, seat)
    places = sum(controls(state, seat, area) for area in catalogue.places)
    titles, agents, threes = len(titles_of(state, seat)), len(agents_of(state, seat)), trios(state, seat)
    servers = len(servers_of(state, seat))
    index = min(servers, len(scale.servers) - 1)
    yield Line(what="vp2_token", count=tokens, points=tokens * scale.vp2_token, rule="vr:scoring.1")
    yield Line(what="eurocredit", count=money, points=money // scale.eurocredit_step, rule="vr:scoring.2")
    yield Line(what="revenue", count=income, points=income * scale.revenue, rule="vr:scoring.3")
    yield Line(what="arrondissement", count=places, points=places * scale.arrondissement, rule="vr:scoring.4")
    yield Line(what="title", count=titles, points=titles * scale.title, rule="vr:scoring.5")
    yield Line(what="agent", count=agents, points=agents * scale.agent, rule="vr:scoring.6")
    yield Line(what="agent_trio", count=threes, points=threes * scale.agent_trio, rule="vr:scoring.7")
    yield Line(what="server", count=servers, points=scale.servers[index], rule="vr:scoring.8")


def _verses(state: VirtualRevolution, seat: str) -> Iterator[Line]:
    """Yield a line for each Verse online, by the Verse's text (vr:scoring.9); a Verse in Loading scores nothing
    (vr:verse.13).
    """
    for verse_id in verses_of(state, seat):
        if verse_id in state.online:
            verse = pieces(state).verses[verse_id]
            points = min(points_of(state, seat, verse.end), verse.max, *_caps(state, seat, "verse"))
            yield Line(
                what="verse", count=count(state, seat, verse.end), points=points, rule=verse.rules.end, of=verse_id
            )


def objective_line(state: VirtualRevolution, seat: str, choice: Chosen) -> Line:
    """Return the line of an Objective, up to the maximum of the card (vr:scoring.11)."""
    card = pieces(state).objectives[choice.objective]
    points = points_of(state, seat, card.score, choice.verse_type)
    capped = min(points, card.max, *_caps(state, seat, "objective"))
    counted = count(state, seat, card.score, choice.verse_type)
    return Line(what="objective", count=counted, points=capped, rule=card.rule, of=card.id)


def best_choice(state: VirtualRevolution, seat: str) -> Chosen | None:
    """Return a seat's Objective with the highest score, with its type of Verse; None without Objectives."""
    choices = [
        Chosen(objective=item, verse_type=verse_type)
        for item in decks.held_in(state, objectives(seat))
        for verse_type in (VERSE_TYPES if counts_one_type(pieces(state).objectives[item].score) else (None,))
    ]
    return max(choices, key=lambda item: objective_line(state, seat, item).points, default=None)


def counts_one_type(score: Score) -> bool:
    """Return True if an Objective counts Verses of a type chosen by the player (vr:objective.5)."""
    if isinstance(score, SumOf):
        return any(map(counts_one_type, score.of))
    return isinstance(score, Per) and score.what == "verse_of_one_chosen_type"


def _caps(state: VirtualRevolution, seat: str, line: str) -> list[int]:
    """Return the caps on a seat's Verses or Objective, set by Necro cards."""
    return [
        change.amount for change in state.changes if change.seat == seat and change.line == line and change.is_cap
    ]


def _changes(state: VirtualRevolution, seat: str) -> Iterator[Line]:
    """Yield the changes of a seat's score by Necro cards: points outright, or for each unit of a line."""
    units = {"title": len(titles_of(state, seat)), "agent_trio": trios(state, seat), "points": 1}
    for change in state.changes:
        if change.seat == seat and not change.is_cap:
            many = units.get(change.line, 0)
            yield Line(what=change.line, count=many, points=many * change.amount, rule=change.rule, of="necro")
