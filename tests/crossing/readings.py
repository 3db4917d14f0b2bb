"""Readings of a game as values that can be compared with those of another service or database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import httpx

from tests.crossing.holding import differing
from tests.crossing.house import API

PATHS = (
    "state",
    "accounts",
    "names",
    "board",
    "moves",
    "actions?limit=100&order=newest",
    "audit?limit=100&order=newest",
    "agreements",
    "obligations",
    "disputes",
    "rulings",
    "replay?limit=20",
    "replay/index",
    "statistics",
    "",
)
_OF_THE_PLACE = frozenset({"created_at", "origin", "due", "key", "next", "previous"})
"""What differs between two places of the same game: cursors, times of import, what time has made due."""


class Readings:
    """The readings of a game at an address, by viewer."""

    def __init__(self, client: httpx.Client, game: str, tokens: dict[str, str], languages: dict[str, str]) -> None:
        self._client = client
        self._game = game
        self._tokens = tokens
        self._languages = languages

    def take(self, viewers: Iterable[str], paths: Iterable[str] = PATHS) -> dict[tuple[str, str], Any]:
        """Read every path as every viewer."""
        return {(viewer, path): self.read(viewer, path) for viewer in viewers for path in paths}

    def read(self, viewer: str, path: str) -> Any:
        """Read a path as a viewer: the JSON without what belongs to the place, or the text of a file."""
        headers = {"Authorization": f"Bearer {self._tokens[viewer]}", "Accept-Language": self._languages[viewer]}
        answer = self._client.get(f"{API}/games/{self._game}{'/' if path else ''}{path}", headers=headers)
        if "json" in answer.headers.get("Content-Type", "") and "jsonl" not in path:
            return [answer.status_code, _placeless(answer.json())]
        return [answer.status_code, answer.text]


def _placeless(content: Any) -> Any:
    if isinstance(content, dict):
        return {name: _placeless(value) for name, value in content.items() if name not in _OF_THE_PLACE}
    if isinstance(content, list):
        return [_placeless(item) for item in content]
    return content


def unlike(one: dict[tuple[str, str], Any], other: dict[tuple[str, str], Any]) -> Iterator[tuple[str, str]]:
    """The readings that differ: the path, and the first places with both values."""
    for (viewer, path), value in one.items():
        if value != other[viewer, path]:
            status, content = value
            places = (
                differing(content, other[viewer, path][1])
                if status == other[viewer, path][0]
                else [f"{value} / {other[viewer, path]}"[:400]]
            )
            if isinstance(content, str) or not places:
                places = ["the texts differ, or the order of members"]
            yield path, f"{viewer}: {places[:3]}"
