"""The state of a game: the holdings, plus the little that is not a holding. `record` is its only setter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy as shallow_copy
from datetime import datetime
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import TYPE_CHECKING, Any, Self, get_args, get_origin

import msgspec
from msgspec.structs import fields
from rpds import HashTrieMap

from ledger.kernel.accounts import Holdings
from ledger.kernel.audience import Audience, told_to

if TYPE_CHECKING:
    from ledger.kernel.events import Event


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A loan, a bounty, a delivery…: something open between seats that will end one day.

    `id` is the number of the action that opened it ("57", "57-2" for a second one in the same action), so a
    correction of an earlier action never renumbers it.
    """

    id: str
    status: str = "open"

    @property
    def opened(self) -> tuple[int, ...]:
        """The place of its opening in the game, which sorts agreements."""
        return tuple(int(part) for part in self.id.split("-"))


class Said(msgspec.Struct, frozen=True):
    """What a seat, or the banker ("banker"), says in a dispute."""

    by: str
    text: str
    at: datetime


class Dispute(Agreement, frozen=True, kw_only=True, tag="dispute"):
    """Actions that a seat contests. It suspends nothing. status: open, withdrawn, ruled."""

    opener: str
    actions: tuple[int, ...]
    """Numbers of the actions cited."""
    claim: str
    rules: tuple[str, ...] = ()
    """The rules that the opener relies on."""
    opened_at: datetime
    parties: tuple[str, ...] | None = None
    """The seats that may know of it; None for everybody."""
    matters: tuple[str, ...] = ()
    """The private deals it is about."""
    statements: tuple[Said, ...] = ()
    ruling: str | None = None
    """The ruling that ended it: the number of its action."""

    @property
    def audience(self) -> Audience:
        """Who may know of it."""
        return told_to(self.parties)


class _Written:
    """Ended agreements as a snapshot has them: JSON, read once somebody asks for one of them.

    A long game has thousands, which what is going on now hardly ever asks for.
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


_NOTHING = _Written("[]", lambda _: ())


class Archive:
    """Agreements that have ended, in the order of their opening.

    Copying it costs nothing, however long the game has lasted; nor does reading it from a snapshot.
    """

    __slots__ = ("_before", "_ended")

    def __init__(self, ended: Iterable[Agreement] = ()) -> None:
        self._before = _NOTHING
        self._ended: HashTrieMap[str, Agreement] = HashTrieMap({agreement.id: agreement for agreement in ended})

    @classmethod
    def written(cls, text: str, read: Callable[[str], Iterable[Agreement]]) -> Archive:
        """What `text` once gave, and what reads it. Raises TypeError for what is no text."""
        if not isinstance(text, str):
            raise TypeError(f"ended agreements are kept as a text, not as {type(text).__name__}")
        archive = cls()
        archive._before = _Written(text, read)
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
        """The same in no order that may be relied on: quicker, where only a few of them are looked for."""
        return self._all().values()

    def copy(self) -> Archive:
        """An independent copy that shares everything there is."""
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


class Seat(msgspec.Struct, frozen=True):
    """A player's seat at the table: its id ("ana") and the player's name ("Ana")."""

    seat: str
    name: str


_CONTAINERS = (dict, list, set, Holdings, Archive)


@cache
def _containers_of(kind: type[State]) -> tuple[tuple[str, ...], Callable[[State], tuple[Any, ...]]]:
    """The names of the fields of a state that are containers, and what gives their values.

    Raises TypeError for a field that is a container at times only.
    """

    def holds(found: Any) -> bool:
        return (get_origin(found) or found) in _CONTAINERS

    types = {field.name: field.type for field in fields(kind)}
    at_times = [
        name for name, found in types.items() if isinstance(found, UnionType) and any(map(holds, get_args(found)))
    ]
    if at_times:
        raise TypeError(f"{kind.__name__}: {', '.join(at_times)}: a container may be empty, and is never left out")
    names = tuple(name for name, found in types.items() if holds(found))
    return names, attrgetter(*names)


class State(msgspec.Struct, kw_only=True, weakref=True):
    """What every game has. Rulebooks add fields.

    Fields are flat containers (dict, list, set, Holdings, Archive) of frozen values: a copy copies the
    containers and shares the values. Equal states are the same state, so no rule may depend on the order in which
    a dict or a set happens to be walked: a state thawed from a snapshot has another.
    """

    holdings: Holdings
    version: int = 0
    """Number of the last action folded."""
    seq: int = 0
    """Sequence number of the last event folded."""
    seats: dict[str, Seat] = {}
    dice: str = "service"
    """Who throws: "table" (values come with the action) or "service"."""
    ended: bool = False
    last_at: datetime | None = None
    """When the last action folded was recorded."""
    corrections: tuple[tuple[int, int], ...] = ()
    """The corrections of the journal, each with the first action number it touches."""
    disputes: dict[str, Dispute] = {}
    """The disputes that wait for a ruling, by id."""
    settled: Archive = msgspec.field(default_factory=Archive)
    """The disputes that have been ruled on or withdrawn."""
    rulings_published: bool = False
    """Whether the rulings that everybody at the table may read are open to other tables as precedents."""

    def copy(self) -> Self:
        """An independent copy: what is recorded on it does not touch this one."""
        copied = shallow_copy(self)
        names, values_of = _containers_of(type(self))
        for name, value in zip(names, values_of(self), strict=True):
            setattr(copied, name, value.copy())
        return copied

    def record(self, event: Event) -> None:
        """Apply one event: its postings, then what else it changes.

        Raises Impossible when a posting cannot be made; nothing is changed then.
        Deciding and folding both come through here, so a state is never changed in any other way.
        """
        self.holdings.post_all(event.postings)
        event.apply(self)
        self.seq += 1

    def fold(self, events: Iterable[Event]) -> None:
        """Apply stored events in order."""
        for event in events:
            self.record(event)


def encode_hook(value: Any) -> Any:
    """Plain data for the two containers that msgspec does not know (for snapshots)."""
    if isinstance(value, Holdings):
        return value.as_dict()
    if isinstance(value, Archive):
        return value.text()
    raise TypeError(f"{type(value).__name__} has no place in a state")
