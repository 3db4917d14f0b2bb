"""Opening games: each is loaded once, however many ask for it, and few are loaded at a time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from api.rest.application import Config, create_app
from ledger.games.game import Game
from ledger.games.games import Games, UnknownGame, UnknownRulebook
from ledger.games.loading import AT_ONCE, Loading
from ledger.games.queues import GameBusy
from ledger.kernel.facts.state import Seat
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.database.errors import StoreUnavailable
from ledger.store.records import GameRecord
from ledger.store.store import Store
from tests.tables.ledgers import started
from tests.tables.over_http import BASE, problem

SEATS = (Seat("ana", "Ana"), Seat("bob", "Bob"))


class SlowGames(Games):
    """Games with nothing in memory, whose loading waits until the test lets it go on."""

    def __init__(self, store: Store, loading: Loading[Game] | None = None) -> None:
        super().__init__(store, {RULEBOOK.id: RULEBOOK}, lambda _: None, loading)
        self.begun: Counter[str] = Counter()
        self.most = self._now = 0
        self.go_on = threading.Event()
        self.changed = threading.Condition()

    def load(self, record: GameRecord) -> Game:
        """Load a game as usual, after `go_on`."""
        with self.changed:
            self.begun[record.game_id] += 1
            self._now += 1
            self.most = max(self.most, self._now)
            self.changed.notify_all()
        try:
            assert self.go_on.wait(300)
            return super().load(record)
        finally:
            with self.changed:
                self._now -= 1

    def wait_until_loading(self, count: int) -> None:
        """Wait until this many games are being loaded."""
        with self.changed:
            assert self.changed.wait_for(lambda: self._now == count, 300)


@pytest.fixture
def slow(store: Store) -> Iterator[Callable[..., SlowGames]]:
    """A function that gives games which load slowly."""
    made: list[SlowGames] = []

    def create(loading: Loading[Game] | None = None) -> SlowGames:
        made.append(SlowGames(store, loading))
        return made[-1]

    yield create
    for games in made:
        games.go_on.set()


def test_fifty_callers_of_one_game_load_it_once(ledger: Ledger, slow: Callable[..., SlowGames]) -> None:
    game = started(ledger, "ana", "bob")
    games, callers = slow(), threading.Barrier(51)

    def call() -> Game:
        callers.wait(300)
        return games.open(game)

    with ThreadPoolExecutor(50) as threads:
        asked = [threads.submit(call) for _ in range(50)]
        callers.wait(300)
        games.wait_until_loading(1)
        games.go_on.set()
        opened = {id(one.result(300)) for one in asked}
    assert games.begun == {game: 1}
    assert len(opened) == 1


def test_few_games_are_loaded_at_a_time(ledger: Ledger, slow: Callable[..., SlowGames]) -> None:
    names = [started(ledger, "ana", "bob") for _ in range(2 * AT_ONCE)]
    games = slow()
    with ThreadPoolExecutor(len(names)) as threads:
        asked = [threads.submit(games.open, name) for name in names]
        games.wait_until_loading(AT_ONCE)
        games.go_on.set()
        assert [one.result(300).id for one in asked] == names
    assert games.most == AT_ONCE


def test_who_waits_too_long_is_told_to_come_back(ledger: Ledger, slow: Callable[..., SlowGames]) -> None:
    game, other = started(ledger, "ana", "bob"), started(ledger, "ana", "bob")
    games = slow(Loading(at_once=1, patience=0.05))
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(games.open, game)
        games.wait_until_loading(1)
        with pytest.raises(GameBusy, match="the game has been loading"):
            games.open(game)
        with pytest.raises(GameBusy, match="other games have been loading"):
            games.open(other)
        games.go_on.set()
        assert first.result(300).id == game
    assert games.open(game).id == game
    assert games.open(other).id == other


def test_a_failure_is_over_when_the_database_is_back(
    ledger: Ledger, slow: Callable[..., SlowGames], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = started(ledger, "ana", "bob")
    games = slow()
    games.go_on.set()

    def fail(*_: object) -> None:
        raise StoreUnavailable("the database did not answer")

    monkeypatch.setattr(games.store.journal, "runs", fail)
    monkeypatch.setattr(games.store.snapshots, "latest", fail)
    with pytest.raises(StoreUnavailable):
        games.open(game)
    monkeypatch.undo()
    assert games.open(game).state.version == 6


def test_a_game_that_is_missing_or_of_an_unknown_rulebook_is_not_loaded(
    ledger: Ledger, slow: Callable[..., SlowGames]
) -> None:
    known = ledger.store.games.get(started(ledger, "ana", "bob"))
    assert known is not None
    ledger.store.games.create(GameRecord("chess1", "chess", "Chess", known.created_at, b"not even JSON"), [])
    games = slow()
    games.go_on.set()
    with pytest.raises(UnknownRulebook, match="chess"):
        games.open("chess1")
    with pytest.raises(UnknownGame):
        games.open("nothing")
    assert games.in_memory == 0


def test_a_game_of_a_rulebook_that_the_service_lost_is_not_found(ledger: Ledger) -> None:
    """Another version of the service had the rulebook."""
    created = ledger.create(RULEBOOK.id, title=None, players=SEATS, settings={}, dice="table")
    app: Flask = create_app(Ledger(ledger.store, {}), Config())
    with app.test_client() as client:
        headers = {"Authorization": f"Bearer {created.tokens.banker}"}
        said = problem(client.get(f"{BASE}/games/{created.game}", headers=headers), 404, "unknown-game")
        assert said["detail"] == "this service does not have the game's rulebook"
        assert client.get(f"{BASE}/games").json["games"] == []
