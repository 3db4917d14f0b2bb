"""Throws made by the seats and the service together, so that no single party can know or choose the result.

Each seat commits to a hash chain (`chains`), and the service, one throw ahead, to a value of its own. When an
action needs chance, the seats are asked for the values of the next throw. The key of the throw is derived from
all values (`deriving.key_of`): the values of the seats under `player:` and the names, and the value of the
service under `service`. Actions appended together share a throw. In the derivation, the number of the action is
replaced with the number of the throw, times 65,536, plus the number of earlier actions that drew from the
throw.

To the byte: the value of the service for throw t is HMAC-SHA-256 with the seed over the text `throw`, a zero
byte, and t in eight bytes (big-endian). The service commits to `seeds.commitment` of the value. The service
opens the value in the journal at once if everything drawn is public; otherwise with the seed, at the end.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ledger.kernel.dice.chains import CommittedChain
from ledger.kernel.dice.chance import Chance
from ledger.kernel.dice.deriving import SERVICE, Derived, key_of

_PLACES = 1 << 16


def service_value(seed: bytes, throw: int) -> bytes:
    """Return the value of the service for a throw."""
    return hmac.digest(seed, b"throw\0" + throw.to_bytes(8), "sha256")


def source_of(values: Mapping[str, bytes], service: bytes, game: str, throw: int, index: int) -> Derived:
    """Return the source of chance of an action, from the values of the seats by name and the value of the
    service.
    """
    named = {f"player:{seat}": value for seat, value in values.items()}
    return Derived(key_of({**named, SERVICE: service}), game, throw * _PLACES + index)


class ValuesNeeded(Exception):  # noqa: N818 - a question, not a fault
    """An action needs the values of the seats for a throw. `chains` are the committed chains of the seats.

    `action` is the action after which the seats are asked, unless asked already.
    """

    def __init__(
        self, throw: int, action: int, chains: Mapping[str, Sequence[CommittedChain]], absent: frozenset[str]
    ) -> None:
        super().__init__(f"throw {throw} needs values of {', '.join(chains)}")
        self.throw = throw
        self.action = action
        self.chains = chains
        self.absent = absent
        """The seats without a revealed value for the previous throw."""


class ValuesNotRevealed(Exception):  # noqa: N818 - it names a condition
    """The table decides about missing values, and some seats have not revealed a value."""

    def __init__(self, throw: int, seats: tuple[str, ...]) -> None:
        super().__init__(f"no value for throw {throw} came from {', '.join(seats)}")
        self.throw = throw
        self.seats = seats


class CollectedValues(NamedTuple):
    """The values received for a throw, by seat, and the committed seats without a revealed value.

    Seats that are `out` of the game were not asked.
    """

    throw: int
    action: int
    values: Mapping[str, bytes]
    missing: tuple[str, ...]
    out: frozenset[str] = frozenset()

    @property
    def owing(self) -> tuple[str, ...]:
        """The seats asked for a value without revealing any."""
        return tuple(seat for seat in self.missing if seat not in self.out)


class Drawn(NamedTuple):
    """The throw that an action drew from, and the number of earlier draws by actions appended with it."""

    gathered: CollectedValues
    position: int


class SharedThrows:
    """The sources of chance of the actions of a request, sharing a throw.

    `gather` returns the values received; it raises ValuesNeeded if the seats have not been asked yet. With
    `strict`, a requested action draws only if all asked seats have revealed a value, and raises ValuesNotRevealed
    otherwise.
    """

    def __init__(self, game: str, gather: Callable[[], CollectedValues], service: bytes, *, strict: bool) -> None:
        self._game = game
        self._gather = gather
        self._service = service
        self._strict = strict
        self._sources: dict[int, _Source] = {}

    def at(self, number: int, by: str) -> Chance:
        """Return the source of the action with the given number. Forgets the sources of this and later actions,
        which are decided anew.
        """
        self._sources = {earlier: source for earlier, source in self._sources.items() if earlier < number}
        index = sum(source.drawn for source in self._sources.values())
        source = self._sources[number] = _Source(lambda: self._opened(by), self._game, self._service, index)
        return source

    def drawn(self, number: int) -> Drawn | None:
        """Return the throw that the action with the given number drew from; None if the action drew nothing."""
        source = self._sources.get(number)
        return Drawn(self._gather(), source.index) if source is not None and source.drawn else None

    def randint(self, a: int, b: int, /) -> int:
        """Raise TypeError: throws need the source of an action."""
        raise TypeError("ask for the source of an action")

    def shuffle(self, x: list[str], /) -> None:
        """Raise TypeError: shuffles need the source of an action."""
        raise TypeError("ask for the source of an action")

    def _opened(self, by: str) -> CollectedValues:
        gathered = self._gather()
        if self._strict and gathered.owing and by != "system":
            raise ValuesNotRevealed(gathered.throw, gathered.owing)
        return gathered


class _Source:
    """The source of an action. The values are requested on the first draw."""

    def __init__(self, opened: Callable[[], CollectedValues], game: str, service: bytes, index: int) -> None:
        self._opened = opened
        self._game = game
        self._service = service
        self.index = index
        self._derived: Derived | None = None

    @property
    def drawn(self) -> bool:
        """True after the first draw."""
        return self._derived is not None

    def randint(self, a: int, b: int, /) -> int:
        return self._source().randint(a, b)

    def shuffle(self, x: list[str], /) -> None:
        self._source().shuffle(x)

    def _source(self) -> Derived:
        if self._derived is None:
            gathered = self._opened()
            self._derived = source_of(gathered.values, self._service, self._game, gathered.throw, self.index)
        return self._derived
