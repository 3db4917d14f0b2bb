"""The API description: OpenAPI 3.1, built from the code, at /openapi.json, and a page to browse it at /docs.

The page loads nothing from other hosts: Redoc is packed with the console (`api/console`), without its
telemetry. Redoc shows one rulebook at a time: `?rulebook=` leaves out the kinds of all others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cache, lru_cache
from http import HTTPStatus
from threading import Lock
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, request
from flask_smorest import Api

from api.rest.description import requests
from api.rest.description.components import Schema, component_schemas, name_of, names_in, reference, structs_in
from api.rest.description.examples import illustrate
from api.rest.description.messages import MESSAGES
from api.rest.description.schemas import DOCUMENTED, ConflictDetails, ProblemDetails
from api.rest.description.unions import simplified, unite
from api.rest.exchange.compression import compressed
from api.rest.exchange.conditions import require_change
from api.rest.exchange.queries import reject_parameter
from api.rest.problems.kinds import KINDS
from api.rest.problems.problems import PROBLEM_JSON
from ledger.kernel.rules.rulebook import Rulebook

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mabligop API</title>
<link rel="icon" type="image/svg+xml" href="icons/mabligop.svg">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<div id="api" data-document="openapi.json?rulebook={rulebook}"></div>
<script type="module" src="docs/start.js"></script>
</body>
</html>
"""
_OF_ONE = """The kinds of action, event, remedy and agreement are those of **{title}**. The others: {others};
all of them together: [openapi.json](openapi.json).

"""
_DESCRIPTION = """The bank's ledger for board games of money and negotiation.

In the commands `$URL` is the address of the service (`http://localhost:8000`), `$TOKEN` a token and `$GAME` the
id of its game.

A **token** belongs to one game and one role (banker, one player's seat, or spectator). Send it as
`Authorization: Bearer <token>`. Answers never hold what the caller may not see. With `View-As: spectator` a token
has the rights of a spectator: answers hold what the wall may show, and acting is refused.

**Errors** are `application/problem+json` (RFC 9457) and are checked in this order: the request's own shape (400,
413, 415, 422), the token (401), the seat (403), the game (404), whether the game is over (409), a stale
`If-Match` (412), the rules (409). The parameters of an action depend on the game. They are checked (422) after
the token and before the seat. With a token of another game, a game that exists answers 403 and a game that does
not exist answers 404. Nothing is written when an error is returned.

**Versions**: everything in a game has the head of the game as its entity tag: `W/"57-9f86d081884c-60303ae2"` is
the version, the beginning of the hash of the last entry, and that of a hash of the program; in French it ends with
`-fr`, as CSV with `-csv`, with `View-As` in `-spectator`. With `If-None-Match` a caller who has the answer, in
this language and form, gets 304. With `If-Match` (a tag in any language, or `"57"` for the version alone) a
request that changes the game fails with 412 when the game is at another version.

**Actions** are named by their numbers (`30`, an integer). An action that correction 30 inserted into the history
is `"30.1"`, a text. It is cited like any other: in edits, disputes and rulings, in addresses and in queries.

**Two times**: a correction never deletes anything. `at` is the moment of the game to read. `known_at` is how much
of the journal is taken as known. Without `known_at` an earlier moment is read as later corrections left it; with
`known_at` it is read as it was believed at that time. Beyond the last action of the journal both are
refused (422).

**Repeating**: with an `Idempotency-Key` a repeated request gets its first answer again, with 200 and
`Idempotent-Replayed: true`. Another request with the same key is refused with 422. Where the answer has tokens or
a code, everyone who repeats the request with its key gets them again. So there the key must be a secret: 32 random
hexadecimal digits, a UUID of version 4, or 22 random characters of base64url. Keys that are short or follow a
pattern are refused (400). Tokens and codes are shown for a day; after that the repetition is refused with 409.

**Texts**, in bodies and in queries, hold no control characters other than newline and tab, no lone surrogates, no
characters that reverse the direction of others (U+202A to U+202E, U+2066 to U+2069) and no byte order mark
(422). No object names a member twice (400).

**Language**: `Accept-Language` chooses English or French.

**Joining**: the banker invites a seat, a wall or a second desk, and gets a short code with its link. Who has the
code changes it for a token (`POST /api/v1/join`), once, within an hour. The earlier tokens of the seat are then
revoked. `GET /api/v1/me` says what a token is.

**Rate limit**: every answer says how many requests a caller may make (`RateLimit-Policy`: `q` requests in `w`
seconds) and how many are left (`RateLimit`: `r` requests, `t` seconds until the count starts again). Each worker
process counts for itself. A token in force has a count of its own; all other requests count for their address.
Creating games has a smaller limit (`creation`), so have tokens that are not in force (`unknown`), wrong codes
(`codes`), requests in progress (`at-once`) and streams (`streams`). Two bounds count the cost of the caller's
requests: `compute` in seconds of processor time, `stored` in rows. A banker has most, a player half of that, a
spectator or an address a tenth. Beyond a limit the answer is 429 with `Retry-After`. An address that sends many
wrong codes waits longer after each. Places that do not come back with time have bounds of their own: 409, with
the rule or with `limit`."""

