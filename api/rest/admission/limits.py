"""Limits on the requests of each caller per minute, counted in this process.

Every answer has the two headers of draft-ietf-httpapi-ratelimit-headers-10: the limits (`RateLimit-Policy`) and
the remaining requests (`RateLimit`). Six things are counted:

- `caller`: every request, by its token if this process has seen the token in force, otherwise by its address.
  So a caller gains nothing by sending new tokens;
- `creation`: every request to create a game, by address;
- `unknown`: every invalid token, by address. Beyond the limit, new tokens of the address are not looked up: the
  limit spares the database, and stops guessing of the service's own key. Tokens already recognised still work, so
  players at the address of a guesser play on;
- `codes`: every wrong code of an invitation, by address. Beyond the limit an address waits longer after each
  (`api.rest.admission.guesses`);
- `at-once` and `streams`: the requests of an address in progress, and its streams. Counted by `api.front`.

The computing and storing of callers is counted in `bounds.py`.

The last four appear in the headers of the answers that refuse a request; `codes` also in answers to wrong
codes.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from flask import Flask, Response, current_app, request

from api.rest.admission.addresses import network_of
from api.rest.admission.guesses import Guesses
from api.rest.problems.problems import Problem, ReportedLimit, reported_limits
from api.rest.running.config import Config
from ledger.kernel.language.phrase import Phrase

Result = TypeVar("Result")

_EXTENSION = "mabligop-limits"
WINDOW_SECONDS = 60
"""The length of the windows of counting."""
_MOST_CALLERS = 100_000
_OTHERS = 0
_CREATIONS = frozenset({"games.create_game", "demo.lay_demo", "demo.take_seat"})
_HEALTH = "service.liveness"


class Use(NamedTuple):
    """The remaining requests of a caller.

    `remaining` is their number (-1: this request was too many), `seconds` the time until the count starts
    again.
    """

    remaining: int
    seconds: int


class Window:
    """Counts the requests of every caller in windows of one minute. `clock` returns seconds.

    At most `most_callers` have their own count. Further callers share a count.
    """

    def __init__(
        self, allowed: int, clock: Callable[[], float] = time.monotonic, most_callers: int = _MOST_CALLERS
    ) -> None:
        self._allowed = allowed
        self._clock = clock
        self._most_callers = most_callers
        self._turning = threading.Lock()
        self._ends = 0.0
        self._counts: dict[int, int] = {}

    def take(self, caller: int) -> Use:
        """Count a request of a caller."""
        seconds = self._turn()
        if caller not in self._counts and len(self._counts) >= self._most_callers:
            caller = _OTHERS
        count = self._counts.get(caller, 0) + 1
        self._counts[caller] = count
        return Use(max(-1, self._allowed - count), seconds)

    def look(self, caller: int) -> Use:
        """Return the limit's state without counting a request."""
        seconds = self._turn()
        count = self._counts.get(caller, 0) + 1
        return Use(max(-1, self._allowed - count), seconds)

    def add(self, caller: int, amount: int) -> None:
        """Count an amount for a caller."""
        self._turn()
        with self._turning:
            if caller not in self._counts and len(self._counts) >= self._most_callers:
                caller = _OTHERS
            self._counts[caller] = self._counts.get(caller, 0) + amount

    def used(self, caller: int) -> tuple[int, int]:
        """Return the count of a caller, and the seconds until the next window."""
        seconds = self._turn()
        return self._counts.get(caller, 0), seconds

    def _turn(self) -> int:
        """Start a new window if the last one is over. Returns the seconds until the next window."""
        moment = self._clock()
        if moment >= self._ends:
            with self._turning:
                if moment >= self._ends:
                    self._counts = {}
                    self._ends = moment + WINDOW_SECONDS
        return max(1, round(self._ends - moment))


class Recognised:
    """The tokens found in force by this process, with their roles. Beyond the capacity, old ones are forgotten."""

    def __init__(self, capacity: int = _MOST_CALLERS) -> None:
        self._capacity = capacity
        self._tokens: OrderedDict[int, str] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, token: int) -> bool:
        return token in self._tokens

    def role(self, token: int) -> str | None:
        """Return the role of a token, or None if the token is not recognised."""
        return self._tokens.get(token)

    def add(self, token: int, role: str = "banker") -> None:
        """Recognise a token from now on, even after a long pause."""
        with self._lock:
            self._tokens[token] = role
            self._tokens.move_to_end(token)
            while len(self._tokens) > self._capacity:
                self._tokens.popitem(last=False)

    def remove(self, token: int) -> None:
        """Forget a token that was revoked or replaced."""
        with self._lock:
            self._tokens.pop(token, None)


