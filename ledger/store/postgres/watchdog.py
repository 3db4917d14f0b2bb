"""The watchdog: the parent process of a home's Postgres server.

`embedded` runs this file by its path. The arguments are the folder ``<home>/postgres``, the folder of the
binaries and, for a successor of another watchdog of the service, the folder of the socket. It gets three
descriptors:

- 0, the *lifeline*: a pipe without any writing. It closes when the service ends in any way.
  ``PR_SET_PDEATHSIG`` would not do: the signal is sent at the end of the forking *thread*, and a service has
  many threads;
- 1, the *answer*: a line of JSON, ``{"socket": folder}`` or ``{"failure": sentence}``;
- 2, the *log* of the server and the watchdog.

The watchdog has only a single thread, so the server does use the signal for the death of the watchdog.

The watchdog runs isolated (``-I -S``), so no variable and no installed package affects the process. Its modules
use only the standard library.
"""

import contextlib
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
    # An isolated program run by its path does not find its own package. The path comes last in the list, so
    # other packages in the folder hide nothing of the standard library.
    sys.path.append(str(Path(__file__).parents[3]))

from ledger.store.postgres.binaries import PostgresUnavailable
from ledger.store.postgres.postmaster import (
    is_ready,
    is_stopping,
    remove_stale_pid_file,
    running_postmaster,
    server_processes,
)
from ledger.store.postgres.server_identity import Identity, become, identities, obstacle, write_for

ROLE = "mabligop"
PORT = 5432  # Only a part of the socket's name. Fixed, so PGPORT has no effect.

_LONGEST_SOCKET_PATH = 100  # sun_path has 104 bytes on macOS, 108 on Linux.
_LOG_LIMIT_BYTES = 4 * 2**20
_CHECK_SECONDS = 2.0
_POLL_SECONDS = 0.01
_START_SECONDS = 600.0  # Time to replay the log after a crash on a slow disk.
_FAST_STOP_SECONDS = 60.0
_QUICK_STOP_SECONDS = 10.0
_LEFTOVER_PATIENCE_SECONDS = 3.0
_LEFTOVER_SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)
"""The signals for a leftover server, each after a period of patience. Committed data survives all signals."""

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
    # Clients get their own errors. Lost races between writers cause such errors, and do not belong in the log.
    "log_min_messages": "log",
    "log_checkpoints": "off",
}


def watch(base: Path, folder: Path, socket_folder: Path | None = None) -> None:
    """Run a watchdog in this process. A failure is reported to the service and written to the log."""
    watchdog = Watchdog(base, folder, socket_folder)
    try:
        watchdog.run()
    except Exception as error:
        watchdog.report(error)
        raise


