"""The API's own description: OpenAPI 3.1, made from the code, at /openapi.json, and a page to browse it at /docs.

The page loads nothing from other hosts: this service serves Swagger UI's files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any

import flask_swagger_ui
import msgspec
from flask import Blueprint, Flask, Response, send_from_directory
from flask_smorest import Api

from api.rest import requests
from api.rest.components import Schema, component_schemas, name_of, names_in, reference, structs_in
from api.rest.compression import compressed
from api.rest.conditions import require_change
from api.rest.examples import illustrate
from api.rest.problem_kinds import KINDS
from api.rest.problems import PROBLEM_JSON
from api.rest.schemas import DOCUMENTED, ConflictDetails, ProblemDetails
from api.rest.unions import unite
from ledger.kernel.rulebook import Rulebook

_ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"
_SERVED = frozenset({"swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"})
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
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: "none"
});
"""
_DESCRIPTION = """The bank's ledger for board games of money and negotiation.

A **token** belongs to one game and one role (banker, one player's seat, or spectator). Send it as
`Authorization: Bearer <token>`. Answers never hold what the caller may not see.

**Errors** are `application/problem+json` (RFC 9457) and are checked in this order: the request's own shape (400,
413, 415, 422), the token (401), the seat (403), the game (404), whether the game is over (409), a stale
`If-Match` (412), the rules (409). The parameters of an action depend on the game. They are checked (422) after
the token and before the seat. With a token of another game, a game that exists answers 403 and a game that does
not exist answers 404. Nothing is written when an error is returned.

**Versions**: everything in a game has the game's version as its entity tag: `W/"57"`, in French `W/"57-fr"`, and
as CSV `W/"57-csv"`. With `If-None-Match` a caller who has the answer, in this language and form, gets 304. With
`If-Match` (`"57"`, or a tag in any language) a request that changes the game fails with 412 when the game is at
another version.

**Actions** are named by their numbers (`30`, an integer). An action that correction 30 inserted into the history
is `"30.1"`, a text. It is cited like any other: in edits, disputes and rulings, in addresses and in queries.

**Two times**: a correction never deletes anything. `at` is the moment of the game to read. `known_at` is how much
of the journal is taken as known. Without `known_at` an earlier moment is read as later corrections left it; with
`known_at` it is read as it was believed at that time. Beyond the last action of the journal both are
refused (422).

**Repeating**: with an `Idempotency-Key` a repeated request gets its first answer again, with 200 and
`Idempotent-Replayed: true`. Another request with the same key is refused with 422. Choose keys at random (a UUID):
everyone who repeats the creation of a game, or the replacement of a token, with its key gets the same tokens
again. They are shown for a day; after that the repetition is refused with 409.

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
(`codes`), requests in progress (`at-once`) and streams (`streams`). Beyond a
limit the answer is 429 with `Retry-After`."""

_HEADERS: Mapping[str, dict[str, Any]] = {
    "Accept-Language": {
        "description": "English or French.",
        "schema": {"type": "string", "enum": ["en", "fr"]},
    },
    "If-None-Match": {
        "description": 'Answer with 304 when the game is still at this version, read in this language: W/"57".',
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": 'Write only while the game is at this version: "57".',
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "description": "The id of the last message that the caller got: go on after that version.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,15}$"},
    },
    "Idempotency-Key": {
        "description": "Makes the request safe to repeat; 1 to 255 printable ASCII characters.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
}


_ANSWERED: Mapping[str, dict[str, Any]] = {
    "ETag": {"description": "The version of the answer.", "schema": {"type": "string"}},
    "Location": {"description": "Where the result can be read from now on.", "schema": {"type": "string"}},
}
_HEADERS_KEY = "x-headers"
"""The key that holds an operation's headers until flask-smorest has added the parameters of its query."""


