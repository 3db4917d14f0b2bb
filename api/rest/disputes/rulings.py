"""Rulings on the banker's own motion, the rulings of a game, and precedents over many games."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from flask import Response, request
from flask_smorest import Blueprint
from marshmallow import RAISE, fields, validate

from api.rest.admission.auth import holder, holds_service_key
from api.rest.description.documentation import operation
from api.rest.description.requests import NewRuling
from api.rest.description.schemas import RulingPage, RulingPreview
from api.rest.disputes.disputes import ERRORS, HEADERS, give_ruling
from api.rest.exchange import answers, bodies
from api.rest.exchange.moments import changed_moment
from api.rest.exchange.paging import PageQuery, links, read_cursor, write_cursor
from api.rest.running.context import language, service, the_ledger
from ledger.kernel.facts.audience import Viewer
from ledger.reading.entries.views import EntryView
from ledger.reading.history.precedents import Scope, rulings

blueprint = Blueprint("rulings", __name__, description="Rulings, and precedents")

_new_ruling = msgspec.json.Decoder(NewRuling)


@blueprint.route("/games/<game>/rulings", methods=["POST"])
@blueprint.doc(
    **operation(
        "rule",
        {
            201: (EntryView, "The ruling is given: its entry in the journal."),
            200: (
                (RulingPreview, EntryView),
                "The preview of a dry run, or the entry that the first request with this key made.",
            ),
        },
        errors=ERRORS,
        headers=HEADERS,
        body=NewRuling,
    )
)
def rule(game: str) -> Response:
    """Rule without a dispute (banker only)

    The remedies take effect in order, all of them or none. The banker rules on a private deal only in a dispute
    that one of its parties has opened. A ruling that only corrects the history needs none, as `corrections` does
    not.
    """
    return give_ruling(game, bodies.body(_new_ruling), None)


class GameRulingsQuery(PageQuery):
    """Filters for the rulings of a game."""

    rule = fields.String(
        load_default=None, metadata={"description": "Only rulings that apply or waive this rule."}
    )
    words = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        metadata={"description": "Only rulings whose finding has each of these words."},
    )


class RulingsQuery(GameRulingsQuery):
    """Filters for the rulings of many games."""

    rulebook = fields.String(
        load_default=None, metadata={"description": "Only rulings in games of this rulebook."}
    )


@blueprint.route("/games/<game>/rulings")
@blueprint.doc(
    **operation(
        "listGameRulings",
        {200: (RulingPage, "A page of the game's rulings that the caller may know of, newest first.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(GameRulingsQuery(), location="query", unknown=RAISE)
def list_game_rulings(query: dict[str, Any], game: str) -> Response:
    """List the rulings of a game, overturned ones included

    They come newest first, as far as the caller may know of them.
    """
    position = read_cursor(query["cursor"], _Position)
    moment = changed_moment(game)
    page, headers = _page({game: moment.viewer}, "none", query, position)
    return answers.of_game(page, moment.head, language(), headers=headers)


@blueprint.route("/rulings")
@blueprint.doc(
    **operation(
        "listRulings",
        {200: (RulingPage, "A page of rulings, newest first.")},
        errors=(401, 422),
        headers=("Accept-Language",),
    )
)
@blueprint.arguments(RulingsQuery(), location="query", unknown=RAISE)
def list_rulings(query: dict[str, Any]) -> Response:
    """List precedents: rulings of many games

    A token of a game gives the rulings of that game that the caller may know of, and the rulings of games whose
    banker has published them. The service's own key gives the rulings of all games. Of another game than the
    caller's, the answer has only what everybody at its table may read.
    """
    position = read_cursor(query["cursor"], _Position)
    viewers, scope = _readable()
    page, headers = _page(viewers, scope, query, position)
    response = answers.secret(page, headers=headers)
    response.headers["Content-Language"] = language()
    return response


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="rulings"):
    """The end of a page of rulings."""

    recorded_at: datetime
    game: str
    number: int


def _page(
    viewers: Mapping[str, Viewer], scope: Scope, query: Mapping[str, Any], position: _Position | None
) -> tuple[RulingPage, list[tuple[str, str]]]:
    """Return a page of rulings, and the Link header."""
    views, last = rulings(
        the_ledger().games,
        viewers,
        scope,
        rulebook=query.get("rulebook"),
        rule=query["rule"],
        words=query["words"].split(),
        cursor=None if position is None else (position.recorded_at, position.game, position.number),
        limit=query["limit"],
    )
    following = None if last is None else write_cursor(_Position(*last))
    around = [("first", None), *([("next", following)] if following else [])]
    return RulingPage(tuple(views), following), links(around)


def _readable() -> tuple[dict[str, Viewer], Scope]:
    """Return the viewer of the caller's own game, and the scope of readable games beyond. Raises Problem (401)."""
    if holds_service_key():
        return {}, "all"
    if service().config.creation_key is None and "HTTP_AUTHORIZATION" not in request.environ:
        return {}, "published"
    game, viewer = holder()
    return {game: viewer}, "published"
