"""The kinds of fault, and the plan that a seed gives."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from random import Random

import psutil
import psycopg

from tests.faults import clocks, outboxes, servers, steps
from tests.faults.fault import Fault, Planned, Wrong
from tests.faults.host import Host, small_disk_missing
from tests.faults.site import Site

ELSEWHERE = "127.0.0.2"
"""The address that bad clients connect from, so that they are not taken for the players."""
_TABLES = ("games", "actions", "events", "touches", "credentials", "invitations", "snapshots")
_SLOWLY_SECONDS = 0.5
_LOOK_SECONDS = 0.05
_MOST_PAGES = 64
_PAGES_WALKED = 6
_MOST_MORE_BYTES = 32 * 2**20


def plan(seed: str) -> Iterator[Planned]:
    """The endless plan of a seed. Every fault comes once before any comes again; `KILLS` come in between."""
    chance = Random(f"{seed} plan")
    while True:
        for fault in chance.sample(FAULTS, len(FAULTS)):
            yield _planned(fault, chance)
            yield _planned(KILLS, chance)


def _planned(fault: Fault, chance: Random) -> Planned:
    return Planned(fault, round(chance.uniform(*fault.lasts), 1), chance.randrange(2**32))


# Killing -----------------------------------------------------------------------------------------


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


@contextmanager
def _worker_killed(site: Site, chance: Random) -> Iterator[None]:
    site.host.kill_workers(chance.sample(site.host.workers(), 1))
    yield


@contextmanager
def _worker_frozen(site: Site, chance: Random) -> Iterator[None]:
    """It may have a game's turn, and connections of clients, which wait."""
    frozen = chance.sample(site.host.workers(), 1)
    for worker in frozen:
        worker.suspend()
    try:
        yield
    finally:
        for worker in frozen:
            with suppress(psutil.NoSuchProcess):
                worker.resume()


@contextmanager
def _all_workers_killed(site: Site, chance: Random) -> Iterator[None]:
    site.host.kill_workers(site.host.workers())
    yield


@contextmanager
def _service_killed(site: Site, chance: Random) -> Iterator[None]:
    """Sometimes the service is killed again while it starts."""
    site.host.end(signal.SIGKILL)
    for _ in range(chance.randrange(3)):
        site.host.start()
        threading.Event().wait(chance.uniform(0.1, 4))
        site.host.end(signal.SIGKILL)
    site.host.start()
    yield


@contextmanager
def _service_restarted(site: Site, chance: Random) -> Iterator[None]:
    number = chance.choice((signal.SIGTERM, signal.SIGINT))
    code = site.host.end(number)
    site.host.start()
    if code != 0:
        raise RuntimeError(f"the service ended with exit code {code} after {number.name}")
    yield


@contextmanager
def _watchdog_killed(site: Site, chance: Random) -> Iterator[None]:
    _kill(site.host.watchdog())
    yield


@contextmanager
def _postmaster_killed(site: Site, chance: Random) -> Iterator[None]:
    _kill(site.host.postmaster())
    yield


@contextmanager
def _both_killed(site: Site, chance: Random) -> Iterator[None]:
    both = [*site.host.watchdog(), *site.host.postmaster()]
    chance.shuffle(both)
    _kill(both)
    yield


@contextmanager
def _backend_killed(site: Site, chance: Random) -> Iterator[None]:
    """Postgres then ends all its connections and recovers from its log."""
    backends = site.host.backends()
    _kill(chance.sample(backends, min(1, len(backends))))
    yield


_IN_SUCCESSION = 12
_BETWEEN_SECONDS = 1.5


