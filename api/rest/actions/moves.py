"""Moves: the current legal actions of a seat, and the reasons for refusing an action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate
from msgspec import UNSET, UnsetType

from api.rest.admission.auth import not_yours
from api.rest.description.documentation import operation
from api.rest.description.schemas import AllMoves, Moves, ObstacleView
from api.rest.exchange import answers
from api.rest.exchange.moments import moment_of
from api.rest.problems.problems import NO_SEAT, Problem
from api.rest.running.context import language, the_ledger
from ledger.games.moments import Moment
from ledger.kernel.deciding.moves import open_to
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import elided
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.moves import moves_of_all, obstacles, shown_moves
from ledger.reading.moves.steps import PartsView, shown_step

blueprint = Blueprint("moves", __name__, description="What a seat may do now")


class MovesQuery(Schema):
    """The seat for which to list moves, and the kind of action to explain."""

    seat = fields.String(
        load_default=None,
        metadata={
            "description": "For the banker: the seat to act for, or `all` for the moves of every seat and the "
            "banker's own. A player always asks for their own seat; a banker who also plays for that one only."
        },
    )
    explain = fields.String(
        load_default=None, metadata={"description": "A kind of action: explain why it is refused now."}
    )
    kind = fields.String(
        load_default=None,
        metadata={
            "description": "A kind of action to choose in parts: `parts` has the values of the next part, and"
            " `moves` those of the kind alone. Not for `seat=all`."
        },
    )
    chosen = fields.List(
        fields.String(validate=validate.Length(max=4000)),
        data_key="given",
        load_default=(),
        validate=validate.Length(max=200),
        metadata={
            "description": "A part chosen so far, in the order in which they were offered; repeat the parameter."
            ' Each is a JSON Pointer, "=" and a JSON value: `/picks/0/place=5`; or, for the end of an object or'
            " a list, a JSON Pointer that ends with `-`: `/picks/-`. The `given` of an option is ready to be sent."
            " Only with `kind`.",
            "example": ['/agent="leslie"', "/picks/0/place=5"],
        },
    )


@blueprint.route("/games/<game>/moves")
@blueprint.doc(
    **operation(
        "listMoves",
        {200: ((Moves, AllMoves), "The legal actions, with parameters that can be sent as they are.")},
        errors=(401, 403, 404),
        headers=("Accept-Language",),
    )
)
@blueprint.arguments(MovesQuery(), location="query", unknown=RAISE)
def list_moves(query: dict[str, Any], game: str) -> Response:
    """List the actions that a seat may perform now

    Moves that the game waits for come first. With `seat=all` the answer has those of every seat. A clock may
    change the answer while the version stays, so the answer is never 304.

    Moves offer the usual ways to act. With `kind` an action is chosen in parts, and every legal action can be
    reached: send the `given` of an option, and of all before it, with the next request, until `act` is the action
    that is wanted. A request makes at most 1,000 dry decisions.
    """
    moment = moment_of(game)
    viewer, state, spoken = moment.viewer, moment.newest, language()
    at = the_ledger().clock.game_time(state)
    if query["seat"] == _ALL and query["explain"] is None:
        _require_banker(viewer)
        all_moves = AllMoves(moves_of_all(moment, at, spoken), state.version)
        return answers.of_game(all_moves, moment.head, spoken)
    seat = _seat(query["seat"], viewer, state)
    offered, kind = shown_moves(moment, seat, at, spoken), query["kind"]
    answer = Moves(
        seat=offered.seat,
        moves=offered.moves if kind is None else tuple(move for move in offered.moves if move.kind == kind),
        obstacles=tuple(_explained(moment, seat, query["explain"], at)),
        parts=_next_parts(moment, seat, kind, query["chosen"], at),
        version=state.version,
    )
    return answers.of_game(answer, moment.head, spoken)


def _explained(moment: Moment, seat: str | None, kind: str | None, at: datetime) -> Iterator[ObstacleView]:
    """Yield the reasons for refusing actions of a kind now; nothing without a kind. Raises Problem."""
    if kind is None:
        return
    rulebook, spoken = moment.rulebook, language()
    _require_open(kind, rulebook, moment.viewer, "explain")
    for obstacle in obstacles(moment, seat, kind, at):
        rule = obstacle.refusal.rule if isinstance(obstacle.refusal, RuleBroken) else None
        text = None if rule is None else rulebook.rule(rule, spoken, moment.newest)
        yield ObstacleView(
            kind=kind,
            label=rulebook.words_of(kind).label.in_language(spoken),
            params=obstacle.params,
            rule=rule,
            rule_text=None if text is None else text.requires,
            detail=obstacle.refusal.sentence(spoken),
        )


def _next_parts(
    moment: Moment, seat: str | None, kind: str | None, chosen: Sequence[str], at: datetime
) -> PartsView | UnsetType:
    """Return the next step of an action chosen in parts; UNSET without a kind. Raises Problem."""
    if kind is None:
        return UNSET
    _require_open(kind, moment.rulebook, moment.viewer, "kind")
    return shown_step(moment, seat, kind, chosen, at)


_ALL = "all"
"""The value of `seat` for the moves of all seats, even if a seat has this name."""


def _require_banker(viewer: Viewer) -> None:
    if viewer.role != "banker":
        raise not_yours(
            "only the banker sees the moves of all seats", "seul le banquier voit les coups de tous les sièges"
        )


def _seat(requested: str | None, viewer: Viewer, state: State) -> str | None:
    """Return the seat of the moves. Raises Problem: 422 for an unknown seat, 403 for the seat of another
    player.
    """
    if requested is not None and requested not in state.seats:
        seats = ", ".join(state.seats)
        raise Problem(
            "invalid-request",
            f"there is no seat {requested!r} in this game; its seats are: {seats}",
            f"il n'y a pas de siège {requested!r} dans cette partie ; ses sièges sont : {seats}",
            errors=[{"parameter": "seat", "value": requested, "detail": NO_SEAT}],
        )
    if (viewer.role != "banker" or not viewer.sees_all) and requested not in {None, viewer.seat}:
        name = state.seats[str(requested)].name
        raise not_yours(
            f"only the banker and {name} see what {name} may do",
            f"seuls le banquier et {name} voient ce {elided('que', name)} peut faire",
        )
    return viewer.seat if viewer.role == "player" else requested


def _require_open(kind: str, rulebook: Rulebook[Any], viewer: Viewer, parameter: str) -> None:
    """Require a kind open to the caller. The answer about another kind could reveal hidden holdings."""
    action = rulebook.actions.get(kind)
    if action is None:
        raise Problem(
            "invalid-request",
            f"{rulebook.id} has no action {kind!r}",
            f"{rulebook.id} n'a pas d'action {kind!r}",
            errors=[
                {
                    "parameter": parameter,
                    "value": kind,
                    "detail": Phrase("no kind of action", "aucun type d'action"),
                }
            ],
        )
    if not open_to(action, viewer):
        raise not_yours(
            f"{kind} is not for the {viewer.role} to ask for",
            f"{kind} n'est pas ouvert à ce rôle : {viewer.role}",
        )
