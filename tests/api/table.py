"""A table of Negopoly over HTTP: who sits there, each with a token, and short ways to act and to look."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

BASE = "/api/v1"
NO_DECKS: dict[str, list[Any]] = {"chance": [], "kamtar": [], "meteo": []}
"""The setting of a table that plays without cards."""
ANA_AND_BOB = {
    "rulebook": "negopoly",
    "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}],
    "dice": "table",
    "settings": {"decks": NO_DECKS},
}


class Caller:
    """Somebody with a token. Paths are taken below the game; a full one starts with /api."""

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
        """Ask for an action; what the body holds besides the kind is given by name."""
        return self.post("actions", {"kind": kind, **body}, **(headers or {}))

    def play(self, kind: str, /, *, seat: str | None = None, **params: Any) -> dict[str, Any]:
        """Perform an action with these parameters, which must be accepted; gives its entry."""
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
    """One game and everybody at it."""

    def __init__(self, client: FlaskClient, game: str, tokens: dict[str, Any]) -> None:
        self.client = client
        self.game = game
        self.tokens = tokens
        self.banker = Caller(client, game, tokens["banker"])
        self.ana = Caller(client, game, tokens["players"]["ana"])
        self.bob = Caller(client, game, tokens["players"]["bob"])
        self.spectator = Caller(client, game, tokens["spectator"])
        self.stranger = Caller(client, game, None)

    @classmethod
    def created(cls, client: FlaskClient, **changes: Any) -> HttpTable:
        answer = client.post(f"{BASE}/games", json=ANA_AND_BOB | changes)
        assert answer.status_code == 201, answer.text
        return cls(client, answer.json["game"], answer.json["tokens"])

    def start(self) -> HttpTable:
        """Both join, take the 150 ₦, and the banker starts: five actions after the first one."""
        for seat in (self.ana, self.bob):
            seat.play("join_game", persona="Don" if seat is self.ana else "Donna")
            seat.play("choose_starter_perk", perk="money")
        self.banker.play("start_game")
        return self

    @property
    def version(self) -> int:
        """How many actions the journal holds."""
        version: int = self.banker.get().json["version"]
        return version


def problem(answer: TestResponse, status: int, kind: str) -> dict[str, Any]:
    """The answer is this problem; gives its members."""
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    content: dict[str, Any] = answer.json
    assert content["type"] == f"/problems/{kind}", content
    assert content["status"] == status
    assert content["title"]
    assert content["detail"]
    return content
