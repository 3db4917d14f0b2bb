"""A recorded game after its last action, and ways to read it."""

from __future__ import annotations

from typing import Any

from replays.recorded import Played
from tests.command.service import Service


class Evening:
    """The game after its last action: its server, its tokens, and the banker's readings."""

    def __init__(self, service: Service, played: Played) -> None:
        self.service = service
        self.played = played

    def get(self, path: str = "", *, token: str | None = None, **query: Any) -> dict[str, Any]:
        """An answer of the service about the game, by default to the banker's token."""
        with self.service.client(token or self.played.tokens["banker"]) as client:
            answer = client.get(f"/api/v1/games/{self.played.game}{path}", params=query).raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def journal(self) -> list[dict[str, Any]]:
        """The whole journal, page by page."""
        entries: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            page = self.get("/actions", limit=100, **cursor)
            entries += page["actions"]
            if page["next"] is None:
                return entries
            cursor = {"cursor": page["next"]}
