"""Agreements between seats, and the archive of those that have ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

import msgspec
from rpds import HashTrieMap


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A loan, a bounty, a delivery…: something between seats that is open until it ends.

    `id` is the number of the action that opened it ("57", "57-2" for a second one in the same action), so a
    correction of an earlier action never renumbers it.
    """

    id: str
    status: str = "open"

    @property
    def opened(self) -> tuple[int, ...]:
        """The place of its opening in the game, which sorts agreements."""
        return tuple(int(part) for part in self.id.split("-"))


class Due(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an agreement falls due, in words, and as far as it is fixed: the round, the seat whose turn of that
    round it is, or the time."""

    text: str
    round: int | msgspec.UnsetType = msgspec.UNSET
    seat: str | msgspec.UnsetType = msgspec.UNSET
    at: datetime | msgspec.UnsetType = msgspec.UNSET


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What every kind of agreement can tell, in one language: its name, its parties, and how it stands.

    `amount` is in the game's money: what is still owed, offered or held; None where there is no single one.
    """

    kind: str
    title: str
    status: str
    parties: tuple[str, ...] = ()
    amount: int | None = None
    due: Due | None = None


def tag_of(agreement: Agreement | type[Agreement]) -> str:
    """The name of a kind of agreement ("loan"). Actions name an agreement by a parameter of this name."""
    return str(agreement.__struct_config__.tag)


class _StoredText:
    """Ended agreements as a snapshot stores them: JSON that is decoded only when one of them is asked for.

    A long game has thousands of them, and current actions hardly ever ask for one.
    """

    __slots__ = ("_found", "_read", "text")

    def __init__(self, text: str, read: Callable[[str], Iterable[Agreement]]) -> None:
        self.text = text
        self._read = read
        self._found: dict[str, Agreement] | None = None

    def found(self) -> dict[str, Agreement]:
        """All of them, by their ids."""
        if self._found is None:
            self._found = {agreement.id: agreement for agreement in self._read(self.text)}
        return self._found


_NOTHING = _StoredText("[]", lambda _: ())


class Archive:
    """Agreements that have ended, in the order of their opening.

    Copying it and reading it from a snapshot cost the same however long the game has lasted.
    """

    __slots__ = ("_before", "_ended")

    def __init__(self, ended: Iterable[Agreement] = ()) -> None:
        self._before = _NOTHING
        self._ended: HashTrieMap[str, Agreement] = HashTrieMap({agreement.id: agreement for agreement in ended})

    @classmethod
    def from_text(cls, text: str, read: Callable[[str], Iterable[Agreement]]) -> Archive:
        """An archive from the JSON that `text` gave, and what decodes it. Raises TypeError for no text."""
        if not isinstance(text, str):
            raise TypeError(f"ended agreements are kept as a text, not as {type(text).__name__}")
        archive = cls()
        archive._before = _StoredText(text, read)
        return archive

    def text(self) -> str:
        """All of them as JSON; equal archives give equal texts."""
        if not self._ended:
            return self._before.text
        return msgspec.json.encode(list(self), order="deterministic").decode()

    def keep(self, agreement: Agreement) -> None:
        """Add an agreement that has ended."""
        self._ended = self._ended.insert(agreement.id, agreement)

    def get(self, agreement_id: str) -> Agreement | None:
        """The ended agreement of this id, or None."""
        return self._ended.get(agreement_id) or self._before.found().get(agreement_id)

    def scan(self) -> Iterable[Agreement]:
        """All of them in no particular order: quicker than iterating, which sorts."""
        return self._all().values()

    def copy(self) -> Archive:
        """An independent copy; the two share what has ended so far."""
        copied = Archive.__new__(Archive)
        copied._before, copied._ended = self._before, self._ended
        return copied

    def _all(self) -> Mapping[str, Agreement]:
        before = self._before.found()
        return {**before, **self._ended} if before else self._ended

    def __iter__(self) -> Iterator[Agreement]:
        return iter(sorted(self._all().values(), key=lambda agreement: agreement.opened))

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Archive) and dict(self._all()) == dict(other._all())

    __hash__ = None  # type: ignore[assignment]
