"""A service that may be killed: `mabligop serve` with a home and a small disk of its own, and its processes."""

from __future__ import annotations

import http.client
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

import psutil

MABLIGOP = Path(sys.executable).with_name("mabligop")
READY_SECONDS = 15.0
"""How long the service may take until it answers again after a fault, on a machine that is quick enough."""
_TIMES_THE_START = 3
_START_SECONDS = 300.0
_DISK_BYTES = 640 * 2**20
_PAGE_BYTES = 4096
_IN_A_ROW = 5
"""How many answers in a row, each on a connection of its own, mean that all workers of the service are ready."""

_DEATHS = 2
_DEATHS_SECONDS = 31.0
"""A service ends itself when a worker dies for the fourth time in half a minute: fewer deaths are made."""


UNBOUNDED = {"MABLIGOP_COMPUTE_SECONDS_PER_MINUTE": "100000", "MABLIGOP_ROWS_PER_MINUTE": "100000000"}
"""The clients play as fast as the service answers, and a refusal would look like a fault."""


class Answer(NamedTuple):
    """An answer: its status and body, and the process number of the worker that gave it, when it was asked for."""

    status: int
    body: bytes
    worker: int | None


class Disk:
    """A folder with room for `_DISK_BYTES`: a file system of its own, which only root can make.

    Without that right it is an ordinary folder, and is never filled (`small_disk_missing`).
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700)
        self._mounted = _mount(folder)
        self._ballast = folder / "ballast"

    def fill(self, pages: int = 0) -> None:
        """Leave no room, or room for so many pages (of 4 KiB): the write that needs another page fails."""
        with self._ballast.open("wb") as ballast:
            with suppress(OSError):
                while True:
                    ballast.write(bytes(2**16))
                    ballast.flush()
            with suppress(OSError):
                while True:
                    os.write(ballast.fileno(), bytes(_PAGE_BYTES))
        os.truncate(self._ballast, max(0, self._ballast.stat().st_size - pages * _PAGE_BYTES))

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the file system and the folder."""
        if self._mounted:
            subprocess.run(["umount", "--lazy", self.folder], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def _mount(folder: Path) -> bool:
    command: list[str | Path] = ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES},mode=0700", "tmpfs", folder]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@cache
def small_disk_missing() -> str | None:
    """Why the disk cannot be full here."""
    with TemporaryDirectory() as folder:
        if _mount(Path(folder)):
            subprocess.run(["umount", "--lazy", folder], check=False)
            return None
    return "only root can make a small file system"


