"""Agreements between seats, and the archive of those that have ended."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import msgspec
from rpds import HashTrieMap


@lru_cache(maxsize=65_536)
def _opened(agreement_id: str) -> tuple[int, ...]:
    """The place that an id tells. Agreements are sorted by it again and again."""
    return tuple(map(int, agreement_id.split("-")))


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
        return _opened(self.id)


class Due(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an agreement falls due, in words, and as far as it is fixed: the round, the seat whose turn of that
    round it is, or the time."""

    text: str
    round: int | msgspec.UnsetType = msgspec.UNSET
    seat: str | msgspec.UnsetType = msgspec.UNSET
    at: datetime | msgspec.UnsetType = msgspec.UNSET


class Given(msgspec.Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """What one seat gives another by an agreement: a whole amount of a commodity."""

    source: str
    target: str
    commodity: str
    amount: int


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What every kind of agreement can tell, in one language: its name, its parties, and how it stands.

    `amount` is in the game's money: what is still owed, offered or held; None where there is no single one.
    `gives` is what the seats give one another, and `terms` what they promise in their own words. `agreed` are the
    parties that have consented; None for a kind of agreement that asks for no consent.
    """

    label: str
    title: str
    status: str
    parties: tuple[str, ...] = ()
    amount: int | None = None
    due: Due | None = None
    gives: tuple[Given, ...] = ()
    terms: tuple[str, ...] = ()
    agreed: tuple[str, ...] | None = None


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

GroupsOf = Callable[[Agreement], Iterable[Hashable]]
"""(agreement) -> the groups that it is in."""


_Members: TypeAlias = "HashTrieMap[Hashable, tuple[Agreement, ...]]"
"""The agreements of each group, in the order of their opening."""
_OPENED = attrgetter("opened")
_MANY_CHANGES = 64
"""After so many changes that nobody has asked about, groups are forgotten."""


class _Groups(NamedTuple):
    """Groups that somebody has asked for, and what has ended since. Copies of an archive share it."""

    found: Mapping[GroupsOf, _Members] = {}
    changes: tuple[tuple[Agreement | None, Agreement], ...] = ()
    """Each ended agreement, after what the archive had of the same id before."""

    def later(self, before: Agreement | None, agreement: Agreement) -> _Groups:
        """The same with one more change, which most copies of an archive are never asked about."""
        if len(self.changes) == _MANY_CHANGES:
            return _NO_GROUPS
        return _Groups(self.found, (*self.changes, (before, agreement)))

    def now(self, by: GroupsOf, archive: Iterable[Agreement]) -> _Groups:
        """All groups with every change, those by `by` among them."""
        found = {**self.found}
        for one, members in found.items():
            for before, agreement in self.changes:
                members = _changed(members, one, before, agreement)
            found[one] = members
        if by not in found:
            lists: dict[Hashable, list[Agreement]] = {}
            for agreement in archive:
                for name in by(agreement):
                    lists.setdefault(name, []).append(agreement)
            found[by] = HashTrieMap({name: tuple(listed) for name, listed in lists.items()})
        return _Groups(found)


def _changed(groups: _Members, by: GroupsOf, before: Agreement | None, agreement: Agreement) -> _Members:
    """The groups with an agreement that has ended, or has changed since it ended."""
    if before is not None:
        for name in by(before):
            groups = groups.insert(name, tuple(one for one in groups.get(name, ()) if one.id != before.id))
    for name in by(agreement):
        members = [*groups.get(name, ())]
        insort(members, agreement, key=_OPENED)
        groups = groups.insert(name, tuple(members))
    return groups


_NO_GROUPS = _Groups()


class Archive:
    """Agreements that have ended, in the order of their opening.

    Copying it and reading it from a snapshot cost the same however long the game has lasted.
    """

    __slots__ = ("_before", "_ended", "_groups")

    def __init__(self, ended: Iterable[Agreement] = ()) -> None:
        self._before = _NOTHING
        self._groups = _NO_GROUPS
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
        """All of them as JSON, in the order of their opening."""
        if not self._ended:
            return self._before.text
        return msgspec.json.encode(list(self)).decode()

    def keep(self, agreement: Agreement) -> None:
        """Add an agreement that has ended."""
        if self._groups.found:
            self._groups = self._groups.later(self.get(agreement.id), agreement)
        self._ended = self._ended.insert(agreement.id, agreement)

    def get(self, agreement_id: str) -> Agreement | None:
        """The ended agreement of this id, or None."""
        return self._ended.get(agreement_id) or self._before.found().get(agreement_id)

    def group(self, by: GroupsOf, name: Hashable) -> tuple[Agreement, ...]:
        """The agreements of one group, in the order of their opening.

        The first call for `by` reads the whole archive; later ones, also of copies, cost the same however long the
        game has lasted.
        """
        groups = self._groups
        if groups.changes or by not in groups.found:
            self._groups = groups = groups.now(by, self)
        return groups.found[by].get(name, ())

    def scan(self) -> Iterable[Agreement]:
        """All of them in no particular order: quicker than iterating, which sorts."""
        return self._all().values()

    def copy(self) -> Archive:
        """An independent copy; the two share what has ended so far."""
        copied = Archive.__new__(Archive)
        copied._before, copied._ended, copied._groups = self._before, self._ended, self._groups
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
