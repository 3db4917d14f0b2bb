"""The doorkeeper of a worker: a thread that closes connections that hold a place and do nothing.

The server accepts connections before any request, and has no limit for an address. On Linux the doorkeeper finds
the connections among the open files of the process (/proc/self/fd), and asks the kernel for the time of the last
data of each (tcp(7), TCP_INFO). On any other system the doorkeeper does nothing.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import resource
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from api.rest.admission.addresses import network_of

log = logging.getLogger("mabligop.front")

_MOST_PLACES = 8192
"""Largest number of connections of a worker, if the system allows a process as many files."""
_LEAST_PLACES = 128
_OTHER_FILES = 256

IDLE_SECONDS = 20.0
"""The time without data after which a connection does nothing. A stream sends something every 15 seconds."""
_UNSENT_BYTES = 128 * 1024
"""Bytes of a connection that wait in the kernel for a client that does not read."""

_OPEN_FILES = Path("/proc/self/fd")
_TICK_SECONDS = 0.25
_REST = 10
_MOST_REST_SECONDS = 1.0
"""The doorkeeper rests ten times as long as a look takes, and at most a second."""
_LINE_SECONDS = 60.0
_LISTENS = 10
"""The state TCP_LISTEN (linux/tcp_states.h)."""
_INFO_BYTES = 148
_INFO = struct.Struct("=B43xI4xI72xQ8xI")
"""Of tcp_info (linux/tcp.h): the state, milliseconds since data was sent, and received; bytes received, unsent."""
_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: drop the unsent bytes."""


class Connection(NamedTuple):
    """A connection of a client.

    `idle` is the number of seconds since the last data in either direction. A `silent` client has sent nothing
    so far. `unread` tells if bytes wait for the client.
    """

    file: int
    peer: tuple[str, int]
    idle: float
    silent: bool = False
    unread: bool = False

    @property
    def useless(self) -> bool:
        """True if the connection does nothing."""
        return self.silent or self.idle > IDLE_SECONDS


def places() -> int:
    """Return the largest number of connections of a worker, and raise the limit of open files as needed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    required = _MOST_PLACES + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < required:
        soft = required if hard == resource.RLIM_INFINITY else min(required, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return places_within(soft)


def places_within(files: int) -> int:
    """Return the largest number of connections of a worker with this limit of open files."""
    if files == resource.RLIM_INFINITY:
        return _MOST_PLACES
    return max(_LEAST_PLACES, min(_MOST_PLACES, files - _OTHER_FILES))


def surplus(
    connections: Iterable[Connection], limit: int, useless_limit: int, proxies: Sequence[str] = ()
) -> list[Connection]:
    """Return the connections to close, the longest idle of each address first.

    An address keeps `useless_limit` connections that do nothing. Beyond `limit` connections in all, the addresses
    with the most connections lose some, until all have their share. The connections of `proxies` (addresses and
    networks) count, and are never closed.
    """
    clients: dict[str, list[Connection]] = {}
    for connection in connections:
        address = connection.peer[0]
        if _within(address, tuple(proxies)):
            limit -= 1
        else:
            clients.setdefault(network_of(address), []).append(connection)
    closed: list[Connection] = []
    for network, group in clients.items():
        group.sort(key=lambda connection: -connection.idle)
        useless = [connection for connection in group if connection.useless]
        ended = useless[: max(0, len(useless) - useless_limit)]
        remaining = set(group).difference(ended)
        clients[network] = [connection for connection in group if connection in remaining]
        closed += ended
    share = _share([len(group) for group in clients.values()], limit)
    for group in clients.values():
        closed += group[: max(0, len(group) - share)]
    return closed


def _share(sizes: list[int], limit: int) -> int:
    """Return the largest size allowed for each, so that the sum is at most `limit`; at least 1."""
    for position, size in enumerate(sorted(sizes)):
        share = limit // (len(sizes) - position)
        if size > share:
            return max(1, share)
        limit -= size
    return max(sizes, default=0)


@lru_cache(maxsize=4096)
def _within(address: str, networks: tuple[str, ...]) -> bool:
    parsed = ipaddress.ip_address(address.removeprefix("::ffff:"))
    return any(parsed in ipaddress.ip_network(network) for network in networks)


class Doorkeeper:
    """Closes connections of this process that do nothing.

    A worker has `places` connections, and a quarter of the places stays free. An address may have `useless_limit`
    connections that do nothing, except the addresses and networks of `proxies`. The kernel ends a connection
    whose client takes no data for twice `send_seconds`.
    """

    def __init__(self, places: int, useless_limit: int, proxies: Sequence[str], send_seconds: float) -> None:
        self._limit = places * 3 // 4
        self._useless_limit = useless_limit
        self._proxies = tuple(proxies)
        self._unread_milliseconds = int(send_seconds * 2000)
        self._ports: set[int] = set()
        self._closed = 0
        self._next_line = 0.0

    def start(self) -> None:
        """Begin to look, in a thread."""
        if sys.platform == "linux" and _OPEN_FILES.is_dir():
            threading.Thread(target=self._work, name="doorkeeper", daemon=True).start()

    def _work(self) -> None:
        while True:
            began = time.monotonic()
            # With few open files nobody has too many connections.
            if not self._ports or len(_open_files()) > min(self._limit, self._useless_limit):
                self.look()
            time.sleep(min(max(_TICK_SECONDS, _REST * (time.monotonic() - began)), _MOST_REST_SECONDS))

    def look(self) -> None:
        """Look at all connections once, and close the surplus."""
        for connection in surplus(self._connections(), self._limit, self._useless_limit, self._proxies):
            self._close(connection)
        if self._closed and time.monotonic() > self._next_line:
            self._next_line = time.monotonic() + _LINE_SECONDS
            log.warning("%d connections that did nothing were closed, to keep places free", self._closed)
            self._closed = 0

    def _connections(self) -> list[Connection]:
        connections: list[tuple[int, Connection]] = []
        for file in _open_files():
            with suppress(OSError):  # no connection, or closed meanwhile
                # The name of the family only sets the size of an address. IPv4 addresses are smaller.
                opened = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, file)
                try:
                    info = opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_BYTES)
                    state, sent, received, total, unsent = _INFO.unpack(info)
                    port = opened.getsockname()[1]
                    if state == _LISTENS:
                        self._prepare(opened, port)
                        continue
                    peer = opened.getpeername()[:2]
                finally:
                    opened.detach()  # The socket belongs to the server.
                idle = min(sent, received) / 1000
                connections.append((port, Connection(file, peer, idle, total == 0, unsent > 0)))
        # Connections to the database have ports of their own.
        return [connection for port, connection in connections if port in self._ports]

    def _prepare(self, listening: socket.socket, port: int) -> None:
        """Set the limits of a listening socket. Connections inherit the limits."""
        if port not in self._ports:
            self._ports.add(port)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._unread_milliseconds)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)

    def _close(self, connection: Connection) -> None:
        # A copy stays the same connection, whatever the server opens and closes meanwhile.
        with suppress(OSError), socket.socket(fileno=os.dup(connection.file)) as copy:
            if copy.getpeername()[:2] == connection.peer:
                if connection.unread:
                    copy.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                copy.shutdown(socket.SHUT_RDWR)
                self._closed += 1


def _open_files() -> list[int]:
    # pathlib would build thousands of paths.
    return [int(name) for name in os.listdir(_OPEN_FILES)]  # noqa: PTH208
