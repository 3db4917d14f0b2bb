"""The rules of a game: the register of its rulebook, with the values of the game's settings."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE

from api.rest.description.documentation import operation
from api.rest.description.rulebook_schemas import Rules, RuleView
from api.rest.exchange import answers
from api.rest.exchange.moments import changed_moment
from api.rest.rulebooks.rulebooks import RulesQuery, selected_rule, selected_rules
from api.rest.running.context import language

blueprint = Blueprint("game_rules", __name__, description="The rules of a game")


@blueprint.route("/games/<game>/rules")
@blueprint.doc(
    **operation(
        "listRulesOfGame",
        {200: (Rules, "The selected rules, in the order of the document.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(RulesQuery(), location="query", unknown=RAISE)
def list_rules_of_game(query: dict[str, Any], game: str) -> Response:
    """List the rules of the game

    The rules of the game's rulebook come in the order of the document. The texts have the values of the game's
    settings.
    """
    moment = changed_moment(game)
    return answers.of_game(selected_rules(moment.rulebook, query, moment.newest), moment.head, language())


@blueprint.route("/games/<game>/rules/<rule>")
@blueprint.doc(
    **operation(
        "readRuleOfGame",
        {200: (RuleView, "The rule: its article, its text, and how the rulebook decides it.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_rule_of_game(game: str, rule: str) -> Response:
    """Read one rule of the game

    The text of the rule has the values of the game's settings.
    """
    moment = changed_moment(game)
    return answers.of_game(selected_rule(moment.rulebook, rule, moment.newest), moment.head, language())
