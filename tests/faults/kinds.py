"""The kinds of fault, and the plan that a seed gives."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from random import Random

import psutil
import psycopg

from tests.faults.host import Host

ELSEWHERE = "127.0.0.2"
"""The address that bad clients connect from, so that they are not taken for the players."""
_TABLES = ("games", "actions", "events", "touches", "credentials", "invitations", "snapshots")
_SLOWLY_SECONDS = 0.5

Doing = Callable[[Host, Random], AbstractContextManager[None]]


@dataclass(frozen=True)
class Fault:
    """A kind of fault: it begins and ends with its context.

    `lasts` are the least and the most seconds. With `health`, `/healthz` must answer all the time. With `goes_on`,
    players must be served all the time. With `freezes`, a request may come late although its client is quick.
    `needs_full_disk` faults need a file system of the service's own.
    """

    name: str
    doing: Doing
    lasts: tuple[float, float] = (0.5, 1.5)
    health: bool = True
    goes_on: bool = False
    freezes: bool = False
    needs_full_disk: bool = False


@dataclass(frozen=True)
class Planned:
    """A fault in the plan: how long it lasts, and the seed of what it chooses."""

    fault: Fault
    seconds: float
    seed: int


def plan(seed: str) -> Iterator[Planned]:
    """The endless plan of a seed. Every fault comes once before any comes again."""
    chance = Random(f"{seed} plan")
    while True:
        for fault in chance.sample(FAULTS, len(FAULTS)):
            yield Planned(fault, round(chance.uniform(*fault.lasts), 1), chance.randrange(2**32))


# Killing -----------------------------------------------------------------------------------------


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


@contextmanager
def _worker_killed(host: Host, chance: Random) -> Iterator[None]:
    _kill(chance.sample(host.workers(), 1))
    yield


@contextmanager
def _worker_frozen(host: Host, chance: Random) -> Iterator[None]:
    """It may have a game's turn, and connections of clients, which wait."""
    frozen = chance.sample(host.workers(), 1)
    for worker in frozen:
        worker.suspend()
    try:
        yield
    finally:
        for worker in frozen:
            with suppress(psutil.NoSuchProcess):
                worker.resume()


@contextmanager
def _all_workers_killed(host: Host, chance: Random) -> Iterator[None]:
    _kill(host.workers())
    yield


@contextmanager
def _service_killed(host: Host, chance: Random) -> Iterator[None]:
    """Sometimes the service is killed again while it starts."""
    host.end(signal.SIGKILL)
    for _ in range(chance.randrange(3)):
        host.start()
        threading.Event().wait(chance.uniform(0.1, 4))
        host.end(signal.SIGKILL)
    host.start()
    yield


@contextmanager
def _service_restarted(host: Host, chance: Random) -> Iterator[None]:
    number = chance.choice((signal.SIGTERM, signal.SIGINT))
    code = host.end(number)
    host.start()
    if code != 0:
        raise RuntimeError(f"the service ended with exit code {code} after {number.name}")
    yield


@contextmanager
def _watchdog_killed(host: Host, chance: Random) -> Iterator[None]:
    _kill(host.watchdog())
    yield


@contextmanager
def _postmaster_killed(host: Host, chance: Random) -> Iterator[None]:
    _kill(host.postmaster())
    yield


@contextmanager
def _both_killed(host: Host, chance: Random) -> Iterator[None]:
    both = [*host.watchdog(), *host.postmaster()]
    chance.shuffle(both)
    _kill(both)
    yield


@contextmanager
def _backend_killed(host: Host, chance: Random) -> Iterator[None]:
    """Postgres then ends all its connections and recovers from its log."""
    backends = host.backends()
    _kill(chance.sample(backends, min(1, len(backends))))
    yield


# Starving ----------------------------------------------------------------------------------------


@contextmanager
def _table_locked(host: Host, chance: Random) -> Iterator[None]:
    table = chance.choice(_TABLES)
    with psycopg.connect(host.database()) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def _postgres_frozen(host: Host, chance: Random) -> Iterator[None]:
    frozen = [process for parent in host.postmaster() for process in (parent, *parent.children())]
    for process in frozen:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
    try:
        yield
    finally:
        for process in frozen:
            with suppress(psutil.NoSuchProcess):
                process.resume()


@contextmanager
def _disk_full(host: Host, chance: Random) -> Iterator[None]:
    """Sometimes Postgres soon needs a new file of its log, cannot make one, and ends itself."""
    host.disk.fill()
    try:
        with suppress(psycopg.Error):
            _use_up_log(host, chance.choice((0, 5)))
        yield
    finally:
        host.disk.free()


