"""Exchanges: what the log and the metrics tell of a request and its answer.

An exchange never holds a token, a key, a body, a parameter, a path as it was sent, or a seat: a log that is passed
on for help tells no secret of a table. It begins where the request arrives and ends with the answer: in the
middleware `Exchanging`, or in a server in front of the application, which then puts its exchange into the WSGI
environment under `KEY`.
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
"""Where the WSGI environment holds the exchange."""
ARRIVED = "mabligop.arrived"
"""Where the WSGI environment may hold the time (`time.perf_counter`) since which a request waits for its answer.

A server in front sets it when the whole request has come: waiting for a thread counts, a slow client does not."""
HEADER = "X-Request-ID"
"""The header that names a request, in the request and in its answer."""
NO_ROUTE = "(none)"
"""Stands for the route of a request that no route serves."""

_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/=+@-]{0,63}")
_TOKEN = re.compile(r"\.[A-Za-z0-9_-]{32}")
"""The secret of a token, as `ledger.access.credentials` makes them. A caller may send one as a name by mistake."""
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
_SHED = frozenset({408, 421, 429, 503})
"""The statuses of a service that turns callers away. Many at once are summed up in the log."""
_SUMMED_SECONDS = 5.0

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


@dataclass(slots=True)
class Exchange:
    """A request and its answer.

    `id` names the request in all lines of the log. `route` is the pattern of the path. `game` and `role` are set
    when the caller's token is in force: "banker", "player" or "spectator". `problem` is the kind of problem that
    is answered, `cause` the type of the exception behind it, `incident` the number of an unexpected failure.
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
    """What counts exchanges."""

    def request(self, method: str, route: str, status: int, seconds: float, cause: str | None = None) -> None:
        """Count a request by the pattern of its path. `cause` is the type of the exception behind the answer."""


class Exchanges:
    """Begins and ends exchanges. Takes what counts them, and the storms that the log sums up."""

    def __init__(self, measured: Measured, storms: Storms | None = None) -> None:
        self._measured = measured
        self._storms = storms or Storms()

    def begin(self, method: str, given: str | None, arrived: float | None = None) -> Exchange:
        """Begin an exchange. `given` is the header X-Request-ID of the request, `arrived` the time of `ARRIVED`.

        An id of 1 to 64 letters, digits and marks is kept; anything else, and a token, is replaced by a new one.
        """
        kept = given is not None and _WELL_FORMED.fullmatch(given) is not None and _TOKEN.search(given) is None
        name = given if kept and given is not None else secrets.token_hex(8)
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
        told: dict[str, Any] = {
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
                told[name] = value
        logs.requests.log(level, "%s %s %d", exchange.method, exchange.route, status, extra={"told": told})


def _level(route: str, status: int) -> int:
    if status >= 500:
        return logs.WARNING if status in _SHED else logs.ERROR
    # What asks every few seconds whether all is well is not worth a line.
    return logs.DEBUG if route in _PROBES and status < 400 else logs.INFO


class Storms:
    """Sums up the answers of a service that turns many callers away.

    The first answer of a status is written as it is. The next ones are counted, and one line tells their number
    every few seconds, until none has come for as long. `later` calls a function after some seconds.
    """

    def __init__(self, later: Callable[[float, Callable[[], None]], None] | None = None) -> None:
        self._later = later or _later
        self._causes: dict[int, Counter[str]] = {}
        self._lock = threading.Lock()

    def first(self, status: int, cause: str | None) -> bool:
        """Whether an answer is the first of its storm. Counts it when it is not."""
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
            told = {"status": status, "count": causes.total(), "causes": dict(causes)}
            logs.requests.warning("%d more answers %d", causes.total(), status, extra=told)
            self._later(_SUMMED_SECONDS, lambda: self._sum(status))


def _later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


class Exchanging:
    """WSGI middleware that begins and ends the exchange of every request, unless a server in front does."""

    def __init__(self, application: Application, exchanges: Exchanges) -> None:
        self._application = application
        self._exchanges = exchanges

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer the request. The answer names it in X-Request-ID."""
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
    """Name the route of every request in its exchange."""

    @app.before_request
    def name_route() -> None:
        if request.url_rule is not None:
            exchange().route = request.url_rule.rule


def exchange() -> Exchange:
    """The exchange of the current request."""
    found: Exchange = request.environ[KEY]
    return found
