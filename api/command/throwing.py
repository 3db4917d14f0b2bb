"""A seat's part in shared throws: committing to hash chains, and revealing their values when they are asked for.

A value is revealed only for the next throw. So before a chain skips a place, the journal must show that the throws
in between were made: whoever knows a later value of a chain knows the earlier ones.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
from httpx_sse import connect_sse

from api.command.terminal.client import failure_of
from api.command.terminal.failures import BadInput, NoAnswer
from ledger.acting.sharing import SharedDice, Wanted
from ledger.kernel.dice.chains import Chain
from ledger.kernel.journal.entry import Chances
from replays.recorded import API

_LENGTH = 1000
_FEW = 10
"""With so few values left, a seat commits to another chain."""


class _Own(msgspec.Struct):
    """A chain of the seat: its root and length, how many throws there were before it, the last place revealed."""

    root: str
    length: int
    floor: int
    known: int = 0

    @property
    def chain(self) -> Chain:
        return Chain(bytes.fromhex(self.root), self.length)


class _Kept(msgspec.Struct):
    """What is kept in the file: the game, the seat, and the chains by their ends."""

    game: str
    seat: str
    chains: dict[str, _Own] = {}


class _Line(msgspec.Struct, frozen=True):
    """What an entry of the journal tells of its throw."""

    number: int
    chance: Chances | msgspec.UnsetType = msgspec.UNSET


_dice = msgspec.json.Decoder(SharedDice)
_wanted = msgspec.json.Decoder(Wanted)
_line = msgspec.json.Decoder(_Line)


class Seat:
    """A seat that takes part in shared throws. Its chains are kept in a file that nobody else may read.

    Takes a client with the seat's token, the game, the seat, and the file.
    """

    def __init__(self, client: httpx.Client, game: str, seat: str, file: Path) -> None:
        self._client = client
        self._path = f"{API}/games/{game}"
        self._seat = seat
        self._file = file
        self._kept = _Kept(game, seat)
        self._sent: dict[int, int] = {}
        """By throw for which a value was taken: the action after which it was asked for."""
        if file.exists():
            self._kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
            if (self._kept.game, self._kept.seat) != (game, seat):
                raise BadInput(f"{file} has the chains of {self._kept.seat} in the game {self._kept.game}")

    def follow(self) -> Iterator[str]:
        """Take part until the game ends. Gives a sentence for all that happens.

        Raises a Failure for an answer that is a problem, and NoAnswer or httpx.HTTPError when the service goes
        away.
        """
        with connect_sse(self._client, "GET", f"{self._path}/stream", timeout=httpx.Timeout(30)) as events:
            if not events.response.is_success:
                raise failure_of(events.response)
            yield from self.begin()
            for event in events.iter_sse():
                match event.event:
                    case "throw":
                        yield from self.answer(_wanted.decode(event.data))
                    case "entry":
                        yield from self.see(_line.decode(event.data))
                    case "ended" | "closed":
                        return
        raise NoAnswer("the stream broke off")

    def begin(self) -> Iterator[str]:
        """Commit to a chain unless the newest one of the seat is from here, and reveal what is wanted already."""
        now = self._now()
        newest = now.chains.get(self._seat)
        own = None if newest is None else self._kept.chains.get(newest.end)
        if own is None or own.length - own.known < _FEW:
            yield from self._commit(now)
        yield f"Taking part in the throws for {self._seat}"
        if now.wanted is not None:
            yield from self.answer(now.wanted)

    def answer(self, wanted: Wanted) -> Iterator[str]:
        """Reveal the seat's value for a throw, unless it would tell more than that."""
        value = wanted.seats.get(self._seat)
        own = None if value is None else self._kept.chains.get(value.end)
        if value is None or own is None:
            return
        if value.place > own.known:
            wrong = self._too_much(wanted.throw, value.place, own)
            if wrong is not None:
                yield f"Kept the value for throw {wanted.throw} back: {wrong}"
                return
            own.known = value.place
            self._keep()
        revealed = own.chain.value(value.place).hex()
        answer = self._client.post(f"{self._path}/dice/values", json={"throw": wanted.throw, "value": revealed})
        if answer.is_success:
            self._sent[wanted.throw] = wanted.after
            yield f"Revealed the value for throw {wanted.throw}"
        else:
            yield f"The value for throw {wanted.throw} came too late"
        if own.length - own.known < _FEW:
            yield from self._commit(self._now())

    def see(self, line: _Line) -> Iterator[str]:
        """Compare what the journal tells of a throw with what was revealed for it."""
        throw = None if line.chance is msgspec.UNSET else line.chance.throw
        after = None if throw is None or throw.place else self._sent.pop(throw.number, None)
        if throw is None or after is None:
            return
        if self._seat not in throw.values:
            yield f"Action {line.number} leaves out the value for throw {throw.number}, which was taken"
        elif throw.after != after:
            yield (
                f"Action {line.number} says that throw {throw.number} was asked for after action {throw.after},"
                f" and it was after {after}"
            )

    def _too_much(self, throw: int, place: int, own: _Own) -> str | None:
        """Why revealing this place would tell values of throws that were not made; None when it would not."""
        if place > throw - own.floor:
            return f"there were {own.floor} throws before the chain, so this is not its place {place}"
        now = self._now()
        if now.throws != throw - 1:
            return f"{now.throws} throws were made"
        if throw == 1:
            return None
        answer = self._client.get(f"{self._path}/actions/{now.action}")
        last = _line.decode(answer.content) if answer.is_success else None
        told = None if last is None or last.chance is msgspec.UNSET else last.chance.throw
        if told is None or told.number != throw - 1:
            return f"the journal does not show throw {throw - 1}"
        return None

    def _commit(self, now: SharedDice) -> Iterator[str]:
        """Commit to a new chain: one that another device has replaced is never committed to again."""
        own = _Own(secrets.token_hex(32), _LENGTH, now.throws)
        end = own.chain.end.hex()
        self._kept.chains[end] = own
        self._keep()
        answer = self._client.post(f"{self._path}/dice/commitments", json={"end": end, "length": _LENGTH})
        if not answer.is_success:
            raise failure_of(answer)
        yield f"Committed to a chain of {_LENGTH} values"

    def _now(self) -> SharedDice:
        answer = self._client.get(f"{self._path}/dice")
        if not answer.is_success:
            raise failure_of(answer)
        return _dice.decode(answer.content)

    def _keep(self) -> None:
        """Write the file before anything is sent: a chain must not be used from its start again."""
        fresh = self._file.with_name(f"{self._file.name}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(self._kept))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._file)
