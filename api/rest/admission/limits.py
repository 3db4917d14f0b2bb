"""The limits of requests per minute for each caller, counted in this process.

Every answer has the two headers of draft-ietf-httpapi-ratelimit-headers-10: the limits (`RateLimit-Policy`) and
what is left of them (`RateLimit`). Six things are counted:

- `caller`: every request, for its token when this process has found the token in force, otherwise for its address.
  So a caller gains nothing by sending other tokens;
- `creation`: every request to create a game, for its address;
- `unknown`: every token that is not in force, for its address. Beyond the limit no further token is looked up:
  this spares the database, and stops who guesses the service's own key. Tokens that were found before are looked
  up, so that players who share the address of a guesser play on;
- `codes`: every wrong code of an invitation, for its address. Beyond the limit no code is looked up;
- `at-once` and `streams`: the requests of one address in progress, and those that follow a game; `api.front`
  counts them.

The last four are told of only where they matter: in the answers that they refuse, and in those to wrong codes.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from flask import Flask, Response, current_app, request

from api.rest.admission.addresses import network_of
from api.rest.problems.problems import Problem, ToldLimit, told_limits
from api.rest.running.config import Config

_EXTENSION = "mabligop-limits"
_WINDOW_SECONDS = 60
_MOST_CALLERS = 100_000
_OTHERS = 0
_CREATIONS = frozenset({"games.create_game", "demo.lay_demo", "demo.take_seat"})
_HEALTH = "service.liveness"


class Use(NamedTuple):
    """How much of the limit a caller has left.

    `remaining` is the number of requests left (-1: this request was too many), `seconds` the time until the count
    starts again.
    """

    remaining: int
    seconds: int


class Window:
    """Count the requests of every caller in windows of one minute. `clock` returns seconds.

    At most `most_callers` are counted one by one. Those who come later are counted together.
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
        """Count one request of a caller."""
        seconds = self._turn()
        if caller not in self._counts and len(self._counts) >= self._most_callers:
            caller = _OTHERS
        count = self._counts.get(caller, 0) + 1
        self._counts[caller] = count
        return Use(max(-1, self._allowed - count), seconds)

    def give_back(self, caller: int) -> None:
        """Count one request of a caller less."""
        self._turn()
        if self._counts.get(caller, 0) > 0:
            self._counts[caller] -= 1

    def look(self, caller: int) -> Use:
        """What `take` would answer. Nothing is counted."""
        seconds = self._turn()
        count = self._counts.get(caller, 0) + 1
        return Use(max(-1, self._allowed - count), seconds)

    def _turn(self) -> int:
        """Start a new window when the last one is over. Returns the seconds until the next window."""
        now = self._clock()
        if now >= self._ends:
            with self._turning:
                if now >= self._ends:
                    self._counts = {}
                    self._ends = now + _WINDOW_SECONDS
        return max(1, round(self._ends - now))


class Recognised:
    """The tokens that this process has found in force: as many as there is room for, those in use longest."""

    def __init__(self, most: int = _MOST_CALLERS) -> None:
        self._most = most
        self._tokens: OrderedDict[int, None] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, token: int) -> bool:
        return token in self._tokens

    def add(self, token: int) -> None:
        """Recognise a token from now on, also after a long pause."""
        with self._lock:
            self._tokens[token] = None
            self._tokens.move_to_end(token)
            while len(self._tokens) > self._most:
                self._tokens.popitem(last=False)

    def remove(self, token: int) -> None:
        """Recognise a token no longer: it was revoked or replaced."""
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

    def count(self, header: str | None, address: str, creates: bool) -> list[tuple[Policy, Use]]:
        """Count a request with this Authorization header, and return what is left of each limit."""
        token = None if header is None else _hash_of(_token_of(header))
        place = _hash_of(network_of(address))
        caller = token if token is not None and token in self._recognised else place
        used = [(self._callers, self._callers.window.take(caller))]
        if creates:
            used.append((self._creations, self._creations.window.take(place)))
        return [(policy, use) for policy, use in used if policy.allowed is not None]

    def check(self, token: str, address: str) -> None:
        """Check that this address may have another token looked up, unless this process recognises the token.

        Raises a Problem (429).
        """
        if self._unknown.allowed is None or _hash_of(token) in self._recognised:
            return
        use = self._unknown.window.look(_hash_of(network_of(address)))
        if use.remaining < 0:
            raise self._unknown.problem(use)

    def check_codes(self, address: str) -> None:
        """Check that this address may try another code, and count it as wrong until `right_code` takes it back.

        So many codes that are tried at the same time are not more than the limit. Raises a Problem (429).
        """
        if self._codes.allowed is None:
            return
        use = self._codes.window.take(_hash_of(network_of(address)))
        if use.remaining < 0:
            raise self._codes.problem(use)

    def right_code(self, address: str) -> None:
        """The code that this address tried opened a game: it does not count."""
        if self._codes.allowed is not None:
            self._codes.window.give_back(_hash_of(network_of(address)))

    def wrong_code(self, address: str) -> None:
        """This address tried a code that opens nothing: tell it how many it has left."""
        if self._codes.allowed is not None:
            use = self._codes.window.look(_hash_of(network_of(address)))
            told_limits().append(self._codes.told(Use(max(0, use.remaining + 1), use.seconds)))

    def found(self, token: str) -> None:
        """The token is in force: count its next requests for it, and not for its address."""
        self._recognised.add(_hash_of(token))

    def missed(self, token: str, address: str) -> None:
        """This address sent a token that is not in force."""
        self._recognised.remove(_hash_of(token))
        self._unknown.window.take(_hash_of(network_of(address)))


