"""The rulebooks of the service: settings, actions and rules. Rulebooks are public and change only with the
version.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields
from msgspec import UNSET

from api.rest.description.documentation import operation
from api.rest.description.rulebook_schemas import (
    ActionView,
    Catalogue,
    EditionView,
    PlayerCount,
    Rulebooks,
    RulebookSettings,
    RulebookSummary,
    RulebookView,
    Rules,
    RuleView,
)
from api.rest.exchange.compression import compressed
from api.rest.exchange.conditions import require_change
from api.rest.problems.problems import Problem, not_found
from api.rest.running.context import Language, language, the_ledger
from ledger.kernel.facts.state import State
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.offered import group_of, is_final
from ledger.reading.words.forms import form_of
from ledger.reading.words.settings import settings_form
from ledger.rulebooks.parts.boards import board_of, drawn

blueprint = Blueprint("rulebooks", __name__, description="The rulebooks that the service knows")


class RulesQuery(Schema):
    """Filters for the rules."""

    category = fields.String(load_default=None, metadata={"description": "Only rules of this category."})
    words = fields.String(
        load_default=None, metadata={"description": "Only rules whose id or text has each of these words."}
    )


@blueprint.route("/rulebooks")
@blueprint.doc(
    **operation(
        "listRulebooks",
        {200: (Rulebooks, "The rulebooks that the service knows.")},
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
def list_rulebooks() -> Response:
    """List the rulebooks that the service knows

    Each has a title, the numbers of players, and the look of the table.
    """
    rulebooks = the_ledger().rulebooks.values()
    return _answer(Rulebooks(tuple(_summary(rulebook, language()) for rulebook in rulebooks)))


@blueprint.route("/rulebooks/<rulebook>")
@blueprint.doc(
    **operation(
        "readRulebook",
        {200: (RulebookView, "The rulebook, with its settings as a JSON Schema with defaults.")},
        errors=(404,),
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
def read_rulebook(rulebook: str) -> Response:
    """Read a rulebook: players, settings, components, board

    It holds what a page needs to create a game and to draw its table.
    """
    return _answer(_described(_rulebook(rulebook), language()))


@blueprint.route("/rulebooks/<rulebook>/actions")
@blueprint.doc(
    **operation(
        "listActionKinds",
        {200: (Catalogue, "Every kind of action, with the JSON Schema of its parameters.")},
        errors=(404,),
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
def list_action_kinds(rulebook: str) -> Response:
    """Read the catalogue of actions

    It says of every kind who may ask for it and when, which rules it carries out, and what its parameters
    are.
    """
    return _answer(Catalogue(tuple(_catalogue(_rulebook(rulebook), language()).values())))


@blueprint.route("/rulebooks/<rulebook>/actions/<kind>")
@blueprint.doc(
    **operation(
        "readActionKind",
        {200: (ActionView, "The kind of action, with the JSON Schema of its parameters.")},
        errors=(404,),
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
def read_action_kind(rulebook: str, kind: str) -> Response:
    """Read one kind of action

    It says who may ask for the action and when, which rules it carries out, and what its parameters are.
    """
    view = _catalogue(_rulebook(rulebook), language()).get(kind)
    if view is None:
        raise not_found(f"{rulebook} has no action {kind!r}", f"{rulebook} n'a pas d'action {kind!r}")
    return _answer(view)


@blueprint.route("/rulebooks/<rulebook>/settings")
@blueprint.doc(
    **operation(
        "readSettings",
        {200: (RulebookSettings, "The JSON Schema of the settings of a game, in the order of the form.")},
        errors=(404,),
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
def read_settings(rulebook: str) -> Response:
    """Read the settings of a rulebook

    Each setting has a `title`, a `description` of one sentence and the default. The commonest house rules come
    first (`x-first`), settings that most tables keep have `x-advanced`.
    """
    return _answer(RulebookSettings(rulebook, _described(_rulebook(rulebook), language()).settings))


@blueprint.route("/rulebooks/<rulebook>/rules")
@blueprint.doc(
    **operation(
        "listRules",
        {200: (Rules, "The selected rules, in the order of the document.")},
        errors=(404,),
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
@blueprint.arguments(RulesQuery(), location="query", unknown=RAISE)
def list_rules(query: dict[str, Any], rulebook: str) -> Response:
    """List the rules of the register

    They come in the order of the document. Without a filter the answer holds all of them. Texts have the values
    of the default settings; `listRulesOfGame` has the texts of a game.
    """
    return _answer(selected_rules(_rulebook(rulebook), query))


@blueprint.route("/rulebooks/<rulebook>/rules/<rule>")
@blueprint.doc(
    **operation(
        "readRule",
        {200: (RuleView, "The rule: its article, its text, and how the rulebook decides it.")},
        errors=(404,),
        headers=("Accept-Language", "If-None-Match"),
        public=True,
    )
)
def read_rule(rulebook: str, rule: str) -> Response:
    """Read one rule

    It holds the text of the rule, and what the rulebook decides where the document is silent.
    """
    return _answer(selected_rule(_rulebook(rulebook), rule))


def selected_rules(book: Rulebook[Any], query: dict[str, Any], state: State | None = None) -> Rules:
    """Return the rules selected by a `RulesQuery`, in the words for a game's settings, or for the defaults."""
    words = (query["words"] or "").casefold().split()
    rules = (book.worded(rule, language(), state) for rule in book.register.rules(language()))
    return Rules(
        tuple(
            RuleView.of(rule, book)
            for rule in rules
            if query["category"] in {None, rule.category}
            and all(word in f"{rule.id} {rule.title} {rule.requires} {rule.decision}".casefold() for word in words)
        )
    )


