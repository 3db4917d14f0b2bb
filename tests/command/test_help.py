"""Asking for the version or for help: answered at once, because nothing that the service needs is imported."""

import subprocess
import sys

import click
import pytest

from api.command.main import COMMANDS, main

HEAVY = ("alembic", "duckdb", "flask", "granian", "httpx", "jinja2", "msgspec", "psycopg", "rich", "sqlalchemy")
HEAVY += ("textual", "ledger", "replays")

ASKED = """
import sys
from api.command.main import main
try:
    main(sys.argv[1:], prog_name="mabligop")
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "asked",
    [
        ["--version"],
        ["--help"],
        ["serve", "--help"],
        ["serve", "--prot", "1"],
        ["edition", "check", "--help"],
        ["doctor", "--help"],
    ],
)
def test_help_imports_nothing_heavy(asked: list[str]) -> None:
    answered = subprocess.run([sys.executable, "-c", ASKED, *asked], capture_output=True, text=True, check=False)
    assert answered.returncode == (2 if "--prot" in asked else 0), answered.stderr
    assert "mabligop" in answered.stdout + answered.stderr
    assert set(HEAVY) & set(answered.stderr.split()) == set()


def test_every_command_is_there_under_its_own_sentence() -> None:
    context = click.Context(main)
    for name, described in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str(limit=200) == described.sentence