def _use_up_log(host: Host, files: int) -> None:
    """Let Postgres begin this many new files of its log."""
    with psycopg.connect(host.database(), autocommit=True) as connection:
        for _ in range(files):
            connection.execute("CREATE TEMPORARY TABLE IF NOT EXISTS used_up ()")
            connection.execute("SELECT pg_switch_wal()")


@contextmanager
def _files_cannot_grow(host: Host, chance: Random) -> Iterator[None]:
    host.let_grow(False)
    try:
        yield
    finally:
        host.let_grow(True)


# Bad clients -------------------------------------------------------------------------------------


@contextmanager
def _connections(host: Host, number: int, first: bytes, then: bytes, reads: bool = True) -> Iterator[None]:
    """Hold this many connections. Each sends its first bytes, then the others again and again, slowly.

    A connection that the service closes is opened again.
    """
    done = threading.Event()
    held: dict[int, socket.socket] = {}

    def open_one() -> socket.socket:
        one = socket.socket()
        one.settimeout(1)
        if not reads:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        with suppress(OSError):
            one.bind((ELSEWHERE, 0))
        one.connect(("127.0.0.1", host.port))
        one.sendall(first)
        one.setblocking(False)
        return one

    def keep_on(place: int) -> None:
        try:
            if place not in held:
                held[place] = open_one()
            elif reads and not _still_open(held[place]):
                held.pop(place).close()
            elif then:
                held[place].sendall(then)
        except BlockingIOError:
            pass  # Its buffer is full.
        except OSError:
            if place in held:
                held.pop(place).close()

    def hold() -> None:
        while not done.is_set():
            for place in range(number):
                keep_on(place)
            done.wait(_SLOWLY_SECONDS)
        for one in held.values():
            one.close()

    holding = threading.Thread(target=hold, daemon=True)
    holding.start()
    try:
        yield
    finally:
        done.set()
        holding.join()


def _still_open(one: socket.socket) -> bool:
    """Read what has come. An answer counts as open: the service may close after it."""
    with suppress(BlockingIOError):
        return one.recv(2**16) != b""
    return True


_HEAD = b"Host: 127.0.0.1\r\nContent-Type: application/json\r\n"


def _slow_bodies(host: Host, chance: Random) -> AbstractContextManager[None]:
    head = b"POST /api/v1/games HTTP/1.1\r\n" + _HEAD + b"Content-Length: 5000\r\n\r\n{"
    return _connections(host, chance.randint(40, 200), head, b" ")


def _unfinished_headers(host: Host, chance: Random) -> AbstractContextManager[None]:
    return _connections(host, chance.randint(40, 400), b"GET /healthz HTTP/1.1\r\n" + _HEAD + b"X-A: ", b"a")


def _unread_answers(host: Host, chance: Random) -> AbstractContextManager[None]:
    request = b"GET /openapi.json HTTP/1.1\r\n" + _HEAD + b"\r\n"
    return _connections(host, chance.randint(40, 200), 20 * request, b"", reads=False)


def _idle_connections(host: Host, chance: Random) -> AbstractContextManager[None]:
    return _connections(host, 400, b"", b"")


FAULTS = (
    Fault("a worker killed", _worker_killed, health=False),
    Fault("a worker frozen", _worker_frozen, lasts=(2, 8), health=False, freezes=True),
    Fault("all workers killed", _all_workers_killed, health=False),
    Fault("the service killed", _service_killed, health=False),
    Fault("the service restarted", _service_restarted, health=False),
    Fault("the watchdog killed", _watchdog_killed),
    Fault("Postgres killed", _postmaster_killed),
    Fault("watchdog and Postgres killed", _both_killed),
    Fault("a connection of Postgres killed", _backend_killed),
    Fault("a table locked", _table_locked, lasts=(3, 12)),
    Fault("Postgres frozen", _postgres_frozen, lasts=(2, 8)),
    Fault("a full disk", _disk_full, lasts=(3, 10), needs_full_disk=True),
    Fault("files that cannot grow", _files_cannot_grow, lasts=(2, 6)),
    Fault("slow bodies", _slow_bodies, lasts=(6, 12), goes_on=True),
    Fault("unfinished headers", _unfinished_headers, lasts=(6, 12), goes_on=True),
    Fault("answers that nobody reads", _unread_answers, lasts=(6, 12), goes_on=True),
    Fault("idle connections", _idle_connections, lasts=(2, 5), goes_on=True),
)
