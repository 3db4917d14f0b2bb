"""A private Postgres server for one home folder, for a service without a ``DATABASE_URL``.

Two processes share the work:

- the *service* (`EmbeddedPostgres`, in this module) holds the lock ``<home>/lock`` while it serves, so that a
  second service on the same home is refused. It starts the watchdog, and another one whenever the watchdog dies;
- its *watchdog* (`watchdog`, single-threaded, in a session of its own) is the parent of the server. It prepares
  the data folder, starts the server, restarts it when it is killed, and stops it when the service stops or dies.

The server and all its processes inherit the lock ``<home>/postgres/lock``. A file lock lasts while any process has
the file open. So a process that gets the lock knows that no server process of this home is left on the machine,
whatever process a stale ``postmaster.pid`` names. Two watchdogs of one home take turns by this lock.

Clients connect over a unix socket only, in a folder of the user who runs the service. There is no port. That user
is the owner of the database (peer authentication); every other role needs a password.

The other modules, in the order in which a start uses them: `binaries` (finds Postgres), `watchdog`, `postmaster`
(finds what an earlier server left), `server_identity` (the user of the server).
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
"""How many watchdogs are tried when the first ones are killed before they answer."""
_SHORTEST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0

_log = logging.getLogger(__name__)


class HomeBusy(Exception):  # noqa: N818  (it names a condition)
    """Another process serves this home. The message names the home and the process."""


def has_data(home: Path) -> bool:
    """Whether a server has made its database in this home. Creates nothing.

    Raises OSError when the home cannot be read, PostgresUnavailable when the data is of an unknown Postgres.
    """
    return version_of_data(home) is not None


def version_of_data(home: Path) -> int | None:
    """The version of Postgres that made the data of this home; None without data. Raises as `has_data`."""
    base = _base(home.expanduser())
    major = data_major(base / "data")
    return data_major(base / READY) if major is None else major


def version_to_upgrade_to(home: Path) -> int | None:
    """The later version of Postgres that the data of this home can be moved to; None when there is none."""
    major = version_of_data(home)
    newer = None if major is None else newer_binaries(major)
    return None if newer is None else newer.major


def url_of_running(home: Path) -> str | None:
    """The URL of the database of a home that another process serves; None when its server is not ready.

    Only the user of that process may connect. Raises OSError when the home cannot be read.
    """
    _forget_other_servers()
    folder = ready_socket_folder(_base(home.expanduser().absolute()) / "data")
    return None if folder is None else _url(folder, DATABASE)


def _forget_other_servers() -> None:
    """Drop what the environment says to libpq: it is about other servers, and would lead astray from this one."""
    for name in [one for one in os.environ if one.startswith("PG")]:
        del os.environ[name]


class EmbeddedPostgres:
    """The Postgres server of one home folder. It runs from `start` to `stop`, and never longer than this process.

    Whichever of its processes dies meanwhile, it comes back to the same URL by itself. Takes the home folder,
    which is created (mode 0700) when it is missing, and the version of Postgres for new data, by default the
    latest. Also a context manager.
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
        # Held while programs are started. A fork waits for it: a child that inherited the new pipes would keep the
        # programs waiting, and a lifeline that it does not know would keep the server running.
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
        """Start the server, create the cluster and the database when they are missing, and return the URL.

        A server that a killed service left running is stopped first. Raises HomeBusy when another process serves
        this home; PostgresUnavailable when the home cannot be used (the message names the path), when there are no
        binaries, or when the server does not start.
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
        """Stop the server (a fast shutdown, which disconnects clients) and release the home. May be repeated."""
        try:
            self._stop_server()
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def exchange_data(self, fresh: Path) -> Path:
        """Stop the server, and put the data folder `fresh` of a stopped server in the place of this home's data.

        The home stays locked until `stop`, so that nobody writes to either. Returns the folder that keeps the old
        data. A kill leaves either the old or the new data in place, or the next start does. Raises
        PostgresUnavailable when the server does not stop, OSError.
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
        """Wait for the death of the watchdog and start another one, until `stop`.

        Clients keep the URL, so the server must come back to the same folder. A start that fails is repeated after
        a pause: a full disk may have room again.
        """
        pause, told = 0.0, ""
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
            except Exception as error:  # Whatever it is, it may pass.
                pause = min(max(2 * pause, _SHORTEST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
                reason = str(error).partition("\n")[0]
                if reason != told and not self._stopping.is_set():
                    _log.error("%s\nIt will be tried again for as long as it takes", error)
                    told = reason
            else:
                pause, told = 0.0, ""
                _log.warning("The Postgres in %s runs again", self._home)

    def _start_watchdog(self, socket_folder: Path | None = None) -> dict[str, str]:
        """Start a watchdog. Returns its answer, when the server is ready or has failed; empty when it was killed.

        With a folder, the server's socket must be there.
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
                    # Neither what directs clients of Postgres, nor what is secret.
                    env={name: value for name, value in os.environ.items() if not name.startswith(_WITHHELD)}
                    | {"LC_ALL": "C"},
                    # Ctrl-C in a terminal reaches only the service, which then stops the server in order.
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
        """The folder in the watchdog's answer. Raises PostgresUnavailable when the server did not start."""
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
                found = connection.execute("SELECT FROM pg_database WHERE datname = %s", (DATABASE,))
                if found.fetchone() is None:
                    connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.Error as error:
            raise PostgresUnavailable(f"Postgres started in {self._home} but refused us: {error}") from error

    def _forget(self) -> None:
        """Close what a forked worker inherited: only the process that started the server keeps it alive."""
        self._let_go()
        if self._lock is not None:
            os.close(self._lock)
        self._lock = self._watchdog = self._keeper = None


def _base(home: Path) -> Path:
    """The folder of the server in a home."""
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
    """Take the home's lock for this process. Returns its descriptor, which no child inherits."""
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
    """The reason of a system error and its path, in words."""
    # Folders are created with exist_ok, so FileExistsError means that something else than a folder is there.
    reason = "it is no folder" if isinstance(error, FileExistsError) else error.strerror
    return f"{error.filename}: {reason}" if error.filename else str(reason)
