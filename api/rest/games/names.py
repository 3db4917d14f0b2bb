"""The names in a game."""

from __future__ import annotations

from flask import Response
from flask_smorest import Blueprint

from api.rest.description.documentation import operation
from api.rest.exchange import answers
from api.rest.exchange.moments import moment_of
from api.rest.running.context import language
from ledger.reading.words.glossary import GlossaryView, glossary

blueprint = Blueprint("names", __name__, description="The names of everything in a game")


@blueprint.route("/games/<game>/names")
@blueprint.doc(
    **operation(
        "readNames",
        {
            200: (
                GlossaryView,
                "The names of what the caller may know of, in the caller's language.",
            )
        },
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_names(game: str) -> Response:
    """Read the names in a game

    Seats, accounts, commodities, places of the board, kinds of actions and events, and collections of agreements,
    in the same shape for every rulebook. Names seldom change: the entity tag is of the names, and not of the
    game's version.
    """
    return answers.of_content(glossary(moment_of(game), language()), language())
