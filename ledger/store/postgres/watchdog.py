"""The watchdog: the process that is the parent of one home's Postgres server.

`embedded` runs this file by its path, gives it the folder ``<home>/postgres`` and the folder of the binaries,
and lends it three descriptors:

- 0, the *lifeline*: a pipe nobody writes into. It closes when the service is gone, however it went. A pipe, and
  not ``PR_SET_PDEATHSIG``: that signal is sent when the *thread* that forked ends, and a service has many;
- 1, the *answer*: one line of JSON, ``{"socket": folder}`` or ``{"failure": sentence}``;
- 2, the *log*: what server and watchdog have to say.

The watchdog has one thread, so for its own death the server does ask for that signal.

It runs isolated (``-I -S``), so that no variable and no installed package has a say in it: it and the modules it
imports use the standard library alone.
"""

import fcntl
import hashlib
import json
import locale
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

if __name__ == "__main__":
    # Run by its path and isolated, it does not find its own package. Last in the list: what is installed beside
    # the package hides nothing of the standard library.
    sys.path.append(str(Path(__file__).parents[3]))

from ledger.store.postgres.binaries import PostgresUnavailable
from ledger.store.postgres.postmaster import is_ready, remove_stale_pid_file, running_postmaster
from ledger.store.postgres.server_identity import Identity, become, identities, obstacle, write_for

ROLE = "mabligop"
PORT = 5432  # only a part of the socket's name: fixed, so that PGPORT has no say

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
    "port": str(PORT),
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


def watch(base: Path, folder: Path) -> None:
    """Run a watchdog in this process; a failure is told to the service and written into the log."""
    watchdog = Watchdog(base, folder)
    try:
        watchdog.run()
    except Exception as error:
        watchdog.report(error)
        raise


class Watchdog:
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
            if is_ready(self._data, server.pid):
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
            postmaster = running_postmaster(self._data)
            if postmaster is not None:
                os.kill(postmaster, signal.SIGINT if waited < _FAST_STOP_SECONDS else signal.SIGQUIT)
            elif try_lock(lock):
                remove_stale_pid_file(self._data)
                return lock
            if waited > _FAST_STOP_SECONDS + _QUICK_STOP_SECONDS:
                self._fail("an earlier server of this home does not stop")
            self._sleep(_POLL_SECONDS)
        return None

    # Preparing.

    def _choose_identity(self) -> Identity:
        refused = []
        for identity in identities():
            reason = self._try_identity(identity)
            if reason is None:
                return identity
            refused.append(f"  as {identity}: {reason}")
        raise PostgresUnavailable(
            f"Postgres does not run as root, and there is no other way here to run it in {self._base}:\n"
            + "\n".join(refused or ["  this machine has no unprivileged account"])
        )

    def _try_identity(self, identity: Identity) -> str | None:
        """Give the folder to the identity and see whether it can work there; gives the reason when it cannot."""
        home = self._base.parent
        before = home.stat()
        if identity.uid != os.geteuid() and not before.st_mode & stat.S_IXOTH:
            # The home is ours to open, for this group and for passing through only.
            os.chown(home, -1, identity.gid)
            home.chmod(stat.S_IMODE(before.st_mode) | stat.S_IXGRP)
        self._give_folder_to(identity)
        reason = obstacle(identity, self._base, self._folder)
        if reason is not None:
            os.chown(home, -1, before.st_gid)
            home.chmod(stat.S_IMODE(before.st_mode))
        return reason

    def _give_folder_to(self, identity: Identity) -> None:
        if self._base.stat().st_uid == identity.uid:
            return
        # From the leaves up: the folder itself comes last and tells, after a kill, that all was done.
        for folder, _, files in os.walk(self._base, topdown=False):
            for path in [*(Path(folder, name) for name in files), Path(folder)]:
                os.chown(path, identity.uid, identity.gid, follow_symlinks=False)

    def _prepare_data(self, identity: Identity, lock: int) -> None:
        if not (self._data / "PG_VERSION").exists():
            self._initialise(identity, lock)
        write_for(
            identity,
            self._data / "pg_hba.conf",
            f"local all {ROLE} peer map=service\nlocal all all scram-sha-256\n",
        )
        write_for(identity, self._data / "pg_ident.conf", f'service "{identity.client_name}" {ROLE}\n')

    def _initialise(self, identity: Identity, lock: int) -> None:
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

    def _prepare_socket_folder(self, identity: Identity) -> Path:
        """A folder of this home alone, whose name is short however long the home's path is.

        What a killed server left in it is removed: its lock names a process too, and is as little to be trusted.
        """
        place = self._base.stat()
        mark = f"{self._base.resolve()}\0{place.st_dev}\0{place.st_ino}\0{identity.uid}"
        name = f"mabligop-{hashlib.sha256(os.fsencode(mark)).hexdigest()[:16]}"
        refused = []
        for parent in (Path("/tmp"), Path(tempfile.gettempdir()), self._base):  # noqa: S108
            folder = parent / name
            if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) > _LONGEST_SOCKET_PATH:
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
        if try_lock(lock):
            shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)

    # The server.

    def _spawn(
        self, identity: Identity, command: list[str], last_signal: int, lock: int
    ) -> subprocess.Popen[bytes]:
        watchdog = os.getpid()
        return subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=2,
            stderr=2,
            pass_fds=(lock,),
            # Safe here: this process has a single thread.
            preexec_fn=lambda: become(identity, last_signal, watchdog),
        )

    def _start_server(self, identity: Identity, socket_folder: Path, lock: int) -> subprocess.Popen[bytes]:
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


def _utf8_locale() -> str:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
    except locale.Error:
        return "C"  # same order of strings; the encoding is UTF8 all the same
    locale.setlocale(locale.LC_ALL, before)
    return "C.UTF-8"


def try_lock(descriptor: int) -> bool:
    """Take the lock on an open file, unless another process has it; gives whether it was taken."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    watch(Path(sys.argv[1]), Path(sys.argv[2]))
