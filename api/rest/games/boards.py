"""The board of a game, for drawing."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from msgspec import UNSET

from api.rest.description.documentation import operation
from api.rest.description.rulebook_schemas import GameBoard
from api.rest.exchange.conditions import VARY, require_change
from api.rest.exchange.moments import moment_of
from api.rest.problems.problems import not_found
from api.rest.running.context import language
from ledger.rulebooks.parts.boards import drawn

blueprint = Blueprint("boards", __name__, description="The board of a game")

_encode = msgspec.json.Encoder(order="deterministic").encode


@blueprint.route("/games/<game>/board")
@blueprint.doc(
    **operation(
        "readBoard",
        {200: (GameBoard, "The geometry of the board, with names, groups, colours and icons.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_board(game: str) -> Response:
    """Read the board of the game

    It is the same for every viewer and never changes in a game, so its entity tag stays as well: read it once.
    `display` of the state says what lies on it.
    """
    moment = moment_of(game)
    board = drawn(moment.rulebook, moment.newest, language())
    if board is None:
        raise not_found("this game has no board", "ce jeu n'a pas de plateau")
    # Pieces may be large. They are encoded without a copy.
    pieces: Any = moment.rulebook.screen.pieces_in_play(moment.newest) or UNSET
    encoded = _encode(GameBoard(**msgspec.structs.asdict(board), pieces=pieces))
    etag = f'W/"board-{hashlib.sha256(encoded).hexdigest()[:16]}"'
    require_change(etag)
    response = Response(encoded, content_type="application/json")
    response.headers.extend(
        (
            ("ETag", etag),
            ("Content-Language", language()),
            ("Vary", VARY),
            ("Cache-Control", "private, no-cache"),
        )
    )
    return response
