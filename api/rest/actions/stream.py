"""The stream of a game: its news, sent to a viewer at once (Server-Sent Events).

The application only admits a follower. The server in front of the application then sends the messages, without
holding a thread: see `api.front.live`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Response, request
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest.admission.auth import bearer, viewer_of
from api.rest.admission.bounds import computing
from api.rest.description.documentation import operation, stream_of_messages
from api.rest.exchange.conditions import VARY
from api.rest.exchange.queries import WholeNumber
from api.rest.problems.problems import Problem
from api.rest.running.context import Language, language
from ledger.access.tokens import digest
from ledger.reading.table.following import Joining, Listening

blueprint = Blueprint("stream", __name__, description="A game as it happens")

STREAMS = "mabligop.streams"
"""The key in the WSGI environment for the `Streams` of a server that can send messages."""
FOLLOWER = "mabligop.follower"
"""The key in the WSGI environment for the admitted `Follower`."""

_MOST_DIGITS = 15
_LAST_ID = re.compile(rf"([0-9]{{1,{_MOST_DIGITS}}})(?:-([0-9a-f]{{12}})(?:-[a-z0-9-]+)?)?", re.ASCII)


class Streams(Protocol):
    """The streams of a server."""

    def take(self, follower: Follower) -> None:
        """Take a slot for one more stream, to the address and for the token. Raises Problem (429, 503)."""


@dataclass(frozen=True, slots=True)
class Follower:
    """An admitted follower: the game, the viewer with the starting point, the digest of the token, the address.

    `computed` counts the processor time of the beginning of the stream, in seconds, for the caller.
    """

    game: str
    joining: Joining
    token: bytes
    address: str
    computed: Callable[[float], None]


class StreamQuery(Schema):
    """The messages to send, and the starting point."""

    with_ = fields.List(
        fields.String(validate=validate.OneOf(("state", "moves", "state,moves", "moves,state"))),
        data_key="with",
        load_default=[],
        metadata={
            "description": "What to send besides the entries: `state`, `moves`, or both (`with=state,moves`,"
            " or `with=state&with=moves`)."
        },
    )
    after = WholeNumber(
        load_default=None,
        validate=validate.Range(min=0, max=10**_MOST_DIGITS),
        metadata={
            "description": "Begin with the entry after this one; without it, at the head of the journal."
            " The header `Last-Event-ID` comes first."
        },
    )
    language = fields.String(
        load_default=None,
        validate=validate.OneOf(("en", "fr")),
        metadata={"description": "The language of the messages; by default that of `Accept-Language`."},
    )


def _described() -> dict[str, Any]:
    described = operation(
        "followGame",
        {200: (None, "A stream of Server-Sent Events that ends only when the token is revoked.")},
        errors=(400, 401, 403, 404, 422),
        headers=("Accept-Language", "Last-Event-ID"),
    )
    described["responses"]["200"]["content"] = stream_of_messages()
    return described


@blueprint.route("/games/<game>/stream")
@blueprint.doc(**_described())
@blueprint.arguments(StreamQuery(), location="query", unknown=RAISE)
def follow_game(query: dict[str, Any], game: str) -> Response:
    """Follow a game as it happens

    Each message has the version of the game as its id.

    - `entry`: a journal entry, as `GET …/actions/{n}` gives it.
    - `rewritten`: the `numbers` of the earlier entries that the entry of this version changed. In entries after
      the first of them (`from`), `effects` and `balances` may have changed, too. An end that reveals what was
      hidden changes entries, and so does the undo of such an end; `from` is 1 then.
    - `state`, when asked for: the whole `state`, or a `patch` (JSON Merge Patch, RFC 7396) of that at version
      `since`.
    - `moves`, when asked for: the moves of the seat, whenever they changed. The banker gets those of all seats,
      or, when they play themselves, of their own seat.
    - `due`: what time has made due. The next action brings it first.
    - `throw`: an action waits for the values of a shared throw; the content is `wanted` of `GET …/dice`.
    - `presence`: who is connected; `left` has the seats that were and are no more (a phone in a pocket, a hidden
      tab), each with the time when they left. Who is out of the game is named only while connected.
    - `heartbeat`: the time of the server, after 15 seconds without another message.
    - `ended`: the game has ended. `continued`: its table plays again, in another `game`.
    - `closed`: the token is in force no more; this is the last message.
    - `gap`: more than 200 entries were missed, or the journal is another one. Read it again.

    After a break, send the last id as `Last-Event-ID`. No entry is missed or sent twice then. Other messages of
    that version may come again. Send it with the beginning of the hash of the last entry (`57-9f86d081884c`: 12
    digits of its `receipt.leaf`), and a `gap` tells when the journal is another one, because an older backup is
    played on.

    A browser's `EventSource` cannot send a token: read the stream with `fetch`.
    """
    listening = Listening(
        viewer_of(game),
        _spoken(query["language"]),
        state=any("state" in part for part in query["with_"]),
        moves=any("moves" in part for part in query["with_"]),
    )
    joining = Joining(listening, *_last_id(query["after"]))
    streams: Streams | None = request.environ.get(STREAMS)
    if streams is None:
        raise Problem(
            "unavailable",
            "this server cannot send streams: start the service with `mabligop serve`",
            "ce serveur ne peut pas envoyer de flux : lancez le service avec `mabligop serve`",
        )
    response = Response(status=200, content_type="text/event-stream")
    response.headers.extend(
        (
            ("Cache-Control", "no-store"),
            ("Content-Language", listening.language),
            ("Vary", VARY),
            # By default nginx collects messages before sending.
            ("X-Accel-Buffering", "no"),
        )
    )
    if request.method == "GET":
        address = request.remote_addr or ""
        follower = Follower(game, joining, digest(bearer()), address, computing())
        streams.take(follower)
        request.environ[FOLLOWER] = follower
    return response


def _spoken(requested: Language | None) -> Language:
    return requested or language()


def _last_id(number: int | None) -> tuple[int | None, str]:
    """Return the last version known to the caller, from Last-Event-ID or the query. Raises Problem (400).

    The second value is the beginning of the hash of the version's entry, in hex, or an empty text if not sent.
    """
    header = request.environ.get("HTTP_LAST_EVENT_ID", "").strip()
    if not header:
        return number, ""
    matched = _LAST_ID.fullmatch(header)
    if matched is None:
        raise Problem(
            "bad-request",
            f"Last-Event-ID is the number of an action, not {header!r}",
            f"Last-Event-ID est le numéro d'une action, et non {header!r}",
        )
    return int(matched[1]), matched[2] or ""
