"""`mabligop export --all`, and the description beside a table: one set of tables for all games of a database."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from replays import exports
from tests.command.service import Service, create_game, here
from tests.replays import shelf
from tests.trust.tampering import Owner

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture(scope="module")
def several(new_database: Callable[..., str]) -> tuple[str, list[str]]:
    """A database with three games of two rulebooks, and their ids: first the two of Negopoly."""
    url = new_database()
    with shelf.ledger_on(url) as ledger:
        games = [
            shelf.mended(ledger),
            shelf.simulate(ledger, "negopoly", seed=51, actions=80),
            shelf.simulate(ledger, "negoces2", seed=52, actions=40),
        ]
    return url, games


def test_all_games_are_one_set_of_parquet(
    several: tuple[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables have the rows of every game. A token in the environment opens one game, and is not asked."""
    url, games = several
    monkeypatch.chdir(tmp_path)
    written = here("export", "--all", DATABASE_URL=url, MABLIGOP_TOKEN="of.some.game")
    assert (written.returncode, written.stdout) == (0, ""), written.stderr
    assert written.stderr == "Exported 3 games to games.parquet.zip\n"
    found = shelf.tables((tmp_path / "games.parquet.zip").read_bytes(), "parquet", tmp_path)
    assert sorted(row["game"] for row in found["games"]) == sorted(games)
    for name in exports.HISTORY:
        assert {row["game"] for row in found[name]} == set(games)
    with shelf.ledger_on(url) as ledger:
        for game in found["games"]:
            assert game["actions"] == ledger.moment(game["game"]).version
    assert {row["game"] for row in found["titles"]} == set(games[:2])  # Négoces 2 has no titles.


def test_one_table_of_all_games_in_french(several: tuple[str, list[str]], tmp_path: Path) -> None:
    url, games = several
    file = tmp_path / "actions.csv"
    asked = ("--format", "csv", "--table", "actions", "--language", "fr", "-o", file)
    assert here("export", "--all", *asked, DATABASE_URL=url).returncode == 0
    found = shelf.rows(file.read_bytes(), "csv", tmp_path)
    assert {row["game"] for row in found} == set(games)
    assert "Ana donne 100 ₦ à Bob." in {row["sentence"] for row in found}
    about = json.loads((tmp_path / "actions.about.json").read_text(encoding="utf-8"))
    assert [row["column"] for row in about["tables"]["actions"]] == list(found[0])


def test_a_broken_game_is_named_and_stops_no_other(new_database: Callable[..., str], tmp_path: Path) -> None:
    """Somebody has changed an entry behind the back of the service: the other game is exported all the same."""
    url = new_database()
    with shelf.ledger_on(url) as ledger:
        good, broken = shelf.mended(ledger), shelf.mended(ledger)
    with closing(Owner(url)) as owner:
        owner.rewrite_entry(broken, 5, b"bob", b"eve")
    file = tmp_path / "actions.csv"
    written = here("export", "--all", "--format", "csv", "--table", "actions", "-o", file, DATABASE_URL=url)
    assert written.returncode == 10
    assert f"Exported 1 game to {file}; these cannot be read and are left out:\n  {broken}: " in written.stderr
    assert {row["game"] for row in shelf.rows(file.read_bytes(), "csv", tmp_path)} == {good}


def test_what_all_games_cannot_be(several: tuple[str, list[str]], tmp_path: Path) -> None:
    url, games = several
    for arguments, said in (
        ((), "Name either a GAME to export, or --all games"),
        ((games[0], "--all"), "Name either a GAME to export, or --all games"),
        (("--all", "--format", "jsonl"), "jsonl holds one game only"),
        (("--all", "--token", "of.some.game"), "A --token opens one game"),
    ):
        refused = here("export", *arguments, "-o", tmp_path / "file", DATABASE_URL=url)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert said in refused.stderr
    assert not list(tmp_path.iterdir())


def test_a_table_comes_with_its_description(service: Service, served: str, tmp_path: Path) -> None:
    """From the database and from the service it is about.json, beside the table, and is never overwritten."""
    with service.client() as client:
        game, tokens = create_game(client)
    asked = ("export", game, "--format", "csv", "--table", "seats", "-o")
    token = ("--url", service.url, "--token", tokens["banker"])
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    assert here(*asked, ours, DATABASE_URL=served).returncode == 0
    assert here(*asked, theirs, *token).returncode == 0
    names = ["ours.about.json", "ours.csv", "theirs.about.json", "theirs.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    about = (tmp_path / "ours.about.json").read_bytes()
    assert about == (tmp_path / "theirs.about.json").read_bytes()
    columns = [row["column"] for row in json.loads(about)["tables"]["seats"]]
    assert ours.read_text(encoding="utf-8").splitlines()[0].split(",") == columns
    theirs.unlink()
    refused = here(*asked, theirs, *token)
    assert (refused.returncode, theirs.exists()) == (2, False)
    assert "theirs.about.json is there already" in refused.stderr
    alone = here("export", game, "--format", "csv", "--table", "about", "-o", "-", DATABASE_URL=served)
    assert alone.stdout.encode() == about