def _kill_next(site: Site, chance: Random, victim: str) -> None:
    """Kill a victim, as soon as there is one."""
    host = site.host
    if victim == "the service":
        host.end(signal.SIGKILL)
        host.start()
    elif victim == "all workers":
        host.kill_workers(host.workers())
    elif victim == "a worker":
        host.kill_workers(chance.sample(host.workers(), 1))
    else:
        processes = {"the watchdog": host.watchdog, "Postgres": host.postmaster}.get(victim, host.backends)
        while not (found := processes()) or not (first := host.postmaster()):
            time.sleep(_LOOK_SECONDS)
        _kill(chance.sample(found, 1))
        deadline = time.monotonic() + host.patience
        # Postgres outlives its watchdog by a moment, in which the service still is ready.
        while processes != host.backends and host.postmaster() in ([], first) and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)


_VICTIMS = ("a worker", "all workers", "the watchdog", "Postgres", "a connection of Postgres")


@contextmanager
def _killed_in_succession(site: Site, chance: Random) -> Iterator[None]:
    """One kill after another. After each only the readiness and the latest actions are looked at.

    The service comes first in every deck of victims: a service just started has lost no worker yet.
    """
    found: list[str] = []
    deck: list[str] = []
    for _ in range(_IN_SUCCESSION):
        if not deck:
            deck = [*chance.sample(_VICTIMS, len(_VICTIMS)), "the service"]
        victim, at = deck.pop(), time.monotonic()
        _kill_next(site, chance, victim)
        found += site.killed(victim, at)
        time.sleep(chance.uniform(0, _BETWEEN_SECONDS))
    yield
    if found:
        raise Wrong("\n".join(found))


# Starving ----------------------------------------------------------------------------------------


@contextmanager
def _table_locked(site: Site, chance: Random) -> Iterator[None]:
    table = chance.choice(_TABLES)
    with psycopg.connect(site.host.database()) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def _postgres_frozen(site: Site, chance: Random) -> Iterator[None]:
    frozen = [process for parent in site.host.postmaster() for process in (parent, *parent.children())]
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
def _disk_full(site: Site, chance: Random) -> Iterator[None]:
    """Sometimes Postgres soon needs a new file of its log, cannot make one, and ends itself."""
    site.host.disk.fill()
    try:
        with suppress(psycopg.Error):
            _use_up_log(site.host, chance.choice((0, 5)))
        yield
    finally:
        site.host.disk.free()


@contextmanager
def _disk_full_at_each_write(site: Site, chance: Random) -> Iterator[None]:
    """There is room for n more pages; n walks. Whoever needs the next page finds none."""
    first = chance.randrange(_MOST_PAGES)
    try:
        for pages in range(first, first + _PAGES_WALKED):
            site.host.disk.fill(pages)
            time.sleep(_SLOWLY_SECONDS)
            site.host.disk.free()
            if site.ready(site.host.patience) is None:
                raise Wrong(f"with room for {pages} pages, and then for more, the service was not ready again")
        yield
    finally:
        site.host.disk.free()


@contextmanager
def _workers_short_of_memory(site: Site, chance: Random) -> Iterator[None]:
    """Workers get little more memory than they have: what asks for more fails, or the worker dies."""
    workers = site.host.workers()
    site.host.limit_memory(workers, chance.randrange(_MOST_MORE_BYTES))
    try:
        yield
    finally:
        site.host.limit_memory(workers, None)


@contextmanager
def _postgres_short_of_memory(site: Site, chance: Random) -> Iterator[None]:
    """New connections of Postgres inherit the limit of its first process."""
    site.host.limit_memory([*site.host.postmaster(), *site.host.backends()], chance.randrange(_MOST_MORE_BYTES))
    try:
        yield
    finally:
        site.host.limit_memory([*site.host.postmaster(), *site.host.backends()], None)


def _use_up_log(host: Host, files: int) -> None:
    """Let Postgres begin this many new files of its log."""
    with psycopg.connect(host.database(), autocommit=True) as connection:
        for _ in range(files):
            connection.execute("CREATE TEMPORARY TABLE IF NOT EXISTS used_up ()")
            connection.execute("SELECT pg_switch_wal()")


@contextmanager
def _files_cannot_grow(site: Site, chance: Random) -> Iterator[None]:
    site.host.let_grow(False)
    try:
        yield
    finally:
        site.host.let_grow(True)


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


