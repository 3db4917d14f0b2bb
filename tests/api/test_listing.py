"""The list of games: as right as the summary of each game, without opening games that have not moved on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from api.rest.application import Config, create_app
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.database import schema
from ledger.store.database.connection import connect, reading
from ledger.store.database.limits import Limits
from ledger.store.store import Store
from tests.tables.ledgers import Clock
from tests.tables.negoces2 import SEATS
from tests.tables.over_http import BASE, HttpTable

Service = tuple[FlaskClient, Ledger]


@pytest.fixture
def database_url(new_database: Callable[..., str]) -> str:
    """A database without other games."""
    return new_database()


@pytest.fixture
def new_service(database_url: str, clock: Clock) -> Iterator[Callable[[], Service]]:
    """A function that starts another worker: its client, and its ledger with nothing in memory."""
    engine = connect(database_url, limits=Limits(lock=0.1))

    def start() -> Service:
        ledger = Ledger(Store(engine), rulebooks_by_id(), clock=clock)
        return create_app(ledger, Config(requests_per_minute=None)).test_client(), ledger

    yield start
    engine.dispose()


@pytest.fixture
def client(new_service: Callable[[], Service]) -> FlaskClient:
    """The first worker, which plays."""
    return new_service()[0]


def in_set_up(client: FlaskClient) -> HttpTable:
    return HttpTable.created(client)


def in_a_turn(client: FlaskClient) -> HttpTable:
    """Ana has rolled; her clock runs for five minutes."""
    table = HttpTable.created(client).start()
    table.ana.play("roll_dice", dice=[1, 2])
    return table


def in_a_meeting(client: FlaskClient) -> HttpTable:
    """Ana's clock runs for five minutes, and a meeting of the others ends after two."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    meeting = table.bob.play("start_meeting", participants=["cid"], minutes=2)["number"]
    table.cid.play("join_meeting", meeting=str(meeting))
    return table


def paused(client: FlaskClient) -> HttpTable:
    """The banker has stopped the clock."""
    table = HttpTable.created(client).start()
    table.banker.post("rulings", {"finding": "The pizza is here", "remedies": [{"op": "pause_turn"}]})
    return table


def ended(client: FlaskClient) -> HttpTable:
    table = HttpTable.created(client).start()
    table.banker.post(
        "rulings", {"finding": "A fine", "remedies": [{"op": "fine", "seat": "ana", "amount": 2000}]}
    )
    table.ana.play("declare_bankruptcy")
    return table


def of_merchants(client: FlaskClient) -> HttpTable:
    return HttpTable.created(client, *SEATS, rulebook="negoces2", settings={})


TABLES = [in_set_up, in_a_turn, in_a_meeting, paused, ended, of_merchants]


