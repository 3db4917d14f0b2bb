"""A private Postgres server for one home folder, for a service that was given no ``DATABASE_URL``.

Two processes share the work, and each holds one lock:

- the *service* (`EmbeddedPostgres`, in this module) holds ``<home>/lock`` for as long as it serves: a second
  service on the same home is told so;
- its *watchdog* (`watchdog`, single-threaded, in a session of its own) is the parent of the server.
  It prepares the data folder, starts the server, starts it again when it is killed, and stops it when the
  service stops or dies.

The server and all its processes inherit ``<home>/postgres/lock``. A file lock lives as long as one process has the
file open, so whoever obtains it knows that no server process of this home is left on the machine, whatever number
a stale ``postmaster.pid`` names. Two watchdogs of one home take turns by it.

Clients connect over a unix socket only, as the user who runs the service (peer authentication): no port, no
secret.

The other modules, in the order in which a start comes through them: `binaries` (which Postgres),
`watchdog`, `postmaster` (what an earlier server left), `server_identity`
(who the server runs as).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import psycopg

from ledger.store.postgres import watchdog
from ledger.store.postgres.binaries import PostgresUnavailable, data_major, find_binaries
from ledger.store.postgres.watchdog import PORT, ROLE, try_lock

__all__ = ["DATABASE", "EmbeddedPostgres", "HomeBusy", "PostgresUnavailable"]

DATABASE = "mabligop"


class HomeBusy(Exception):  # noqa: N818  (a state of affairs that the caller reports, not a fault)
    """Another process serves this home; the message names the home and that process."""


class EmbeddedPostgres:
    """The Postgres server of one home folder, alive between `start` and `stop` and never longer than this process.

    Takes the home folder, which is created (mode 0700) when absent. Also a context manager.
    """

    def __init__(self, home: Path) -> None:
        self._home = home.expanduser().absolute()
        self._url: str | None = None
        self._lock: int | None = None
        self._lifeline: int | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None
        _in_this_process.add(self)

    @property
    def url(self) -> str:
        """The database's URL, ``postgresql://…``, for psycopg and libpq.

        SQLAlchemy takes it with its first word replaced by ``postgresql+psycopg``. Raises RuntimeError when the
        server is not started.
        """
        if self._url is None:
            raise RuntimeError(f"the Postgres of {self._home} is not started")
        return self._url

    def start(self) -> str:
        """Start the server, creating cluster and database when absent, and give the database's URL.

        What a service killed earlier left running is stopped first. Raises HomeBusy when another process serves
        this home, PostgresUnavailable when the home cannot be used (the message names the path in the way),
        there are no binaries, or the server does not start.
        """
        if self._url is not None:
            return self._url
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _lock_home(self._home)
            socket_folder = self._start_watchdog()
            self._create_database(socket_folder)
        except OSError as error:
            self.stop()
            raise PostgresUnavailable(f"the home {self._home} cannot be used: {_reason(error)}") from error
        except BaseException:
            self.stop()
            raise
        self._url = _url(socket_folder, DATABASE)
        return self._url

    def stop(self) -> None:
        """Stop the server (a fast shutdown: clients are disconnected) and free the home. May be repeated."""
        self._url = None
        try:
            if self._lifeline is not None:
                os.close(self._lifeline)
                self._lifeline = None
            if self._watchdog is not None:
                self._watchdog.wait()
                self._watchdog = None
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def __enter__(self) -> EmbeddedPostgres:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start_watchdog(self) -> Path:
        base = self._home / "postgres"
        base.mkdir(mode=0o700, exist_ok=True)
        binaries = find_binaries(data_major(base / "data"))
        log = os.open(base / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        watched, self._lifeline = os.pipe()
        try:
            self._watchdog = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", watchdog.__file__, str(base), str(binaries.folder)],
                stdin=watched,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd="/",
                env={name: value for name, value in os.environ.items() if not name.startswith("PG")}
                | {"LC_ALL": "C"},
                # Ctrl-C in a terminal reaches the service alone, which then stops the server in good order.
                start_new_session=True,
            )
        finally:
            os.close(watched)
            os.close(log)
        if self._watchdog.stdout is None:
            raise AssertionError("the watchdog was started with a pipe for its answer")
        with self._watchdog.stdout as answers:
            answer = json.loads(answers.readline() or b"{}")
        if "socket" not in answer:
            failure = answer.get("failure") or f"its watchdog died; see {base / 'log'}"
            raise PostgresUnavailable(f"Postgres did not start in {self._home}: {failure}")
        return Path(answer["socket"])

    def _create_database(self, socket_folder: Path) -> None:
        try:
            with psycopg.connect(_url(socket_folder, "postgres"), autocommit=True) as connection:
                found = connection.execute("SELECT FROM pg_database WHERE datname = %s", (DATABASE,))
                if found.fetchone() is None:
                    connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.Error as error:
            raise PostgresUnavailable(f"Postgres started in {self._home} but refused us: {error}") from error

    def _forget(self) -> None:
        """Let go of what a forked worker inherited: only the process that started the server keeps it alive."""
        for descriptor in (self._lifeline, self._lock):
            if descriptor is not None:
                os.close(descriptor)
        self._lifeline = self._lock = self._watchdog = None


_in_this_process: weakref.WeakSet[EmbeddedPostgres] = weakref.WeakSet()


def _forget_in_child() -> None:
    for server in list(_in_this_process):
        server._forget()


os.register_at_fork(after_in_child=_forget_in_child)


def _url(socket_folder: Path, database: str) -> str:
    return f"postgresql://{ROLE}@/{database}?host={quote(str(socket_folder), safe='')}&port={PORT}"


def _lock_home(home: Path) -> int:
    """Take the home's lock for this process; gives its descriptor, which no child inherits."""
    descriptor = os.open(home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    if not try_lock(descriptor):
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise HomeBusy(
            f"the home {home} is already served by process {holder or '(just starting)'}: "
            "stop that process, or choose another home"
        )
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _reason(error: OSError) -> str:
    """What the system refused and where, in words for whoever owns the home."""
    # Folders are made with exist_ok: what stands in the way of one is then something else than a folder.
    reason = "it is no folder" if isinstance(error, FileExistsError) else error.strerror
    return f"{error.filename}: {reason}" if error.filename else str(reason)