class Watchdog:
    """The parent process of the server: it prepares, starts, restarts and stops the server."""

    def __init__(self, base: Path, folder: Path, socket_folder: Path | None) -> None:
        self._base = base
        self._socket_folder = socket_folder
        self._data = base / "data"
        self._folder = folder
        self._log_start = 0
        self._answered = False
        woken, wakes = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wakes, False)
        self._woken = woken
        # Handlers, because SIG_IGN would be inherited by started programs. The watchdog stops only at the end
        # of the service, so it survives a SIGTERM to all processes.
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)

    def run(self) -> None:
        """Run until the service is gone. Raises when the server does not start; the service then tries again."""
        while not self._service_gone():
            begun = time.monotonic()
            self._limit_log()
            self._log_start = os.fstat(2).st_size
            lock = self._take_lock()
            if lock is None:
                return
            identity = self._choose_identity()
            self._prepare_data(identity, lock)
            self._socket_folder = self._prepare_socket_folder(identity)
            server = self._start_server(identity, self._socket_folder, lock)
            os.close(lock)  # From now on only the server's processes hold the lock.
            try:
                if self._wait_until_ready(server):
                    self._answer({"socket": str(self._socket_folder)})
                    self._wait_while_serving(server)
                elif not self._service_gone():
                    self._fail("the server did not become ready")
            finally:
                self._stop_server(server)
                if self._service_gone() or not self._answered:
                    self._remove_socket_folder(self._socket_folder)
            while time.monotonic() < begun + 1 and not self._service_gone():
                self._sleep(_POLL_SECONDS)  # At most a restart per second.

    def report(self, error: Exception) -> None:
        """Report the reason of a failed start to the service."""
        self._answer({"failure": str(error)})

    def _fail(self, reason: str) -> NoReturn:
        with (self._base / "log").open("rb") as log:
            log.seek(self._log_start)
            last_words = log.read()[-2000:].decode("utf-8", "replace").strip()
        raise PostgresUnavailable(f"{reason}. The end of {self._base / 'log'}:\n{last_words or '(empty)'}")

    def _answer(self, answer: dict[str, str]) -> None:
        if not self._answered:
            self._answered = True
            os.write(1, json.dumps(answer).encode() + b"\n")

    # Waiting.

    def _sleep(self, seconds: float) -> None:
        """Wait for this time, or until the service or a child has ended."""
        readable, _, _ = select.select([0, self._woken], [], [], seconds)
        if self._woken in readable:
            os.read(self._woken, 4096)

    def _service_gone(self) -> bool:
        # Nothing is ever written to the lifeline, so readable means closed.
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
            self._sleep(_CHECK_SECONDS)
            if was_stopped(server):
                server.send_signal(signal.SIGCONT)
            if is_stopping(self._data):
                return  # A smart shutdown was requested: clients stay, but no new client is accepted.
            self._limit_log()

    def _limit_log(self) -> None:
        if os.fstat(2).st_size <= _LOG_LIMIT_BYTES:
            return
        try:
            shutil.copyfile(self._base / "log", self._base / "log.1")
        except OSError:
            with contextlib.suppress(OSError):
                (self._base / "log.1").unlink()  # The disk is full, and half a log is no use.
        # In place, because the server appends to the open file.
        os.ftruncate(2, 0)

    # Leftovers of an earlier service.

    def _take_lock(self) -> int | None:
        """Wait for the end of every server process of this home, and stop a running leftover.

        Returns the lock, or None if the service ends meanwhile.
        """
        lock = os.open(self._base / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        begun = time.monotonic()
        while not self._service_gone():
            patience = int((time.monotonic() - begun) / _LEFTOVER_PATIENCE_SECONDS)
            postmaster = running_postmaster(self._data)
            if postmaster is None and try_lock(lock):
                remove_stale_pid_file(self._data)
                return lock
            if patience > len(_LEFTOVER_SIGNALS):
                self._fail("an earlier server of this home does not stop")
            number = _LEFTOVER_SIGNALS[min(patience, len(_LEFTOVER_SIGNALS) - 1)]
            if postmaster is not None:
                self._signal(postmaster, number)
            elif number != signal.SIGINT:
                # A busy process notices the end of its postmaster only at the end of its statement.
                for process in server_processes(self._data):
                    self._signal(process, number)
            self._sleep(_POLL_SECONDS)
        return None

    def _signal(self, process: int, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
            os.kill(process, signal.SIGCONT)  # A stopped process would not notice.

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
        """Give the folder to the identity and check its access. Returns the reason of a failure, or None."""
        home = self._base.parent
        previous = home.stat()
        if identity.uid != os.geteuid() and not previous.st_mode & stat.S_IXOTH:
            # Open the home to this group, for passing through only.
            os.chown(home, -1, identity.gid)
            home.chmod(stat.S_IMODE(previous.st_mode) | stat.S_IXGRP)
        self._give_folder_to(identity)
        reason = obstacle(identity, self._base, self._folder)
        if reason is not None:
            os.chown(home, -1, previous.st_gid)
            home.chmod(stat.S_IMODE(previous.st_mode))
        return reason

    def _give_folder_to(self, identity: Identity) -> None:
        if self._base.stat().st_uid == identity.uid:
            return
        # From the leaves up: the folder itself is last, so after a kill its owner shows the completion.
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
        """Create the cluster in a temporary folder and rename the folder.

        A kill leaves the whole cluster or nothing.
        """
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
        """Create a folder for the socket of this home. Its name is short even if the home's path is long.

        Files of a killed server are removed: their lock file names a process, and cannot be trusted.
        """
        base_stat = self._base.stat()
        mark = f"{self._base.resolve()}\0{base_stat.st_dev}\0{base_stat.st_ino}\0{identity.uid}"
        name = f"mabligop-{hashlib.sha256(os.fsencode(mark)).hexdigest()[:16]}"
        refused = []
        parents = (Path("/tmp"), Path(tempfile.gettempdir()), self._base)  # noqa: S108
        # Clients keep the URL, so a restarted server must come back to the same folder.
        for folder in [self._socket_folder] if self._socket_folder else [parent / name for parent in parents]:
            if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) > _LONGEST_SOCKET_PATH:
                refused.append(f"{folder}: too long for a socket")
                continue
            try:
                folder.mkdir(mode=0o700, exist_ok=True)
                folder_stat = folder.lstat()
                if not stat.S_ISDIR(folder_stat.st_mode) or folder_stat.st_uid not in (os.geteuid(), identity.uid):
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
        # Only under the lock: the watchdog of the next service may use this folder already.
        lock = os.open(self._base / "lock", os.O_RDWR)
        if try_lock(lock):
            shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)

    # The server process.

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
        """Stop the child process. Its process number stays valid until the wait for its end."""
        for number, seconds in (
            (signal.SIGINT, _FAST_STOP_SECONDS),  # Fast shutdown: disconnect, checkpoint, exit.
            (signal.SIGQUIT, _QUICK_STOP_SECONDS),  # Immediate: the next start replays the log.
            (signal.SIGKILL, None),
        ):
            server.send_signal(number)
            server.send_signal(signal.SIGCONT)  # A stopped process would not notice.
            try:
                server.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return


def _utf8_locale() -> str:
    previous = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
    except locale.Error:
        return "C"  # Strings have the same order; the encoding is UTF8 in any case.
    locale.setlocale(locale.LC_ALL, previous)
    return "C.UTF-8"


def was_stopped(child: subprocess.Popen[bytes], wait: int = os.WNOHANG) -> bool:
    """Return True if a child process was stopped (SIGSTOP) since the last call. False except on Linux.

    With 0 for `wait`, waits for the stop or the end of the child. The end remains available to a later wait.
    """
    if sys.platform != "linux" or child.returncode is not None:
        return False
    state = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT | wait)
    stopped = state is not None and state.si_code == os.CLD_STOPPED
    if stopped:
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOHANG)
    return stopped


def try_lock(descriptor: int) -> bool:
    """Lock an open file, unless another process has locked the file. Returns True after success."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    watch(*map(Path, sys.argv[1:]))
