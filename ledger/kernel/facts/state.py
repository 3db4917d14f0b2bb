"""The state of a game: the holdings, and the little that is not a holding. Only `record` changes it."""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Self, get_args, get_origin

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from ledger.kernel.facts.accounts import Holdings
from ledger.kernel.facts.agreements import Archive
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.events import Event


class Seat(msgspec.Struct, frozen=True):
    """A player's seat at the table: its id ("ana") and the player's name ("Ana")."""

    seat: Annotated[str, Meta(extra_json_schema={"x-kind": "seat"})]
    name: Annotated[str, Meta(extra_json_schema={"x-kind": "text"})]


_CONTAINERS = (dict, list, set, Holdings, Archive)


@cache
def _copier_of(kind: type[State]) -> Callable[[State], Any]:
    """What copies the states of this class: a function with one statement for each field that is a container.

    Every action and every try of a move copies a state, and a loop over the fields takes twice as long. Raises
    TypeError for a field that is a container at times only.
    """

    def holds(found: Any) -> bool:
        return (get_origin(found) or found) in _CONTAINERS

    types = {field.name: field.type for field in fields(kind)}
    at_times = [
        name for name, found in types.items() if isinstance(found, UnionType) and any(map(holds, get_args(found)))
    ]
    if at_times:
        raise TypeError(f"{kind.__name__}: {', '.join(at_times)}: a container may be empty, and is never left out")
    lines = (f"    copied.{name} = state.{name}.copy()" for name, found in types.items() if holds(found))
    source = "\n".join(("def copy(state):", "    copied = state.__copy__()", *lines, "    return copied"))
    made: dict[str, Any] = {}
    exec(source, {}, made)  # noqa: S102 - made of the names of the fields alone
    copier: Callable[[State], Any] = made["copy"]
    return copier


class State(msgspec.Struct, kw_only=True, weakref=True):
    """The state that every game has. Rulebooks add fields.

    Fields are flat containers (dict, list, set, Holdings, Archive) of frozen values: a copy copies the containers
    and shares the values. A snapshot keeps the order of dicts, which is the order of what was recorded. So
    readings may follow it, as they do with the seats. No rule may: what is decided depends on the values alone.
    Sets have no order, and stand only in fields of the state itself.
    """

    holdings: Holdings
    version: int = 0
    """Number of the last action folded."""
    seq: int = 0
    """Sequence number of the last event folded."""
    seats: dict[str, Seat] = {}
    dice: str = "service"
    """Who draws: "table" (values come with the action) or "service"."""
    shared: str = ""
    """How the service draws together with the seats: "shared" or "shared_or_table"; empty where it draws alone."""
    banker_plays: str | None = None
    """The seat that the banker plays, who then sees what that seat sees; None for a banker who only banks."""
    ended: bool = False
    reveals_at_end: bool = False
    """Whether the end of the game reveals everything to everybody. Each game says so when it is laid out."""
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

    @property
    def drawn_by(self) -> str:
        """Who throws the dice and draws the cards, as it is chosen for a game (`opening.Dice`)."""
        return self.shared or self.dice

    @property
    def is_revealed(self) -> bool:
        """Whether everything is revealed to everybody: the game has ended, and its end reveals everything."""
        return self.ended and self.reveals_at_end

    def copy(self) -> Self:
        """An independent copy: what is recorded on it does not touch this one."""
        copied: Self = _copier_of(type(self))(self)
        return copied

    def record(self, event: Event) -> None:
        """Apply one event: its postings, then what else it changes.

        Raises Impossible when a posting cannot be made; nothing is changed then. Deciding and folding both use
        this method, so a state is never changed in any other way.
        """
        self.holdings.post_all(event.postings)
        event.apply(self)
        self.seq += 1

    def fold(self, events: Iterable[Event]) -> None:
        """Apply stored events in order."""
        for event in events:
            self.record(event)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector, which would scan the new events of a fold again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Shared(ABC):
    """A value that all states of a game refer to and none of them changes, as an edition of the game is.

    A snapshot keeps its name, and not the value; `Rulebook.shared` has the value.
    """

    @abstractmethod
    def name(self) -> Any:
        """What a snapshot keeps of it, as plain data."""

    @abstractmethod
    def named(self, kept: Any) -> Self:
        """The value whose name a snapshot has kept. Raises msgspec.ValidationError for another one's."""
