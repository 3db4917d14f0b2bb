"""Throws that the seats and the service make together, so that none of them alone can know or choose what comes.

Each seat commits to a hash chain (`chains`), and the service, one throw ahead, to a value of its own. When an
action needs chance, the seats are asked for the values of the next throw. The key of the throw comes from all the
values (`deriving.key_of`): those of the seats under `player:` and their names, and that of the service under
`service`. Actions that are appended
at once share a throw. Its number, times 65,536, plus how many of them have drawn before, takes the place of the
action's number in the derivation.

To the byte: the value of the service for throw t is HMAC-SHA-256 with its seed over the text `throw`, a zero byte,
and t in eight bytes (big-endian). What it commits to is `seeds.commitment` of this value. It opens the value in
the journal as soon as everything that was drawn is public; otherwise with its seed, at the end.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ledger.kernel.dice.chains import Committed
from ledger.kernel.dice.chance import Chance
from ledger.kernel.dice.deriving import SERVICE, Derived, key_of

_PLACES = 1 << 16


def service_value(seed: bytes, throw: int) -> bytes:
    """The value of the service for a throw."""
    return hmac.digest(seed, b"throw\0" + throw.to_bytes(8), "sha256")


def source_of(values: Mapping[str, bytes], service: bytes, game: str, throw: int, place: int) -> Derived:
    """The source of chance of an action: of the values of the seats by their names, and that of the service."""
    named = {f"player:{seat}": value for seat, value in values.items()}
    return Derived(key_of({**named, SERVICE: service}), game, throw * _PLACES + place)


class ValuesWanted(Exception):  # noqa: N818 - a question, not a fault
    """An action needs the values of the seats for a throw. These are the chains that they have committed to.

    `after` is the action after which they are asked, unless they were already.
    """

    def __init__(
        self, throw: int, after: int, chains: Mapping[str, Sequence[Committed]], absent: frozenset[str]
    ) -> None:
        super().__init__(f"throw {throw} needs values of {', '.join(chains)}")
        self.throw = throw
        self.after = after
        self.chains = chains
        self.absent = absent
        """Who did not reveal a value for the throw before."""


class Unrevealed(Exception):  # noqa: N818
    """The table decides where seats have not revealed their values, and these have not."""

    def __init__(self, throw: int, seats: tuple[str, ...]) -> None:
        super().__init__(f"no value for throw {throw} came from {', '.join(seats)}")
        self.throw = throw
        self.seats = seats


class Gathered(NamedTuple):
    """The values that came for a throw, by seat, and who of those who have committed did not reveal one.

    Those who are `out` of the game were not asked.
    """

    throw: int
    after: int
    values: Mapping[str, bytes]
    missing: tuple[str, ...]
    out: frozenset[str] = frozenset()

    @property
    def owing(self) -> tuple[str, ...]:
        """Who was asked for a value and did not reveal one."""
        return tuple(seat for seat in self.missing if seat not in self.out)


class Drawn(NamedTuple):
    """The throw that an action drew from, and how many of those that are appended with it drew before."""

    gathered: Gathered
    place: int


class SharedThrows:
    """The sources of chance of the actions that one request comes to, which share a throw.

    `gather` gives what came for it; it raises ValuesWanted when nobody was asked yet. With `strict` an action that
    somebody asks for draws only when everybody who was asked has revealed a value: it raises Unrevealed.
    """

    def __init__(self, game: str, gather: Callable[[], Gathered], service: bytes, *, strict: bool) -> None:
        self._game = game
        self._gather = gather
        self._service = service
        self._strict = strict
        self._sources: dict[int, _Source] = {}

    def at(self, number: int, by: str) -> Chance:
        """The source of the action of this number, which is decided anew, with all that comes after it."""
        self._sources = {one: source for one, source in self._sources.items() if one < number}
        place = sum(source.drawn for source in self._sources.values())
        source = self._sources[number] = _Source(lambda: self._opened(by), self._game, self._service, place)
        return source

    def drawn(self, number: int) -> Drawn | None:
        """What the action of this number drew from; None when it drew nothing."""
        source = self._sources.get(number)
        return Drawn(self._gather(), source.place) if source is not None and source.drawn else None

    def randint(self, a: int, b: int, /) -> int:
        """Raise TypeError: which action throws?"""
        raise TypeError("ask for the source of an action")

    def shuffle(self, x: list[str], /) -> None:
        """Raise TypeError: which action shuffles?"""
        raise TypeError("ask for the source of an action")

    def _opened(self, by: str) -> Gathered:
        found = self._gather()
        if self._strict and found.owing and by != "system":
            raise Unrevealed(found.throw, found.owing)
        return found


class _Source:
    """The source of one action, which asks for the values when it draws first."""

    def __init__(self, opened: Callable[[], Gathered], game: str, service: bytes, place: int) -> None:
        self._opened = opened
        self._game = game
        self._service = service
        self.place = place
        self._derived: Derived | None = None

    @property
    def drawn(self) -> bool:
        """Whether anything was drawn."""
        return self._derived is not None

    def randint(self, a: int, b: int, /) -> int:
        return self._source().randint(a, b)

    def shuffle(self, x: list[str], /) -> None:
        self._source().shuffle(x)

    def _source(self) -> Derived:
        if self._derived is None:
            found = self._opened()
            self._derived = source_of(found.values, self._service, self._game, found.throw, self.place)
        return self._derived
