"""`mabligop games`: the games of a service that goes on, listed, ended, archived, and their tokens closed."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.command.service import Service, create_game, here, sender
from tests.replays import shelf
from tests.tables.ledgers import a_ledger, started

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture
def played(service: Service) -> Iterator[tuple[str, dict[str, str]]]:
    """A game of Ana and Bob under way at the service: its id and its tokens."""
    with service.client() as client:
        yield create_game(client)


def listed(url: str, *options: str) -> list[dict[str, Any]]:
    ran = here("games", "list", "--json", *options, DATABASE_URL=url)
    assert ran.returncode == 0, ran.stderr
    rows: list[dict[str, Any]] = json.loads(ran.stdout)
    return rows


def issued(url: str, game: str) -> list[dict[str, Any]]:
    ran = here("games", "credentials", game, "--json", DATABASE_URL=url)
    assert ran.returncode == 0, ran.stderr
    rows: list[dict[str, Any]] = json.loads(ran.stdout)
    return rows


def test_the_games_of_a_database(store: Store, database_url: str) -> None:
    """A game under way, an ended game of another rulebook, and a game that cannot be read."""
    ledger = Ledger(store, rulebooks_by_id())
    ended = shelf.simulate(ledger, "negoces2", seed=5, actions=400)
    under_way, broken = (started(a_ledger(store), "ana", "bob", title=title) for title in ("Tonight", "Broken"))
    with psycopg.connect(database_url) as owner:
        owner.execute("ALTER TABLE actions DISABLE TRIGGER ALL")
        owner.execute("UPDATE actions SET canonical = 'no entry' WHERE game_id = %s", (broken,))
        owner.execute("DELETE FROM snapshots")
    rows = {row["game"]: row for row in listed(database_url)}
    assert {game: row["status"] for game, row in rows.items()} == {
        ended: "ended",
        under_way: "play",
        broken: "unreadable",
    }
    row = rows[under_way]
    assert (row["title"], row["rulebook"], row["actions"]) == ("Tonight", "negopoly", 6)
    assert row["seats"] == [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]
    assert row["created_at"] <= row["last_at"]
    assert rows[broken]["actions"] == 6
    for options, games in {
        ("--rulebook", "negoces2"): {ended},
        ("--status", "play"): {under_way},
        ("--status", "unreadable"): {broken},
        ("--idle", "100000"): set(),
    }.items():
        assert {row["game"] for row in listed(database_url, *options)} == games
    assert under_way in {row["game"] for row in listed(database_url, "--idle", str(_days_since(row["last_at"])))}
    text = here("games", "list", DATABASE_URL=database_url).stdout
    (line,) = (line for line in text.splitlines() if line.startswith(under_way))
    assert (line.split()[1:5], line.split()[-3:]) == (
        ["negopoly", "play", "6", "actions"],
        ["ana", "bob", "Tonight"],
    )
    assert here("games", "list", "--status", "setup", DATABASE_URL=database_url).stdout == "no games\n"
    unknown = here("games", "list", "--rulebook", "chess", DATABASE_URL=database_url)
    assert (unknown.returncode, "negopoly" in unknown.stderr) == (2, True)
    refused = here("games", "end", ended, "--reason", "late", DATABASE_URL=database_url)
    assert (refused.returncode, "has no action that ends a game" in refused.stderr) == (2, True)


def _days_since(at: str) -> int:
    return max(0, (datetime.now(UTC) - datetime.fromisoformat(at)) // timedelta(days=1))


def test_the_operator_ends_a_game_and_the_table_reads_the_reason(
    service: Service, served: str, played: tuple[str, dict[str, str]]
) -> None:
    """The running worker answers with the new entry. A second end is refused, with the rule's sentence."""
    game, tokens = played
    with service.client(tokens["ana"]) as client:
        assert client.get(f"/api/v1/games/{game}").json()["version"] == 6
        ended = here("games", "end", game, "--reason", "the library closes", DATABASE_URL=served)
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout.endswith("The game goes on to the end that its rules give.\n")
        entry = client.get(f"/api/v1/games/{game}/actions/7").json()
    assert (entry["kind"], entry["by"]) == ("end_game", "banker")
    assert entry["params"] == {"reason": "the operator of the service: the library closes"}
    assert ended.stdout.startswith(f"7  {entry['sentence']}\n")
    again = here("games", "end", game, "--reason", "encore", "--language", "fr", DATABASE_URL=served)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == "Error: Le round 1 a déjà été déclaré le dernier\n"
    assert here("verify", game, DATABASE_URL=served).returncode == 0