def _slow_bodies(site: Site, chance: Random) -> AbstractContextManager[None]:
    head = b"POST /api/v1/games HTTP/1.1\r\n" + _HEAD + b"Content-Length: 5000\r\n\r\n{"
    return _connections(site.host, chance.randint(40, 200), head, b" ")


def _unfinished_headers(site: Site, chance: Random) -> AbstractContextManager[None]:
    return _connections(site.host, chance.randint(40, 400), b"GET /healthz HTTP/1.1\r\n" + _HEAD + b"X-A: ", b"a")


def _unread_answers(site: Site, chance: Random) -> AbstractContextManager[None]:
    request = b"GET /openapi.json HTTP/1.1\r\n" + _HEAD + b"\r\n"
    return _connections(site.host, chance.randint(40, 200), 20 * request, b"", reads=False)


def _idle_connections(site: Site, chance: Random) -> AbstractContextManager[None]:
    return _connections(site.host, 400, b"", b"")


_BRIEF = (1.0, 2.0)

FAULTS = (
    Fault("a worker killed", _worker_killed, health=False, kills=True),
    Fault("a worker frozen", _worker_frozen, lasts=(2, 8), health=False, freezes=True),
    Fault("all workers killed", _all_workers_killed, health=False, kills=True),
    Fault("the service killed", _service_killed, health=False, kills=True),
    Fault("the service restarted", _service_restarted, health=False),
    Fault("the watchdog killed", _watchdog_killed, kills=True),
    Fault("Postgres killed", _postmaster_killed, kills=True),
    Fault("watchdog and Postgres killed", _both_killed, kills=True),
    Fault("a connection of Postgres killed", _backend_killed, kills=True),
    Fault("a table locked", _table_locked, lasts=(3, 12)),
    Fault("Postgres frozen", _postgres_frozen, lasts=(2, 8)),
    Fault("a full disk", _disk_full, lasts=(3, 10), missing=small_disk_missing),
    Fault("a disk full at each write", _disk_full_at_each_write, lasts=_BRIEF, missing=small_disk_missing),
    Fault("files that cannot grow", _files_cannot_grow, lasts=(2, 6)),
    Fault("workers short of memory", _workers_short_of_memory, lasts=(2, 6), health=False),
    Fault("Postgres short of memory", _postgres_short_of_memory, lasts=(2, 6)),
    Fault("slow bodies", _slow_bodies, lasts=(6, 12), goes_on=True),
    Fault("unfinished headers", _unfinished_headers, lasts=(6, 12), goes_on=True),
    Fault("answers that nobody reads", _unread_answers, lasts=(6, 12), goes_on=True),
    Fault("idle connections", _idle_connections, lasts=(2, 5), goes_on=True),
    Fault("a clock that jumps", clocks.jumps, lasts=_BRIEF, health=False, missing=clocks.missing),
    Fault("an outbox sent again", outboxes.replayed, lasts=_BRIEF, health=False, missing=clocks.missing),
    Fault("commands killed at a step", steps.commands_killed, lasts=_BRIEF, missing=steps.missing),
    Fault("commands with a full disk", steps.full_at_a_write, lasts=_BRIEF, missing=steps.missing),
    Fault("requests killed at a statement", steps.requests_killed, _BRIEF, health=False, missing=steps.missing),
    Fault("a backup during a migration", steps.backup_during_migration, lasts=_BRIEF),
    Fault("the network cut", servers.cut, lasts=(30, 30), shared=True),
    Fault("packets lost", servers.packets_lost, lasts=(5, 15), shared=True),
    Fault("a standby promoted", servers.standby_promoted, lasts=_BRIEF, shared=True),
    Fault("two services killed in turn", servers.services_killed_in_turn, _BRIEF, health=False, shared=True),
)
KILLS = Fault("kills in close succession", _killed_in_succession, lasts=_BRIEF, health=False)
"""Comes again after every other fault."""