def listed(client: FlaskClient, language: str = "en", query: str = "") -> dict[str, Any]:
    """The games of a list, by their ids."""
    answer = client.get(f"{BASE}/games?limit=100{query}", headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    return {game["game"]: game for game in answer.json["games"]}


def glances(database_url: str) -> list[tuple[str, int]]:
    """The game and the action of every glance that is kept."""
    with psycopg.connect(database_url) as connection:
        return connection.execute(
            "SELECT game_id, number FROM snapshots WHERE format LIKE 'glance:%' ORDER BY game_id"
        ).fetchall()


def test_every_game_is_listed_as_it_is_shown_alone_at_any_time(
    client: FlaskClient, new_service: Callable[[], Service], clock: Clock
) -> None:
    """Before, at and after the deadlines: a meeting ends after 2 minutes, a turn after 5."""
    tables = [laid_out(client) for laid_out in TABLES]
    assert len(listed(client)) == len(tables)  # Now every glance is kept.
    start, late = clock.now, []
    for minutes in (0, 1, 2, 3, 5, 6, 7, 6000):
        clock.now = start + timedelta(minutes=minutes)
        for language in ("en", "fr"):
            alone = {table.game: table.banker.get(Accept_Language=language).json for table in tables}
            assert listed(client, language) == alone
            assert listed(new_service()[0], language) == alone
        late.append(sum(game["due"] is not None for game in alone.values()))
    assert late == [0, 0, 1, 1, 1, 2, 2, 2]


def test_games_that_have_not_moved_on_are_not_opened(
    client: FlaskClient, new_service: Callable[[], Service]
) -> None:
    tables = [laid_out(client) for laid_out in TABLES]
    first = listed(client)
    other, ledger = new_service()
    assert listed(other) == first
    assert ledger.games.in_memory == 0
    tables[1].ana.play("transfer_money", to="bob", amount=1)
    assert listed(other)[tables[1].game]["version"] == first[tables[1].game]["version"] + 1
    assert ledger.games.in_memory == 1
    last, ledger = new_service()
    assert len(listed(last)) == len(tables)
    assert ledger.games.in_memory == 0


def test_games_left_alone_in_the_middle_of_a_turn_are_opened_once(
    client: FlaskClient, new_service: Callable[[], Service], clock: Clock
) -> None:
    tables = [in_a_turn(client) for _ in range(3)]
    listed(client)
    clock.now += timedelta(hours=1)
    other, ledger = new_service()
    assert all(game["due"] is not None for game in listed(other).values())
    assert ledger.games.in_memory == len(tables)
    clock.now += timedelta(days=30)
    other, ledger = new_service()
    assert all(game["due"]["then"]["turn"] == "bob" for game in listed(other).values())
    assert ledger.games.in_memory == 0


def test_one_glance_of_each_game_is_kept(client: FlaskClient, database_url: str) -> None:
    table = in_a_turn(client)
    for _ in range(3):
        listed(client)
        table.ana.play("transfer_money", to="bob", amount=1)
    listed(client)
    assert glances(database_url) == [(table.game, table.version)]


@pytest.mark.parametrize("spoiled", [b"", b"{}", b'["AAAA", {"version": 1}]'])
def test_a_glance_that_cannot_be_read_is_made_again(
    client: FlaskClient, new_service: Callable[[], Service], spoiled: bytes
) -> None:
    in_a_turn(client)
    first = listed(client)
    other, ledger = new_service()
    with reading(ledger.store.engine) as connection:
        connection.execute(update(schema.snapshots).values(body=spoiled))
    assert listed(other) == first
    with reading(ledger.store.engine) as connection:
        assert spoiled not in set(connection.scalars(select(schema.snapshots.c.body)))


def test_a_glance_of_another_journal_is_not_shown(
    client: FlaskClient, new_service: Callable[[], Service], database_url: str
) -> None:
    """Somebody has written the last action anew: what was kept of the first one does not count."""
    in_a_turn(client)
    listed(client)
    other, ledger = new_service()
    with reading(ledger.store.engine) as connection:
        body = connection.scalar(select(schema.snapshots.c.body).where(schema.snapshots.c.format.like("glance:%")))
        assert body is not None
        leaf = b'["' + b"A" * 43 + b'="'
        assert body[: len(leaf)].startswith(b'["')
        connection.execute(update(schema.snapshots).values(body=leaf + body[len(leaf) :]))
    listed(other)
    assert ledger.games.in_memory == 1


def test_a_list_is_answered_although_nothing_can_be_kept(client: FlaskClient, database_url: str) -> None:
    tables = [in_a_turn(client) for _ in range(3)]
    with psycopg.connect(database_url) as other:
        other.execute("LOCK TABLE snapshots IN SHARE MODE")
        assert len(listed(client)) == len(tables)
    assert glances(database_url) == []
    listed(client)
    assert len(glances(database_url)) == len(tables)


def test_a_game_that_cannot_be_read_does_not_hide_the_others(
    client: FlaskClient, new_service: Callable[[], Service], caplog: pytest.LogCaptureFixture
) -> None:
    tables = [in_set_up(client), in_a_turn(client)]
    other, ledger = new_service()
    whole = ledger.store.games.get(tables[0].game)
    assert whole is not None
    ledger.store.games.create(replace(whole, game_id="broken", setup=b"not JSON"), [])
    assert listed(other).keys() == {table.game for table in tables}
    assert "game broken cannot be read and is not listed" in caplog.text
    assert "not JSON" not in caplog.text


def test_all_games_are_met_once_while_others_are_created(client: FlaskClient, clock: Clock) -> None:
    games = []
    for turn in range(9):  # Some are created in the same millisecond.
        clock.now += timedelta(milliseconds=turn % 3)
        games.append(HttpTable.created(client).game)
    met: list[str] = []
    place = ""
    while True:
        answer = client.get(f"{BASE}/games?limit=2{place}").json
        met += [game["game"] for game in answer["games"]]
        HttpTable.created(client)
        if answer["next"] is None:
            break
        place = f"&cursor={answer['next']}"
    assert sorted(met) == sorted(games)
