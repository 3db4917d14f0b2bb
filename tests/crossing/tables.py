"""A table of an evening: one game, its viewers with their tokens and streams, and every request that they send."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import httpx

from tests.crossing.devices import Device
from tests.crossing.findings import EveningBroken, Finding
from tests.crossing.followers import Follower
from tests.crossing.house import API, House
from tests.crossing.sentences import Glossary, wrong_in
from tests.harness.offered import actions_of
from tests.tables.keys import key_of

BANKER, SPECTATOR = "banker", "spectator"
_FAILURES_AWAY = (httpx.TransportError,)
_JSON = frozenset({"application/json", "application/problem+json"})
_MOST_MISSED = 100
"""With so many entries, a viewer reads the journal by pages and follows from there."""
_AGAIN_SECONDS = 0.1
_TRIES = 300


class Answer:
    """An answer of the service: its status, its headers and its JSON."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.text = response.text
        self.content = response.content
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        self.json: Any = response.json() if kind in _JSON else None

    @property
    def good(self) -> bool:
        """Whether the request did what it asked for."""
        return self.status < 400

    @property
    def problem(self) -> str:
        """The kind of problem, "" for none."""
        return "" if self.good or not isinstance(self.json, dict) else self.json["type"].rsplit("/", 1)[-1]


