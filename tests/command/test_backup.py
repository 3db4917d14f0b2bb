"""`mabligop backup`, `restore` and `verify`: while the service runs, and onto another machine."""

from __future__ import annotations

import os
import re
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from alembic import command

from api.command.running.carrying import PASSPHRASE
from api.command.running.certificates import at_home, fingerprint
from ledger.store.database.connection import connect
from ledger.store.postgres.embedded import EmbeddedPostgres, url_of_running, version_of_data
from ledger.store.records import Selection
from ledger.store.store import Store
from ledger.trust.keys import Keys
from tests.command.service import Service, create_game, here, holdings, run, sender
from tests.store.test_migration import migrating
from tests.tables.ledgers import a_ledger, started

pytestmark = pytest.mark.xdist_group("command")

EARLIER, LATER = 16, 18
"""The versions of Postgres that come with the Python package."""
BACKED_UP = re.compile(r"Backed up (\d+) games?, (\d+) actions, \d+ events to ")


@pytest.fixture(scope="module")
def home(lay_home: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the running service."""
    return lay_home(tmp_path_factory.mktemp("served") / "home")


@pytest.fixture(scope="module")
def embedded(home: Path) -> Iterator[Service]:
    """A service with its own Postgres."""
    running = Service("--no-demo", "--home", home)
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def played(embedded: Service) -> tuple[str, dict[str, str]]:
    """A game in which Ana gave Bob ₦40: its id and its tokens."""
    with embedded.client() as client:
        game, tokens = create_game(client)
        sender(client, game)(tokens["ana"], "transfer_money", {"to": "bob", "amount": 40})
    return game, tokens


@pytest.fixture
def empty(new_database: Callable[..., str]) -> str:
    """The URL of a database of another server, without any table."""
    return new_database(migrated=False)


def test_a_data_folder_is_verified_while_its_service_serves(
    played: tuple[str, dict[str, str]], home: Path
) -> None:
    verified = here("verify", "--decide", "--home", home)
    assert verified.returncode == 0, verified.stdout
    assert re.fullmatch(r"Verified \d+ games? and \d+ actions: no findings\.\n", verified.stdout)


def journal(url: str, game: str) -> list[tuple[int, bytes]]:
    engine = connect(url)
    found = Store(engine).journal.entries(game, Selection(limit=100_000))
    engine.dispose()
    return found


def test_while_two_clients_play_the_backup_has_the_games_of_one_moment(
    embedded: Service, home: Path, empty: str, tmp_path: Path
) -> None:
    """What was acknowledged before is in it; nothing of it is torn; and the game goes on from there."""
    with embedded.client() as client:
        game, tokens = create_game(client)
    acknowledged: dict[str, list[int]] = {"ana": [], "bob": []}
    enough, started = threading.Event(), threading.Barrier(3, timeout=300)

    def play(seat: str) -> None:
        other = "bob" if seat == "ana" else "ana"
        with embedded.client() as own:
            send = sender(own, game)
            acknowledged[seat].append(
                int(str(send(tokens[seat], "transfer_money", {"to": other, "amount": 1})["number"]))
            )
            started.wait()
            while not enough.is_set():
                entry = send(tokens[seat], "transfer_money", {"to": other, "amount": 1})
                acknowledged[seat].append(int(str(entry["number"])))

    file = tmp_path / "backup.zip"
    with ThreadPoolExecutor(2) as seats:
        playing = [seats.submit(play, seat) for seat in ("ana", "bob")]
        started.wait()
        before = max(map(max, acknowledged.values()))
        made = run("backup", file, "--without-keys", "--home", home)
        after = max(map(max, acknowledged.values())) + 2  # An action of each may be on its way.
        enough.set()
        for one in playing:
            one.result()
    assert made.returncode == 0, made.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    restored = here("restore", file, DATABASE_URL=empty)
    assert restored.returncode == 0, restored.stderr
    assert "Findings in the journals: 0.\n" in restored.stdout
    kept = journal(empty, game)
    assert [number for number, _ in kept] == list(range(1, len(kept) + 1))
    assert before <= len(kept) <= after
    # The journal that went on begins with the one of the backup, byte for byte.
    live = url_of_running(home)
    assert live is not None
    assert journal(live, game)[: len(kept)] == kept


def test_on_another_machine_the_games_go_on_with_their_tokens_and_move_to_a_later_postgres(
    played: tuple[str, dict[str, str]], home: Path, tmp_path: Path
) -> None:
    """The other machine has the earlier of the two versions of Postgres that come with the Python package."""
    game, tokens = played
    file, moved = tmp_path / "backup.zip", tmp_path / "moved"
    assert here("prove", game, "7", "-o", tmp_path / "receipt", "--home", home).returncode == 0  # It is signed.
    made = here("backup", file, "--without-keys", "--home", home)
    assert BACKED_UP.match(made.stderr), made.stderr
    with EmbeddedPostgres(moved, major=EARLIER):
        pass
    restored = here("restore", file, "--home", moved)
    assert restored.returncode == 0, restored.stderr
    assert restored.stdout.startswith("Restored ")
    assert (
        f"The backup has no keys. Missing in {moved}: signing-keys (the service makes a new key" in restored.stdout
    )
    assert "tls/ (with --https, phones have to trust the service anew)" in restored.stdout

    before = Keys.read(home / "signing-keys").service
    service = Service("--no-demo", "--home", moved)
    said = next(line for line in service.said if line.startswith("Logs of the database were signed by"))
    assert f"signed by {before} before, without a key in {moved / 'signing-keys'}" in said
    missed = f"There are games, but no signing-keys in {moved}: their logs are signed with a new key."
    assert any(line.startswith(missed) for line in service.said)
    assert f"The data is of Postgres {EARLIER}: `mabligop upgrade` moves it to {LATER}\n" in service.said
    try:
        with service.client() as client:
            assert holdings(client, game, tokens["banker"])["player:bob"]["NGD"] == 1690
            told = client.get("/api/v1/me", headers={"Authorization": f"Bearer {tokens['ana']}"}).json()["log"]
            assert told["origin"] != f"{before}/{game}"
            assert [(each["origin"], each["size"]) for each in told["earlier"]] == [(f"{before}/{game}", 7)]
            sender(client, game)(tokens["bob"], "transfer_money", {"to": "ana", "amount": 40})
        for refusing in (("restore", file), ("upgrade",)):
            refused = here(*refusing, "--home", moved)
            assert (refused.returncode, "End it first" in refused.stderr) == (3, True)
    finally:
        assert service.stop() == 0
    refused = here("restore", file, "--home", moved)
    assert refused.returncode == 9
    assert "The database holds games already: name an empty database; nothing was restored" in refused.stderr

    upgraded = here("upgrade", "--home", moved)
    assert upgraded.returncode == 0, upgraded.stderr
    assert re.match(
        rf"Moved \d games?, .* from Postgres {EARLIER} to {LATER}. Findings in .*: 0.\n", upgraded.stdout
    )
    assert f"The old data is kept in {moved / 'postgres' / f'data-{EARLIER}'}" in upgraded.stdout
    # What is missed is said once. With HTTPS there is more of it.
    service = Service("--no-demo", "--https", "--home", moved)
    missed = f"There are games, but no tls/ in {moved}: phones have to trust the service anew."
    assert next(line for line in service.said if "There are games" in line).startswith(missed)
    assert service.stop() == 0
    again = here("upgrade", "--home", moved)
    assert again.stdout == f"The data is of Postgres {LATER}. No later version is installed.\n"
    listed = here("keys", "list", "--home", moved)
    assert re.search(rf"Without a key here: {before}, which signed \d games? from 20", listed.stdout), (
        listed.stdout
    )
    with EmbeddedPostgres(moved) as server:
        assert len(journal(server.url, game)) == 8


def test_the_table_moves_to_another_machine_with_its_keys(
    played: tuple[str, dict[str, str]], home: Path, tmp_path: Path
) -> None:
    """Whoever kept a key and a receipt verifies the log of the new machine, and phones trust it already."""
    game, _ = played
    file, moved, receipt, log = (tmp_path / name for name in ("backup.zip", "moved", "kept.receipt", "log.zip"))
    trusted = at_home(home / "tls", ["old.local"])
    assert trusted.authority is not None
    key = str(Keys.read(home / "signing-keys").signing[0])
    assert here("prove", game, "7", "-o", receipt, "--home", home).returncode == 0

    # Keys are never lost in silence.
    refused = here("backup", file, "--home", home)
    assert (refused.returncode, file.exists()) == (2, False)
    assert "The backup carries the keys of the service (signing-keys, tls/authority.pem, " in refused.stderr
    assert "add --without-keys" in refused.stderr
    made = here("backup", file, "--home", home, MABLIGOP_BACKUP_PASSPHRASE="our old table")
    assert made.returncode == 0, made.stderr
    assert "sealed by the passphrase: signing-keys, tls/authority.pem, tls/authority-key.pem\n" in made.stderr

    for secret, why in ({}, "sealed by a passphrase"), ({PASSPHRASE: "our new table"}, "does not open the keys"):
        refused = here("restore", file, "--home", moved, **secret)
        assert (refused.returncode, moved.exists()) == (2, False)
        assert why in refused.stderr
    strange = tmp_path / "strange"
    strange.mkdir()
    Keys.ensure(strange / "signing-keys")
    own = (strange / "signing-keys").read_bytes()
    (tmp_path / "passphrase").write_text("our old table\n")
    options = ("--passphrase-file", tmp_path / "passphrase")
    refused = here("restore", file, *options, "--home", strange)
    assert (refused.returncode, [*strange.iterdir()]) == (2, [strange / "signing-keys"])
    assert f"{strange / 'signing-keys'} is there already, and is not the one of the backup" in refused.stderr
    assert (strange / "signing-keys").read_bytes() == own

    restored = here("restore", file, *options, "--home", moved)
    assert restored.returncode == 0, restored.stderr
    assert f"The keys are back in {moved}: signing-keys, tls/authority.pem" in restored.stdout
    for name in ("signing-keys", "tls/authority.pem", "tls/authority-key.pem"):
        assert (moved / name).read_bytes() == (home / name).read_bytes()
        assert stat.S_IMODE((moved / name).stat().st_mode) == (0o644 if name == "tls/authority.pem" else 0o600)
    assert here("export", game, "--format", "log", "-o", log, "--home", moved).returncode == 0
    verified = here("verify", log, receipt, "--key", key, "--older", receipt)
    assert verified.returncode == 0, verified.stdout
    renewed = at_home(moved / "tls", ["new.local"])
    assert renewed.authority is not None
    assert fingerprint(renewed.authority) == fingerprint(trusted.authority)


def test_the_file_is_not_replaced_unless_it_is_asked(
    played: tuple[str, dict[str, str]], home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "backup.zip"
    file.write_text("yesterday's")
    refused = here("backup", file, "--without-keys", "--home", home)
    assert (refused.returncode, file.read_text()) == (2, "yesterday's")
    assert f"{file} is there already: name another file, or add --force" in refused.stderr
    assert here("backup", file, "--force", "--without-keys", "--home", home).returncode == 0
    assert zipfile.is_zipfile(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_backup_may_go_through_a_pipe(played: tuple[str, dict[str, str]], home: Path, tmp_path: Path) -> None:
    """As with `mabligop backup - | ssh …`. The data folder that it is restored into is created."""
    piped = tmp_path / "pipe"
    os.mkfifo(piped)
    file = tmp_path / "backup.zip"
    with ThreadPoolExecutor(1) as reader:
        came = reader.submit(piped.read_bytes)
        assert here("backup", piped, "--without-keys", "--home", home).returncode == 0
        file.write_bytes(came.result(timeout=300))
    assert here("restore", file, "--home", tmp_path / "new").returncode == 0
    assert version_of_data(tmp_path / "new") == LATER


def test_a_file_that_is_no_backup_is_refused_before_a_home_is_made(tmp_path: Path) -> None:
    file = tmp_path / "backup.zip"
    file.write_text("nothing of the kind")
    refused = here("restore", file, "--home", tmp_path / "home")
    assert refused.returncode == 2
    assert f"{file} is no backup, or its end is missing; nothing was restored" in refused.stderr
    assert not (tmp_path / "home").exists()


def test_where_there_is_no_database_nothing_is_backed_up(tmp_path: Path) -> None:
    refused = here("backup", tmp_path / "backup.zip", "--home", tmp_path / "mistyped")
    assert refused.returncode == 5
    assert f"There is no database in the data folder {tmp_path / 'mistyped'}" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_was_changed_in_the_database_is_found_when_it_is_restored(
    new_database: Callable[..., str], empty: str, tmp_path: Path
) -> None:
    """The backup is intact, but what it was made of was not. The other games can be had all the same."""
    changed, file = new_database(), tmp_path / "backup.zip"
    engine = connect(changed)
    ledger = a_ledger(Store(engine))
    game, other = started(ledger, "ana", "bob"), started(ledger, "ana", "bob")
    engine.dispose()
    with psycopg.connect(changed) as owner:
        owner.execute("ALTER TABLE events DISABLE TRIGGER ALL")
        owner.execute("UPDATE events SET accounts = '{bank}' WHERE game_id = %s AND number = 4", (game,))
    assert here("backup", file, "--without-keys", DATABASE_URL=changed).returncode == 0
    refused = here("restore", file, DATABASE_URL=empty)
    assert refused.returncode == 10
    assert f"Game {game}, action 4: " in refused.stderr
    assert other not in refused.stderr
    assert "nothing was restored. To go on all the same, add --despite-findings" in refused.stderr
    assert here("statistics", DATABASE_URL=empty).returncode == 5  # There is nothing yet.
    restored = here("restore", file, "--despite-findings", DATABASE_URL=empty)
    assert restored.returncode == 0
    assert game in restored.stderr
    assert "Findings in the journals: 1.\n" in restored.stdout
    assert len(journal(empty, other)) == 6


def test_a_backup_of_the_first_tables_is_migrated_and_verified(
    new_database: Callable[..., str], empty: str, tmp_path: Path
) -> None:
    """A database as the first version made it: without touches, and without a secret."""
    todays, first, file = new_database(), new_database(migrated=False), tmp_path / "backup.zip"
    engine = connect(todays)
    game = started(a_ledger(Store(engine)), "ana", "bob")
    engine.dispose()
    with migrating(first) as config:
        command.upgrade(config, "0001")
    with psycopg.connect(todays) as source, psycopg.connect(first) as target:
        for table in ("games", "actions", "events", "credentials"):
            with (
                source.cursor().copy(f"COPY {table} TO STDOUT") as rows,
                target.cursor().copy(f"COPY {table} FROM STDIN") as into,
            ):
                for row in rows:
                    into.write(row)
    assert here("backup", file, "--without-keys", DATABASE_URL=first).returncode == 0
    restored = here("restore", file, DATABASE_URL=empty)
    assert restored.returncode == 0, restored.stderr
    assert "Findings in the journals: 0.\n" in restored.stdout
    assert journal(empty, game) == journal(todays, game)


def test_a_database_of_your_own_is_not_upgraded(tmp_path: Path) -> None:
    refused = here("upgrade", MABLIGOP_HOME=str(tmp_path), DATABASE_URL="postgresql://127.0.0.1/mabligop")
    assert refused.returncode == 2
    assert "only your server's own tools upgrade" in refused.stderr
    assert list(tmp_path.iterdir()) == []
