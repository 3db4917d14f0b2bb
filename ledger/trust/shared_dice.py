"""Checking shared throws: every value belongs to its commitment, and every missing seat is named.

For each throw several possible manipulations are checked: the number of the throw is the next number; the seats
were asked after the previous throw, and after the service had committed to its value; each value belongs to the
chain in force then; each seat with such a chain has its value in the throw or is named missing; and an action
draws from the throw of an earlier action only if both were recorded at the same time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from ledger.kernel.dice.chains import CommittedChain, in_force
from ledger.kernel.dice.deriving import Derived
from ledger.kernel.dice.seeds import commitment
from ledger.kernel.dice.shared import service_value, source_of
from ledger.kernel.journal.entry import Chances, Entry, Throw


class _LastThrow(NamedTuple):
    """The last throw: the values, the service's value if open, the action, the time, the last drawn position."""

    number: int = 0
    values: dict[str, bytes] = {}
    service: bytes | None = None
    action: int = 0
    at: datetime | None = None
    position: int = 0


class SharedRecord:
    """The journal's record of shared throws, entry by entry."""

    def __init__(self) -> None:
        self._chains: dict[str, tuple[CommittedChain, ...]] = {}
        self._last = _LastThrow()
        self._next: tuple[str, int] | None = None
        """The service's commitment for the next throw, and the action with the commitment."""
        self.missed: defaultdict[str, list[int]] = defaultdict(list)
        """The actions without a revealed value, by seat."""

    def take(self, entry: Entry, chance: Chances, seed: bytes | None) -> Iterator[str]:
        """Yield the faults in an entry's chance data.

        Takes the opened seed in force before the entry, if opened.
        """
        throw = chance.throw
        if throw is not None and throw.place:
            yield from self._goes_on(entry, throw)
        elif throw is not None:
            yield from self._begins(entry, throw, seed)
        if chance.unthrown is not None:
            for seat in chance.unthrown.missing:
                self.missed[seat].append(entry.number)
        for seat, chain in chance.chains.items():
            end = bytes.fromhex(chain.end)
            earlier = self._chains.get(seat, ())
            if any(committed.end == end for committed in earlier):
                yield f"{seat} commits to a chain again"
            new = CommittedChain(end, chain.length, entry.number, self._last.number)
            self._chains[seat] = (*earlier, new)
        if chance.next is not None:
            self._next = chance.next, entry.number

    def source(self, game: str, throw: Throw, seed: bytes | None) -> Derived | None:
        """Return the source of an action's draws, or None while the service's value is closed."""
        last = self._last
        service = service_value(seed, throw.number) if seed is not None else last.service
        return None if service is None else source_of(last.values, service, game, throw.number, throw.place)

    def _begins(self, entry: Entry, throw: Throw, seed: bytes | None) -> Iterator[str]:
        last = self._last
        if throw.number != last.number + 1:
            yield f"it draws from throw {throw.number}, and the last one was {last.number}"
        if not last.action <= throw.after < entry.number:
            yield f"its throw was asked for after action {throw.after}, and not between the last one and its own"
        values = {seat: bytes.fromhex(value) for seat, value in throw.values.items()}
        counting = {seat: in_force(chains, throw.after) for seat, chains in self._chains.items()}
        for seat, value in values.items():
            chain = counting.get(seat)
            if chain is None or not chain.admits(throw.number, value):
                yield f"the value of {seat} does not belong to the chain that counts"
            else:
                revealed = chain.revealed(throw.number, value)
                self._chains[seat] = tuple(
                    revealed if committed is chain else committed for committed in self._chains[seat]
                )
        for seat in throw.missing:
            self.missed[seat].append(entry.number)
            if seat in values or counting.get(seat) is None:
                yield f"{seat} is named missing, and is not"
        for seat, chain in counting.items():
            if chain is not None and seat not in values and seat not in throw.missing:
                yield f"the value of {seat} is not there, and {seat} is not named missing"
        service = None if throw.service is None else bytes.fromhex(throw.service)
        derived = None if seed is None else service_value(seed, throw.number)
        if service is not None and derived is not None and service != derived:
            yield "the value of the service does not come from its seed"
        opened = service or derived
        if self._next is None or (values and self._next[1] > throw.after):
            yield "the service had not committed to its value when the seats were asked"
        elif opened is not None and commitment(entry.game, opened) != self._next[0]:
            yield "the value of the service is not the one that it had committed to"
        self._last = _LastThrow(throw.number, values, service, entry.number, entry.recorded_at)

    def _goes_on(self, entry: Entry, throw: Throw) -> Iterator[str]:
        last = self._last
        if throw.number != last.number or throw.place != last.position + 1 or entry.recorded_at != last.at:
            yield f"it draws from throw {throw.number} again, which was made for action {last.action}"
        self._last = last._replace(position=throw.place)
