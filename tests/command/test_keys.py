"""`mabligop keys`: the keys that sign logs are made, listed and rotated, and never shown."""

from __future__ import annotations

import re
import shlex
import stat
from pathlib import Path

import click

from api.command.main import main
from ledger.trust.keys import Keys
from tests.command.service import here

MIGRATIONS = Path(__file__).parents[2] / "migrations" / "README.md"


def test_keys_are_made_listed_and_rotated_without_a_database(tmp_path: Path) -> None:
    home, path = tmp_path / "home", tmp_path / "home" / "signing-keys"
    for command in ("list", "rotate"):
        missing = here("keys", command, "--home", home)
        assert (missing.returncode, home.exists()) == (2, False)
        assert f"There are no keys in {path}: mabligop keys new makes one" in missing.stderr
    made = here("keys", "new", "--home", home)
    assert made.returncode == 0, made.stderr
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first = Keys.read(path).signing[0]
    assert str(first) in made.stdout
    again = here("keys", "new", "--home", home)
    assert (again.returncode, "mabligop keys rotate puts a new one in use" in again.stderr) == (2, True)
    rotated = [here("keys", "rotate", "--home", home) for _ in range(2)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f"endorsed by {first}" in rotated[0].stdout
    third, second = Keys.read(path).signing
    listed = here("keys", "list", "--home", home)
    uses = re.findall(r"^  (signs now|signs too|signed before) +since (.+?)  (\S+)$", listed.stdout, re.MULTILINE)
    assert [(use, key) for use, _, key in uses] == [
        ("signs now", str(third)),
        ("signs too", str(second)),
        ("signed before", str(first)),
    ]
    assert uses[2][1] == "the beginning"
    private = {line.split("+", 4)[4] for line in path.read_text().splitlines() if line.startswith("PRIVATE")}
    assert len(private) == 2
    for shown in (made, again, *rotated, listed):
        assert not any(secret in shown.stdout + shown.stderr for secret in private)


def test_a_creation_key_is_printed_and_nothing_is_written(tmp_path: Path) -> None:
    keys = [here("keys", "new", "--creation", "--home", tmp_path / "home") for _ in range(2)]
    assert all(re.fullmatch(r"[\w-]{43}\n", each.stdout) for each in keys)
    assert keys[0].stdout != keys[1].stdout
    assert "MABLIGOP_CREATION_KEY" in keys[0].stderr
    assert not (tmp_path / "home").exists()


def test_the_backup_of_every_night_needs_no_terminal() -> None:
    """The line for cron names a file with the passphrase, or leaves the keys out."""
    line = next(line for line in MIGRATIONS.read_text().splitlines() if "/bin/mabligop backup" in line)
    words = shlex.split(line.replace("\\%", "%"))
    options = words[words.index("backup") + 1 : words.index("&&", words.index("backup"))]
    assert ("--passphrase-file" in options) or ("--without-keys" in options)
    command = main.get_command(click.Context(main), "backup")
    assert command is not None
    names = {name for parameter in command.params for name in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= names
    assert "MABLIGOP_HOME=" in line
