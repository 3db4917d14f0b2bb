"""Bounds on the computing and storing of each caller in a minute, counted in this process.

Every answer names both bounds in the headers of `limits.py`:

- `compute`: seconds of processor time in the threads that answer the caller's requests, with streamed pieces and
  the beginnings of streams. The time is measured (`time.thread_time`), never guessed. The time of the database
  does not count;
- `stored`: rows stored by the caller's requests. A new game counts with every action of its journal.

The cost of a request is known only after the answer, and counted then: the request that reaches a bound is
answered, and the next request is refused. Beyond `stored` only requests that may write are refused. A caller is
counted as in `limits.py`, by a token in force or by the address. Roles have shares of a bound (`_SHARES`).

Processor time tells a caller no more than a clock does: each request is rounded up to whole milliseconds, and the
headers have whole seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

from flask import Flask, Response, current_app, g, request

from api.rest.admission import auth
from api.rest.admission.limits import WINDOW_SECONDS, Limits, Window
from api.rest.problems.problems import READING_METHODS, Problem, ReportedLimit, reported_limits
from api.rest.running.config import Config
from ledger.kernel.language.phrase import Phrase

_EXTENSION = "mabligop-bounds"
_HEALTH = "service.liveness"
_WRITTEN = frozenset({201, 202, 204})
"""The statuses of answers to requests that stored something. A dry run or a repetition has 200."""
_SHARES = {"banker": Fraction(1), "player": Fraction(1, 2), "spectator": Fraction(1, 10)}
_STRANGER = Fraction(1, 10)
"""The share of an address without a token in force."""
_BUSY = 10

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class Bound:
    """A bound: a name, the amount that a banker may use in a minute (None: no bound), and the text of refusals.

    The window counts `steps` of a unit. The headers have whole units.
    """

    def __init__(self, name: str, unit: str, allowed: int | None, refusal: Phrase, steps: int = 1) -> None:
        self.name = name
        self.unit = unit
        self.allowed = allowed
        self.refusal = refusal
        self.steps = steps
        self.window = Window(0)

    def share(self, role: str | None) -> int:
        """Return the amount that a role may use in a minute, at least one. Without a role: an address."""
        part = _STRANGER if role is None else _SHARES[role]
        return max(1, int((self.allowed or 0) * part))

    def remaining(self, caller: int, role: str | None) -> tuple[int, int]:
        """Return the steps that the caller may still use, and the seconds until the count starts again."""
        used, seconds = self.window.used(caller)
        return self.share(role) * self.steps - used, seconds

    def header_values(self, caller: int, role: str | None) -> ReportedLimit:
        """Return the header values of this bound."""
        remaining, seconds = self.remaining(caller, role)
        units = max(0, math.ceil(remaining / self.steps))
        return ReportedLimit(
            f'"{self.name}";q={self.share(role)};w={WINDOW_SECONDS};qu="{self.unit}"',
            f'"{self.name}";r={units};t={seconds}',
        )

    def problem(self, caller: int, role: str | None) -> Problem:
        """Build the problem for a request beyond the bound."""
        _, seconds = self.remaining(caller, role)
        amount = self.share(role)
        return Problem(
            "too-many-requests",
            f"{self.refusal.en.format(amount)} a minute; wait {seconds} seconds",
            f"{self.refusal.fr.format(amount)} par minute ; attendez {seconds} secondes",
            headers=[("Retry-After", str(seconds))],
            quota=self.header_values(caller, role),
        )


class Bounds:
    """The bounds of one application, by its settings. `meter` returns the processor seconds of the thread."""

    def __init__(self, config: Config, limits: Limits, meter: Callable[[], float] = time.thread_time) -> None:
        self._limits = limits
        self.meter = meter
        self.compute = Bound(
            "compute",
            "seconds",
            config.compute_seconds_per_minute,
            Phrase(
                "your requests may take {} seconds of computing",
                "vos requêtes peuvent prendre {} secondes de calcul",
            ),
            steps=1000,
        )
        self.stored = Bound(
            "stored",
            "rows",
            config.rows_per_minute,
            Phrase("your requests may store {} rows", "vos requêtes peuvent enregistrer {} lignes"),
        )
        self._bounds = [bound for bound in (self.compute, self.stored) if bound.allowed is not None]

    def caller(self, environ: Environ) -> tuple[int, str | None]:
        """Return the caller of a request, and its role; None for an address without a token in force."""
        return self._limits.caller(environ.get("HTTP_AUTHORIZATION"), environ.get("REMOTE_ADDR") or "")

    def exceeded(self, environ: Environ) -> Problem | None:
        """Return the problem of a caller beyond a bound that concerns the request, or None."""
        caller, role = self.caller(environ)
        for bound in self._bounds:
            concerned = bound is not self.stored or environ["REQUEST_METHOD"] not in READING_METHODS
            if concerned and bound.remaining(caller, role)[0] <= 0:
                return bound.problem(caller, role)
        return None

    def reports(self, environ: Environ) -> Iterator[ReportedLimit]:
        """Yield the header values of each bound for the caller of a request."""
        caller, role = self.caller(environ)
        yield from (bound.header_values(caller, role) for bound in self._bounds)

    def is_busy(self, caller: int, role: str | None) -> bool:
        """Return True if a caller has used a tenth of the computing of a minute."""
        if self.compute.allowed is None:
            return False
        used, _ = self.compute.window.used(caller)
        return used * _BUSY >= self.compute.share(role) * self.compute.steps

    def computed(self, caller: int, seconds: float) -> None:
        """Count processor time of a caller, rounded up to whole milliseconds."""
        self.compute.window.add(caller, max(1, math.ceil(seconds * 1000)))


def of(app: Flask) -> Bounds:
    """Return the bounds of an application."""
    bounds: Bounds = app.extensions[_EXTENSION]
    return bounds


def computing() -> Callable[[float], None]:
    """Return a function that counts seconds of processor time for the caller of the current request."""
    bounds = of(current_app)
    return partial(bounds.computed, bounds.caller(request.environ)[0])


def count_rows(rows: int) -> None:
    """Count further rows stored by the current request, beside one row of every request that writes."""
    g.rows = g.get("rows", 0) + rows


def bind(app: Flask, config: Config, limits: Limits) -> Bounds:
    """Answer with 429 to a caller beyond a bound, and name the bounds in every answer. Health is not bound."""
    bounds = app.extensions[_EXTENSION] = Bounds(config, limits)

    @app.before_request
    def check() -> None:
        if request.endpoint == _HEALTH or (problem := bounds.exceeded(request.environ)) is None:
            return
        if bounds.caller(request.environ)[1] is None and "HTTP_AUTHORIZATION" in request.environ:
            # The address is at its bound, and the token may be in force: its holder has a bound of its own.
            with suppress(Problem):
                auth.holder()
            problem = bounds.exceeded(request.environ)
        if problem is not None:
            raise problem

    @app.after_request
    def tell(response: Response) -> Response:
        if request.endpoint == _HEALTH:
            return response
        if response.status_code in _WRITTEN or g.get("rows"):
            caller, _ = bounds.caller(request.environ)
            bounds.stored.window.add(caller, g.get("rows", 0) + (request.method not in READING_METHODS))
        reported = {value.policy for value in reported_limits()}
        reported_limits().extend(
            value for value in bounds.reports(request.environ) if value.policy not in reported
        )
        return response

    return bounds


class Measuring:
    """WSGI middleware that counts the processor time of every answer, and of each piece, for the caller."""

    def __init__(self, application: Application, bounds: Bounds) -> None:
        self._application = application
        self._bounds = bounds

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer the request."""
        began = self._bounds.meter()
        try:
            answer = self._application(environ, start_response)
        finally:
            # Only now: the first request of a token makes the token known.
            caller, _ = self._bounds.caller(environ)
            self._bounds.computed(caller, self._bounds.meter() - began)
        return _Pieces(answer, self._bounds, caller)


class _Pieces:
    """The pieces of an answer. Each may be made in another thread."""

    __slots__ = ("_answer", "_bounds", "_caller", "_iterator")

    def __init__(self, answer: Iterable[bytes], bounds: Bounds, caller: int) -> None:
        self._answer = answer
        self._iterator = iter(answer)
        self._bounds = bounds
        self._caller = caller

    def __iter__(self) -> _Pieces:
        return self

    def __next__(self) -> bytes:
        began = self._bounds.meter()
        try:
            return next(self._iterator)
        finally:
            spent = self._bounds.meter() - began
            if spent > _NO_PIECE_SECONDS:
                self._bounds.computed(self._caller, spent)

    def close(self) -> None:
        """Close the answer, if it has a `close` method."""
        close = getattr(self._answer, "close", None)
        if close is not None:
            close()


_NO_PIECE_SECONDS = 0.0001
"""Handing over a finished piece takes less, and is not counted again."""
