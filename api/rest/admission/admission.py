"""Whether a request is refused before its body is read.

The application itself needs none of this: a view reads the body and finds the viewer in the order it likes. But a
body can take a long time to come. So whoever receives requests asks first whether the request has a chance, and
hands over what is refused without its body. The refusal is then answered as every other problem is.
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
_PUBLIC = frozenset({"invitations.join", "demo.take_seat"})
"""What needs no token: a code, or a seat of the demo."""


def register(app: Flask) -> None:
    """Answer a request that was refused before its body was read with that refusal."""

    @app.before_request
    def refuse() -> None:
        refusal: Callable[[], Exception] | None = request.environ.get(_REFUSAL)
        if refusal is not None:
            raise refusal()


def refused(environ: Mapping[str, Any], refusal: Callable[[], Exception]) -> dict[str, Any]:
    """The WSGI environment of a refused request: the application raises this exception, and no view runs.

    The exception is made where it is raised, and nothing keeps it. An exception knows the frames that it passed
    and those below, so whoever keeps it also keeps the connection of the request open.
    """
    return {**environ, _REFUSAL: refusal}


class Admission:
    """Says of a request with a body whether the application would refuse it whatever the body holds."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        service: Service = app.extensions[EXTENSION]
        self._tokens = service.ledger.tokens
        self._config = service.config
        self._creation = f"{service.config.base_path}/games"
        self._joining = f"{service.config.base_path}/join"

    def certain(self, environ: Mapping[str, Any]) -> bool:
        """Whether the request surely has a chance, as far as memory tells. Nothing is waited for."""
        config = self._config
        if int(environ.get("CONTENT_LENGTH") or 0) > config.max_body_bytes:
            return False
        if config.hosts and not hosts.accepted(environ.get("HTTP_HOST", ""), config.hosts):
            return False
        if environ["PATH_INFO"] == self._creation and config.creation_key is None:
            return True
        if environ["PATH_INFO"] == self._joining:
            return True
        scheme, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        return scheme.lower() == "bearer" and self._tokens.remembers(token.strip())

    def refusal(self, environ: dict[str, Any]) -> Exception | None:
        """What refuses the request; None when its body is to be read. May ask the database."""
        # This look at the request is no exchange of its own: the log tells of its answer.
        with self._app.request_context({**environ, KEY: Exchange("", environ["REQUEST_METHOD"], 0.0)}):
            try:
                self._refuse()
            except Exception as refusal:
                # Also a failure: the application answers it as a failure of a view.
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
                # A token that was just replaced may still ask for the answer again.
                auth.bearer()
            case name if name in _PUBLIC:
                pass
            case _:
                auth.holder()
