"""The statistics of a game's events: data beside its chapters, read in `replays`.

Wealth, payments, time, corrections and turning points need no data: they are computed for any game. A rulebook
adds a statistics.toml with the purposes of its payments, the counts for each player, the throws of dice, the
income of titles, and the start and end of turns.

A path names a field of an event (`seat`, `delivery.sender`), or a key of a mapping in it (`question.about.die`).
It is read from the event as the viewer sees it: hidden fields do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec
import rtoml

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name in English and French."""

    en: str
    fr: str

    def said(self, language: str) -> str:
        """The name in "en" or "fr"."""
        return self.fr if language == "fr" else self.en


class Part(Words, frozen=True, kw_only=True):
    """A part of a seat's wealth: kinds of `Asset` taken together.

    During the game, a `public` part is shown to everybody for every seat; other parts only to their own seat.
    """

    kinds: tuple[str, ...]
    public: bool = False


class Purpose(Words, frozen=True, kw_only=True):
    """A purpose of payments: the kinds of event whose postings pay for it."""

    events: tuple[str, ...]


class Counted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event that counts: for which seat (a path; for each of several), how many, and how much money.

    `quantity` is a number or a path to one (for a list, its length); `money` is a path. `item` is the name of the
    thing counted, or `by` the path to its name. The event counts only `when` the field of that path has a value,
    and not `unless` that one has; and only where the value at each path of `where` is the text beside it.
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
        """Whether an event of the kind counts, for the fields that the viewer can see."""
        if any(value_at(event, path) != text for path, text in self.where.items()):
            return False
        return (self.when is None or bool(value_at(event, self.when))) and not (
            self.unless is not None and bool(value_at(event, self.unless))
        )


class Count(Words, frozen=True, kw_only=True):
    """A count for each player, from these kinds of event; the formatter `spoken` names its items."""

    of: tuple[Counted, ...]
    spoken: str = "goods"


class Thrown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event that shows a throw: the paths to the seat that threw, and to the face (or list of faces).

    The event shows a throw only where the value at each path of `where` is the text beside it, and the value at no
    path of `but_where` is. A throw that several events show is named for one of them only.
    """

    event: str
    seat: str = "seat"
    faces: str = "die"
    where: dict[str, str] = {}
    but_where: dict[str, str] = {}

    def shown(self, event: Event) -> tuple[int, ...]:
        """The faces that an event of the kind shows; none where it shows no throw, or hides it."""
        if any(value_at(event, path) != text for path, text in self.where.items()):
            return ()
        if any(value_at(event, path) == text for path, text in self.but_where.items()):
            return ()
        found = value_at(event, self.faces)
        return (found,) if isinstance(found, int) else tuple(found or ())


class Dice(Words, frozen=True, kw_only=True):
    """Dice of one use with this many sides, and the events that show their throws.

    Throws are read from events, not from what was drawn for an action: a correction replaces the events.
    """

    sides: int
    of: tuple[Thrown, ...]


class Yield(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event that costs the owner of a thing money, or brings money in: the paths to all three.

    `rent` marks income that needs no sale.
    """

    event: str
    asset: str
    seat: str
    amount: str
    brings: Literal["cost", "income", "rent"]


class Estates(Words, frozen=True, kw_only=True):
    """The things that bring their owner income, and the events of it; the formatter `spoken` names them."""

    of: tuple[Yield, ...]
    spoken: str


class Turns(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kinds of event that start and end a seat's turn; `seat` is the path to the seat."""

    begin: tuple[str, ...]
    end: tuple[str, ...]
    seat: str = "seat"


class Tallies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All statistics that a rulebook declares for its events."""

    parts: dict[str, Part] = {}
    purposes: dict[str, Purpose] = {}
    counts: dict[str, Count] = {}
    dice: dict[str, Dice] = {}
    estates: Estates | None = None
    turns: Turns | None = None
    won_by: tuple[str, ...] = ()
    """The kinds of event that show how a game was won, before the one that ends it."""
    colours: dict[str, str] = {}
    """The colours of groups of places, as #rrggbb."""
    built: Words | None = None
    """The name of what is built on a place."""
    marks: dict[str, Words] = {}
    """The names of other public facts about a place."""

    @classmethod
    def read(cls, text: str) -> Tallies:
        """Read the TOML. Raises msgspec.ValidationError for a wrong shape."""
        return msgspec.convert(rtoml.loads(text), cls)

    def events(self) -> Mapping[str, set[str]]:
        """The kinds of event in the statistics, each with the paths that are read from it."""
        named: dict[str, set[str]] = {}
        for purpose in self.purposes.values():
            for kind in purpose.events:
                named.setdefault(kind, set())
        for count in self.counts.values():
            for one in count.of:
                paths = (one.seat, one.money, one.by, one.when, one.unless, *one.where)
                more = (one.quantity,) if isinstance(one.quantity, str) else ()
                named.setdefault(one.event, set()).update(path for path in (*paths, *more) if path is not None)
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
    """The value at a path of an event; None when there is none."""
    found: Any = event
    for step in path.split("."):
        found = found.get(step) if isinstance(found, Mapping) else getattr(found, step, None)
        if found is None:
            return None
    return found


@runtime_checkable
class Tallied(Protocol):
    """A rulebook with statistics."""

    @property
    def tallies(self) -> Tallies:
        """Its statistics."""


def round_of(rulebook: Rulebook[Any], state: State) -> int | None:
    """The round of a game, as its public summary says; None before the first one, and in a game without rounds."""
    return (rulebook.summary(state).get("round") or None) if state.seats else None


def out_of(rulebook: Rulebook[Any], state: State) -> tuple[str, ...]:
    """The seats that are out of the game: those that its public summary does not have in play."""
    playing = rulebook.summary(state).get("in_play") if state.seats else None
    return () if playing is None else tuple(seat for seat in state.seats if seat not in playing)


_NOTHING = Tallies()


def tallies_of(rulebook: Rulebook[Any]) -> Tallies:
    """The statistics of a game's events; empty when its rulebook declares none."""
    return rulebook.tallies if isinstance(rulebook, Tallied) else _NOTHING