def test_a_game_is_archived_while_its_table_plays(
    service: Service, served: str, played: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    game, _ = played
    file = tmp_path / "game.jsonl"
    archived = here("games", "archive", game, "-o", file, DATABASE_URL=served)
    assert (archived.returncode, archived.stderr) == (0, f"Archived 6 actions, 10 events to {file}\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first, *entries, last = file.read_text().splitlines()
    assert (f'"game":"{game}"' in first, len(entries), last.startswith('{"end":')) == (True, 6, True)
    assert here("games", "archive", game, "-o", file, DATABASE_URL=served).returncode == 2
    log = here("games", "archive", game, "-o", file, "--force", "--format", "log", DATABASE_URL=served)
    assert log.returncode == 0, log.stderr
    assert file.read_bytes().startswith(b"PK")
    assert game in {row["game"] for row in listed(served)}


def test_a_token_is_revoked_and_the_worker_closes_its_devices(
    service: Service, served: str, played: tuple[str, dict[str, str]]
) -> None:
    """Bob reads a stream. The stream ends with the reason, and the token opens nothing any more."""
    game, tokens = played
    rows = issued(served, game)
    assert {(row["role"], row["seat"], row["player"]) for row in rows} == {
        ("banker", None, None),
        ("player", "ana", "Ana"),
        ("player", "bob", "Bob"),
        ("spectator", None, None),
    }
    assert all(row["revoked_at"] is None for row in rows)
    credential = {row["seat"] or row["role"]: row["id"] for row in rows}
    path = f"/api/v1/games/{game}"
    with service.client(tokens["bob"]) as client, client.stream("GET", f"{path}/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines)
        revoked = here("games", "revoke", game, credential["bob"], DATABASE_URL=served)
        assert (revoked.returncode, revoked.stdout) == (0, f"Revoked {credential['bob']} of game {game}.\n")
        assert "event: closed" in list(lines)
        assert client.get(path).status_code == 401
    text = here("games", "credentials", game, DATABASE_URL=served).stdout
    assert not any(token in text for token in tokens.values())
    (line,) = (line for line in text.splitlines() if line.startswith(credential["bob"]))
    assert "  revoked " in line
    again = here("games", "revoke", game, credential["bob"], DATABASE_URL=served)
    assert (again.returncode, "is in force" in again.stderr) == (8, True)

    last = here("games", "revoke", game, credential["banker"], DATABASE_URL=served)
    assert (last.returncode, last.stdout) == (2, "")
    assert "the last token of the banker: add --replace" in last.stderr
    replaced = here("games", "revoke", game, credential["banker"], "--replace", DATABASE_URL=served)
    assert replaced.returncode == 0, replaced.stderr
    with service.client(replaced.stdout.strip()) as banker:
        assert banker.get("/api/v1/me").json()["role"] == "banker"
        sender(banker, game)(replaced.stdout.strip(), "end_game", {"reason": "late"})
    with service.client(tokens["banker"]) as client:
        assert client.get(path).status_code == 401


@pytest.mark.parametrize(
    "asked", [("end", "nowhere", "--reason", "late"), ("archive", "nowhere"), ("credentials", "nowhere")]
)
def test_a_game_that_there_is_not(served: str, asked: tuple[str, ...]) -> None:
    missing = here("games", *asked, DATABASE_URL=served)
    assert (missing.returncode, missing.stdout) == (8, "")
    assert missing.stderr == "Error: There is no game nowhere in the database\n"
