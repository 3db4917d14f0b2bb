"""Shared throws: asking the seats for their values, and taking what they commit to and reveal.

What the seats send is stored at once, and gets into the journal with the next action: a chain with whatever is
appended next, the values of a throw with the action that draws from it. See `kernel.dice.shared`.
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
from ledger.kernel.dice.chains import LONGEST, SIZE, Committed, in_force
from ledger.kernel.dice.shared import Gathered, ValuesWanted
from ledger.kernel.facts.refusals import Malformed
from ledger.store.dice import AskedThrow, StoredChain
from ledger.store.store import Store

REVEAL_SECONDS = 3.0
"""How long an action waits for the values of a throw."""
ABSENT_SECONDS = 0.3
"""How long it waits when only those are missing who did not reveal a value for the throw before, either."""
MOST_WAITING = 12
"""How many actions of all games wait for values at a time in one process, and how many of one game."""
MOST_OF_A_GAME = 2
_LOOK_SECONDS = 0.02
_MOST_LOOK_SECONDS = 0.1


class NotShared(Exception):  # noqa: N818 - an answer, not a fault
    """The seats of this game throw nothing together."""


class NotAsked(Exception):  # noqa: N818
    """Nobody asks for a value of this throw: it was made already, or nothing needs it yet."""

    def __init__(self, throw: int, made: int) -> None:
        super().__init__(f"throw {throw} is not asked for; {made} were made")
        self.throw = throw
        self.made = made


class TooManyWait(Exception):  # noqa: N818
    """Too many actions wait for the values of throws already."""


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
    """Takes the games, the store and the seeds, how long to wait for values, and what waits so many seconds."""

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

    def now(self, game_id: str) -> SharedDice:
        """Where the shared throws of a game stand. Raises UnknownGame, NotShared."""
        status, version = self._status(game_id)
        asked, out = self._store.asked_throw(game_id, status.throws + 1), self._out(game_id)
        return SharedDice(
            throws=status.throws,
            action=status.thrown,
            chains={
                seat: SeatChain(one.end.hex(), one.length, one.action, one.throws)
                for seat, (*_, one) in sorted(status.chains.items())
            },
            absent=tuple(sorted(status.absent - out)),
            wanted=None if asked is None else wanted_of(status.throws + 1, asked, status.chains, out),
            version=version,
        )

    def commit(self, game_id: str, seat: str, end: bytes, length: int) -> SharedDice:
        """Store the chain to which a seat commits. It counts once it is in the journal.

        Raises UnknownGame, NotShared, and Malformed for a chain that the seat has committed to before.
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
            if any(one.end == end for one in earlier):
                raise Malformed(
                    "this chain was committed to before: its values may be known",
                    "cette chaîne a déjà été annoncée : ses valeurs peuvent être connues",
                )
            self._store.commit_chain(game_id, StoredChain(seat, end, length))
        return self.now(game_id)

    def reveal(self, game_id: str, seat: str, throw: int, value: bytes) -> None:
        """Store the value of a seat for a throw that is asked for.

        Raises UnknownGame, NotShared, NotAsked, and Malformed for what is not the value of the seat's chain.
        """
        status, _ = self._status(game_id)
        asked = self._store.asked_throw(game_id, throw) if throw == status.throws + 1 else None
        if asked is None:
            raise NotAsked(throw, status.throws)
        chain = in_force(status.chains.get(seat, ()), asked.after)
        if chain is None or not chain.admits(throw, value):
            raise Malformed(
                "this is not the value for throw {throw} of the chain that {seat:seat} has committed to",
                "ce n'est pas la valeur du lancer {throw} dans la chaîne annoncée par {seat:seat}",
                throw=throw,
                seat=seat,
            )
        self._store.reveal(game_id, throw, seat, value)

    def gather(self, game_id: str, wanted: ValuesWanted, *, strict: bool) -> Gathered:
        """Ask the seats for their values of a throw, and wait for them.

        With `strict`, who did not reveal one in time is stored: the table throws, and the journal names them.
        Whoever waits holds a thread of the service: raises TooManyWait rather than let all of them wait.
        """
        with self._lock:
            if self._waiting.total() >= MOST_WAITING or self._waiting[game_id] >= MOST_OF_A_GAME:
                raise TooManyWait(game_id)
            self._waiting[game_id] += 1
        try:
            return self._gather(game_id, wanted, strict=strict)
        finally:
            with self._lock:
                self._waiting[game_id] -= 1
                self._waiting += Counter()  # forgets games for which nothing waits

    def _gather(self, game_id: str, wanted: ValuesWanted, *, strict: bool) -> Gathered:
        asked = self._store.ask_throw(game_id, wanted.throw, wanted.after)
        out = self._out(game_id)
        told = wanted_of(wanted.throw, asked, wanted.chains, out)
        self._store.say(json.dumps({"game": game_id, "throw": msgspec.to_builtins(told)}))
        waited, look = 0.0, _LOOK_SECONDS
        while True:
            values = {
                seat: value
                for seat, value in self._store.revealed(game_id, wanted.throw).items()
                if seat in told.seats
            }
            awaited = told.seats.keys() - values.keys()
            patience = min(self._seconds, ABSENT_SECONDS) if awaited <= wanted.absent else self._seconds
            if not awaited or waited >= patience:
                break
            self._sleep(look)
            waited += look
            look = min(2 * look, _MOST_LOOK_SECONDS)
        committed = (seat for seat, chains in wanted.chains.items() if in_force(chains, asked.after))
        missing = tuple(sorted({*committed} - values.keys()))
        gathered = Gathered(wanted.throw, asked.after, values, missing, out)
        if strict and gathered.owing:
            self._store.miss_values(game_id, wanted.throw, gathered.owing)
        return gathered

    def _out(self, game_id: str) -> frozenset[str]:
        """The seats that are out of a game, whose values no throw waits for."""
        game = self._games.open(game_id)
        return game.rulebook.out(game.state)

    def _status(self, game_id: str) -> tuple[SeedStatus, int]:
        """What the journal tells of a game's throws, and its version."""
        game = self._games.open(game_id)
        with game.lock:
            if not game.state.shared:
                raise NotShared(game_id)
            return self._seeds.status(game), game.state.version


def wanted_of(
    throw: int, asked: AskedThrow, chains: Mapping[str, Sequence[Committed]], out: frozenset[str]
) -> Wanted:
    """What the seats in the game are asked for, of whom the chain that counts still has a value."""
    seats = {}
    for seat, ones in sorted((seat, ones) for seat, ones in chains.items() if seat not in out):
        chain = in_force(ones, asked.after)
        place = None if chain is None else chain.place(throw)
        if chain is not None and place is not None:
            seats[seat] = WantedValue(chain.end.hex(), place)
    return Wanted(throw, asked.after, seats)
