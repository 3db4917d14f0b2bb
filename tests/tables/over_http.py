"""A table of Negopoly over HTTP: its seats with their tokens, and short ways to act and to read."""

from __future__ import annotations

import re
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.tables.negopoly import asked_for, starting

BASE = "/api/v1"
ANA_AND_BOB = asked_for("ana", "bob")


class Caller:
    """A client with a token. Paths are below the game's, unless they start with /api."""

    def __init__(self, client: FlaskClient, game: str, token: str | None) -> None:
        self._client = client
        self._game = game
        self.token = token

    def get(self, path: str = "", **headers: str) -> TestResponse:
        return self._client.get(self._url(path), headers=self._headers(headers))

    def post(self, path: str, content: Any = None, **headers: str) -> TestResponse:
        if content is None:
            return self._client.post(self._url(path), headers=self._headers(headers))
        return self._client.post(self._url(path), json=content, headers=self._headers(headers))

    def delete(self, path: str, **headers: str) -> TestResponse:
        return self._client.delete(self._url(path), headers=self._headers(headers))

    def act(self, kind: str, /, *, headers: dict[str, str] | None = None, **body: Any) -> TestResponse:
        """Request an action. The members of the body besides the kind are named arguments."""
        return self.post("actions", {"kind": kind, **body}, **(headers or {}))

    def play(self, kind: str, /, *, seat: str | None = None, **params: Any) -> dict[str, Any]:
        """Perform an action, which must be accepted, and return its entry."""
        answer = self.act(kind, params=params, **({"seat": seat} if seat else {}))
        assert answer.status_code == 201, answer.text
        entry: dict[str, Any] = answer.json
        return entry

    def _url(self, path: str) -> str:
        if path.startswith("/"):
            return path
        return f"{BASE}/games/{self._game}" + (f"/{path}" if path else "")

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        return sent


class HttpTable:
    """One game with all its tokens."""

    def __init__(self, client: FlaskClient, game: str, tokens: dict[str, Any]) -> None:
        self.client = client
        self.game = game
        self.tokens = tokens
        self.banker = Caller(client, game, tokens["banker"])
        self.players = {seat: Caller(client, game, token) for seat, token in tokens["players"].items()}
        self.spectator = Caller(client, game, tokens["spectator"])
        self.stranger = Caller(client, game, None)

    @classmethod
    def created(cls, client: FlaskClient, *seats: str, **changes: Any) -> HttpTable:
        """Create a game of these seats (by default Ana and Bob), which nobody has joined yet."""
        answer = client.post(f"{BASE}/games", json=asked_for(*(seats or ("ana", "bob")), **changes))
        assert answer.status_code == 201, answer.text
        return cls(client, answer.json["game"], answer.json["tokens"])

    def start(self, **perks: str) -> HttpTable:
        """All join, take the 150 ₦ or another perk, and the banker starts: at a table of two five actions."""
        for seat, kind, params in starting(*self.players, perks=perks):
            caller = self.banker if seat is None else self.players[seat]
            caller.play(kind, **params)
        return self

    @property
    def ana(self) -> Caller:
        """Ana. Every table has her."""
        return self.players["ana"]

    @property
    def bob(self) -> Caller:
        """Bob. Every table has him."""
        return self.players["bob"]

    @property
    def cid(self) -> Caller:
        """Cid. Tables of three or more have him."""
        return self.players["cid"]

    @property
    def version(self) -> int:
        """The number of actions in the journal."""
        version: int = self.banker.get().json["version"]
        return version


def problem(answer: TestResponse, status: int, kind: str) -> dict[str, Any]:
    """Check that the answer is this problem, and return its members."""
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    content: dict[str, Any] = answer.json
    assert content["type"] == f"/problems/{kind}", content
    assert content["status"] == status
    assert content["title"]
    assert content["detail"]
    return content


def version_of(answer: TestResponse) -> int:
    """The version of the game in an answer's entity tag, which also names the last entry and the program."""
    found = re.fullmatch(r'W/"(\d+)-[0-9a-f]{12}-[0-9a-f]{8}((?:-[a-z0-9]+)*)"', answer.headers["ETag"])
    assert found is not None, answer.headers["ETag"]
    return int(found[1])