_HEADERS: Mapping[str, dict[str, Any]] = {
    "Accept-Language": {
        "description": "English or French, whichever comes first; English for anything else.",
        "schema": {"type": "string"},
        "example": "fr-FR, fr;q=0.9, en;q=0.5",
    },
    "If-None-Match": {
        "description": "The entity tag of an earlier answer: 304 when the caller has this one already.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": 'Write only while the game is at this version: an entity tag, or "57".',
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "description": "The id of the last message that the caller got, or the entity tag of that head without its"
        " quotes: go on after that version.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,15}(-[0-9a-f]{12}(-[a-z0-9-]+)?)?$"},
    },
    "View-As": {
        "description": "Read with the rights of a spectator, whatever the token: a page in sight of the table.",
        "schema": {"type": "string", "enum": ["spectator"]},
    },
    "Idempotency-Key": {
        "description": "Makes the request safe to repeat; 1 to 255 printable ASCII characters.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
}
_UNGUESSABLE_KEY: dict[str, Any] = {
    "description": "Makes the request safe to repeat; whoever knows the key gets the secrets of the answer. 32"
    " random hexadecimal digits, a UUID of version 4, or 22 random characters of base64url.",
    "schema": {"type": "string", "pattern": "^[!-~]{22,255}$"},
}

_ANSWERED: Mapping[str, dict[str, Any]] = {
    "ETag": {"description": "The version of the answer.", "schema": {"type": "string"}},
    "Location": {"description": "Where the result can be read from now on.", "schema": {"type": "string"}},
}
_HEADERS_KEY = "x-headers"
"""The key for an operation's headers until flask-smorest has added the query parameters."""


class _Description(Api):  # type: ignore[misc]
    """The description of flask-smorest, with a problem as the answer to every error."""

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            if status < HTTPStatus.BAD_REQUEST:
                continue
            titles = [kind.title.en for kind in KINDS.values() if kind.status == status]
            shape = ConflictDetails if status == HTTPStatus.CONFLICT else ProblemDetails
            self.spec.components.response(
                status.name,
                {
                    "description": "; ".join(titles) or status.phrase,
                    "content": {PROBLEM_JSON: {"schema": reference(shape.__name__)}},
                },
                lazy=True,
            )


