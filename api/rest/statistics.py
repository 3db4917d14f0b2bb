"""Statistics: a game in numbers, as far as the caller may see it."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema

from api.rest import answers
from api.rest.context import language
from api.rest.documentation import operation
from api.rest.moments import changed_moment
from ledger.moving.exporting import Export
from replays.statistics import Statistics, statistics_of

blueprint = Blueprint("statistics", __name__, description="A game in numbers")


class StatisticsQuery(Schema):
    """Nothing can be asked for: statistics are over the whole game as it stands."""


@blueprint.route("/games/<game>/statistics")
@blueprint.doc(
    **operation(
        "readStatistics",
        {200: (Statistics, "The statistics, as far as the caller may see them.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(StatisticsQuery(unknown=RAISE), location="query")
def read_statistics(query: dict[str, Any], game: str) -> Response:
    """The game in numbers

    What everybody was worth over time, who fed whom, what titles brought in, what was done how often, the dice
    against what fair ones give, the time of turns, corrections and rulings with their effect in money, and the
    actions that moved the lead most. Everything is over what counts of the history now.

    Everything is told to the banker, and to everybody once the game has ended. While it lasts, a player or a
    spectator is told what is public and what follows from the actions that they may see; of what others are worth
    the public parts, no more, and neither the Gini coefficient nor turning points.
    """
    moment = changed_moment(game)
    export = Export(moment, language())
    return answers.of_game(statistics_of(export), export.version, language())
