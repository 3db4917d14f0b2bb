"""How many requests one address may have in progress, and how many threads it may hold at a time.

Without bounds one address could take all threads of a worker, and its memory for bodies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from api.rest.admission.addresses import network_of


class AddressFull(Exception):  # noqa: N818 - it names a condition
    """The address has as many requests in progress as one address may have."""


class WorkerFull(Exception):  # noqa: N818 - it names a condition
    """The worker has as many requests in progress as it takes."""


class Place:
    """What one address has in progress. `threads` has a permit for each thread that the address may still take."""

    __slots__ = ("requests", "threads")

    def __init__(self, threads: int) -> None:
        self.requests = 0
        self.threads = asyncio.Semaphore(threads)


class Places:
    """The requests in progress: at most `of_address` of one address, and at most `in_all`.

    `threads` is the number of threads that one address may take at a time. An address is a network of IPv6 that a
    provider gives to one customer (/64), or an address of IPv4.
    """

    def __init__(self, of_address: int, in_all: int, threads: int) -> None:
        self._of_address = of_address
        self._in_all = in_all
        self._threads = threads
        self._requests = 0
        self._places: dict[str, Place] = {}

    @contextmanager
    def taken(self, address: str) -> Iterator[Place]:
        """Count a request of this address as in progress. Raises AddressFull and WorkerFull."""
        network = network_of(address)
        place = self._places.get(network)
        if place is None:
            place = Place(self._threads)
        if place.requests >= self._of_address:
            raise AddressFull
        if self._requests >= self._in_all:
            raise WorkerFull
        self._places[network] = place
        place.requests += 1
        self._requests += 1
        try:
            yield place
        finally:
            self._requests -= 1
            place.requests -= 1
            if place.requests == 0:
                del self._places[network]
