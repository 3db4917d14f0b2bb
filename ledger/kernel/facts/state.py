"""The state of a game: the holdings, and a few further fields. Only `record` changes the state."""

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


class MissingPartError(LookupError):
    """An event finds no part of the state to change: the event was decided on another state."""


class Seat(msgspec.Struct, frozen=True):
    """A player's seat at the table: its id ("ana") and the player's name ("Ana")."""

    seat: Annotated[str, Meta(extra_json_schema={"x-kind": "seat"})]
    name: Annotated[str, Meta(extra_json_schema={"x-kind": "text"})]


_CONTAINERS = (dict, list, set, Holdings, Archive)


@cache
def _copier_of(kind: type[State]) -> Callable[[State], Any]:
    """Return a function that copies states of the class, with one statement for each container field.

    Every action and every try of a move copies a state, and a loop over the fields would take twice as long.
    Raises TypeError for a field that is only sometimes a container.
    """

    def holds(field_type: Any) -> bool:
        return (get_origin(field_type) or field_type) in _CONTAINERS

    types = {field.name: field.type for field in fields(kind)}
    at_times = [
        name
        for name, field_type in types.items()
        if isinstance(field_type, UnionType) and any(map(holds, get_args(field_type)))
    ]
    if at_times:
        raise TypeError(f"{kind.__name__}: {', '.join(at_times)}: a container may be empty, and is never left out")
    lines = (f"    copied.{name} = state.{name}.copy()" for name, field_type in types.items() if holds(field_type))
    source = "\n".join(("def copy(state):", "    copied = state.__copy__()", *lines, "    return copied"))
    namespace: dict[str, Any] = {}
    exec(source, {}, namespace)  # noqa: S102 - made of the names of the fields alone
    copier: Callable[[State], Any] = namespace["copy"]
    return copier


class State(msgspec.Struct, kw_only=True, weakref=True):
    """The fields common to all games. Rulebooks add fields.

    Fields are flat containers (dict, list, set, Holdings, Archive) of frozen values: a copy copies the
    containers and shares the values. A snapshot keeps dicts in the order of recording. So views may depend on
    this order, for example for the seats. Rules may not: decisions depend on the values alone. Sets have no
    order, and are allowed only as fields of the state itself.
    """

    holdings: Holdings
    version: int = 0
    """The number of the last folded action."""
    seq: int = 0
    """The sequence number of the last folded event."""
    seats: dict[str, Seat] = {}
    dice: str = "service"
    """The source of draws: "table" (values come with the action) or "service"."""
    shared: str = ""
    """The mode of draws by the service together with the seats: "shared" or "shared_or_table"; empty for draws
    by the service alone.
    """
    banker_plays: str | None = None
    """The seat of a banker who also plays, with the view of the seat; None for a mere banker."""
    ended: bool = False
    reveals_at_end: bool = False
    """True if the end of the game reveals everything to everybody. Set when the game is laid out."""
    last_at: datetime | None = None
    """The time of the last folded action."""
    corrections: tuple[tuple[int, int], ...] = ()
    """The corrections of the journal, each with the first action number touched."""
    disputes: dict[str, Dispute] = {}
    """The disputes waiting for a ruling, by id."""
    settled: Archive = msgspec.field(default_factory=Archive)
    """The closed disputes: ruled on or withdrawn."""
    rulings_published: bool = False
    """True if the public rulings of the table are open to other tables as precedents."""

    @property
    def drawn_by(self) -> str:
        """The source of dice and cards chosen for the game (`opening.Dice`)."""
        return self.shared or self.dice

    @property
    def is_revealed(self) -> bool:
        """True if everything is revealed to everybody: the game has ended, and the end reveals everything."""
        return self.ended and self.reveals_at_end

    def copy(self) -> Self:
        """Return an independent copy."""
        copied: Self = _copier_of(type(self))(self)
        return copied

    def record(self, event: Event) -> None:
        """Apply an event: the postings, then the further changes.

        Raises Impossible if a posting cannot be made, and changes nothing then; MissingPartError if the state
        lacks the part to be changed. Deciding and folding both use this method, so the state never changes
        otherwise.
        """
        self.holdings.post_all(event.postings)
        event.apply(self)
        self.seq += 1

    def require_part(self, is_there: bool) -> None:
        """Check in `Event.apply` that the state has the part to be changed. Raises MissingPartError."""
        if not is_there:
            raise MissingPartError("what it changes is not there")

    def fold(self, events: Iterable[Event]) -> None:
        """Apply stored events in order."""
        for event in events:
            self.record(event)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector, which would scan the new events of a fold repeatedly."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Shared(ABC):
    """A value shared by all states of a game and never changed, such as the edition of the game.

    A snapshot stores only its name; `Rulebook.shared` has the value.
    """

    @abstractmethod
    def name(self) -> Any:
        """Return the name stored in snapshots, as plain data."""

    @abstractmethod
    def named(self, kept: Any) -> Self:
        """Return the value with the name from a snapshot. Raises msgspec.ValidationError for another name."""
