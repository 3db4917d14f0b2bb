"""Exchanges: the record of a request and its answer for the log and the metrics.

An exchange never holds a token, a key, a body, a parameter, a raw path, or a seat: a log that is passed on for
help reveals no secret of a table. An exchange begins with the request and ends with the answer: in the
middleware `Exchanging`, or in a server in front of the application. Such a server puts its exchange into the
WSGI environment under `KEY`.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Flask, request

from api.rest.running import logs

KEY = "mabligop.exchange"
"""The key of the exchange in the WSGI environment."""
ARRIVED = "mabligop.arrived"
"""The key in the WSGI environment for the time (`time.perf_counter`) at which the whole request had arrived.
Set by a server in front: the time counts waiting for a thread, but not a slow client.
"""
HEADER = "X-Request-ID"
"""The header with the id of a request, in the request and in its answer."""
NO_ROUTE = "(none)"
"""The route of a request without a matching route."""

_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/=+@-]{0,63}")
_TOKEN = re.compile(r"\.[A-Za-z0-9_-]{32}")
"""The secret part of a token, as made by `ledger.access.credentials`. A caller may send a token as a name by
mistake.
"""
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""The paths for health checks and metrics."""
_SHED = frozenset({408, 421, 429, 503})
"""The statuses of an overloaded service. Many such answers at once are summed up in the log."""
_SUMMED_SECONDS = 5.0

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


@dataclass(slots=True)
class Exchange:
    """A request and its answer.

    `id` names the request in all lines of the log. `route` is the pattern of the path. `game` and `role`
    ("banker", "player" or "spectator") are set for a valid token. `problem` is the kind of problem in the
    answer, `cause` the type of the exception behind the problem, `incident` the number of an unexpected
    failure.
    """

    id: str
    method: str
    began: float
    route: str = NO_ROUTE
    game: str | None = None
    role: str = "none"
    problem: str | None = None
    cause: str | None = None
    incident: str | None = None


class Measured(Protocol):
    """Counts exchanges."""

    def request(self, method: str, route: str, status: int, seconds: float, cause: str | None = None) -> None:
        """Count a request by the pattern of its path. `cause` is the type of the exception behind the answer."""


class Exchanges:
    """Begins and ends exchanges. `measured` counts exchanges, and `storms` sums up answers for the log."""

    def __init__(self, measured: Measured, storms: Storms | None = None) -> None:
        self._measured = measured
        self._storms = storms or Storms()

    def begin(self, method: str, requested_id: str | None, arrived: float | None = None) -> Exchange:
        """Begin an exchange. `requested_id` is the header X-Request-ID of the request, `arrived` the time of
        `ARRIVED`.

        An id of 1 to 64 letters, digits and marks is kept. Anything else, or a token, is replaced by a new id.
        """
        acceptable = (
            requested_id is not None
            and _WELL_FORMED.fullmatch(requested_id) is not None
            and _TOKEN.search(requested_id) is None
        )
        name = requested_id if acceptable and requested_id is not None else secrets.token_hex(8)
        began = time.perf_counter() if arrived is None else arrived
        return Exchange(name, method if method in _METHODS else "(other)", began)

    def end(self, exchange: Exchange, status: int) -> None:
        """Count the exchange, and write its line into the log."""
        seconds = time.perf_counter() - exchange.began
        cause = exchange.cause or exchange.problem
        self._measured.request(exchange.method, exchange.route, status, seconds, cause)
        level = _level(exchange.route, status)
        if not logs.requests.isEnabledFor(level):
            return
        if status in _SHED and not self._storms.first(status, cause):
            return
        fields: dict[str, Any] = {
            "request": exchange.id,
            "method": exchange.method,
            "route": exchange.route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "role": exchange.role,
        }
        for name in ("game", "problem", "cause", "incident"):
            value = getattr(exchange, name)
            if value is not None:
                fields[name] = value
        logs.requests.log(level, "%s %s %d", exchange.method, exchange.route, status, extra={"told": fields})


def _level(route: str, status: int) -> int:
    if status >= 500:
        return logs.WARNING if status in _SHED else logs.ERROR
    # Successful health probes every few seconds are not worth a line.
    return logs.DEBUG if route in PROBES and status < 400 else logs.INFO


class Storms:
    """Sums up the answers of an overloaded service.

    The first answer of a status gets its own line. Further answers are counted, and a line every few seconds
    reports their number, until a period has none. `later` calls a function after some seconds.
    """

    def __init__(self, later: Callable[[float, Callable[[], None]], None] | None = None) -> None:
        self._later = later or _later
        self._causes: dict[int, Counter[str]] = {}
        self._lock = threading.Lock()

    def first(self, status: int, cause: str | None) -> bool:
        """Return True if an answer is the first of its storm. Later answers are counted."""
        with self._lock:
            causes = self._causes.get(status)
            if causes is not None:
                causes[cause or "unknown"] += 1
                return False
            self._causes[status] = Counter()
        self._later(_SUMMED_SECONDS, lambda: self._sum(status))
        return True

    def _sum(self, status: int) -> None:
        with self._lock:
            causes = self._causes.pop(status)
            if causes:
                self._causes[status] = Counter()
        if causes:
            summary = {"status": status, "count": causes.total(), "causes": dict(causes)}
            logs.requests.warning("%d more answers %d", causes.total(), status, extra=summary)
            self._later(_SUMMED_SECONDS, lambda: self._sum(status))


def _later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


class Exchanging:
    """WSGI middleware that begins and ends the exchange of every request, unless a server in front does so."""

    def __init__(self, application: Application, exchanges: Exchanges) -> None:
        self._application = application
        self._exchanges = exchanges

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer the request, with its id in X-Request-ID."""
        begun: Exchange | None = environ.get(KEY)
        if begun is not None:
            with logs.about(begun.id):
                return self._application(environ, start_response)
        named = environ.get("HTTP_X_REQUEST_ID")
        exchange = self._exchanges.begin(environ["REQUEST_METHOD"], named, environ.get(ARRIVED))
        environ[KEY] = exchange
        answered = 500

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal answered
            answered = int(status[:3])
            return start_response(status, [*headers, (HEADER, exchange.id)], exc_info)

        with logs.about(exchange.id):
            try:
                return self._application(environ, start)
            finally:
                self._exchanges.end(exchange, answered)


def tell_routes(app: Flask) -> None:
    """Record the route of every request in its exchange."""

    @app.before_request
    def name_route() -> None:
        if request.url_rule is not None:
            exchange().route = request.url_rule.rule


def exchange() -> Exchange:
    """Return the exchange of the current request."""
    current: Exchange = request.environ[KEY]
    return current
