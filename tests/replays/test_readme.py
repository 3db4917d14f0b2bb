"""The recipe for a format of exports, followed on a copy of the project."""

from pathlib import Path

from ledger.service import Ledger
from tests.command.service import run
from tests.harness.recipes import PROJECT, followed, require_clean

RECIPE = "replays/README.md", "Add a format of exports"


def test_a_format_is_added(ledger: Ledger, mended: str, database_url: str, tmp_path: Path) -> None:
    copied = followed(*RECIPE, tmp_path, "replays", "api/rest", "tests/api")
    require_clean(copied, *RECIPE)
    path = f"{copied}:{PROJECT}"
    done = run("export", mended, "--format", "story", "-o", "-", DATABASE_URL=database_url, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("1. ")
    assert last == "; The end for banker"
