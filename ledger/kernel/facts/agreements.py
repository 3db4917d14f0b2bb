"""Agreements between seats, and the archive of ended agreements."""

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
    """Return the position in the game contained in an id. Cached, because agreements are sorted by position
    very often.
    """
    return tuple(map(int, agreement_id.split("-")))


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A loan, a bounty, a delivery…: a matter between seats, open until the end.

    `id` is the number of the opening action ("57", or "57-2" for a second agreement opened by the action). So a
    correction of an earlier action never renumbers the agreement.
    """

    id: str
    status: str = "open"

    @property
    def opened(self) -> tuple[int, ...]:
        """The position of the opening in the game, as a sort key."""
        return _opened(self.id)


class Due(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an agreement falls due, in words, and as far as it is fixed: the round, the seat whose turn of that
    round it is, or the time."""

    text: str
    round: int | msgspec.UnsetType = msgspec.UNSET
    seat: str | msgspec.UnsetType = msgspec.UNSET
    at: datetime | msgspec.UnsetType = msgspec.UNSET


class PromisedTransfer(msgspec.Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """What one seat gives another by an agreement: a whole amount of a commodity."""

    source: str
    target: str
    commodity: str
    amount: int


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The content of an agreement of any kind, in one language: name, parties and status.

    `amount` is in the money of the game: the amount owed, offered or held; None without a single amount.
    `gives` lists the transfers between the seats, and `terms` the promises in the seats' own words. `agreed`
    lists the parties that have consented; None for a kind of agreement without consent.
    """

    label: str
    title: str
    status: str
    parties: tuple[str, ...] = ()
    amount: int | None = None
    due: Due | None = None
    gives: tuple[PromisedTransfer, ...] = ()
    terms: tuple[str, ...] = ()
    agreed: tuple[str, ...] | None = None


def tag_of(agreement: Agreement | type[Agreement]) -> str:
    """Return the name of a kind of agreement ("loan"). Actions refer to an agreement by a parameter of this
    name.
    """
    return str(agreement.__struct_config__.tag)


class _StoredText:
    """Ended agreements as stored in a snapshot: JSON, decoded on first use.

    A long game has thousands of ended agreements, and current actions rarely use any.
    """

    __slots__ = ("_by_id", "_read", "text")

    def __init__(self, text: str, read: Callable[[str], Iterable[Agreement]]) -> None:
        self.text = text
        self._read = read
        self._by_id: dict[str, Agreement] | None = None

    def by_id(self) -> dict[str, Agreement]:
        """Return all agreements by id."""
        if self._by_id is None:
            self._by_id = {agreement.id: agreement for agreement in self._read(self.text)}
        return self._by_id


_NOTHING = _StoredText("[]", lambda _: ())


GroupsOf = Callable[[Agreement], Iterable[Hashable]]
"""(agreement) -> the groups of the agreement."""


_Members: TypeAlias = "HashTrieMap[Hashable, tuple[Agreement, ...]]"
"""The agreements of each group, in order of opening."""


_OPENED = attrgetter("opened")


_MANY_CHANGES = 64
"""The number of unread changes after which groups are forgotten."""


class _Groups(NamedTuple):
    """The groups requested so far, and the agreements ended since. Copies of an archive share one object."""

    groupings: Mapping[GroupsOf, _Members] = {}
    changes: tuple[tuple[Agreement | None, Agreement], ...] = ()
    """Each ended agreement, after the earlier agreement with the same id in the archive, if any."""

    def later(self, earlier: Agreement | None, agreement: Agreement) -> _Groups:
        """Return the groups with one more change, not yet applied: most copies of an archive never read the
        groups.
        """
        if len(self.changes) == _MANY_CHANGES:
            return _NO_GROUPS
        return _Groups(self.groupings, (*self.changes, (earlier, agreement)))

    def refresh(self, by: GroupsOf, archive: Iterable[Agreement]) -> _Groups:
        """Return all groups with every change applied, including the groups by `by`."""
        groupings = {**self.groupings}
        for grouping, members in groupings.items():
            for earlier, agreement in self.changes:
                members = _changed(members, grouping, earlier, agreement)
            groupings[grouping] = members
        if by not in groupings:
            lists: dict[Hashable, list[Agreement]] = {}
            for agreement in archive:
                for name in by(agreement):
                    lists.setdefault(name, []).append(agreement)
            groupings[by] = HashTrieMap({name: tuple(listed) for name, listed in lists.items()})
        return _Groups(groupings)


def _changed(groups: _Members, by: GroupsOf, earlier: Agreement | None, agreement: Agreement) -> _Members:
    """Return the groups with an agreement that has ended, or that has changed after ending."""
    if earlier is not None:
        for name in by(earlier):
            groups = groups.insert(
                name, tuple(member for member in groups.get(name, ()) if member.id != earlier.id)
            )
    for name in by(agreement):
        members = [*groups.get(name, ())]
        insort(members, agreement, key=_OPENED)
        groups = groups.insert(name, tuple(members))
    return groups


_NO_GROUPS = _Groups()


class Archive:
    """The ended agreements, in order of opening.

    The cost of copying, and of reading from a snapshot, does not depend on the length of the game.
    """

    __slots__ = ("_ended", "_groups", "_stored")

    def __init__(self, ended: Iterable[Agreement] = ()) -> None:
        self._stored = _NOTHING
        self._groups = _NO_GROUPS
        self._ended: HashTrieMap[str, Agreement] = HashTrieMap({agreement.id: agreement for agreement in ended})

    @classmethod
    def from_text(cls, text: str, read: Callable[[str], Iterable[Agreement]]) -> Archive:
        """Return an archive from the JSON of `text` and a decoder. Raises TypeError if `text` is no string."""
        if not isinstance(text, str):
            raise TypeError(f"ended agreements are kept as a text, not as {type(text).__name__}")
        archive = cls()
        archive._stored = _StoredText(text, read)
        return archive

    def text(self) -> str:
        """Return all agreements as JSON, in order of opening."""
        if not self._ended:
            return self._stored.text
        return msgspec.json.encode(list(self)).decode()

    def keep(self, agreement: Agreement) -> None:
        """Add an ended agreement."""
        if self._groups.groupings:
            self._groups = self._groups.later(self.get(agreement.id), agreement)
        self._ended = self._ended.insert(agreement.id, agreement)

    def get(self, agreement_id: str) -> Agreement | None:
        """Return the ended agreement with the given id, or None."""
        return self._ended.get(agreement_id) or self._stored.by_id().get(agreement_id)

    def group(self, by: GroupsOf, name: Hashable) -> tuple[Agreement, ...]:
        """Return the agreements of a group, in order of opening.

        The first call for `by` reads the whole archive. The cost of later calls, on copies too, does not depend
        on the length of the game.
        """
        groups = self._groups
        if groups.changes or by not in groups.groupings:
            self._groups = groups = groups.refresh(by, self)
        return groups.groupings[by].get(name, ())

    def scan(self) -> Iterable[Agreement]:
        """Return all agreements in no particular order: faster than iterating, which sorts."""
        return self._all().values()

    def copy(self) -> Archive:
        """Return an independent copy that shares the agreements ended so far."""
        copied = Archive.__new__(Archive)
        copied._stored, copied._ended, copied._groups = self._stored, self._ended, self._groups
        return copied

    def _all(self) -> Mapping[str, Agreement]:
        stored = self._stored.by_id()
        return {**stored, **self._ended} if stored else self._ended

    def __iter__(self) -> Iterator[Agreement]:
        return iter(sorted(self._all().values(), key=lambda agreement: agreement.opened))

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Archive) and dict(self._all()) == dict(value._all())

    __hash__ = None  # type: ignore[assignment]
