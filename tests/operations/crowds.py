"""A crowd at the door: thousands of connections that do nothing, while a table plays.

    python -m tests.operations.crowds --idle 10000 --deaf 2000 --slow 200 --seconds 20

starts `mabligop serve` with a database of its own. From 127.0.0.5 a table of eight phones plays: each phone holds
three streams and a connection for requests, and every tenth request takes a new connection. The table plays alone,
then with the crowd, then alone. The crowd comes from 127.0.0.2, .3 and .4, and comes back after each end of a
connection, at a bounded rate: `idle` clients send nothing, `deaf` clients ask for a long answer and read nothing,
`slow` clients send a byte of a request every second. The program prints the 99th percentile of the table's answers
with and without the crowd, and the ratio.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import resource
import select
import socket
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.command.service import Service, create_game

CROWD = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
TABLE = "127.0.0.5"
_PHONES = 8
_STREAMS = 3
_NEW_CONNECTION_EVERY = 10
_SMALL_BUFFER = 4096
_ARRIVALS_AT_ONCE = 200
_OTHER_FILES = 1024

Address = tuple[str, int]


class Sizes(NamedTuple):
    """The number of connections of each kind in the crowd; of those without a request, the number that comes in
    a second; and of all others, the number in a second.
    """

    idle: int = 10_000
    deaf: int = 2_000
    slow: int = 200
    arrivals: int = 4_000
    returns: int = 50

    @property
    def arrival(self) -> float:
        """Return the seconds until all have come."""
        return max((self.idle + self.slow) / self.arrivals, self.deaf / self.returns)


class _Client(NamedTuple):
    """A connection of the crowd."""

    kind: str
    socket: socket.socket


class Crowd:
    """The connections of the crowd. `ended` counts the connections closed by the service, by kind."""

    def __init__(self, address: Address, sizes: Sizes) -> None:
        self._address = address
        self._sizes = sizes
        self._poll = select.epoll()
        self._clients: dict[int, _Client] = {}
        self._absent = deque(["slow"] * sizes.slow + ["idle"] * sizes.idle)
        self._come_back = deque(["deaf"] * sizes.deaf)
        self._count = 0
        self.ended: Counter[str] = Counter()

    def present(self) -> Counter[str]:
        """Count the open connections by kind."""
        return Counter(client.kind for client in self._clients.values())

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            client.socket.close()
        self._poll.close()

    def stay(self, until: float) -> None:
        """Come, and come back, until a moment of `time.monotonic`."""
        last, second = time.monotonic(), time.monotonic()
        new = back = 0.0
        while (now := time.monotonic()) < until:
            new, back = new + (now - last) * self._sizes.arrivals, back + (now - last) * self._sizes.returns
            last = now
            new, back = self._arrive(self._absent, new), self._arrive(self._come_back, back)
            if now - second >= 1:
                second = now
                for client in self._clients.values():
                    if client.kind == "slow":
                        with suppress(OSError):
                            client.socket.send(b"a")
            for number, event in self._poll.poll(0.01):
                if event & (select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP):
                    client = self._clients.pop(number)
                    client.socket.close()
                    self.ended[client.kind] += 1
                    self._come_back.append(client.kind)

    def _arrive(self, absent: deque[str], allowed: float) -> float:
        """Let as many of the absent clients come as allowed, and return the rest of the number."""
        for _ in range(min(int(allowed), len(absent), _ARRIVALS_AT_ONCE)):
            self._come(absent.popleft())
            allowed -= 1
        return min(allowed, _ARRIVALS_AT_ONCE)

    def _come(self, kind: str) -> None:
        client = socket.socket()
        if kind == "deaf":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_BUFFER)
        client.bind((CROWD[self._count % len(CROWD)], 0))
        self._count += 1
        client.settimeout(5)
        try:
            client.connect(self._address)
            if kind == "deaf":
                client.send(b"GET /api/v1/rulebooks/negopoly/actions HTTP/1.1\r\nHost: localhost\r\n\r\n")
            if kind == "slow":
                client.send(b"GET /api/v1 HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        except OSError:
            client.close()
            self._come_back.append(kind)
            return
        client.setblocking(False)
        self._poll.register(client, select.EPOLLRDHUP)
        self._clients[client.fileno()] = _Client(kind, client)


def _stay(address: Address, sizes: Sizes, seconds: float, report: Connection) -> None:
    """Be the crowd, in a process. Reports the counts of ended and of open connections."""
    more_files(sum(sizes[:3]))
    crowd = Crowd(address, sizes)
    report.send("here")
    crowd.stay(time.monotonic() + seconds)
    report.send((crowd.ended, crowd.present()))
    crowd.close()


def more_files(number: int) -> None:
    """Allow this process so many more open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    required = number + _OTHER_FILES
    if hard != resource.RLIM_INFINITY and required > hard:
        raise SystemExit(f"the crowd needs {required} open files, and a process may have {hard}")
    if soft != resource.RLIM_INFINITY and soft < required:
        resource.setrlimit(resource.RLIMIT_NOFILE, (required, hard))


