"""Hunting mutants: the tests that are nearest to a changed module are run, until one of them fails."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from tests.mutants.choosing import Mutant, dotted

Verdict = Literal["found", "survived", "late", "unsure"]
"""What becomes of a mutant: "late" when the time was up before its tests were, "unsure" when what failed fails
without it, too."""

SECONDS = 120
"""How long the tests of one mutant may take. What they did not find by then has survived."""

_NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "node_modules", ".mabligop", ".*_cache", ".hypothesis")

OF_ROOMS = {
    "api": ("api/test_output.py", "command/test_serve.py"),
    "api/command": ("command",),
    "api/console": ("console",),
    "api/front": ("api/test_stream.py", "api/test_front.py", "command/test_slow_clients.py"),
    "api/rest": ("api",),
    "ledger": ("acting", "games"),
    "ledger/access": ("access", "api/test_tokens.py", "api/test_idempotency.py", "api/test_invitations.py"),
    "ledger/acting": (
        "acting",
        "trust/test_shared_dice.py",
        "api/test_corrections.py",
        "api/test_playing_banker.py",
        "api/test_previews.py",
    ),
    "ledger/games": ("games", "reading", "trust/test_damaged_journals.py"),
    "ledger/kernel": ("kernel", "rulebooks", "golden"),
    "ledger/moving": ("api/test_fork.py", "api/test_exports.py", "replays/test_journal_file.py"),
    "ledger/reading": ("reading", "api/test_stream.py", "api/test_bitemporal.py", "api/test_expired_clock.py"),
    "ledger/rulebooks": ("rulebooks", "negopoly", "monopoly"),
    "ledger/rulebooks/parts": ("rulebooks", "negoces2", "virtual_revolution", "monopoly"),
    "replays/exports": ("replays",),
    "replays/report": ("replays",),
    "replays/statistics": ("replays",),
}
"""The tests of rooms, below `tests/`, where they are not those of the folder with the room's name."""


class Hunter:
    """A copy of the checkout, in which one module after the other is changed."""

    def __init__(self, checkout: Path, copy: Path, database_url: str) -> None:
        shutil.copytree(checkout, copy, ignore=_NOT_COPIED, symlinks=True)
        for tools in (Path(".venv"), *(path.relative_to(checkout) for path in _tools(checkout))):
            if (checkout / tools).exists():
                (copy / tools).symlink_to(checkout / tools)
        self._copy = copy
        self._environment = os.environ | {
            "DATABASE_URL": database_url,
            "PYTHONPATH": str(copy),
            # A module that is changed within a second to one of the same length would be taken for the one before.
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def hunt(self, mutant: Mutant) -> tuple[Verdict, str]:
        """Run the tests on the mutant. Returns the verdict, and the test that failed, if one did."""
        path = self._copy / mutant.path
        times = path.stat()
        path.write_text(mutant.after, encoding="utf-8")
        try:
            verdict, test = self._run(nearest(self._copy, mutant))
        finally:
            path.write_text(mutant.before, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        # With all of its file: what a test before it leaves behind may be why it fails.
        if verdict == "found" and self._run([test.partition("::")[0]])[0] != "survived":
            verdict = "unsure"
        return verdict, test

    def _run(self, tests: list[str]) -> tuple[Verdict, str]:
        """Run tests up to the first one that fails."""
        command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-p", "no:cacheprovider", *tests]
        running = subprocess.Popen(
            command,
            cwd=self._copy,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = running.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            return "late", ""
        if running.returncode == 0:
            return "survived", ""
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
        # Where not even the fixtures can be imported, the first file is what failed.
        return "found", failed[1] if failed else tests[0]


def nearest(checkout: Path, mutant: Mutant) -> list[str]:
    """The tests that are nearest to a module: its namesakes, those that name it, its room, its package."""
    name = dotted(mutant.path)
    package = name.rpartition(".")[0]
    of_room = _of_room(checkout, mutant.room)
    naming = [path for path, text in _texts(checkout) if re.search(rf"\b{re.escape(name)}\b", text)]
    like = [path for path in _tests(checkout / "tests") if path.stem == f"test_{mutant.path.stem}"]
    beside = [path for path, text in _texts(checkout) if re.search(rf"from {re.escape(package)} import", text)]
    ordered = dict.fromkeys((*like, *naming, *of_room, *beside))
    return [str(path.relative_to(checkout)) for path in ordered]


def _of_room(checkout: Path, room: str) -> list[Path]:
    """The tests of a room, or of the nearest room around it that has tests."""
    while True:
        names = OF_ROOMS.get(room) or (room.rpartition("/")[2],)
        paths = [path for name in names for path in _tests(checkout / "tests" / name)]
        if paths or "/" not in room:
            return paths
        room = room.rpartition("/")[0]


def _tools(checkout: Path) -> Iterator[Path]:
    yield from (checkout / room / "node_modules" for room in ("api/console", "tests/clients"))


def _tests(place: Path) -> list[Path]:
    """The files of tests in a folder; or the file itself."""
    return [place] if place.is_file() else sorted(place.rglob("test_*.py"))


@cache
def _texts(checkout: Path) -> list[tuple[Path, str]]:
    return [(path, path.read_text(encoding="utf-8")) for path in _tests(checkout / "tests")]
