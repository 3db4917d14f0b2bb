"""The caller's token, and the index of all resources of the API."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from flask import Flask, Response, current_app
from flask_smorest import Blueprint
from msgspec import UNSET

from api.rest.admission.auth import bearer, holder
from api.rest.description.access_schemas import Ability, ApiIndex, Me, ResourceView
from api.rest.description.documentation import operation
from api.rest.exchange import answers
from api.rest.log.proofs import log_of
from api.rest.problems.problems import Problem
from api.rest.running.context import service, the_ledger
from ledger.games.moments import Moment
from ledger.reading.words.seating import seated

blueprint = Blueprint("me", __name__, description="The caller, and the index of the API")

_VARIABLE = re.compile(r"<(?:[a-z]+:)?([a-z_]+)>")
_INDEX = "mabligop-index"
_METHODS = ("GET", "POST", "DELETE")


@blueprint.route("/me")
@blueprint.doc(
    **operation(
        "readMe",
        {200: (Me, "The game, role and seat of the token, and what it may do.")},
        errors=(401, 404),
        headers=("Accept-Language",),
    )
)
def read_me() -> Response:
    """Read what the caller's token is

    It names the game, the role and the seat, and says what the token may do.
    """
    game, viewer = holder()
    credential = the_ledger().tokens.holder(bearer())
    if credential is None:
        raise Problem(
            "token-unknown",
            "the token is not in force: unknown, revoked or replaced",
            "le jeton n'est pas en vigueur : inconnu, révoqué ou remplacé",
        )
    moment = the_ledger().moment(game, viewer)
    seat = moment.viewer.seat  # set even for a banker who plays
    seating = next((player for player in seated(moment.game, moment.newest) if player.seat == seat), None)
    return answers.secret(
        Me(
            game=game,
            rulebook=moment.game.record.rulebook,
            title=moment.game.record.title,
            role=viewer.role,
            seat=UNSET if seating is None else seating.seat,
            name=UNSET if seating is None else seating.name,
            letter=UNSET if seating is None else seating.letter,
            colour=UNSET if seating is None else seating.colour,
            token=credential.credential_id,
            may=tuple(_abilities(moment)),
            log=log_of(game),
        )
    )


def _abilities(moment: Moment) -> Iterator[Ability]:
    """Yield the requests open to the viewer in the game. The rules may still refuse some at the moment."""
    viewer, rulebook = moment.viewer, moment.rulebook
    yield "read"
    if viewer.sees_all:
        yield from ("read_everything", "continue_in_new_game")
    if viewer.role == "spectator":
        return
    yield from ("act", "dispute")
    if viewer.role == "banker":
        yield from ("act_for_others", "waive_rules", "correct", "undo", "rule", "invite", "manage_tokens")
    elif rulebook.governance.player_undo:
        yield "undo"
    else:
        yield "ask_for_undo"


@blueprint.route("")
@blueprint.doc(
    **operation("readIndex", {200: (ApiIndex, "Every resource of the API, with its methods.")}, public=True)
)
def read_index() -> Response:
    """List the resources of the API

    Each has its methods and its address, in which names in braces are to be filled in.
    """
    index = current_app.extensions.get(_INDEX)
    if index is None:
        index = current_app.extensions[_INDEX] = _index(current_app)
    response = Response(index, content_type="application/json")
    response.headers["Cache-Control"] = "public, no-cache"
    # The links of RFC 8631.
    response.headers["Link"] = '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"'
    return response


def _index(app: Flask) -> bytes:
    base = service().config.base_path
    templates: dict[str, tuple[set[str], str]] = {}
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith(f"{base}/"):
            continue
        methods, title = templates.setdefault(_VARIABLE.sub(r"{\1}", rule.rule), (set(), ""))
        methods.update(rule.methods or ())
        # The title of a resource is the title of its GET, if any.
        if not title or "GET" in (rule.methods or ()):
            summary = (app.view_functions[rule.endpoint].__doc__ or "").partition("\n")[0]
            templates[_VARIABLE.sub(r"{\1}", rule.rule)] = (methods, summary)
    resources = tuple(
        ResourceView(template, tuple(method for method in _METHODS if method in methods), title)
        for template, (methods, title) in sorted(templates.items())
    )
    return msgspec.json.encode(ApiIndex("mabligop", "/openapi.json", "/docs", resources))
