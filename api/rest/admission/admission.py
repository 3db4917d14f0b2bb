"""Refuse a request before its body is read.

The application works without this module: a view reads the body and finds the viewer in any order. But a body
can take a long time to arrive. So the server first checks whether the request has a chance, and hands a
hopeless request over without its body. The application then answers the refusal like every other problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.rest.admission import auth, hosts
from api.rest.running.context import EXTENSION, Service
from api.rest.running.exchanges import KEY, Exchange

_REFUSAL = "mabligop.refusal"
_CREATIONS = frozenset({"games.create_game", "demo.lay_demo"})
_REPLACEMENT = "tokens.replace_token"
_PUBLIC = frozenset({"invitations.join", "invitations.read_invited_table", "demo.take_seat"})
"""Endpoints without a token: joining with a code or looking at its table, or taking a seat of the demo."""


def register(app: Flask) -> None:
    """Answer requests refused before their body was read."""

    @app.before_request
    def refuse() -> None:
        refusal: Callable[[], Exception] | None = request.environ.get(_REFUSAL)
        if refusal is not None:
            raise refusal()


def refused(environ: Mapping[str, Any], refusal: Callable[[], Exception]) -> dict[str, Any]:
    """Return the WSGI environment of a refused request. The application raises the exception, and no view runs.

    `refusal` builds the exception at the moment of raising. A stored exception would keep its frames alive, and
    with them the connection of the request.
    """
    return {**environ, _REFUSAL: refusal}


class Admission:
    """Checks a request with a body before the body is read."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        service: Service = app.extensions[EXTENSION]
        self._tokens = service.ledger.tokens
        self._config = service.config
        self._creation = f"{service.config.base_path}/games"
        join = f"{service.config.base_path}/join"
        self._joining = frozenset({join, f"{join}/table"})

    def certain(self, environ: Mapping[str, Any]) -> bool:
        """Tell, from memory alone and without waiting, if the request surely has a chance."""
        config = self._config
        if int(environ.get("CONTENT_LENGTH") or 0) > config.max_body_bytes:
            return False
        if config.hosts and not hosts.accepted(environ.get("HTTP_HOST", ""), config.hosts):
            return False
        if environ["PATH_INFO"] == self._creation and config.creation_key is None:
            return True
        if environ["PATH_INFO"] in self._joining:
            return True
        scheme, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        return scheme.lower() == "bearer" and self._tokens.remembers(token.strip())

    def refusal(self, environ: dict[str, Any]) -> Exception | None:
        """Return the exception that refuses the request, or None if the body should be read. May query the
        database.
        """
        # This check is not an exchange of its own: the log reports the answer.
        with self._app.request_context({**environ, KEY: Exchange("", environ["REQUEST_METHOD"], 0.0)}):
            try:
                self._refuse()
            except Exception as refusal:
                # A failure too: the application answers it like a failure of a view.
                return refusal
        return None

    def _refuse(self) -> None:
        hosts.check(self._config.hosts)
        if request.routing_exception is not None:
            raise request.routing_exception
        if int(request.environ.get("CONTENT_LENGTH") or 0) > self._config.max_body_bytes:
            raise RequestEntityTooLarge
        match request.endpoint:
            case name if name in _CREATIONS:
                auth.require_service_key()
            case name if name == _REPLACEMENT:
                # A token that was just replaced may still ask for the stored answer.
                auth.bearer()
            case name if name in _PUBLIC:
                pass
            case _:
                auth.holder()
