"""The statistics of a game, limited to the view of the caller."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema

from api.rest.description.documentation import operation
from api.rest.exchange import answers
from api.rest.exchange.moments import changed_moment
from api.rest.running.context import language
from ledger.moving.exporting import Export
from replays.report.story import with_story
from replays.statistics import Statistics, statistics_of

blueprint = Blueprint("statistics", __name__, description="The statistics of a game")


class StatisticsQuery(Schema):
    """No parameters: the statistics cover the whole game."""


@blueprint.route("/games/<game>/statistics")
@blueprint.doc(
    **operation(
        "readStatistics",
        {200: (Statistics, "The part of the statistics that the caller may see.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(StatisticsQuery(), location="query", unknown=RAISE)
def read_statistics(query: dict[str, Any], game: str) -> Response:
    """Read the statistics of a game

    They hold the wealth of the seats over time, the flows of money, the returns of titles, counts of what
    happened, the dice compared with fair dice, the length of turns, corrections and rulings with their effect in
    money, and the actions that changed the lead most. They cover the history as it counts now.

    The banker gets all of them, and so does everybody after an end that reveals everything. Otherwise a player or
    a spectator gets what is public and what follows from the actions that they may see. Of the wealth of others
    they get only the public parts, and they get neither the Gini coefficient nor turning points. `story` tells how
    the game was won, or who leads. An ended game has `awards`; those for payments need a view of the whole game.
    """
    moment = changed_moment(game)
    export = Export(moment, language())
    return answers.of_game(with_story(export, statistics_of(export)), export.head, language())
