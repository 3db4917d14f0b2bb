"""`mabligop statistics`: totals over the games of a database."""

import json

import pytest
from sqlalchemy import text

from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.command.service import here
from tests.replays import shelf

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture(scope="module")
def games(store: Store) -> list[str]:
    """Two games of Negopoly, the second of which has ended, and one of Négoces 2, which has ended."""
    ledger = Ledger(store, rulebooks_by_id())
    mended = shelf.mended(ledger)
    return [
        mended,
        shelf.play(ledger, shelf.RECORDED[-1]),
        shelf.simulate(ledger, "negoces2", seed=5, actions=400),
    ]


def test_every_game_of_a_database(games: list[str], database_url: str) -> None:
    told = here("statistics", "--json", DATABASE_URL=database_url)
    assert (told.returncode, told.stderr) == (0, "")
    found = {one["rulebook"]: one for one in json.loads(told.stdout)}
    assert {name: one["games"] for name, one in found.items()} == {"negoces2": 1, "negopoly": 2}
    assert found["negopoly"]["ended"] == 1
    assert found["negopoly"]["corrections"] >= 4
    assert {one["name"] for one in found["negopoly"]["players"]} >= {"Ana", "Bob"}


def test_a_second_time_the_sums_are_those_that_were_kept(
    games: list[str], database_url: str, store: Store
) -> None:
    """The output is the same, and every game has one row of figures for the language."""
    first, second = (here("statistics", "--json", DATABASE_URL=database_url) for _ in range(2))
    assert (second.returncode, second.stdout) == (0, first.stdout)
    with store.engine.begin() as connection:
        kept = connection.execute(text("SELECT game_id FROM snapshots WHERE format LIKE 'figures:en:%'"))
        assert sorted(kept.scalars()) == sorted(games)


def test_strategies_places_and_settings_of_simulated_games(games: list[str], database_url: str) -> None:
    told = here("statistics", "--rulebook", "negoces2", DATABASE_URL=database_url)
    assert told.returncode == 0, told.stderr
    lines = [line.split() for line in told.stdout.splitlines()]
    assert ["default", "settings", "1", "1"] in [line[:4] for line in lines]
    assert ["strategies", "seats", "won", "%", "95", "%"] in [line[:6] for line in lines]
    assert {"merchant", "random"} <= {line[0] for line in lines if line[1:2] == ["2"]}
    assert {"1", "2", "3", "4"} <= {line[0] for line in lines if line[1:2] == ["1"]}


def test_some_of_them(games: list[str], database_url: str) -> None:
    """Games are chosen by id, by rulebook, or only those that have ended."""
    asked = {
        (games[0],): {"negopoly": 1},
        ("--rulebook", "negoces2"): {"negoces2": 1},
        ("--ended", "--rulebook", "negopoly"): {"negopoly": 1},
    }
    for arguments, wanted in asked.items():
        told = here("statistics", "--json", *arguments, DATABASE_URL=database_url)
        assert told.returncode == 0, told.stderr
        assert {one["rulebook"]: one["games"] for one in json.loads(told.stdout)} == wanted


def test_tables_to_be_read(games: list[str], database_url: str) -> None:
    told = here("statistics", games[0], "--language", "fr", DATABASE_URL=database_url)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("negopoly: 1 game, 0 ended\nactions 14; seconds ")
    assert ["dons", "147", "4"] in [line.split() for line in told.stdout.splitlines()]


def test_what_there_is_not(database_url: str) -> None:
    nowhere = here("statistics", "nowhere", DATABASE_URL=database_url)
    assert (nowhere.returncode, nowhere.stdout) == (8, "")
    assert "no game nowhere" in nowhere.stderr
    unknown = here("statistics", "--rulebook", "chess", DATABASE_URL=database_url)
    assert unknown.returncode == 2
    assert "negopoly" in unknown.stderr


def test_a_database_without_games(new_database) -> None:
    told = here("statistics", DATABASE_URL=new_database())
    assert (told.returncode, told.stdout) == (0, "no games\n")