def operation(
    name: str,
    answers: Mapping[int, tuple[type | tuple[type, ...] | None, str]],
    *,
    errors: tuple[int, ...] = (),
    headers: tuple[str, ...] = (),
    body: type | tuple[type, ...] | None = None,
    content_type: str = "application/json",
    public: bool = False,
    needs_key: bool = True,
    located: bool = True,
    secret: bool = False,
) -> dict[str, Any]:
    """Describe an operation, for `Blueprint.doc`.

    `name` is the operation's id. `answers` has the type and the meaning of every answer by status (None: no
    body; several types: a union). `errors` are the error statuses, `headers` the request headers. `body` is the
    type of the body (several types: a union), `content_type` the type of the answers. `public` operations need
    no token; without `needs_key` a token is required only by a service with its own key. `located` tells if the
    result has an address, `secret` if the answer holds a token or a code.
    """
    responses: dict[str, Any] = {}
    for status, (kind, meaning) in answers.items():
        responses[str(status)] = {"description": meaning}
        if kind is not None:
            responses[str(status)]["content"] = _content(content_type, kind)
        if status == 200 and "If-None-Match" in headers:
            responses[str(status)]["headers"] = {"ETag": _ANSWERED["ETag"]}
        if status == 201 and "Idempotency-Key" in headers and located:
            responses[str(status)]["headers"] = {"Location": _ANSWERED["Location"]}
    if "If-None-Match" in headers:
        responses["304"] = {"description": "The caller has this version already."}
    for status in sorted({*errors, 429, 500, 503}):
        responses[str(status)] = HTTPStatus(status).name
    described: dict[str, Any] = {"operationId": name, "responses": responses}
    described_headers = {**_HEADERS, "Idempotency-Key": _UNGUESSABLE_KEY} if secret else _HEADERS
    narrowed = () if public or not {"If-None-Match", "Last-Event-ID"} & {*headers} else ("View-As",)
    described[_HEADERS_KEY] = [
        {"in": "header", "name": header, "required": False, **described_headers[header]}
        for header in (*headers, *narrowed)
    ]
    if body is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(body)}}}
    described["security"] = [] if public else [*([] if needs_key else [{}]), {"token": []}]
    return described


def _content(content_type: str, kind: type | tuple[type, ...]) -> dict[str, Any]:
    """Describe the content of an answer. Content other than JSON and text is also offered as a file of any
    kind.
    """
    as_file: dict[str, Any] = {"application/octet-stream": {}}
    is_read = content_type == "application/json" or content_type.startswith("text/")
    return ({} if is_read else as_file) | {content_type: {"schema": _schema(kind)}}


def stream_of_messages() -> dict[str, Any]:
    """Describe the content of a stream. OpenAPI 3.1 cannot describe messages, so `x-messages` has their
    schemas.
    """
    messages = {kind: _schema(types if len(types) > 1 else types[0]) for kind, types in MESSAGES.items()}
    return {"text/event-stream": {"schema": {"type": "string", "x-messages": messages}}}


def _schema(kind: type | tuple[type, ...]) -> dict[str, Any]:
    if isinstance(kind, tuple):
        return {"anyOf": [_schema(part) for part in kind]}
    return {"type": "string"} if kind is str else reference(name_of(kind))


