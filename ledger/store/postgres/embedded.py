"""A private Postgres server for a home folder, for a service without a ``DATABASE_URL``.

Two processes share the work:

- the *service* (`EmbeddedPostgres`, in this module) holds the lock ``<home>/lock`` while serving, so a second
service on the home is refused. The service starts the watchdog, and a new watchdog after each death of a
watchdog; - the *watchdog* (`watchdog`, single-threaded, in a separate session) is the parent of the server. The
watchdog prepares the data folder and starts the server. It restarts a killed server, and stops it when the
service stops or dies.

The server and all its processes inherit the lock ``<home>/postgres/lock``. A file lock lasts while any process
has the file open. So a process with the lock knows that no server process of this home is left on the machine,
whatever process a stale ``postmaster.pid`` names. Two watchdogs of a home take turns by this lock.

Clients connect over a unix socket only, in a folder of the user of the service. The server opens no port. The
user of the service is the owner of the database (peer authentication); every other role needs a password.

The other modules, in the order of use at a start: `binaries` (finds Postgres), `watchdog`, `postmaster` (finds
the leftovers of an earlier server), `server_identity` (the user of the server).
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import psycopg

from ledger.store.postgres import watchdog
from ledger.store.postgres.binaries import PostgresUnavailable, data_major, find_binaries, newer_binaries
from ledger.store.postgres.exchange import READY, exchange, settle
from ledger.store.postgres.postmaster import ready_socket_folder
from ledger.store.postgres.watchdog import PORT, ROLE, try_lock, was_stopped

__all__ = [
    "DATABASE",
    "EmbeddedPostgres",
    "HomeBusy",
    "PostgresUnavailable",
    "has_data",
    "url_of_running",
    "version_of_data",
    "version_to_upgrade_to",
]

DATABASE = "mabligop"

_WITHHELD = ("PG", "MABLIGOP_", "DATABASE_URL")
_FIRST_STARTS = 3
"""Number of watchdogs to try if the first watchdogs are killed before their answer."""
_SHORTEST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0

_log = logging.getLogger(__name__)


class HomeBusy(Exception):  # noqa: N818 - it names a condition
    """Another process serves this home. The message names the home and the process."""


def has_data(home: Path) -> bool:
    """Return True if a server has made its database in this home. Creates nothing.

    Raises OSError if the home cannot be read, PostgresUnavailable if the data is of an unknown Postgres.
    """
    return version_of_data(home) is not None


def version_of_data(home: Path) -> int | None:
    """Return the Postgres version of the data in this home, or None without data. Raises as `has_data`."""
    base = _base(home.expanduser())
    major = data_major(base / "data")
    return data_major(base / READY) if major is None else major


def version_to_upgrade_to(home: Path) -> int | None:
    """Return a later Postgres version for the data of this home, or None."""
    major = version_of_data(home)
    newer = None if major is None else newer_binaries(major)
    return None if newer is None else newer.major


def url_of_running(home: Path) -> str | None:
    """Return the URL of the database of a home served by another process, or None if the server is not ready.

    Only the user of the serving process may connect. Raises OSError if the home cannot be read.
    """
    _forget_other_servers()
    folder = ready_socket_folder(_base(home.expanduser().absolute()) / "data")
    return None if folder is None else _url(folder, DATABASE)


def _forget_other_servers() -> None:
    """Remove the settings of libpq from the environment, because they refer to other servers."""
    for name in [variable for variable in os.environ if variable.startswith("PG")]:
        del os.environ[name]


class EmbeddedPostgres:
    """The Postgres server of a home folder. It runs from `start` to `stop`, and never longer than this process.

    After the death of any server process, the server comes back to the same URL without help. Takes the home
    folder, created (mode 0700) if missing, and the version of Postgres for new data, by default the latest.
    Also a context manager.
    """

    def __init__(self, home: Path, *, major: int | None = None) -> None:
        self._home = home.expanduser().absolute()
        self._major = major
        self._url: str | None = None
        self._lock: int | None = None
        self._lifeline: int | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None
        self._stopping = threading.Event()
        # Locked during the start of programs. A fork waits for the lock: a child with the new pipes would keep
        # the programs waiting, and an unknown inherited lifeline would keep the server running.
        self._changing = threading.RLock()
        _in_this_process.add(self)

    @property
    def url(self) -> str:
        """The URL of the database, ``postgresql://…``, for psycopg and libpq.

        For SQLAlchemy the first word must be ``postgresql+psycopg``. Raises RuntimeError when the server is not
        started.
        """
        if self._url is None:
            raise RuntimeError(f"the Postgres of {self._home} is not started")
        return self._url

    def start(self) -> str:
        """Start the server, create the cluster and the database if missing, and return the URL.

        A leftover server of a killed service is stopped first. Raises HomeBusy if another process serves this
        home; PostgresUnavailable if the home cannot be used (the message names the path), without binaries, or
        if the server does not start.
        """
        if self._url is not None:
            return self._url
        _forget_other_servers()
        self._stopping.clear()
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _lock_home(self._home)
            settle(_base(self._home))
            socket_folder = self._first_socket_folder()
            self._create_database(socket_folder)
            self._keeper = threading.Thread(
                target=self._keep_running, args=(socket_folder,), name="embedded Postgres", daemon=True
            )
            self._keeper.start()
        except OSError as error:
            self.stop()
            raise PostgresUnavailable(f"the home {self._home} cannot be used: {_reason(error)}") from error
        except BaseException:
            self.stop()
            raise
        self._url = _url(socket_folder, DATABASE)
        return self._url

    def stop(self) -> None:
        """Stop the server (a fast shutdown, with a disconnection of clients) and release the home.

        May be repeated.
        """
        try:
            self._stop_server()
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def exchange_data(self, fresh: Path) -> Path:
        """Stop the server, and replace this home's data by the data folder `fresh` of a stopped server.

        The home stays locked until `stop`, against writers to either folder. Returns the folder with the old
        data. After a kill either the old or the new data is in place, at the latest after the next start.
        Raises PostgresUnavailable if the server does not stop, OSError.
        """
        base = _base(self._home)
        major = data_major(base / "data")
        self._stop_server()
        with (base / "lock").open("rb") as lock:
            if self._lock is None or major is None or not try_lock(lock.fileno()):
                raise PostgresUnavailable(f"the Postgres of {self._home} was not stopped")
            return exchange(base, fresh, major)

    def _stop_server(self) -> None:
        self._url = None
        with self._changing:
            self._stopping.set()
            self._let_go()
        if self._keeper is not None:
            self._keeper.join()
            self._keeper = None
        if self._watchdog is not None:
            self._watchdog.wait()
            self._watchdog = None

    def __enter__(self) -> EmbeddedPostgres:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _first_socket_folder(self) -> Path:
        """Start a watchdog, and return the socket's folder when the server is ready."""
        for _ in range(_FIRST_STARTS):
            answer = self._start_watchdog()
            if answer:
                break
        return self._socket_folder(answer)

    def _keep_running(self, socket_folder: Path) -> None:
        """Wait for the death of the watchdog and start a new watchdog, until `stop`.

        Clients keep the URL, so the server must come back to the same folder. A failed start is repeated after
        a pause: a full disk may have room again.
        """
        pause, last_reason = 0.0, ""
        while self._watchdog is not None:
            while was_stopped(self._watchdog, wait=0):
                self._watchdog.send_signal(signal.SIGCONT)
            self._watchdog.wait()
            if self._stopping.wait(pause):
                return
            if not pause:
                _log.warning("The watchdog of the Postgres in %s has ended; starting another one", self._home)
            try:
                self._socket_folder(self._start_watchdog(socket_folder))
            except Exception as error:  # Any error may pass.
                pause = min(max(2 * pause, _SHORTEST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
                reason = str(error).partition("\n")[0]
                if reason != last_reason and not self._stopping.is_set():
                    _log.error("%s\nIt will be tried again for as long as it takes", error)
                    last_reason = reason
            else:
                pause, last_reason = 0.0, ""
                _log.warning("The Postgres in %s runs again", self._home)

    def _start_watchdog(self, socket_folder: Path | None = None) -> dict[str, str]:
        """Start a watchdog.

        Returns its answer after the start or the failure of the server; empty if the watchdog was killed. With
        a folder, the server's socket must be in the folder.
        """
        base = _base(self._home)
        with self._changing:
            self._let_go()
            if self._stopping.is_set():
                return {}
            base.mkdir(mode=0o700, exist_ok=True)
            binaries = find_binaries(data_major(base / "data") or self._major)
            arguments = [str(base), str(binaries.folder), *([str(socket_folder)] if socket_folder else [])]
            log = os.open(base / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            watched, self._lifeline = os.pipe()
            try:
                self._watchdog = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-I", "-S", watchdog.__file__, *arguments],
                    stdin=watched,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    cwd="/",
                    # Without settings of Postgres clients, and without secrets.
                    env={name: value for name, value in os.environ.items() if not name.startswith(_WITHHELD)}
                    | {"LC_ALL": "C"},
                    # Ctrl-C in a terminal reaches only the service. The service then stops the server in order.
                    start_new_session=True,
                )
            finally:
                os.close(watched)
                os.close(log)
        if self._watchdog.stdout is None:
            raise AssertionError("the watchdog was started with a pipe for its answer")
        with self._watchdog.stdout as answers:
            answer: dict[str, str] = json.loads(answers.readline() or b"{}")
        return answer

    def _socket_folder(self, answer: dict[str, str]) -> Path:
        """Return the folder in the watchdog's answer. Raises PostgresUnavailable if the server did not start."""
        if "socket" not in answer:
            failure = answer.get("failure") or f"its watchdog died; see {_base(self._home) / 'log'}"
            raise PostgresUnavailable(f"Postgres did not start in {self._home}: {failure}")
        return Path(answer["socket"])

    def _let_go(self) -> None:
        """Close the lifeline: the watchdog stops the server and ends."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    def _create_database(self, socket_folder: Path) -> None:
        try:
            with psycopg.connect(_url(socket_folder, "postgres"), autocommit=True) as connection:
                rows = connection.execute("SELECT FROM pg_database WHERE datname = %s", (DATABASE,))
                if rows.fetchone() is None:
                    connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.Error as error:
            raise PostgresUnavailable(f"Postgres started in {self._home} but refused us: {error}") from error

    def _forget(self) -> None:
        """Close inherited descriptors in a forked worker: only the starting process keeps the server alive."""
        self._let_go()
        if self._lock is not None:
            os.close(self._lock)
        self._lock = self._watchdog = self._keeper = None


def _base(home: Path) -> Path:
    """Return the folder of the server in a home."""
    return home / "postgres"


_in_this_process: weakref.WeakSet[EmbeddedPostgres] = weakref.WeakSet()


_held_for_fork: list[EmbeddedPostgres] = []


def _before_fork() -> None:
    for server in list(_in_this_process):
        server._changing.acquire()
        _held_for_fork.append(server)


def _after_fork() -> None:
    while _held_for_fork:
        _held_for_fork.pop()._changing.release()


def _after_fork_in_child() -> None:
    for server in _held_for_fork:
        server._forget()
    _after_fork()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)


def _url(socket_folder: Path, database: str) -> str:
    return f"postgresql://{ROLE}@/{database}?host={quote(str(socket_folder), safe='')}&port={PORT}"


def _lock_home(home: Path) -> int:
    """Lock the home for this process. Returns the lock's descriptor, not inherited by children."""
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
    """Return the reason of a system error and its path, in words."""
    # Folders are created with exist_ok, so FileExistsError means a file of another type.
    reason = "it is no folder" if isinstance(error, FileExistsError) else error.strerror
    return f"{error.filename}: {reason}" if error.filename else str(reason)
