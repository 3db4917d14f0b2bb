"""The doorkeeper of a worker: which connections end, and which stay."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from api.front.doorkeeper import IDLE_SECONDS, Connection, Doorkeeper, surplus

MOST, MOST_USELESS = 100, 8
HERE, THERE = "192.0.2.7", "192.0.2.8"


def group(address: str, number: int, *, idle: float = 0.0, silent: bool = False) -> list[Connection]:
    """Connections of an address; each is idle a little longer than the next."""
    return [Connection(port, (address, port), idle + (number - port) / 10, silent) for port in range(number)]


def ended(*groups: list[Connection], proxies: tuple[str, ...] = ()) -> list[Connection]:
    return surplus([connection for group in groups for connection in group], MOST, MOST_USELESS, proxies)


def test_a_full_table_behind_one_address_keeps_all_its_connections() -> None:
    """Eight phones have three streams, which hear something every 15 seconds, and a connection each at rest."""
    streams = [Connection(n, (HERE, n), 15.0) for n in range(24)]
    assert ended(streams, group(HERE, 8, idle=60)) == []


def test_beyond_its_bound_an_address_loses_the_connections_idle_the_longest() -> None:
    idle, new, busy = group(HERE, 12, idle=IDLE_SECONDS), group(HERE, 2, silent=True), group(HERE, 40)
    elsewhere = group(THERE, 8, idle=70)
    assert ended(new, busy, idle, elsewhere) == idle[:6]


def test_a_client_that_sends_nothing_counts_at_once() -> None:
    silent = group(HERE, 12, silent=True)
    assert ended(silent) == silent[:4]


def test_the_addresses_of_one_customer_count_together() -> None:
    """A provider gives a customer 64 bits of IPv6 addresses; IPv4 may be written as IPv6."""
    near = [group(f"2001:db8::{n}", 3, silent=True) for n in (1, 2, 3)]
    assert len(ended(*near)) == 1
    assert ended(*near[:2], group("2001:db8:0:1::1", 3, silent=True)) == []
    assert len(ended(group(HERE, 5, silent=True), group(f"::ffff:{HERE}", 5, silent=True))) == 2


def test_when_places_are_scarce_the_address_with_the_most_gives_way() -> None:
    """A hundred places: seventy and fifty busy connections make room, and the ten of the table stay."""
    many, more, table = group(HERE, 50), group(THERE, 70), group("192.0.2.9", 10)
    assert ended(many, more, table) == [*many[:5], *more[:25]]


def test_a_trusted_proxy_loses_nothing_and_counts() -> None:
    """All callers share its address. Who comes past the proxy has what it leaves."""
    proxy = group("10.0.0.1", 90, idle=70)
    assert ended(proxy, proxies=("10.0.0.0/8",)) == []
    assert ended(proxy, group(HERE, 12), proxies=("10.0.0.1",)) == group(HERE, 12)[:2]
    assert ended(group("::ffff:10.0.0.1", 20, idle=70), proxies=("10.0.0.1",)) == []
    assert len(ended(proxy, proxies=("10.0.0.2",))) == 82
    crowded = group("10.0.0.1", 120)
    assert ended(crowded, group(HERE, 12), proxies=("10.0.0.1",)) == group(HERE, 12)[:11]


@pytest.fixture(params=["127.0.0.1", "::1"])
def listening(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    """A socket on which a server listens."""
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with socket.create_server((request.param, 0), family=family) as server:
        yield server


def test_silent_connections_of_this_process_are_closed_and_no_other(listening: socket.socket) -> None:
    """Given four connections and two places for idle ones, then the two that came first are closed."""
    keeper = Doorkeeper(1000, 2, (), 30)
    keeper.look()
    with ExitStack() as opened:
        pairs = []
        for _ in range(4):
            client = opened.enter_context(socket.create_connection(listening.getsockname()[:2], timeout=300))
            pairs.append((client, opened.enter_context(closing(listening.accept()[0]))))
            wait_a_millisecond(pairs[-1][1])
        pairs[0][0].send(b"GET")
        pairs[0][1].recv(3)
        keeper.look()
        assert pairs[1][0].recv(1) == b""
        for client, served in (pairs[0], *pairs[2:]):
            served.send(b"!")
            assert client.recv(1) == b"!"
        keeper.look()
        assert all(served.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0 for _, served in pairs[2:])


def wait_a_millisecond(connection: socket.socket) -> None:
    """Wait until the kernel counts the connection as a millisecond old: it tells no smaller differences."""
    while connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 56)[-4:] < b"\x02":
        pass


def test_a_client_that_reads_nothing_fills_little_of_the_kernel(listening: socket.socket) -> None:
    """Without the bound of the doorkeeper, the kernel takes megabytes for each such client."""
    Doorkeeper(1000, 1000, (), 30).look()
    with socket.socket(listening.family) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(listening.getsockname())
        with listening.accept()[0] as served:
            assert served.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000
            served.setblocking(False)
            sent = 0
            with suppress(BlockingIOError):
                while True:
                    sent += served.send(bytes(16 * 1024))
    assert sent < 512 * 1024
