"""The data folder of a command: which one it is, and that only commands that write create it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from ledger.store.postgres.embedded import EmbeddedPostgres
from tests.command.service import here

pytestmark = pytest.mark.xdist_group("command")

READING = (("export", "a-game"), ("replay", "a-game", "--lines"), ("statistics",))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a folder in it, where the commands start, and a user without data."""
    (tmp_path / "checkout" / "ledger").mkdir(parents=True)
    (tmp_path / "checkout" / "pyproject.toml").write_text('[project]\nname = "mabligop"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path / "checkout" / "ledger")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    return tmp_path / "checkout"


def everything_in(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*")}


@pytest.mark.parametrize("command", READING, ids=lambda command: command[0])
def test_a_mistyped_home_of_a_reading_command_creates_nothing(
    checkout: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """The command says where it looked. So it does for a folder without a database, and for a file."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / "postgres").write_text("in the way", encoding="utf-8")
    before = everything_in(tmp_path)
    for name in ("mistyped", "empty", "file"):
        refused = here(*command, "--home", tmp_path / name)
        assert (refused.returncode, refused.stdout) == (5, "")
        assert f"There is no database in the data folder {tmp_path / name}.\n" in refused.stderr
        assert "Name a data folder with --home" in refused.stderr
    assert everything_in(tmp_path) == before


def test_a_port_in_use_is_said_before_a_database_is_made(checkout: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = here("serve", "--no-demo", "--port", port, "--home", tmp_path / "home")
    assert refused.returncode == 4
    assert f"Port {port} of 127.0.0.1 is in use" in refused.stderr
    assert not (tmp_path / "home").exists()


def test_in_a_checkout_every_command_finds_the_home_of_make_run(checkout: Path, tmp_path: Path) -> None:
    """The home is `.mabligop` in the checkout. Outside of it the user's is meant, and the message says so."""
    refused = here("statistics")
    assert refused.returncode == 5
    assert f"There is no database in the data folder {checkout / '.mabligop'}.\n" in refused.stderr
    assert "There is one in" not in refused.stderr
    made = here("migrate")
    assert made.returncode == 0, made.stderr
    assert (checkout / ".mabligop" / "postgres").is_dir()
    assert not (tmp_path / "user").exists()
    assert here("statistics").stdout == "no games\n"
    for command in READING[:2]:
        unknown = here(*command)
        assert unknown.returncode == 8
        assert f"There is no game a-game in the data folder {checkout / '.mabligop'}\n" in unknown.stderr
    elsewhere = here("statistics", "--home", tmp_path / "mistyped")
    assert f"There is one in {checkout / '.mabligop'}.\n" in elsewhere.stderr


def test_outside_of_a_checkout_it_is_the_users_home(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with EmbeddedPostgres(tmp_path / "user" / "mabligop"):
        assert here("migrate").returncode == 3
    assert here("statistics").returncode == 5  # It has no tables yet, and a reading command makes none.
    assert not (checkout / ".mabligop").exists()


NOWHERE = "postgresql://127.0.0.1:1/nowhere"


def test_a_home_on_the_command_line_wins_over_the_environment_and_the_command_says_so(tmp_path: Path) -> None:
    """As for a trial restoration, in a shell where the database of the service is set."""
    home = tmp_path / "home"
    migrated = here("migrate", "--home", home, DATABASE_URL=NOWHERE)
    assert migrated.returncode == 0, migrated.stderr
    assert f"Using the database in {home} (--home), and not the one of DATABASE_URL\n" in migrated.stderr
    read = here("statistics", "--home", home, DATABASE_URL=NOWHERE, MABLIGOP_OWNER_URL=NOWHERE)
    assert (read.returncode, read.stdout) == (0, "no games\n")
    other = here("statistics", DATABASE_URL=NOWHERE, MABLIGOP_HOME=str(home))
    assert (other.returncode, "Using the database" in other.stderr) == (5, False)


def test_a_service_never_starts_on_a_new_database_beside_the_one_of_the_environment(tmp_path: Path) -> None:
    refused = here("serve", "--no-demo", "--home", tmp_path / "keys", DATABASE_URL=NOWHERE)
    assert refused.returncode == 2
    assert "and DATABASE_URL names another one" in refused.stderr
    assert not (tmp_path / "keys").exists()