class Host:
    """The service, its processes and its folders. The address stays the same over restarts.

    `variables` are further variables of the environment. With a DATABASE_URL there, the service has no Postgres of
    its own.
    """

    def __init__(self, workers: int, variables: Mapping[str, str] | None = None) -> None:
        self.workers_wanted = workers
        self.variables = dict(variables or {})
        self.folder = Path(tempfile.mkdtemp(prefix="mabligop-faults-"))
        self.disk = Disk(self.folder / "disk")
        self.home = self.disk.folder / "home"
        self.log = self.folder / "log"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.slowness = 1.0
        """The factor by which this machine may be slower than a fast machine."""
        self._process: subprocess.Popen[bytes] | None = None
        self._deaths: list[float] = []

    # The life of the service ---------------------------------------------------------------------

    def start(self) -> None:
        """Start the service, without waiting for it."""
        self._deaths.clear()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(MABLIGOP, "serve", "--no-demo", "--home", self.home),
                    *("--port", str(self.port), "--workers", str(self.workers_wanted)),
                ],
                env=environment() | UNBOUNDED | self.variables,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def ready(self, patience: float) -> float | None:
        """Wait until the service answers that it is ready. Returns the seconds that took, None without success."""
        begun = time.monotonic()
        in_a_row = 0
        while in_a_row < _IN_A_ROW:
            if time.monotonic() > begun + patience:
                return None
            if self._answers_ready():
                in_a_row += 1
            else:
                in_a_row = 0
                time.sleep(0.05)
        return time.monotonic() - begun

    def _answers_ready(self) -> bool:
        try:
            return self.get("/readyz", timeout=2).status == 200
        except OSError:
            return False

    def get(
        self, path: str, headers: Mapping[str, str] | None = None, *, timeout: float = 30, named: bool = False
    ) -> Answer:
        """The answer to one GET on a connection of its own; with `named`, also which worker gave it.

        Raises OSError when there is no answer.
        """
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)) as connection:
            try:
                connection.request("GET", path, headers=dict(headers or {}))
                own: tuple[str, int] = connection.sock.getsockname()
                answer = connection.getresponse()
                worker = self._holder(own) if named else None
                return Answer(answer.status, answer.read(), worker)
            except http.client.HTTPException as failure:
                raise ConnectionError(type(failure).__name__) from failure

    def first_start(self) -> None:
        """Start the service for the first time, and wait for it. Raises RuntimeError.

        Where this start takes long, the machine is slow or busy: the service then has more time after a fault.
        """
        self.start()
        took = self.ready(_START_SECONDS)
        if took is None:
            raise RuntimeError(f"the service did not start:\n{self.last_words()}")
        self.slowness = max(1.0, _TIMES_THE_START * took / READY_SECONDS)

    @property
    def patience(self) -> float:
        """How long the service may take until it answers again, in seconds."""
        return self.slowness * READY_SECONDS

    def end(self, number: signal.Signals) -> int:
        """Send a signal to the service and wait until it has ended and left no process. Returns the exit code.

        Raises RuntimeError when it does not end, or leaves processes behind.
        """
        if self._process is None:
            raise RuntimeError("the service was not started")
        everything = self.processes()
        self._process.send_signal(number)
        try:
            code = self._process.wait(2 * self.patience)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"the service did not end after {number.name}") from None
        _, left = psutil.wait_procs(everything, timeout=self.patience)
        if left:
            raise RuntimeError(f"the service ended by {number.name} and left processes: {_told(left)}")
        return code

    def verify(self, games: Sequence[str]) -> list[str]:
        """What `mabligop verify --decide` finds in these games, while the service serves them.

        The keys in the home of the service tell whether a journal is still the one that was signed.
        """
        command = [str(MABLIGOP), "verify", "--decide", "--home", str(self.home), *games]
        variables = environment() | self.variables | {"DATABASE_URL": self.database()}
        verified = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if verified.returncode == 0:
            return []
        return [*verified.stdout.splitlines()[:5], *verified.stderr.splitlines()[-3:]]

    def close(self) -> None:
        """End every process and remove the folders, whatever happened before."""
        left = self.processes()
        if self._process is not None and self._process.poll() is None:
            for process in left:
                with suppress(psutil.Error):
                    process.resume()
            with suppress(RuntimeError):
                self.end(signal.SIGTERM)
        for process in {*left, *self.processes()}:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=READY_SECONDS)
        self.disk.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def last_words(self) -> str:
        """The end of the service's log."""
        return self.log.read_text(errors="replace")[-3000:]

    def answers_of_all(self, path: str, headers: Mapping[str, str]) -> dict[int, Answer]:
        """The answer of every worker to one GET, by the number of its process.

        Workers share the port, and the system chooses one for each connection. So connections are opened until
        every worker has had one, and has not put it off with a 503.
        """
        answers: dict[int, Answer] = {}
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            answer = self.get(path, headers, named=True)
            if answer.status != HTTPStatus.SERVICE_UNAVAILABLE and answer.worker is not None:
                answers[answer.worker] = answer
            living = {worker.pid for worker in self.workers()}
            answers = {worker: given for worker, given in answers.items() if worker in living}
            if len(answers) >= max(self.workers_wanted, len(living)):
                break
        return answers

    def kill_workers(self, workers: Sequence[psutil.Process]) -> None:
        """Kill workers, as soon as no worker has died too often for a service that is to go on."""
        self.spare_workers()
        self.note_death()
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.kill()

    def note_death(self) -> None:
        """Remember that a worker died now."""
        self._deaths.append(time.monotonic())

    def spare_workers(self) -> None:
        """Wait until a worker may die once more."""
        while len([at for at in self._deaths if time.monotonic() - at < _DEATHS_SECONDS]) >= _DEATHS:
            time.sleep(0.1)

    # Its processes -------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """Whether the first process of the service runs."""
        return self._process is not None and self._process.poll() is None

    def processes(self) -> list[psutil.Process]:
        """All processes of the service, its Postgres included, the first one first.

        Postgres works in its data folder, so that it is found also when its parents are gone.
        """
        found = self._family()
        known = {process.pid for process in found}
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.pid not in known and Path(process.cwd()).is_relative_to(self.home):
                    found.append(process)
        return found

    def workers(self) -> list[psutil.Process]:
        """The processes that answer requests."""
        return self._with_words("multiprocessing.spawn")

    def watchdog(self) -> list[psutil.Process]:
        """The parent of Postgres: none while it is being replaced."""
        return self._with_words("watchdog")

    def postmaster(self) -> list[psutil.Process]:
        """The first process of Postgres: none while it is being replaced."""
        with suppress(OSError, ValueError, IndexError, psutil.Error):
            return [psutil.Process(int(self._server()[0]))]
        return []

    def backends(self) -> list[psutil.Process]:
        """The processes of Postgres that serve one connection each."""
        return [one for parent in self.postmaster() for one in parent.children() if "[local]" in _words(one)]

    def database(self) -> str:
        """The URL of the running Postgres, for its owner. Raises OSError while there is none."""
        if "DATABASE_URL" in self.variables:
            return self.variables["DATABASE_URL"]
        return f"postgresql://mabligop@/mabligop?host={quote(self._server()[4], safe='')}&port=5432"

    def let_grow(self, allowed: bool) -> None:
        """Allow or forbid that Postgres makes any file larger. New processes of its own inherit this."""
        size = resource.RLIM_INFINITY if allowed else 0
        for parent in self.postmaster():
            for process in (parent, *parent.children()):
                with suppress(psutil.Error):
                    process.rlimit(psutil.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def limit_memory(self, processes: Sequence[psutil.Process], more: int | None) -> None:
        """Allow processes no more memory than now and so many bytes; any memory for None."""
        for process in processes:
            with suppress(psutil.Error):
                size = resource.RLIM_INFINITY if more is None else process.memory_info().vms + more
                process.rlimit(psutil.RLIMIT_AS, (size, resource.RLIM_INFINITY))

    def _server(self) -> list[str]:
        lines = (self.home / "postgres" / "data" / "postmaster.pid").read_text().splitlines()
        if len(lines) < 5:
            raise OSError("Postgres is starting")
        return lines

    def _with_words(self, words: str) -> list[psutil.Process]:
        return [process for process in self._family()[1:] if words in _words(process)]

    def _family(self) -> list[psutil.Process]:
        """The first process of the service and all its descendants."""
        if self._process is not None and self._process.poll() is None:
            with suppress(psutil.Error):
                first = psutil.Process(self._process.pid)
                return [first, *first.children(recursive=True)]
        return []

    def _holder(self, peer: tuple[str, int]) -> int | None:
        """The worker that holds the other end of a connection."""
        for worker in self.workers():
            with suppress(psutil.Error):
                if any(one.raddr == peer for one in worker.net_connections("tcp")):
                    return int(worker.pid)
        return None


def free_port() -> int:
    """A free port of the loopback address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def environment() -> dict[str, str]:
    """The environment without the service's own variables."""
    own = ("MABLIGOP_", "DATABASE_URL", "PROMETHEUS_")
    return {name: value for name, value in os.environ.items() if not name.startswith(own)}


def _words(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def _told(processes: list[psutil.Process]) -> str:
    return ", ".join(f"{process.pid} {_words(process)[:60]}" for process in processes)
