"""The attacker: sends all possible requests to two games that differ only in what is hidden from a viewer.

`differing` sends every GET that OpenAPI lists (new endpoints are included automatically), with all values of
either game as parameters, page after page, in both languages. Then it tries everything that writes nothing: dry
runs of every kind of action, of corrections, undos, redos and rulings; refused requests without the dry run;
acting for others, waiving rules, revoking tokens, and forking the game. What streams tell is compared as well.
Status, headers and bodies must be the same bytes, except for the games' ids, tokens, times and hashes.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, islice, product, zip_longest
from math import prod
from random import Random
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.harness.attempts import CONTENTS, GAME, TOKEN
from tests.harness.comparable import anonymous, comparable
from tests.harness.offered import actions_of
from tests.harness.overhearing import OverhearingClient

LANGUAGES = ("en", "fr")
PAGES = 60
"""The maximum number of pages read of a list."""

SEARCHES = 12
"""The approximate number of words searched for in the journal."""

SERVICE = frozenset({"/", "/healthz", "/readyz", "/metrics", "/ca.crt"})
"""The paths about the service, not about a game."""

STREAM = f"/api/v1/games/{GAME}/stream"

_TOGETHER = (
    ("at", "known_at"),
    ("account", "commodity"),
    ("account", "totals"),
    ("kind", "totals"),
    ("around", "limit"),
    ("q", "totals"),
    ("order", "limit"),
    ("format", "known_at"),
    ("from", "to"),
    ("from", "limit"),
    ("follow", "limit"),
)
"""Parameters with more effect in combination."""

_IGNORED = frozenset({"date"})

T = TypeVar("T")
Query = tuple[tuple[str, Any], ...]
"""The parameters of a query, in order."""


@dataclass(frozen=True)
class Chair:
    """A viewer in one of the two games: the client, the game, the viewer's token, and the banker's token."""

    client: FlaskClient
    game: str
    token: str
    banker: str

    def ask(
        self, method: str, path: str, content: Any = None, *, token: str | None = None, **headers: str
    ) -> TestResponse:
        """Send a request, by default with the viewer's token."""
        sent = {"Authorization": f"Bearer {token or self.token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if content is None:
            return self.client.open(path, method=method, headers=sent)
        return self.client.open(path, method=method, headers=sent, json=content)

    def known(self, path: str) -> Any:
        """Read something below the game as the banker."""
        answer = self.ask("GET", f"/api/v1/games/{self.game}{path}", token=self.banker)
        assert answer.status_code == 200, answer.text
        return answer.json


@dataclass(frozen=True)
class Moment:
    """The time of an action, which differs between the games."""

    number: int


@dataclass(frozen=True)
class Asked:
    """A request to both games. GAME stands for each game's id; values of the query may be Moments."""

    method: str
    path: str
    query: tuple[tuple[str, Any], ...] = ()
    content: Any = None
    headers: tuple[tuple[str, str], ...] = ()

    def spoken(self, language: str) -> Asked:
        """The same request in a language."""
        return replace(self, headers=(*self.headers, ("Accept_Language", language)))

    def __str__(self) -> str:
        query = "&".join(f"{name}={value}" for name, value in self.query)
        said = f"{self.method} {self.path}{'?' + query if query else ''} {dict(self.headers)}"
        return said if self.content is None else f"{said} {json.dumps(self.content)}"


@dataclass(frozen=True)
class Difference:
    """A request with different answers, and the compared answers."""

    asked: Asked
    one: str
    other: str

    def __str__(self) -> str:
        at = next((place for place, (a, b) in enumerate(zip(self.one, self.other, strict=False)) if a != b), 0)
        around = slice(max(0, at - 200), at + 200)
        return f"{self.asked}\n  one:   …{self.one[around]}…\n  other: …{self.other[around]}…"


@dataclass
class Words:
    """The names that the attacker tries, from either game, hidden ones included."""

    rulebook: str = ""
    version: int = 0
    seats: set[str] = field(default_factory=set)
    accounts: set[str] = field(default_factory=set)
    commodities: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    """The words of the sentences of the journal."""
    collections: set[str] = field(default_factory=set)
    disputes: set[str] = field(default_factory=set)
    params: dict[str, list[Any]] = field(default_factory=dict)
    """The parameters of every kind of action, performed or possible."""

    def learn(self, chair: Chair) -> None:
        """All names that the banker sees, and the names that the viewer sees instead."""
        game = chair.known("")
        self.rulebook = game["rulebook"]
        self.version = max(self.version, game["version"])
        self.seats |= {seat["seat"] for seat in game["seats"]}
        rulebook = chair.client.get(f"/api/v1/rulebooks/{self.rulebook}").json
        self.collections |= set(rulebook["agreements"])
        catalogue = chair.client.get(f"/api/v1/rulebooks/{self.rulebook}/actions").json["actions"]
        self.kinds |= {action["kind"] for action in catalogue}
        self.disputes |= {one["id"] for one in chair.known("/disputes")["disputes"]}
        for token in (chair.banker, chair.token):
            base = f"/api/v1/games/{chair.game}"
            for row in chair.ask("GET", f"{base}/accounts", token=token).json["accounts"]:
                self.accounts.add(row["account"])
                self.commodities |= set(row["holdings"])
            self._learn_journal(chair, token)
            for move in actions_of(chair.ask("GET", f"{base}/moves", token=token).json["moves"]):
                self._keep(move["kind"], move["params"])

    def _learn_journal(self, chair: Chair, token: str) -> None:
        address = f"/api/v1/games/{chair.game}/actions?limit=200"
        for answer in _pages(chair, address, token):
            for entry in answer.json["actions"]:
                self._keep(entry["kind"], entry["params"])
                self.told |= set(entry["sentence"].split())
                for event in (*entry["events"], *entry["restated"]):
                    self.rules.add(event["rule"])
                    for posting in event["postings"]:
                        self.accounts |= {posting["from"], posting["to"]}
                        self.commodities.add(posting["commodity"])

    def _keep(self, kind: str, params: Any) -> None:
        known = self.params.setdefault(kind, [])
        if kind in self.kinds and params not in known:
            known.append(params)

    @property
    def numbers(self) -> list[int]:
        """The numbers of all actions, and one that does not exist."""
        return list(range(1, self.version + 2))

    def values(self, name: str, schema: Mapping[str, Any]) -> list[Any]:
        """The values to try for a parameter of this name."""
        if "enum" in schema:
            return list(schema["enum"])
        named: dict[str, Iterable[Any]] = {
            "at": self.numbers,
            "known_at": self.numbers,
            "number": self.numbers,
            "action": (*self.numbers, f"{self.version}.1"),
            "around": self.numbers,
            "numbers": (",".join(map(str, reversed(self.numbers))), f"{self.version}.1"),
            "totals": ("true",),
            "q": sorted(self.told)[:: max(1, len(self.told) // SEARCHES)],
            "from": self.numbers,
            "to": self.numbers,
            "limit": (1, 2, 3),
            "cursor": ("nonsense",),
            "seat": (*sorted(self.seats), "all"),
            "follow": sorted(self.seats),
            "kind": (*sorted(self.kinds), "private"),
            "explain": sorted(self.kinds),
            "account": sorted(self.accounts),
            "commodity": sorted(self.commodities),
            "debtor": sorted(self.seats),
            "creditor": sorted(self.accounts),
            "rule": sorted(self.rules),
            "since": [Moment(number) for number in range(1, self.version + 1)],
            "until": [Moment(number) for number in range(1, self.version + 1)],
            "collection": (*sorted(self.collections), "nonsense"),
            "dispute": (*sorted(self.disputes), "999"),
            "token": ("nonsense",),
            "rulebook": (self.rulebook,),
            "words": ("so",),
        }
        return list(named.get(name, ("1", "nonsense")))


def differing(
    one: Chair,
    other: Chair,
    *,
    more: Iterable[Asked] = (),
    each: int | None = None,
    chance: Random | None = None,
    attempting: bool = True,
    known: str | None = None,
) -> Iterator[Difference]:
    """Find the requests that the two games answer differently to these viewers.

    `more` are additional requests (such as a repeated one with its Idempotency-Key). With `each`, at most this
    many requests are sent to every reading, and twice as many to every attempt, each in one language, chosen at
    random (without `chance` always the same ones). Without `each` everything is sent in both languages. Unless
    `attempting`, nothing that writes is tried: a banker may do most of it. When the games were played with an
    `OverhearingClient`, all that their streams told the viewers is compared first. `known` is a pattern of what is
    known to differ, and left out of every answer.
    """
    yield from _overheard(one, other)
    chance = chance or Random(0)
    words = Words()
    for chair in (one, other):
        words.learn(chair)
    comparing = _Comparing(one, other, known)
    description = one.client.get("/openapi.json").json
    readings = ((each, operation) for operation in _readings(description, words))
    tried = _attempts(description, words) if attempting else ()
    attempts = ((each and 2 * each, list(operation)) for operation in tried)
    for most, operation in (*attempts, *readings, (None, list(more))):
        wanted: Iterable[int] = range(len(operation))
        if most is not None and len(operation) > most:
            wanted = chance.sample(range(len(operation)), most)
        for asked in map(operation.__getitem__, wanted):
            for language in LANGUAGES if most is None else chance.choices(LANGUAGES):
                yield from comparing.ask(asked.spoken(language))


def _overheard(one: Chair, other: Chair) -> Iterator[Difference]:
    """The first message that the streams of the two games told otherwise to these viewers."""
    if not (isinstance(one.client, OverhearingClient) and isinstance(other.client, OverhearingClient)):
        return
    heard = [
        [anonymous(message, [(chair.game, GAME)]) for message in client.overheard(chair.game, chair.token)]
        for client, chair in ((one.client, one), (other.client, other))
    ]
    for messages in zip_longest(*heard, fillvalue="nothing"):
        if messages[0] != messages[1]:
            yield Difference(Asked("GET", STREAM), *messages)
            return


def differences(one: Chair, other: Chair, **how: Any) -> list[Difference]:
    """All requests that `differing` finds."""
    return list(differing(one, other, **how))


def assert_alike(one: Chair, other: Chair, **how: Any) -> None:
    """Raise AssertionError, with the first few requests, when `differing` finds any."""
    found = list(islice(differing(one, other, **how), 8))
    assert not found, f"{len(found)} answers (or more) differ:\n" + "\n".join(map(str, found))


# The requests -----------------------------------------------------------------------------------------


def operations_on_a_game(description: Mapping[str, Any], words: Words) -> dict[str, Asked]:
    """A request of the right shape to every operation on a game, by the operation's id."""
    found: dict[str, Asked] = {}
    for path, operation in _operations(description, "get"):
        if GAME in path:
            found[operation["operationId"]] = _reading(path, operation, words)[0]
    for path, operation in _operations(description, "delete"):
        found[operation["operationId"]] = next(_attempt("DELETE", path, operation, words, lambda _: (None,)))
    for path, operation in _operations(description, "post"):
        if GAME in path:
            contents = (*CONTENTS[operation["operationId"]], lambda _: (None,))
            sent = chain.from_iterable(_attempt("POST", path, operation, words, one) for one in contents)
            found[operation["operationId"]] = next(sent)
    return found


def _readings(description: Mapping[str, Any], words: Words) -> Iterator[Sequence[Asked]]:
    """The requests of every GET."""
    for path, operation in _operations(description, "get"):
        # A stream has no end: what it tells is overheard.
        if path not in SERVICE and path != STREAM and not path.startswith("/api/v1/rulebooks"):
            yield _reading(path, operation, words)


def _reading(path: str, operation: Mapping[str, Any], words: Words) -> Sequence[Asked]:
    """A GET with every parameter."""
    inside = {name: words.values(name, schema) for name, schema, _ in _parameters(operation, "path")}
    inside.pop("game", None)
    asked = list(_parameters(operation, "query"))
    must = {name: words.values(name, schema) for name, schema, required in asked if required}
    may = {name: words.values(name, schema) for name, schema, required in asked if not required}
    queries = Product(_named(must), _queries(may))
    others = (
        Asked("HEAD", "", _first(must)),
        Asked("GET", "", headers=(("If_None_Match", f'W/"{words.version}"'),)),
        Asked("GET", "", (("nonsense", "1"),)),
    )
    each = Joined(Made(lambda needed, query: Asked("GET", "", (*needed, *query)), queries), others)
    addresses = list(_filled(path, inside))
    return Made(lambda address, one: replace(one, path=address), Product(addresses, each))


def _queries(may: Mapping[str, Sequence[Any]]) -> Sequence[Query]:
    """No parameter, each parameter alone, and useful combinations."""
    alone = (_named({name: values}) for name, values in may.items())
    both = (
        _named({name: may[name] for name in together})
        for together in _TOGETHER
        if all(name in may for name in together)
    )
    return Joined([()], *alone, *both)


def _named(values: Mapping[str, Sequence[Any]]) -> Sequence[Query]:
    """The parameters of these names with every combination of their values."""
    return Made(lambda *chosen: tuple(zip(values, chosen, strict=True)), Product(*values.values()))


def _first(must: Mapping[str, Sequence[Any]]) -> tuple[tuple[str, Any], ...]:
    """The required parameters, each with the first of its values."""
    return tuple((name, values[0]) for name, values in must.items())


def _attempts(description: Mapping[str, Any], words: Words) -> Iterator[Iterable[Asked]]:
    """The requests to operations that change a game, or make a game from it.

    CONTENTS must have a body for every new operation.
    """
    methods = {name for item in description["paths"].values() for name in item}
    assert methods <= {"parameters", "get", "post", "delete"}, methods
    for path, operation in _operations(description, "delete"):
        yield _attempt("DELETE", path, operation, words, lambda _: (None,))
    for path, operation in _operations(description, "post"):
        for contents in CONTENTS[operation["operationId"]]:
            yield _attempt("POST", path, operation, words, lambda words, sent=contents: (*sent(words), {}))


def _attempt(
    method: str, path: str, operation: Mapping[str, Any], words: Words, contents: Callable[[Words], Iterable[Any]]
) -> Iterator[Asked]:
    """A request that changes something, as a dry run if the operation has one."""
    inside = {name: words.values(name, schema) for name, schema, _ in _parameters(operation, "path")}
    inside.pop("game", None)
    for address in _filled(path, inside):
        for content in contents(words):
            yield Asked(method, address, content=content)


def _operations(description: Mapping[str, Any], method: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, item in description["paths"].items():
        if method in item:
            shared = item.get("parameters", [])
            yield path, {**item[method], "parameters": [*shared, *item[method].get("parameters", [])]}


def _parameters(operation: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    for parameter in operation["parameters"]:
        if parameter["in"] == place:
            yield parameter["name"], parameter.get("schema", {}), parameter.get("required", False)


def _combined(values: Mapping[str, Sequence[Any]]) -> Iterator[tuple[tuple[str, Any], ...]]:
    for chosen in product(*values.values()):
        yield tuple(zip(values, chosen, strict=True))


def _filled(path: str, inside: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    for chosen in _combined(inside):
        address = path
        for name, value in chosen:
            address = address.replace(f"{{{name}}}", quote(str(value), safe=":"))
        yield address


# Lazy sequences -------------------------------------------------------------------------------------------


class Product(Sequence[tuple[Any, ...]]):
    """The combinations of these factors, as `itertools.product` gives them, but computed when they are needed."""

    def __init__(self, *factors: Sequence[Any]) -> None:
        self._factors = factors

    def __len__(self) -> int:
        return prod(map(len, self._factors))

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < len(self):
            raise IndexError(place)
        found = []
        for factor in reversed(self._factors):
            place, at = divmod(place, len(factor))
            found.append(factor[at])
        return tuple(reversed(found))


class Joined(Sequence[T]):
    """The concatenation of these sequences."""

    def __init__(self, *parts: Sequence[T]) -> None:
        self._parts = parts
        self._ends = list(accumulate(map(len, parts)))

    def __len__(self) -> int:
        return self._ends[-1]

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < len(self):
            raise IndexError(place)
        part = bisect_right(self._ends, place)
        return self._parts[part][place - (self._ends[part - 1] if part else 0)]


class Made(Sequence[T]):
    """The results of a function for these tuples."""

    def __init__(self, make: Callable[..., T], of: Sequence[tuple[Any, ...]]) -> None:
        self._make = make
        self._of = of

    def __len__(self) -> int:
        return len(self._of)

    def __getitem__(self, place: Any) -> Any:
        return self._make(*self._of[place])


# The comparison ---------------------------------------------------------------------------------------


class _Comparing:
    """Sends requests to both games, and compares the answers."""

    def __init__(self, one: Chair, other: Chair, known: str | None) -> None:
        self._chairs = one, other
        self._known = known
        self._times = tuple(_times(chair) for chair in self._chairs)
        self._own = [
            (name, meant)
            for chair in self._chairs
            for name, meant in (
                (chair.token, TOKEN),
                (chair.game, GAME),
                (chair.ask("GET", "/api/v1/me").json["token"], "<name of the token>"),
            )
        ]

    def ask(self, asked: Asked) -> Iterator[Difference]:
        """Ask both; follow the pages of a list, and send for real what was refused as a dry run."""
        answers = [
            chair.ask(asked.method, self._address(asked, place), _sent(asked, chair), **dict(asked.headers))
            for place, chair in enumerate(self._chairs)
        ]
        different = self._compared(asked, answers)
        if different is not None:
            yield different
        elif asked.method == "GET" and any(name in {"limit", "order"} for name, _ in asked.query):
            yield from self._follow(asked, answers)
        elif isinstance(asked.content, dict) and asked.content.get("dry_run") and _refused(answers[0]):
            real = {name: value for name, value in asked.content.items() if name != "dry_run"}
            headers = (*asked.headers, ("Idempotency_Key", "?"))
            yield from self.ask(Asked(asked.method, asked.path, asked.query, real, headers))

    def _follow(self, asked: Asked, answers: Sequence[TestResponse]) -> Iterator[Difference]:
        """Compare the pages of a list, and the way back from each page."""
        for _ in range(PAGES):
            pages: dict[str, list[TestResponse]] = {}
            for relation in ("prev", "next"):
                linked = [link for answer in answers if (link := _link(answer, relation)) is not None]
                if len(linked) < len(self._chairs):
                    continue
                pages[relation] = [
                    chair.ask("GET", address, **dict(asked.headers))
                    for chair, address in zip(self._chairs, linked, strict=True)
                ]
                different = self._compared(asked, pages[relation])
                if different is not None:
                    yield different
                    return
            if "next" not in pages:
                return
            answers = pages["next"]

    def _compared(self, asked: Asked, answers: Sequence[TestResponse]) -> Difference | None:
        # The length of the answer is compared only for HEAD: elsewhere the body shows it.
        ignored = _IGNORED if asked.method == "HEAD" else _IGNORED | {"content-length"}
        one, other = (comparable(answer, self._own, ignored) for answer in answers)
        if self._known is not None and one != other:
            one, other = (re.sub(self._known, "", text) for text in (one, other))
        failed = any(answer.status_code >= 500 for answer in answers)
        return Difference(asked, one, other) if failed or one != other else None

    def _address(self, asked: Asked, place: int) -> str:
        query = [
            (name, self._times[place].get(value.number, "") if isinstance(value, Moment) else value)
            for name, value in asked.query
        ]
        path = asked.path.replace(GAME, self._chairs[place].game)
        return path + (f"?{urlencode(query)}" if query else "")


def _sent(asked: Asked, chair: Chair) -> Any:
    """The value with the viewer's own game and token in place of their placeholders."""
    if asked.content is None:
        return None
    return json.loads(json.dumps(asked.content).replace(GAME, chair.game).replace(TOKEN, chair.token))


def _times(chair: Chair) -> dict[int, str]:
    found: dict[int, str] = {}
    for answer in _pages(chair, f"/api/v1/games/{chair.game}/actions?limit=200", chair.banker):
        found |= {entry["number"]: entry["recorded_at"] for entry in answer.json["actions"]}
    return found


def _pages(chair: Chair, address: str, token: str) -> Iterator[TestResponse]:
    following: str | None = address
    while following is not None:
        answer = chair.ask("GET", following, token=token)
        assert answer.status_code == 200, answer.text
        yield answer
        following = _link(answer, "next")


def _link(answer: TestResponse, relation: str) -> str | None:
    """The address of a relation in a Link header."""
    found = re.search(rf'<([^>]*)>; rel="{relation}"', answer.headers.get("Link", ""))
    return None if found is None else found[1]


def _refused(answer: TestResponse) -> bool:
    """Whether a dry run was refused for another reason than a draw that the service would make."""
    if answer.status_code < 400:
        return False
    return answer.json["type"] not in {"/problems/draw-needed", "/problems/chance-ahead"}