class _Description(Api):  # type: ignore[misc]
    """flask-smorest's description, with a problem as the answer of every error."""

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            if status < HTTPStatus.BAD_REQUEST:
                continue
            titles = [kind.title["en"] for kind in KINDS.values() if kind.status == status]
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
    located: bool = True,
) -> dict[str, Any]:
    """Describe an operation, for `Blueprint.doc`.

    `name` is its id. `answers` has the type and the meaning of every answer by status (None: no body; several
    types: one of them). `errors` are its error statuses, `headers` the request headers that it reads. `body` is
    the type of its body (several types: one of them), `content_type` that of its answers. `public` operations need
    no token. `located` says whether the result has an address of its own.
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
    described[_HEADERS_KEY] = [
        {"in": "header", "name": header, "required": False, **_HEADERS[header]} for header in headers
    ]
    if body is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(body)}}}
    described["security"] = [] if public else [{"token": []}]
    return described


def _content(content_type: str, kind: type | tuple[type, ...]) -> dict[str, Any]:
    """The content of an answer. One that is neither JSON nor text can be taken for a file of any kind."""
    as_file = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    is_read = content_type == "application/json" or content_type.startswith("text/")
    return ({} if is_read else as_file) | {content_type: {"schema": _schema(kind)}}


def _schema(kind: type | tuple[type, ...]) -> dict[str, Any]:
    if isinstance(kind, tuple):
        return {"anyOf": [_schema(one) for one in kind]}
    return {"type": "string"} if kind is str else reference(name_of(kind))


def describe(app: Flask) -> Api:
    """Prepare the application's description. Register blueprints on the returned object."""
    app.config.update(API_TITLE="Mabligop", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    description = _Description(
        app,
        spec_kwargs={
            "info": {"description": _DESCRIPTION, "contact": {"name": "Whoever runs this service"}},
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
                # flask-smorest adds a default answer; here every status is listed.
                described["responses"].pop("default", None)
    illustrate(document)
    _drop_unused(document)
    return document


def component_schemas_of(rulebooks: Iterable[Rulebook[Any]]) -> dict[str, Schema]:
    """The component schemas of requests and answers, with the unions of the rulebooks."""
    schemas: dict[str, Schema] = msgspec.json.decode(_component_schemas(tuple(rulebooks)))
    return schemas


@lru_cache(maxsize=4)
def _component_schemas(rulebooks: tuple[Rulebook[Any], ...]) -> bytes:
    """The component schemas, encoded: they take a second, and are the same for every application."""
    names = {struct: name_of(struct) for struct in structs_in(DOCUMENTED)}
    asked = structs_in(one for one in DOCUMENTED if one.__module__ == requests.__name__)
    schemas = component_schemas(names, asked)
    unite(schemas, names, rulebooks, [names[struct] for struct in asked])
    return msgspec.json.encode(schemas)


def _drop_unused(document: dict[str, Any]) -> None:
    """Leave out the schemas that no operation leads to."""
    schemas = document["components"]["schemas"]
    used: set[str] = set()
    waiting = [document["paths"], document["components"].get("responses", {})]
    while waiting:
        new = (names_in(waiting.pop()) - used) & schemas.keys()
        used |= new
        waiting.extend(schemas[name] for name in new)
    document["components"]["schemas"] = {name: schema for name, schema in schemas.items() if name in used}


def serve(app: Flask, description: Api, rulebooks: Callable[[], Iterable[Rulebook[Any]]]) -> None:
    """Serve the description, and the page to browse the description.

    The description is written when it is first asked for: it takes about a second, which `--help` and the start
    of a service do not need.
    """
    writing = Lock()

    @cache
    def written() -> tuple[bytes, str]:
        document = msgspec.json.encode(_completed(description.spec.to_dict(), rulebooks()))
        return document, f'W/"{hashlib.sha256(document).hexdigest()[:16]}"'

    pages = Blueprint("documentation", __name__)

    @pages.get("/openapi.json")
    def openapi() -> Response:
        with writing:
            document, etag = written()
        require_change(etag)
        response = Response(document, content_type="application/json")
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache"
        return compressed(response)

    @pages.get("/docs")
    def docs() -> Response:
        response = Response(_PAGE, content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = _POLICY
        return response

    @pages.get("/docs/start.js")
    def start() -> Response:
        return Response(_START, content_type="text/javascript; charset=utf-8")

    @pages.get("/docs/<any(" + ",".join(f"'{name}'" for name in sorted(_SERVED)) + "):name>")
    def asset(name: str) -> Response:
        response = send_from_directory(_ASSETS, name, max_age=86_400)
        if response.status_code != HTTPStatus.OK:
            return response
        response.direct_passthrough = False
        response.set_etag(response.get_etag()[0] or "", weak=True)
        return compressed(response)

    app.register_blueprint(pages)
