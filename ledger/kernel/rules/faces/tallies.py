"""Tallies: the statistics of a game's events, as data beside the chapters, read in `replays`.

Wealth, payments, time, corrections and turning points need no data: they are computed for any game. A rulebook
adds a statistics.toml with the purposes of payments, the counts for each player, the throws of dice, the income
of titles, and the start and end of turns.

A path names a field of an event (`seat`, `delivery.sender`), or a key of a mapping inside
(`question.about.die`). The value is read from the event as seen by the viewer: hidden fields do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import rtoml

from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase


class Part(Phrase, frozen=True, kw_only=True):
    """A part of a seat's wealth: kinds of `Asset` taken together.

    During the game, a `public` part is shown to everybody for every seat; any other part only to the owner.
    """

    kinds: tuple[str, ...]
    public: bool = False


class Purpose(Phrase, frozen=True, kw_only=True):
    """A purpose of payments: the kinds of event with postings for the purpose."""

    events: tuple[str, ...]


class Counted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counted kind of event: the seat (a path; several seats count each), the quantity, and the money.

    `quantity` is a number or a path (the length of a list counts); `money` is a path. `item` is the name of the
    thing counted, or `by` the path to it. An event counts only if the field at `when` has a value and the field
    at `unless` has none. For each path in `where`, the value must equal the text beside the path.
    """

    event: str
    seat: str
    quantity: int | str = 1
    money: str | None = None
    item: str | None = None
    by: str | None = None
    when: str | None = None
    unless: str | None = None
    where: dict[str, str] = {}

    def applies(self, event: Event) -> bool:
        """Return True if an event of the kind counts, by the fields visible to the viewer."""
        if any(value_at(event, path) != text for path, text in self.where.items()):
            return False
        return (self.when is None or bool(value_at(event, self.when))) and not (
            self.unless is not None and bool(value_at(event, self.unless))
        )


class Count(Phrase, frozen=True, kw_only=True):
    """A count for each player, from the listed kinds of event; the formatter `spoken` names the items."""

    of: tuple[Counted, ...]
    spoken: str = "goods"


class Thrown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event with a throw: the paths to the seat of the thrower, and to the face (or list of faces).

    The event shows a throw only if each path in `where` has the text beside the path as value, and no path in
    `but_where` has. For a throw visible in several events, only one event is listed.
    """

    event: str
    seat: str = "seat"
    faces: str = "die"
    where: dict[str, str] = {}
    but_where: dict[str, str] = {}

    def faces_in(self, event: Event) -> tuple[int, ...]:
        """Return the faces in an event of the kind; none if the event has no throw, or hides it."""
        if any(value_at(event, path) != text for path, text in self.where.items()):
            return ()
        if any(value_at(event, path) == text for path, text in self.but_where.items()):
            return ()
        faces = value_at(event, self.faces)
        return (faces,) if isinstance(faces, int) else tuple(faces or ())


class Dice(Phrase, frozen=True, kw_only=True):
    """Dice of one use with a number of sides, and the events of the throws.

    Throws are read from events, not from the draws of an action: a correction replaces the events.
    """

    sides: int
    of: tuple[Thrown, ...]


class Yield(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event with costs or income from a thing: the paths to the thing, the owner and the amount.

    `rent` marks income without a sale.
    """

    event: str
    asset: str
    seat: str
    amount: str
    brings: Literal["cost", "income", "rent"]


class Estates(Phrase, frozen=True, kw_only=True):
    """The things with an income for the owner, and the events of income; the formatter `spoken` names the
    things.
    """

    of: tuple[Yield, ...]
    spoken: str


class Turns(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kinds of event at the start and end of a turn; `seat` is the path to the seat."""

    begin: tuple[str, ...]
    end: tuple[str, ...]
    seat: str = "seat"


class Tallies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The statistics declared by a rulebook for its events."""

    parts: dict[str, Part] = {}
    purposes: dict[str, Purpose] = {}
    counts: dict[str, Count] = {}
    dice: dict[str, Dice] = {}
    estates: Estates | None = None
    turns: Turns | None = None
    won_by: tuple[str, ...] = ()
    """The kinds of event with the reason of a victory, before the final event."""
    colours: dict[str, str] = {}
    """The colours of groups of places, as #rrggbb."""
    built: Phrase | None = None
    """The name of the buildings on a place."""
    marks: dict[str, Phrase] = {}
    """The names of further public facts about a place."""

    @classmethod
    def read(cls, text: str) -> Tallies:
        """Read the TOML. Raises msgspec.ValidationError for a wrong shape."""
        return msgspec.convert(rtoml.loads(text), cls)

    def events(self) -> Mapping[str, set[str]]:
        """Return the kinds of event in the statistics, each with the paths read."""
        named: dict[str, set[str]] = {}
        for purpose in self.purposes.values():
            for kind in purpose.events:
                named.setdefault(kind, set())
        for count in self.counts.values():
            for counted in count.of:
                paths = (counted.seat, counted.money, counted.by, counted.when, counted.unless, *counted.where)
                quantities = (counted.quantity,) if isinstance(counted.quantity, str) else ()
                named.setdefault(counted.event, set()).update(
                    path for path in (*paths, *quantities) if path is not None
                )
        for dice in self.dice.values():
            for thrown in dice.of:
                paths_of_throw = (thrown.seat, thrown.faces, *thrown.where, *thrown.but_where)
                named.setdefault(thrown.event, set()).update(paths_of_throw)
        for brought in () if self.estates is None else self.estates.of:
            named.setdefault(brought.event, set()).update((brought.asset, brought.seat, brought.amount))
        if self.turns is not None:
            for kind in (*self.turns.begin, *self.turns.end):
                named.setdefault(kind, set()).add(self.turns.seat)
        for kind in self.won_by:
            named.setdefault(kind, set())
        return named


def value_at(event: Event, path: str) -> Any:
    """Return the value at a path of an event; None for a missing value."""
    value: Any = event
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else getattr(value, step, None)
        if value is None:
            return None
    return value