class Table:
    """A game in a house. Every answer is looked at: no failure of the service, no hole and no id in a sentence."""

    def __init__(self, house: House, game: str, tokens: Mapping[str, str], languages: Mapping[str, str]) -> None:
        self.house = house
        self.game = game
        self.tokens = dict(tokens)
        self.languages = languages
        self.seats = [viewer for viewer in tokens if viewer not in {BANKER, SPECTATOR}]
        self.findings: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.receipts: dict[tuple[str, int], str] = {}
        self.key = ""
        self.followers: dict[str, Follower] = {}
        self.devices: dict[str, Device] = {}
        self._client = house.client()
        self._glossary: Glossary | None = None
        self._joined = 0

    @cached_property
    def whole(self) -> bool:
        """Whether the banker sees everything: one who also plays does not."""
        return "read_everything" in self.me(BANKER)["may"]

    @property
    def viewers(self) -> list[str]:
        """Everybody who looks at the game: the banker, the seats, a spectator."""
        return [*self.tokens]

    def follow(self) -> None:
        """Let every viewer follow the game from its first entry, or from here on where it is long already."""
        head = self.head
        since = head if head > _MOST_MISSED else 0
        for viewer, token in self.tokens.items():
            follower = Follower(self.house.url, self.game, viewer, token, self.languages[viewer], since)
            self.followers[viewer] = follower
            follower.start()

    def throw_together(self, seats: Iterable[str]) -> None:
        """Let the devices of these seats take part in the throws from here on."""
        for seat in seats:
            device = Device(self.house.url, self.game, seat, self.tokens[seat], self.house.folder)
            self.devices[seat] = device
            device.start()
        for device in self.devices.values():
            device.begun.wait(_TRIES * _AGAIN_SECONDS)

    def replace(self, viewer: str, token: str) -> None:
        """Go on with another token of a viewer, on every device."""
        self.tokens[viewer] = token
        for held in (self.followers.get(viewer), self.devices.get(viewer)):
            if held is not None:
                held.take(token)

    def leave(self) -> None:
        """End the followers, the devices and the connections."""
        for device in self.devices.values():
            device.leave()
            for complaint in device.complaints:
                self.found("d", "a device's value", complaint)
        for follower in self.followers.values():
            follower.leave()
        for follower in self.followers.values():
            follower.join()
        self._client.close()

    # Requests -------------------------------------------------------------------------------------

    def get(self, viewer: str, path: str, **query: Any) -> Any:
        """Read something that is there to be read. Returns its JSON."""
        answer = self.ask(viewer, "GET", path, query=query)
        if not answer.good:
            self.broken("h", "a reading is refused", f"GET {path} {query} as {viewer}: {answer.text[:400]}")
        return answer.json

    def post(self, viewer: str, path: str, body: Any, **headers: str) -> Answer:
        """Send something to write, or a dry run of it."""
        return self.ask(viewer, "POST", path, body=body, headers=headers)

    def ask(
        self,
        viewer: str,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        language: str | None = None,
    ) -> Answer:
        """Send a request about this game, and look at the answer."""
        return self._send(
            method,
            f"{API}/games/{self.game}{'/' if path else ''}{path}",
            {
                "Authorization": f"Bearer {self.tokens[viewer]}",
                "Accept-Language": language or self.languages[viewer],
                **{name.replace("_", "-"): value for name, value in (headers or {}).items()},
            },
            {name: value for name, value in (query or {}).items() if value is not None},
            body,
        )

    def _send(self, method: str, path: str, headers: dict[str, str], query: dict[str, Any], body: Any) -> Answer:
        answer = self._wait_for(method, path, headers, query, body)
        self.counts["requests"] += 1
        place = f"{method} {path.removeprefix(f'{API}/games/{self.game}')} {query or ''} {body or ''}"
        if answer.status >= 500:
            self.broken("h", "the service fails", f"{place}: {answer.status} {answer.text[:600]}")
        if self._glossary is not None and answer.json is not None:
            for wrong in wrong_in(answer.json, headers["Accept-Language"], self._glossary):
                self.found("h", f"a sentence: {wrong.kind}", f"{place}: {wrong.text}")
        return answer

    def _wait_for(
        self, method: str, path: str, headers: dict[str, str], query: dict[str, Any], body: Any
    ) -> Answer:
        """Send a request until there is an answer: the service may be starting again."""
        for _ in range(_TRIES):
            try:
                return Answer(
                    self._client.request(
                        method, path, headers=headers, params=query, json=body if body is not None else None
                    )
                )
            except _FAILURES_AWAY:
                if method == "POST" and "Idempotency-Key" not in headers:
                    self.broken("h", "the service goes away", f"{method} {path} has no answer")
                time.sleep(_AGAIN_SECONDS)
        self.broken("h", "the service stays away", f"{method} {path} has no answer")
        raise AssertionError

    # What is known of the game ----------------------------------------------------------------------

    def learn(self, *, strangers: bool = False) -> None:
        """Read the glossary of the game: which ids must stand in no sentence, and which names may.

        Where `strangers` have written something, in whatever language, sentences are not looked at for words of
        another language.
        """
        names = {language: self.ask(BANKER, "GET", "names", language=language).json for language in ("en", "fr")}
        self._glossary = Glossary(names["en"], names["fr"], self.seats, strangers=strangers)

    @property
    def head(self) -> int:
        """The number of the newest action."""
        return int(self.get(BANKER, "")["version"])

    def me(self, viewer: str) -> Any:
        """What a viewer's token opens."""
        headers = {"Authorization": f"Bearer {self.tokens[viewer]}", "Accept-Language": self.languages[viewer]}
        return self._send("GET", f"{API}/me", headers, {}, None).json

    def join(self, code: str) -> Answer:
        """Change the code of an invitation for a token, in a request of its own."""
        self._joined += 1
        return self._send(
            "POST",
            f"{API}/join",
            {"Accept-Language": "en", "Idempotency-Key": key_of(f"{code} {self._joined}")},
            {},
            {"code": code},
        )

    def moves(self, viewer: str, seat: str | None = None) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """What a viewer may do, or the banker for a seat: each move with one action that it offers."""
        offered = self.get(viewer, "moves", seat=seat)["moves"]
        return [(move, action) for move in offered for action in actions_of([move])]

    # Findings ---------------------------------------------------------------------------------------

    def found(self, invariant: str, kind: str, text: str) -> None:
        """Keep a finding, once of each kind. The evening goes on."""
        if all((known.invariant, known.kind) != (invariant, kind) for known in self.findings):
            self.findings.append(Finding(invariant, kind, text))

    def has_found(self, kind: str | None) -> bool:
        """Whether there is a finding of this kind."""
        return any(known.kind == kind for known in self.findings)

    def broken(self, invariant: str, kind: str, text: str) -> None:
        """End the evening with a finding."""
        raise EveningBroken(Finding(invariant, kind, text))

    def holds(self, invariant: str, kind: str, *, true: bool, text: str) -> None:
        """Count a check, and keep a finding where it does not hold."""
        self.counts[f"checks {invariant}"] += 1
        if not true:
            self.found(invariant, kind, text)