class Policy:
    """One limit: its name, how many are allowed in a minute (None: any number), and the window that counts."""

    def __init__(self, name: str, allowed: int | None) -> None:
        self.name = name
        self.allowed = allowed
        self.window = Window(allowed or 0)

    def problem(self, use: Use) -> Problem:
        """The problem of a request that is too many."""
        en, fr = {
            "caller": ("one caller may make {} requests", "un appelant peut faire {} requêtes"),
            "creation": ("one address may create {} games", "une adresse peut créer {} parties"),
            "unknown": ("one address may send {} unknown tokens", "une adresse peut envoyer {} jetons inconnus"),
            "codes": ("one address may try {} wrong codes", "une adresse peut essayer {} codes faux"),
        }[self.name]
        return Problem(
            "too-many-requests",
            f"{en.format(self.allowed)} a minute; wait {use.seconds} seconds",
            f"{fr.format(self.allowed)} par minute ; attendez {use.seconds} secondes",
            headers=[("Retry-After", str(use.seconds))],
            quota=self.told(use),
        )

    def told(self, use: Use) -> ToldLimit:
        """How the headers tell of this limit."""
        return ToldLimit(
            f'"{self.name}";q={self.allowed};w={_WINDOW_SECONDS}',
            f'"{self.name}";r={max(0, use.remaining)};t={use.seconds}',
        )


def of_application() -> Limits:
    """The limits of the current application."""
    found: Limits = current_app.extensions[_EXTENSION]
    return found


def limit(app: Flask, config: Config) -> None:
    """Answer with 429 when a token or an address makes more requests in a minute than allowed.

    Requests to paths that do not exist are counted too. The health of the service is not: whoever watches it asks
    often, and must get an answer.
    """
    limits = app.extensions[_EXTENSION] = Limits(config)

    @app.before_request
    def count() -> None:
        if request.endpoint == _HEALTH:
            return
        creates = request.endpoint in _CREATIONS and request.method == "POST"
        counted = limits.count(request.environ.get("HTTP_AUTHORIZATION"), request.remote_addr or "", creates)
        told_limits().extend(policy.told(use) for policy, use in counted if use.remaining >= 0)
        for policy, use in counted:
            if use.remaining < 0:
                raise policy.problem(use)

    @app.after_request
    def tell(response: Response) -> Response:
        if told := told_limits():
            response.headers["RateLimit-Policy"] = ", ".join(one.policy for one in told)
            response.headers["RateLimit"] = ", ".join(one.left for one in told)
        return response


def at_once(most: int, name: str = "at-once") -> ToldLimit:
    """How the headers tell that the caller's address has this many requests in progress, and may have no more.

    `name` is "at-once" for requests of all kinds, "streams" for those that follow a game.
    """
    return ToldLimit(f'"{name}";q={most};qu="concurrent-requests"', f'"{name}";r=0')


def _token_of(header: str) -> str:
    return header.partition(" ")[2].strip()


def _hash_of(text: str) -> int:
    """Only hashes are stored, never a token."""
    return hash(text)
