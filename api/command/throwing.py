"""The part of a seat in shared throws: committing to hash chains, and revealing values on request.

A value is revealed only for the next throw. So before a chain skips a place, the journal must show the throws
in between: a later value of a chain gives away all earlier values.
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
"""The number of remaining values at which a seat commits to a new chain."""


class _Own(msgspec.Struct):
    """A chain of the seat: the root and length, the number of throws before the chain, the last revealed place."""

    root: str
    length: int
    floor: int
    known: int = 0

    @property
    def chain(self) -> Chain:
        return Chain(bytes.fromhex(self.root), self.length)


class _Kept(msgspec.Struct):
    """The content of the file: the game, the seat, and the chains by their ends."""

    game: str
    seat: str
    chains: dict[str, _Own] = {}


class _Line(msgspec.Struct, frozen=True):
    """The part of a journal entry about a throw."""

    number: int
    chance: Chances | msgspec.UnsetType = msgspec.UNSET


_dice = msgspec.json.Decoder(SharedDice)
_request_decoder = msgspec.json.Decoder(Wanted)
_line = msgspec.json.Decoder(_Line)


class Seat:
    """A seat in shared throws. Its chains are stored in a private file.

    `client` sends the seat's token.
    """

    def __init__(self, client: httpx.Client, game: str, seat: str, file: Path) -> None:
        self._client = client
        self._path = f"{API}/games/{game}"
        self._seat = seat
        self._file = file
        self._store = _Kept(game, seat)
        self._sent: dict[int, int] = {}
        """The throws with a value taken by this program: the action that requested the value, by throw."""
        if file.exists():
            self._store = msgspec.json.decode(file.read_bytes(), type=_Kept)
            if (self._store.game, self._store.seat) != (game, seat):
                raise BadInput(f"{file} has the chains of {self._store.seat} in the game {self._store.game}")

    def follow(self) -> Iterator[str]:
        """Take part until the game ends. Yields a sentence for every step.

        Raises a Failure for an answer with a problem, and NoAnswer or httpx.HTTPError if the service goes away.
        """
        with connect_sse(self._client, "GET", f"{self._path}/stream", timeout=httpx.Timeout(30)) as events:
            if not events.response.is_success:
                raise failure_of(events.response)
            yield from self.begin()
            for event in events.iter_sse():
                match event.event:
                    case "throw":
                        yield from self.answer(_request_decoder.decode(event.data))
                    case "entry":
                        yield from self.see(_line.decode(event.data))
                    case "ended" | "closed":
                        return
        raise NoAnswer("the stream broke off")

    def begin(self) -> Iterator[str]:
        """Commit to a chain, unless the newest chain of the seat is from this file, and reveal a value already
        requested.
        """
        current = self._fetch_dice()
        newest = current.chains.get(self._seat)
        chain = None if newest is None else self._store.chains.get(newest.end)
        if chain is None or chain.length - chain.known < _FEW:
            yield from self._commit(current)
        yield f"Taking part in the throws for {self._seat}"
        if current.wanted is not None:
            yield from self.answer(current.wanted)

    def answer(self, request: Wanted) -> Iterator[str]:
        """Reveal the seat's value for a throw, unless the value would give away more."""
        value = request.seats.get(self._seat)
        chain = None if value is None else self._store.chains.get(value.end)
        if value is None or chain is None:
            return
        if value.place > chain.known:
            wrong = self._too_much(request.throw, value.place, chain)
            if wrong is not None:
                yield f"Kept the value for throw {request.throw} back: {wrong}"
                return
            chain.known = value.place
            self._keep()
        revealed = chain.chain.value(value.place).hex()
        answer = self._client.post(f"{self._path}/dice/values", json={"throw": request.throw, "value": revealed})
        if answer.is_success:
            self._sent[request.throw] = request.after
            yield f"Revealed the value for throw {request.throw}"
        else:
            yield f"The value for throw {request.throw} came too late"
        if chain.length - chain.known < _FEW:
            yield from self._commit(self._fetch_dice())

    def see(self, line: _Line) -> Iterator[str]:
        """Compare the throw in a journal entry with the revealed value."""
        throw = None if line.chance is msgspec.UNSET else line.chance.throw
        asked_after = None if throw is None or throw.place else self._sent.pop(throw.number, None)
        if throw is None or asked_after is None:
            return
        if self._seat not in throw.values:
            yield f"Action {line.number} leaves out the value for throw {throw.number}, which was taken"
        elif throw.after != asked_after:
            yield (
                f"Action {line.number} says that throw {throw.number} was asked for after action {throw.after},"
                f" and it was after {asked_after}"
            )

    def _too_much(self, throw: int, position: int, chain: _Own) -> str | None:
        """Return the reason why revealing this place would give away values of later throws, or None."""
        if position > throw - chain.floor:
            return f"there were {chain.floor} throws before the chain, so this is not its place {position}"
        current = self._fetch_dice()
        if current.throws != throw - 1:
            return f"{current.throws} throws were made"
        if throw == 1:
            return None
        answer = self._client.get(f"{self._path}/actions/{current.action}")
        last = _line.decode(answer.content) if answer.is_success else None
        last_throw = None if last is None or last.chance is msgspec.UNSET else last.chance.throw
        if last_throw is None or last_throw.number != throw - 1:
            return f"the journal does not show throw {throw - 1}"
        return None

    def _commit(self, current: SharedDice) -> Iterator[str]:
        """Commit to a new chain. A chain replaced by another device is never used again."""
        chain = _Own(secrets.token_hex(32), _LENGTH, current.throws)
        end = chain.chain.end.hex()
        self._store.chains[end] = chain
        self._keep()
        answer = self._client.post(f"{self._path}/dice/commitments", json={"end": end, "length": _LENGTH})
        if not answer.is_success:
            raise failure_of(answer)
        yield f"Committed to a chain of {_LENGTH} values"

    def _fetch_dice(self) -> SharedDice:
        answer = self._client.get(f"{self._path}/dice")
        if not answer.is_success:
            raise failure_of(answer)
        return _dice.decode(answer.content)

    def _keep(self) -> None:
        """Write the file before sending anything: a chain must not be used from its start again."""
        fresh = self._file.with_name(f"{self._file.name}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(self._store))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._file)