def selected_rule(book: Rulebook[Any], rule: str, state: State | None = None) -> RuleView:
    """Return a rule in the words for a game's settings, or for the defaults. Raises Problem (404)."""
    text = book.rule(rule, language(), state)
    if text is None:
        raise not_found(f"{book.id} has no rule {rule!r}", f"{book.id} n'a pas de règle {rule!r}")
    return RuleView.of(text, book)


def _rulebook(name: str) -> Rulebook[Any]:
    """Return the rulebook by name. Raises Problem (404)."""
    rulebooks = the_ledger().rulebooks
    if name not in rulebooks:
        names = ", ".join(rulebooks)
        raise Problem(
            "unknown-rulebook",
            f"there is no rulebook {name!r}; there are: {names}",
            f"il n'y a pas de jeu {name!r} ; il y a : {names}",
        )
    return rulebooks[name]


@cache
def _summary(rulebook: Rulebook[Any], spoken: Language) -> RulebookSummary:
    board = drawn(rulebook, None, spoken)
    return RulebookSummary(
        rulebook.id, rulebook.title, PlayerCount(*rulebook.players), UNSET if board is None else board.face
    )


@cache
def _described(rulebook: Rulebook[Any], spoken: Language) -> RulebookView:
    return RulebookView(
        id=rulebook.id,
        title=rulebook.title,
        currency=rulebook.accounts.currency,
        players=PlayerCount(*rulebook.players),
        settings=settings_form(rulebook, spoken),
        agreements=tuple(rulebook.agreements.agreement_types),
        components=rulebook.screen.components(),
        board=drawn(rulebook, None, spoken) or UNSET,
        squares=tuple(board_of(rulebook)),
        editions=(EditionView(rulebook.id, rulebook.title, drawn(rulebook, None, spoken) or UNSET),),
        takes_editions=rulebook.editions is not None,
    )


@cache
def _catalogue(rulebook: Rulebook[Any], spoken: Language) -> dict[str, ActionView]:
    return {
        kind: _action(rulebook, chapter, kind, spoken) for chapter in rulebook.chapters for kind in chapter.actions
    }


def _action(rulebook: Rulebook[Any], chapter: Chapter, kind: str, spoken: Language) -> ActionView:
    action, words = chapter.actions[kind], rulebook.words_of(kind)
    return ActionView(
        kind=kind,
        label=words.label,
        verbs=words.verbs,
        group=group_of(rulebook, words, spoken),
        bare=words.bare,
        final=is_final(action, words),
        chapter=chapter.title,
        by=action.by,
        rules=rulebook.register.rules_of(kind),
        summary=action.summary.in_language(spoken),
        when=action.when.in_language(spoken),
        parameters=form_of(rulebook, kind, spoken),
    )


def _answer(content: Any) -> Response:
    encoded = msgspec.json.encode(content)
    etag = f'W/"{hashlib.sha256(encoded).hexdigest()[:16]}"'
    require_change(etag)
    response = Response(encoded, content_type="application/json")
    response.headers["ETag"] = etag
    response.headers["Content-Language"] = language()
    response.headers["Vary"] = "Accept-Language"
    response.headers["Cache-Control"] = "public, no-cache"
    return compressed(response)