class Limits:
    """The limits of one application, by its settings. A limit of None is not counted."""

    def __init__(self, config: Config) -> None:
        self._recognised = Recognised()
        self._callers = Policy("caller", config.requests_per_minute)
        self._creations = Policy("creation", config.creations_per_minute)
        self._unknown = Policy("unknown", config.unknown_tokens_per_minute)
        self._codes = Policy("codes", config.wrong_codes_per_minute)
        self._guesses = Guesses(config.wrong_codes_per_minute or 0)

    def count(self, header: str | None, address: str, creates: bool) -> list[tuple[Policy, Use]]:
        """Count a request with this Authorization header. Returns the remaining requests of each limit."""
        origin = _hash_of(network_of(address))
        caller, _ = self.caller(header, address)
        used = [(self._callers, self._callers.window.take(caller))]
        if creates:
            used.append((self._creations, self._creations.window.take(origin)))
        return [(policy, use) for policy, use in used if policy.allowed is not None]

    def caller(self, header: str | None, address: str) -> tuple[int, str | None]:
        """Return the caller with this Authorization header, and its role: a token in force as far as this process
        has seen, otherwise the address, without a role.
        """
        if header is not None:
            token = _hash_of(_token_of(header))
            role = self._recognised.role(token)
            if role is not None:
                return token, role
        return _hash_of(network_of(address)), None

    def check(self, token: str, address: str) -> None:
        """Check that the address may try another token, unless this process recognises the token.

        Raises Problem (429).
        """
        if self._unknown.allowed is None or _hash_of(token) in self._recognised:
            return
        use = self._unknown.window.look(_hash_of(network_of(address)))
        if use.remaining < 0:
            raise self._unknown.problem(use)

    def try_code(self, address: str, attempt: Callable[[], Result | None]) -> Result | None:
        """Return the result of an attempt with a code; None counts as a wrong code of the address.

        Tells the address the number of remaining codes after a wrong code. Raises Problem (429) for an address
        that must wait.
        """
        if self._codes.allowed is None:
            return attempt()
        origin = _hash_of(network_of(address))
        seconds = self._guesses.begin(origin)
        if seconds:
            raise Problem(
                "too-many-requests",
                f"this address has sent wrong codes, and waits longer after each; wait {seconds} seconds",
                "cette adresse a envoyé des codes faux, et attend plus longtemps après chacun ; attendez"
                f" {seconds} secondes",
                headers=[("Retry-After", str(seconds))],
                quota=self._codes.header_values(Use(-1, seconds)),
            )
        is_wrong = False
        try:
            result = attempt()
            is_wrong = result is None
        finally:
            remaining = self._guesses.end(origin, wrong=is_wrong)
        if is_wrong:
            reported_limits().append(self._codes.header_values(Use(remaining, WINDOW_SECONDS)))
        return result

    def recognise(self, token: str, role: str = "banker") -> None:
        """Recognise a token in force: its next requests are counted by token, not by address."""
        self._recognised.add(_hash_of(token), role)

    def count_unknown(self, token: str, address: str) -> None:
        """Count a token that is not in force, and stop recognising the token."""
        self._recognised.remove(_hash_of(token))
        self._unknown.window.take(_hash_of(network_of(address)))


class Policy:
    """A limit: a name, the number allowed in a minute (None: no limit), and the window of counting."""

    def __init__(self, name: str, allowed: int | None) -> None:
        self.name = name
        self.allowed = allowed
        self.window = Window(allowed or 0)

    def problem(self, use: Use) -> Problem:
        """Build the problem for a request beyond the limit."""
        quota = {
            "caller": Phrase("one caller may make {} requests", "un appelant peut faire {} requêtes"),
            "creation": Phrase("one address may create {} games", "une adresse peut créer {} parties"),
            "unknown": Phrase(
                "one address may send {} unknown tokens", "une adresse peut envoyer {} jetons inconnus"
            ),
        }[self.name]
        return Problem(
            "too-many-requests",
            f"{quota.en.format(self.allowed)} a minute; wait {use.seconds} seconds",
            f"{quota.fr.format(self.allowed)} par minute ; attendez {use.seconds} secondes",
            headers=[("Retry-After", str(use.seconds))],
            quota=self.header_values(use),
        )

    def header_values(self, use: Use) -> ReportedLimit:
        """Return the header values of this limit."""
        return ReportedLimit(
            f'"{self.name}";q={self.allowed};w={WINDOW_SECONDS}',
            f'"{self.name}";r={max(0, use.remaining)};t={use.seconds}',
        )


def of_application() -> Limits:
    """Return the limits of the current application."""
    limits: Limits = current_app.extensions[_EXTENSION]
    return limits


def limit(app: Flask, config: Config) -> Limits:
    """Answer with 429 if a token or an address makes more requests in a minute than allowed.

    Requests to unknown paths are counted too. The health of the service is not counted, because monitoring asks
    often and must get an answer.
    """
    limits = app.extensions[_EXTENSION] = Limits(config)

    @app.before_request
    def count() -> None:
        if request.endpoint == _HEALTH:
            return
        creates = request.endpoint in _CREATIONS and request.method == "POST"
        counted = limits.count(request.environ.get("HTTP_AUTHORIZATION"), request.remote_addr or "", creates)
        reported_limits().extend(policy.header_values(use) for policy, use in counted if use.remaining >= 0)
        for policy, use in counted:
            if use.remaining < 0:
                raise policy.problem(use)

    @app.after_request
    def tell(response: Response) -> Response:
        if values := reported_limits():
            response.headers["RateLimit-Policy"] = ", ".join(value.policy for value in values)
            response.headers["RateLimit"] = ", ".join(value.remaining for value in values)
        return response

    return limits


def at_once(maximum: int, name: str = "at-once") -> ReportedLimit:
    """Return the header values for an address at its limit of requests in progress.

    `name` is "at-once" for requests of all kinds, "streams" for streams of games.
    """
    return ReportedLimit(f'"{name}";q={maximum};qu="concurrent-requests"', f'"{name}";r=0')


def _token_of(header: str) -> str:
    return header.partition(" ")[2].strip()


def _hash_of(text: str) -> int:
    """Hash a token, because only hashes are stored, never a token."""
    return hash(text)
