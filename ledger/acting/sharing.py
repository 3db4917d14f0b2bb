"""Shared throws: asking the seats for values, and accepting commitments and revealed values.

Data sent by the seats is stored at once, and enters the journal with the next action: a chain with the next
appended action, the values of a throw with the action that draws from the throw. See `kernel.dice.shared`.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from ledger.acting.seeds import Seeds, SeedStatus
from ledger.games.games import Games
from ledger.kernel.dice.chains import LONGEST, SIZE, CommittedChain, in_force
from ledger.kernel.dice.shared import CollectedValues, ValuesNeeded
from ledger.kernel.facts.refusals import Malformed
from ledger.store.dice import AskedThrow, StoredChain
from ledger.store.store import Store

REVEAL_SECONDS = 3.0
"""The maximum time an action waits for the values of a throw."""
ABSENT_SECONDS = 0.3
"""The shorter maximum if all missing seats also failed to reveal a value for the previous throw."""
MOST_WAITING = 12
"""The maximum number of actions waiting for values at a time in one process; `MOST_OF_A_GAME` is the maximum
for one game.
"""
MOST_OF_A_GAME = 2
_LOOK_SECONDS = 0.02
_MOST_LOOK_SECONDS = 0.1


class DiceNotShared(Exception):  # noqa: N818 - an answer, not a fault
    """The seats of the game make no shared throws."""


class ThrowNotRequested(Exception):  # noqa: N818 - an answer, not a fault
    """No value of the throw is requested: the throw is already made, or not needed yet."""

    def __init__(self, throw: int, throw_count: int) -> None:
        super().__init__(f"throw {throw} is not asked for; {throw_count} were made")
        self.throw = throw
        self.throw_count = throw_count


class TooManyWaiting(Exception):  # noqa: N818 - an answer, not a fault
    """Too many actions already wait for the values of throws."""


class SeatChain(msgspec.Struct, frozen=True):
    """The newest chain of a seat in the journal: its end, its length, and the action that has it.

    `throws` were made before it: throw `throws + k` takes its value k.
    """

    end: str
    length: int
    action: int
    throws: int


class Wanted(msgspec.Struct, frozen=True):
    """A throw that an action waits for: its number, and the action after which chains do not count for it.

    `seats` has the end of the chain of each seat that may reveal a value, and which value it is.
    """

    throw: int
    after: int
    seats: dict[str, WantedValue]


class WantedValue(msgspec.Struct, frozen=True):
    """The value of a chain that a throw takes."""

    end: str
    place: int


class SharedDice(msgspec.Struct, frozen=True):
    """Where the shared throws of a game stand: how many there were, the chains of the seats, and what is wanted.

    `action` made the last throw; 0 before the first one. `absent` are the seats that did not reveal a value for
    the last throw.
    """

    throws: int
    action: int
    chains: dict[str, SeatChain]
    absent: tuple[str, ...]
    version: int
    wanted: Wanted | None = None


class Sharing:
    """Collects the values of shared throws.

    Takes the games, the store and the seeds, the maximum waiting time, and a function that sleeps for some
    seconds.
    """

    def __init__(
        self,
        games: Games,
        store: Store,
        seeds: Seeds,
        *,
        seconds: float = REVEAL_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._games = games
        self._store = store
        self._seeds = seeds
        self._seconds = seconds
        self._sleep = sleep
        self._waiting: Counter[str] = Counter()
        self._lock = threading.Lock()

    def shared_dice(self, game_id: str) -> SharedDice:
        """Return the status of the shared throws of a game. Raises UnknownGame, DiceNotShared."""
        status, version = self._status(game_id)
        asked_throw, out = self._store.dice.asked_throw(game_id, status.throws + 1), self._out(game_id)
        return SharedDice(
            throws=status.throws,
            action=status.thrown,
            chains={
                seat: SeatChain(chain.end.hex(), chain.length, chain.action, chain.throws)
                for seat, (*_, chain) in sorted(status.chains.items())
            },
            absent=tuple(sorted(status.absent - out)),
            wanted=None if asked_throw is None else wanted_of(status.throws + 1, asked_throw, status.chains, out),
            version=version,
        )

    def commit(self, game_id: str, seat: str, end: bytes, length: int) -> SharedDice:
        """Store a chain committed to by a seat. The chain counts once in the journal.

        Raises UnknownGame, DiceNotShared, and Malformed for a chain committed to before by the seat.
        """
        status, _ = self._status(game_id)
        earlier = status.chains.get(seat, ())
        if not earlier or earlier[-1].end != end:
            if len(end) != SIZE or not 1 <= length <= LONGEST:
                raise Malformed(
                    "a chain has an end of {size} bytes and 1 to {longest} values",
                    "une chaîne a une fin de {size} octets et de 1 à {longest} valeurs",
                    size=SIZE,
                    longest=LONGEST,
                )
            if any(chain.end == end for chain in earlier):
                raise Malformed(
                    "this chain was committed to before: its values may be known",
                    "cette chaîne a déjà été annoncée : ses valeurs peuvent être connues",
                )
            self._store.dice.commit_chain(game_id, StoredChain(seat, end, length))
        return self.shared_dice(game_id)

    def reveal(self, game_id: str, seat: str, throw: int, value: bytes) -> None:
        """Store the value of a seat for a requested throw.

        Raises UnknownGame, DiceNotShared, ThrowNotRequested, and Malformed for a value outside the seat's chain.
        """
        status, _ = self._status(game_id)
        asked_throw = self._store.dice.asked_throw(game_id, throw) if throw == status.throws + 1 else None
        if asked_throw is None:
            raise ThrowNotRequested(throw, status.throws)
        chain = in_force(status.chains.get(seat, ()), asked_throw.action)
        if chain is None or not chain.admits(throw, value):
            raise Malformed(
                "this is not the value for throw {throw} of the chain that {seat:seat} has committed to",
                "ce n'est pas la valeur du lancer {throw} dans la chaîne annoncée par {seat:seat}",
                throw=throw,
                seat=seat,
            )
        self._store.dice.reveal(game_id, throw, seat, value)

    def gather(self, game_id: str, missing_values: ValuesNeeded, *, strict: bool) -> CollectedValues:
        """Ask the seats for the values of a throw, and wait.

        With `strict`, the seats without a value in time are stored: the table throws, and the journal names the
        seats. Each waiting request holds a thread of the service, so TooManyWaiting is raised before all threads
        wait.
        """
        with self._lock:
            if self._waiting.total() >= MOST_WAITING or self._waiting[game_id] >= MOST_OF_A_GAME:
                raise TooManyWaiting(game_id)
            self._waiting[game_id] += 1
        try:
            return self._gather(game_id, missing_values, strict=strict)
        finally:
            with self._lock:
                self._waiting[game_id] -= 1
                self._waiting += Counter()  # drop games without waiting actions

    def _gather(self, game_id: str, missing_values: ValuesNeeded, *, strict: bool) -> CollectedValues:
        asked_throw = self._store.dice.ask_throw(game_id, missing_values.throw, missing_values.action)
        out = self._out(game_id)
        question = wanted_of(missing_values.throw, asked_throw, missing_values.chains, out)
        self._store.notices.say(json.dumps({"game": game_id, "throw": msgspec.to_builtins(question)}))
        waited, look = 0.0, _LOOK_SECONDS
        while True:
            values = {
                seat: value
                for seat, value in self._store.dice.revealed(game_id, missing_values.throw).items()
                if seat in question.seats
            }
            awaited = question.seats.keys() - values.keys()
            patience = min(self._seconds, ABSENT_SECONDS) if awaited <= missing_values.absent else self._seconds
            if not awaited or waited >= patience:
                break
            self._sleep(look)
            waited += look
            look = min(2 * look, _MOST_LOOK_SECONDS)
        committed = (
            seat for seat, chains in missing_values.chains.items() if in_force(chains, asked_throw.action)
        )
        missing = tuple(sorted({*committed} - values.keys()))
        gathered = CollectedValues(missing_values.throw, asked_throw.action, values, missing, out)
        if strict and gathered.owing:
            self._store.dice.miss_values(game_id, missing_values.throw, gathered.owing)
        return gathered

    def _out(self, game_id: str) -> frozenset[str]:
        """Return the eliminated seats of a game; throws do not wait for eliminated seats."""
        game = self._games.open(game_id)
        return game.rulebook.screen.out(game.state)

    def _status(self, game_id: str) -> tuple[SeedStatus, int]:
        """Return the throw data of a game's journal, and the version of the game."""
        game = self._games.open(game_id)
        with game.lock:
            if not game.state.shared:
                raise DiceNotShared(game_id)
            return self._seeds.status(game), game.state.version


def wanted_of(
    throw: int, asked_throw: AskedThrow, chains: Mapping[str, Sequence[CommittedChain]], out: frozenset[str]
) -> Wanted:
    """Return the values requested from the seats in the game, for chains with remaining values."""
    seats = {}
    for seat, ones in sorted((seat, ones) for seat, ones in chains.items() if seat not in out):
        chain = in_force(ones, asked_throw.action)
        index = None if chain is None else chain.index_of(throw)
        if chain is not None and index is not None:
            seats[seat] = WantedValue(chain.end.hex(), index)
    return Wanted(throw, asked_throw.action, seats)