class Table:
    """Eight phones behind one address. `lost` counts the streams and requests that the service ended."""

    def __init__(self, service: Service) -> None:
        address = urlsplit(service.url)
        self._address = (str(address.hostname), int(address.port or 0))
        with service.client() as client:
            game, tokens = create_game(client)
        self._path = f"/api/v1/games/{game}"
        self._tokens = [tokens["ana"], tokens["bob"]] * (_PHONES // 2)
        self.lost = 0

    def play(self, seconds: float) -> list[float]:
        """Play with all phones for some seconds. Returns the seconds of each answer."""
        taken: list[float] = []
        until = time.monotonic() + seconds
        phones = [
            threading.Thread(target=self._phone, args=(token, number % 2 == 0, until, taken))
            for number, token in enumerate(self._tokens)
        ]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        return taken

    def _phone(self, token: str, first: bool, until: float, taken: list[float]) -> None:
        gift = b'{"kind": "transfer_money", "params": {"to": "%s", "amount": 1}}' % (b"bob" if first else b"ana")
        with ExitStack() as held:
            for _ in range(_STREAMS):
                held.enter_context(self._followed(token))
            connection, count = self._connection(), 0
            while time.monotonic() < until:
                count += 1
                began = time.perf_counter()
                if count % _NEW_CONNECTION_EVERY == 0:
                    connection.close()
                    connection = self._connection()
                try:
                    if count % 3 == 0:
                        self._answer(connection, "POST", f"{self._path}/actions", token, gift)
                    else:
                        self._answer(connection, "GET", f"{self._path}/state", token)
                except (OSError, http.client.HTTPException):
                    self.lost += 1
                    connection.close()
                    connection = self._connection()
                taken.append(time.perf_counter() - began)
                time.sleep(0.02)
            connection.close()

    @contextmanager
    def _followed(self, token: str) -> Iterator[None]:
        """Follow the game, and count the stream as lost if it ends before the context does."""
        with closing(self._connection()) as connection:
            connection.request("GET", f"{self._path}/stream", headers={"Authorization": f"Bearer {token}"})
            stream = connection.getresponse()
            over = threading.Event()

            def read() -> None:
                with suppress(OSError, ValueError, http.client.HTTPException):
                    while stream.readline():
                        pass
                self.lost += not over.is_set()

            reader = threading.Thread(target=read)
            reader.start()
            yield
            over.set()
            if connection.sock is not None:
                connection.sock.shutdown(socket.SHUT_RDWR)
            reader.join()

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self._address, timeout=60, source_address=(TABLE, 0))

    @staticmethod
    def _answer(
        connection: http.client.HTTPConnection, method: str, path: str, token: str, body: bytes | None = None
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} | ({"Content-Type": "application/json"} if body else {})
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 400:
            raise http.client.HTTPException(answer.status)


class Report(NamedTuple):
    """The seconds of the table's answers without and with the crowd, and the counts of both."""

    without: list[float]
    arriving: list[float]
    staying: list[float]
    ended: Counter[str]
    present: Counter[str]
    lost: int


def crowded(service: Service, sizes: Sizes, seconds: float) -> Report:
    """Let a table play alone, with the crowd, and alone."""
    table = Table(service)
    table.play(min(seconds, 2))
    without = table.play(seconds / 2)
    receiver, sender = multiprocessing.get_context("spawn").Pipe(duplex=False)
    address = urlsplit(service.url)
    crowd = multiprocessing.get_context("spawn").Process(
        target=_stay,
        args=((address.hostname, address.port), sizes, sizes.arrival + seconds + 3, sender),
    )
    crowd.start()
    receiver.recv()
    arriving = table.play(sizes.arrival + 1)
    staying = table.play(seconds)
    ended, present = receiver.recv()
    crowd.join()
    without += table.play(seconds / 2)
    return Report(without, arriving, staying, ended, present, table.lost)


def _slowest(seconds: list[float]) -> float:
    """Return the 99th percentile, in milliseconds."""
    return sorted(seconds)[len(seconds) * 99 // 100] * 1000


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="tests.operations.crowds", description=__doc__)
    for name, default in Sizes._field_defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args(arguments)
    sizes = Sizes(*(getattr(options, name) for name in Sizes._fields))
    more_files(0)
    with tempfile.TemporaryDirectory(prefix="mabligop-crowd-") as folder:
        service = Service("--no-demo", "--home", Path(folder) / "home", "--workers", str(options.workers))
        try:
            report = crowded(service, sizes, options.seconds)
        finally:
            service.stop()
    alone = _slowest(report.without)
    lines = [f"{len(report.without)} answers without the crowd: 99th percentile {alone:.1f} ms"]
    for phase, taken in (("while the crowd comes", report.arriving), ("with the crowd", report.staying)):
        slowest = _slowest(taken)
        lines.append(f"{len(taken)} answers {phase}: {slowest:.1f} ms = {slowest / alone:.2f} x")
    lines.append(f"closed by the service: {dict(report.ended)}; still open: {dict(report.present)}")
    lines.append(f"requests and streams lost by the table: {report.lost}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