def describe(app: Flask) -> Api:
    """Prepare the application's description. Register blueprints on the returned object."""
    app.config.update(API_TITLE="Mabligop", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    description = _Description(
        app,
        spec_kwargs={
            "info": {
                "description": _DESCRIPTION,
                "contact": {"name": "Whoever runs this service"},
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/", "description": "This service."}],
            "security": [],
        },
    )
    spec = description.spec
    spec.components.security_scheme(
        "token",
        {"type": "http", "scheme": "bearer", "description": "A token of the game, or the service's own key."},
    )
    return description


def _completed(document: dict[str, Any], rulebooks: Iterable[Rulebook[Any]]) -> dict[str, Any]:
    """Complete the document with the headers of every operation and the schemas of our types.

    The schemas come last because apispec would take `additionalProperties: false` for the name of a schema.
    """
    document["components"]["schemas"] = component_schemas_of(rulebooks)
    for path in document["paths"].values():
        for method in ("get", "post", "delete"):
            if method in path:
                described = path[method]
                described["parameters"] = described.get("parameters", []) + described.pop(_HEADERS_KEY)
                for parameter in described["parameters"]:
                    _say_what_is_accepted(parameter)
                # flask-smorest adds a default answer; here every status is listed.
                described["responses"].pop("default", None)
    illustrate(document)
    _drop_unused(document)
    return document


def _say_what_is_accepted(parameter: dict[str, Any]) -> None:
    """Remove null from the schema of a query parameter: a query cannot carry a null."""
    schema = parameter["schema"]
    if isinstance(schema.get("type"), list):
        (schema["type"],) = (option for option in schema["type"] if option != "null")
    if "enum" in schema:
        schema["enum"] = [option for option in schema["enum"] if option is not None]
    if schema.get("default", ...) is None:
        del schema["default"]


def component_schemas_of(rulebooks: Iterable[Rulebook[Any]]) -> dict[str, Schema]:
    """Return the component schemas of requests and answers, with the unions of the rulebooks."""
    schemas: dict[str, Schema] = msgspec.json.decode(_component_schemas(tuple(rulebooks)))
    return schemas


@lru_cache(maxsize=4)
def _component_schemas(rulebooks: tuple[Rulebook[Any], ...]) -> bytes:
    """Encode the component schemas. Building them takes a second, and all applications share the result."""
    documented = (*DOCUMENTED, *(item for types in MESSAGES.values() for item in types))
    names = {struct: name_of(struct) for struct in structs_in(documented)}
    in_requests = structs_in(item for item in DOCUMENTED if item.__module__ == requests.__name__)
    schemas = component_schemas(names, in_requests)
    unite(schemas, names, rulebooks, [names[struct] for struct in in_requests])
    return msgspec.json.encode(schemas)


def _drop_unused(document: dict[str, Any]) -> None:
    """Remove the schemas not reachable from any operation."""
    schemas = document["components"]["schemas"]
    used: set[str] = set()
    waiting = [document["paths"], document["components"].get("responses", {})]
    while waiting:
        new = (names_in(waiting.pop()) - used) & schemas.keys()
        used |= new
        waiting.extend(schemas[name] for name in new)
    document["components"]["schemas"] = {name: schema for name, schema in schemas.items() if name in used}


def serve(app: Flask, description: Api, rulebooks: Callable[[], Iterable[Rulebook[Any]]]) -> None:
    """Serve the description, and a page for browsing it.

    The description is built on the first request. Building takes about a second, which `--help` and the start
    of a service do not need.
    """
    writing = Lock()

    @cache
    def written(rulebook: str | None) -> tuple[bytes, str]:
        every = {book.id: book for book in rulebooks()}
        document = deepcopy(description.spec.to_dict())
        if rulebook is None:
            _completed(document, every.values())
        else:
            _completed(document, [every[rulebook]])
            document["components"]["schemas"] = simplified(document["components"]["schemas"])
            document["info"]["description"] = _of_one(every, rulebook) + document["info"]["description"]
        encoded = msgspec.json.encode(document)
        return encoded, f'W/"{hashlib.sha256(encoded).hexdigest()[:16]}"'

    pages = Blueprint("documentation", __name__)

    @pages.get("/openapi.json")
    def openapi() -> Response:
        rulebook = _rulebook_asked_for(book.id for book in rulebooks())
        with writing:
            document, etag = written(rulebook)
        require_change(etag)
        response = Response(document, content_type="application/json")
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache"
        return compressed(response)

    @pages.get("/docs")
    def docs() -> Response:
        largest = max(rulebooks(), key=lambda book: len(book.actions))
        selected = _rulebook_asked_for(book.id for book in rulebooks()) or largest.id
        response = Response(_PAGE.format(rulebook=selected), content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = _POLICY
        return response

    app.register_blueprint(pages)


def _of_one(rulebooks: Mapping[str, Rulebook[Any]], selected: str) -> str:
    """Name the rulebook of a description, and link to the descriptions of all other rulebooks."""
    others = (f"[{book.title}](docs?rulebook={book.id})" for book in rulebooks.values() if book.id != selected)
    return _OF_ONE.format(title=rulebooks[selected].title, others=", ".join(others))


def _rulebook_asked_for(ids: Iterable[str]) -> str | None:
    """Return the rulebook named by the query, or None for all. Raises Problem: 422 for an unknown rulebook or
    parameter.
    """
    every = list(ids)
    for name, value in request.args.items():
        if name != "rulebook":
            raise reject_parameter(name, value, "there is only `rulebook`", "il n'y a que `rulebook`")
        if value not in every:
            listed = ", ".join(every)
            en = f"there is no rulebook {value!r}: {listed}"
            raise reject_parameter(name, value, en, f"il n'y a pas de règles {value!r} : {listed}")
    return request.args.get("rulebook")
