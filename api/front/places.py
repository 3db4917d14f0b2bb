"""Limits on the requests in progress and the threads of an address.

Without limits, an address could take all threads of a worker, and fill its memory with bodies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from api.rest.admission.addresses import network_of


class AddressLimitError(Exception):
    """The address has reached its limit of requests in progress."""


class WorkerLimitError(Exception):
    """The worker has reached its limit of requests in progress."""


class AddressSlot:
    """The requests in progress of an address. `threads` has a permit for each thread still free for the
    address.
    """

    __slots__ = ("requests", "threads")

    def __init__(self, threads: int) -> None:
        self.requests = 0
        self.threads = asyncio.Semaphore(threads)


class AddressSlots:
    """The requests in progress: at most `of_address` for each address, and at most `in_all` in the worker.

    `threads` is the number of threads for an address at a time. An IPv6 address counts as its /64 network,
    because a provider gives a /64 to one customer.
    """

    def __init__(self, of_address: int, in_all: int, threads: int) -> None:
        self._of_address = of_address
        self._in_all = in_all
        self._threads = threads
        self._requests = 0
        self._slots: dict[str, AddressSlot] = {}

    @contextmanager
    def occupied(self, address: str) -> Iterator[AddressSlot]:
        """Count a request of the address as in progress. Raises AddressLimitError and WorkerLimitError."""
        network = network_of(address)
        slot = self._slots.get(network)
        if slot is None:
            slot = AddressSlot(self._threads)
        if slot.requests >= self._of_address:
            raise AddressLimitError
        if self._requests >= self._in_all:
            raise WorkerLimitError
        self._slots[network] = slot
        slot.requests += 1
        self._requests += 1
        try:
            yield slot
        finally:
            self._requests -= 1
            slot.requests -= 1
            if slot.requests == 0:
                del self._slots[network]
