"""After the game: the table of the README (ledger/rulebooks), game by game, in every reading.

The recorded games are stored with the setting on and off. On: a spectator reads whatever the banker reads. Off: no
reading tells a spectator what the journal tells the banker alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from api.rest.application import Config, create_app
from ledger import rulebooks
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.service import Ledger
from ledger.store.store import Store
from replays import recordings
from replays.keeping import keep
from replays.recorded import play_in_memory
from replays.simulation import Played
from tests.harness.playing import NOON
from tests.tables.ledgers import Clock, chance_of_a_test

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
BOOKS = rulebooks.rulebooks_by_id()
ROOT = Path(__file__).parents[2]
FILES = {"monopoly_naruto": "naruto", "monopoly": "own_board"}
"""The recorded games with another name than their rulebook."""
PATHS = (
    "/state",
    "/accounts",
    "/actions?limit=200",
    "/audit?limit=200",
    "/agreements",
    "/obligations",
    "/statistics",
    "/replay",
    "/export?format=jsonl",
    "/export?format=html",
    "/export?format=csv",
    "/export?format=beancount",
    "/names",
    "/board",
)
"""The readings: state, journal, what is owed, statistics, replay, exports, report."""


class Row(NamedTuple):
    """A row of the table."""

    games: list[str]
    on: bool
    closed: bool
    rules: list[str]


def table() -> list[Row]:
    """The table of the README."""
    text = (ROOT / "ledger/rulebooks/README.md").read_text(encoding="utf-8")
    section = text.split("## After the game")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return [
        Row(_quoted(games), on == "on", not closed.startswith("nothing"), _quoted(*rules))
        for games, on, _, closed, *rules in rows
    ]


def _quoted(*cells: str) -> list[str]:
    return [part for cell in cells for part in cell.split("`")[1::2]]


GAMES = [(game, row) for row in table() for game in row.games]
WALKED = GAMES if SOAK else [one for one in GAMES if one[1].closed]


def test_the_table_has_every_game_with_its_default_and_rules() -> None:
    assert sorted(game for game, _ in GAMES) == sorted(BOOKS)
    for game, row in GAMES:
        opened: Any = BOOKS[game].settings()
        assert opened.reveal_at_end is row.on, game
        assert [rule for rule in row.rules if rule not in BOOKS[game].register] == []
        assert bool(row.rules) is row.closed


class Reader:
    """A stored game, read by the banker and by a spectator."""

    def __init__(self, client: FlaskClient, ledger: Ledger, game: GameInMemory[Any], name: str) -> None:
        game.name = name
        game.past.entries[:] = [replace(entry, game=name) for entry in game.journal]
        self.client = client
        self.version = game.state.version
        self.base = f"/api/v1/games/{name}"
        self.banker = keep(ledger, Played(seed=1, game=game, ended=True))
        tokens = self._get("/tokens", self.banker).json["tokens"]
        (spectator,) = (one["id"] for one in tokens if one["role"] == "spectator")
        made = client.post(f"{self.base}/tokens/{spectator}/replacement", headers=_by(self.banker))
        self.spectator: str = made.json["token"]  # type: ignore[index]
        self._described = client.get("/openapi.json").json["paths"]

    def asked(self) -> Iterator[tuple[str, dict[str, int]]]:
        """Every reading, now and of earlier moments, as far as it takes them."""
        half = self.version // 2
        moments: list[dict[str, int]] = [{}, {"at": half}, {"known_at": half}, {"at": half, "known_at": half}]
        for path in PATHS:
            operation = self._described["/api/v1/games/{game}" + path.partition("?")[0]]["get"]
            named = {one["name"] for one in operation["parameters"]}
            for query in moments[:: 1 if SOAK else 3]:
                yield path, {name: value for name, value in query.items() if name in named}

    def sentences(self, token: str) -> set[str]:
        """The sentences of the first and of the last entries of the journal."""
        pages = (self._get(f"/actions?limit=200&order={order}", token).json for order in ("oldest", "newest"))
        return {entry["sentence"] for page in pages for entry in page["actions"] if entry["sentence"]}

    def _get(self, path: str, token: str) -> Any:
        return self.client.get(f"{self.base}{path}", headers=_by(token))

    def text(self, path: str, token: str, **query: int) -> str:
        """What a reading tells."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        answer = self._get(f"{path}{'&' if '?' in path else '?'}{asked}" if asked else path, token)
        assert answer.status_code == 200, answer.text
        return bytes(answer.data).decode(errors="replace")


def _by(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def recorded(game: str, *, reveals: bool) -> GameInMemory[Any]:
    """The recorded game of a rulebook, with this setting."""
    path = ROOT / "replays" / "games" / f"{FILES.get(game, game)}.jsonl"
    recording = recordings.read(path.read_text(encoding="utf-8").splitlines())
    settings = {**(recording.setup.settings or {}), "reveal_at_end": reveals}
    return play_in_memory(
        replace(recording, setup=replace(recording.setup, settings=settings)),
        BOOKS[game],
        name="recorded",
        at=NOON,
        pace=timedelta(seconds=5),
        chance=Random(1),
    )


@pytest.fixture(scope="module")
def ledger(store: Store) -> Ledger:
    return Ledger(store, BOOKS, clock=Clock(), chance=chance_of_a_test())


@pytest.fixture(scope="module")
def client(ledger: Ledger) -> FlaskClient:
    return create_app(ledger, Config(requests_per_minute=None)).test_client()


@pytest.mark.parametrize("game", [game for game, _ in WALKED])
def test_the_setting_opens_everything_in_every_reading(client: FlaskClient, ledger: Ledger, game: str) -> None:
    reader = Reader(client, ledger, recorded(game, reveals=True), f"{game.replace('_', '')[:11]}open")
    for path, query in reader.asked():
        assert reader.text(path, reader.spectator, **query) == reader.text(path, reader.banker, **query), path


@pytest.mark.parametrize(("game", "row"), WALKED, ids=[game for game, _ in WALKED])
def test_without_it_no_reading_tells_what_is_closed(
    client: FlaskClient, ledger: Ledger, game: str, row: Row
) -> None:
    """Every sentence that the banker alone reads in the journal is in no reading of a spectator."""
    reader = Reader(client, ledger, recorded(game, reveals=False), f"{game.replace('_', '')[:11]}shut")
    closed = reader.sentences(reader.banker) - reader.sentences(reader.spectator)
    assert (len(closed) > 10) is row.closed
    for path, query in reader.asked():
        told = reader.text(path, reader.spectator, **query)
        assert [sentence for sentence in closed if sentence in told] == [], path
    told = reader.text("/audit?limit=200", reader.banker)
    assert any(sentence in told for sentence in closed) is row.closed
