"""What the events of a game count for in statistics: data that lies beside its chapters, and is read in `replays`.

What is generic needs none of it: wealth, payments, time, corrections and turning points are told of any game. A
rulebook adds a statistics.toml that says what its payments are for, what is counted for a player, which draws are
dice, what a title brings in, and when turns begin and end.

A path names a field of an event (`seat`, `delivery.sender`). It is read from the event as the reader sees it: what
is hidden from them counts for nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from ledger.kernel.events import Event
from ledger.kernel.rulebook import Rulebook


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What something is called, in English and French."""

    en: str
    fr: str

    def said(self, language: str) -> str:
        """The word in "en" or "fr"."""
        return self.fr if language == "fr" else self.en


class Part(Words, frozen=True, kw_only=True):
    """A part of what a seat is worth: kinds of `Asset` taken together.

    What is `public` is told of every seat while the game lasts, to everybody; nothing else is, but one's own.
    """

    kinds: tuple[str, ...]
    public: bool = False


class Purpose(Words, frozen=True, kw_only=True):
    """What money is paid for: the kinds of event whose postings pay for it."""

    events: tuple[str, ...]


class Counted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event that counts: for which seat (a path; for each of several), how many, and how much money.

    `quantity` is a number or the path of one (of a list: how many are in it), `money` a path. `item` is what of
    the kind it was, by its name, or `by` the path of that name. It counts only `when` the field of that path holds
    something, and not `unless` it does.
    """

    event: str
    seat: str
    quantity: int | str = 1
    money: str | None = None
    item: str | None = None
    by: str | None = None
    when: str | None = None
    unless: str | None = None

    def applies(self, event: Event) -> bool:
        """Whether an event of the kind counts, as far as whoever reads it can tell."""
        return (self.when is None or bool(value_at(event, self.when))) and not (
            self.unless is not None and bool(value_at(event, self.unless))
        )


class Count(Words, frozen=True, kw_only=True):
    """What is counted for a player, from these kinds of event; the speaker `spoken` names its items."""

    of: tuple[Counted, ...]
    spoken: str = "goods"


class Dice(Words, frozen=True, kw_only=True):
    """A draw of this name is of dice with so many sides, each as likely as the next."""

    sides: int


class Yield(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event by which something owned costs its owner money, or brings some in: paths of all three.

    `rent` is for income that it brings by being there.
    """

    event: str
    asset: str
    seat: str
    amount: str
    brings: Literal["cost", "income", "rent"]


class Estates(Words, frozen=True, kw_only=True):
    """What brings its owner a return, and by which events; the speaker `spoken` names it."""

    of: tuple[Yield, ...]
    spoken: str


class Turns(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kinds of event by which a seat's turn begins, and ends; `seat` is the path of whose it is."""

    begin: tuple[str, ...]
    end: tuple[str, ...]
    seat: str = "seat"


class Tallies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a rulebook says of its events for statistics."""

    parts: dict[str, Part] = {}
    purposes: dict[str, Purpose] = {}
    counts: dict[str, Count] = {}
    dice: dict[str, Dice] = {}
    """By the name of the draw."""
    estates: Estates | None = None
    turns: Turns | None = None
    won_by: tuple[str, ...] = ()
    """The kinds of event that tell how a game was won, before the one that ends it."""
    colours: dict[str, str] = {}
    """What groups of places look like, as #rrggbb."""
    built: Words | None = None
    """What is built on a place."""
    marks: dict[str, Words] = {}
    """What else is seen of a place."""

    @classmethod
    def read(cls, text: str) -> Tallies:
        """From TOML. Raises msgspec.ValidationError when its shape is another."""
        return msgspec.convert(tomllib.loads(text), cls)

    def events(self) -> Mapping[str, set[str]]:
        """The kinds of event that it names, each with the paths that are read from it."""
        named: dict[str, set[str]] = {}
        for purpose in self.purposes.values():
            for kind in purpose.events:
                named.setdefault(kind, set())
        for count in self.counts.values():
            for one in count.of:
                paths = (one.seat, one.money, one.by, one.when, one.unless)
                more = (one.quantity,) if isinstance(one.quantity, str) else ()
                named.setdefault(one.event, set()).update(path for path in (*paths, *more) if path is not None)
        for brought in () if self.estates is None else self.estates.of:
            named.setdefault(brought.event, set()).update((brought.asset, brought.seat, brought.amount))
        if self.turns is not None:
            for kind in (*self.turns.begin, *self.turns.end):
                named.setdefault(kind, set()).add(self.turns.seat)
        for kind in self.won_by:
            named.setdefault(kind, set())
        return named


def value_at(event: Event, path: str) -> Any:
    """What stands in an event at a path; None where nothing does."""
    found: Any = event
    for step in path.split("."):
        found = getattr(found, step, None)
        if found is None:
            return None
    return found


@runtime_checkable
class Tallied(Protocol):
    """A rulebook that says what its events count for."""

    @property
    def tallies(self) -> Tallies:
        """All that it says."""


_NOTHING = Tallies()


def tallies_of(rulebook: Rulebook[Any]) -> Tallies:
    """What the events of a game count for; nothing but what is generic where its rulebook does not say so."""
    return rulebook.tallies if isinstance(rulebook, Tallied) else _NOTHING
