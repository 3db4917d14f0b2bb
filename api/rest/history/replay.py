"""Replays: a game frame by frame, as recorded and as corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest.description.documentation import operation
from api.rest.description.schemas import ReplayIndex, ReplayPage
from api.rest.exchange import answers
from api.rest.exchange.moments import ActionField, changed_moment, named, no_such_action
from api.rest.exchange.paging import PageQuery, links, read_cursor, write_cursor
from api.rest.exchange.queries import WholeNumber
from api.rest.problems.problems import Problem
from api.rest.running.context import language
from ledger.games.moments import Moment, NoSuchAction
from ledger.kernel.facts.labels import BEYOND, Name, Place
from ledger.kernel.language.phrase import Phrase
from ledger.reading.entries.lines import index_of_lines
from replays import frames

blueprint = Blueprint("replay", __name__, description="Replaying a game")

_LARGEST = 2**63 - 1

LONGEST_INDEX = 10_000
"""The largest number of lines of an index."""


class ReplayQuery(PageQuery):
    """The frames to return."""

    first = ActionField(data_key="from", load_default="1", description="The first action.")
    last = ActionField(data_key="to", load_default=None, description="The last action; by default the newest one.")
    follow = fields.String(
        load_default=None,
        validate=validate.Length(1, 40),
        metadata={
            "description": "Only frames about this seat, by what the caller may see: its actions, postings of its"
            " accounts, moves of its token."
        },
    )


_Part = Annotated[int, msgspec.Meta(ge=-1, le=_LARGEST)]


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="replay"):
    """The start of the next page: after a place in the history, or before it for a page that goes backwards."""

    place: Annotated[tuple[_Part, ...], msgspec.Meta(min_length=3, max_length=300)]
    backwards: bool = False


@blueprint.route("/games/<game>/replay")
@blueprint.doc(
    **operation(
        "readReplay",
        {200: (ReplayPage, "A page of frames, with what the caller may see of each.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(ReplayQuery(), location="query", unknown=RAISE)
def read_replay(query: dict[str, Any], game: str) -> Response:
    """Replay a game, action by action

    Every frame shows an action twice: as it was `recorded`, and as corrections left it, `corrected`. Each side has
    the action's sentences and rules, the postings, the balances after it, the places of the tokens, and the
    changes of the state as the caller sees it. The two sides are the `same` where no correction made a difference.
    An action that no longer counts has no `corrected` side. An action that a correction inserted has no `recorded`
    side, and stands at its place in the history. The `standings` say what each seat is worth after the action, and
    what it was worth by what was believed when the action was recorded. `display` is what lies on the board.

    Pages at the end of a long game are as fast as at its beginning. With `follow` a page may have fewer frames
    than `limit`, or none, although there is a next page.
    """
    mark = read_cursor(query["cursor"], _Position)
    position = None if mark is None else mark.place
    backwards = mark is not None and mark.backwards
    moment = changed_moment(game)
    first, last = _bounds(moment, query)
    page = frames.page(
        moment,
        limit=query["limit"],
        lower=None if backwards else position,
        upper=position if backwards else None,
        within=(first, last),
        follow=query["follow"],
        language=language(),
        display=True,
    )
    following = None if page.following is None else write_cursor(_Position(page.following))
    previous = None if page.preceding is None else write_cursor(_Position(page.preceding, backwards=True))
    around = [("first", None), ("next", following), ("prev", previous)]
    return answers.of_game(
        ReplayPage(page.frames, following, previous, moment.version),
        moment.head,
        language(),
        headers=links((name, cursor) for name, cursor in around if name == "first" or cursor is not None),
    )


class IndexQuery(Schema):
    """The lines to index."""

    limit = WholeNumber(
        load_default=LONGEST_INDEX,
        validate=validate.Range(1, LONGEST_INDEX),
        metadata={"description": f"The largest number of lines to return, 1 to {LONGEST_INDEX}."},
    )
    cursor = fields.String(
        load_default=None,
        validate=validate.Length(max=500),
        metadata={"description": "Where the lines begin: a cursor from a Link header or from an earlier answer."},
    )


class _IndexPlace(msgspec.Struct, frozen=True, array_like=True, tag="index"):
    """The place of the last line of an answer."""

    place: Annotated[tuple[_Part, ...], msgspec.Meta(min_length=3, max_length=300)]


@blueprint.route("/games/<game>/replay/index")
@blueprint.doc(
    **operation(
        "readReplayIndex",
        {200: (ReplayIndex, "The lines of the game as columns.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(IndexQuery(), location="query", unknown=RAISE)
def read_replay_index(query: dict[str, Any], game: str) -> Response:
    """Read the index of a replay, for a slider

    One answer has up to 10,000 lines of the history: their names, rounds, turns, statuses and corrections, without
    what they did. Inserted actions stand at their places, if the caller may know of them.
    """
    mark = read_cursor(query["cursor"], _IndexPlace)
    moment = changed_moment(game)
    index, last_place = index_of_lines(moment, cursor=None if mark is None else mark.place, limit=query["limit"])
    following = None if last_place is None else write_cursor(_IndexPlace(last_place))
    return answers.of_game(
        ReplayIndex(**msgspec.structs.asdict(index), next=following, version=moment.version),
        moment.head,
        language(),
        headers=links([("first", None), *([] if following is None else [("next", following)])]),
    )


def _bounds(moment: Moment, query: Mapping[str, Any]) -> tuple[Place, Place]:
    """Return the places of the first and the last requested action. Raises Problem (422)."""
    first, last = named(query, "first"), named(query, "last")
    begin = (first,) if isinstance(first, int) else _find_position(moment, "from", first)
    end = (last, BEYOND) if isinstance(last, int) else _find_position(moment, "to", last)
    if last is not None and end < begin:
        raise _backwards(first, last)
    return begin, end


def _find_position(moment: Moment, parameter: str, inserted: str | None) -> Place:
    """Return the place of an inserted action; by default the last place read. Raises Problem (422)."""
    try:
        return moment.through if inserted is None else moment.position_of(inserted)
    except NoSuchAction as missing:
        raise no_such_action(parameter, missing) from None


def _backwards(first: Name | None, last: Name | None) -> Problem:
    en = f"`to` cannot be {last}, which is before `from`, {first}"
    fr = f"`to` ne peut pas être {last}, qui précède `from`, {first}"
    return Problem(
        "invalid-request", en, fr, errors=[{"parameter": "to", "value": last, "detail": Phrase(en, fr)}]
    )
