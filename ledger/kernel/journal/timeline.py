"""The timeline: which actions of a journal count, and with which events.

The journal never changes. A correction is an action of its own. Its events say which earlier actions it changes
(`Event.amends`) and which actions it adds between them (`Event.inserts`). Reading is bitemporal: `known_at` is how
much of the journal is taken as known, `at` is the moment in the game that is read.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.facts.events import Amendment, Event, Insertion, Reason
from ledger.kernel.facts.labels import Label, Name, Place, label_of, name_of, preceding
from ledger.kernel.journal.citing import Cited, KnowsMatters, cited
from ledger.kernel.journal.entry import Entry

Decode = Callable[[msgspec.Raw], Event]
"""How a rulebook reads a stored event body, older shapes included."""


class Step(msgspec.Struct, frozen=True):
    """How one correction changed an action: its new status, and the events that count from then on."""

    by: int
    status: str
    events: tuple[Event, ...]
    why: Reason | None
    draws: Mapping[str, Sequence[int | str]] | None = None
    """The draws that count from then on, where they are others than those of the entry."""

    @property
    def counts(self) -> bool:
        """Whether the events are part of the effective history."""
        return _counts(self.status)


class Standing(msgspec.Struct, frozen=True):
    """How an action stands: its status, the events that count, and the correction that changed it (if any).

    `entry` is the action as recorded. An inserted action has the entry of its correction, with its own contents.
    """

    entry: Entry
    status: str
    events: tuple[Event, ...]
    recorded: tuple[Event, ...] = ()
    """The events that the entry was recorded with."""
    by: int | None = None
    why: Reason | None = None
    place: Place = (0, 0, 0)
    insert: int = 0
    steps: tuple[Step, ...] = ()
    """The changes made by the known corrections, in order. The last one is how the action stands."""

    @property
    def label(self) -> Label:
        """What names the action."""
        return self.entry.number, self.insert

    @property
    def name(self) -> str:
        """The action's name for people: "57", or "60.1" for the first action that correction 60 inserted."""
        return str(name_of(self.label))

    @property
    def after(self) -> Name | None:
        """The action that an inserted action comes right after; None for an action of the journal."""
        return preceding(self.place)

    @property
    def counts(self) -> bool:
        """Whether the events are part of the effective history."""
        return _counts(self.status)

    @property
    def draws(self) -> Mapping[str, Sequence[int | str]]:
        """The draws that the action counts with; none when it does not count."""
        changed = self.steps[-1].draws if self.steps else None
        return {} if not self.counts else self.entry.draws if changed is None else changed

    @property
    def by_itself(self) -> bool:
        """Whether it is a default step of the game that a correction inserted."""
        return bool(self.insert) and self.entry.by == "system"


def _counts(status: str) -> bool:
    return status in {"effective", "restated"}


class Timeline:
    """The effective history over a journal.

    Takes the entries in order and how to read an event; `known_at` (a number) leaves out what came later.
    """

    def __init__(self, entries: Iterable[Entry], decode: Decode, known_at: int | None = None) -> None:
        self._decode = decode
        self._standings: dict[Label, Standing] = {}
        self._order: list[tuple[Place, Label]] = []
        for entry in entries:
            if known_at is not None and entry.number > known_at:
                break
            events = self._read(entry.events)
            self._add(Standing(entry, "effective", events, events, place=(entry.number, 0, 0)))

    def _add(self, standing: Standing) -> None:
        self._standings[standing.label] = standing
        if not self._order or self._order[-1][0] < standing.place:
            self._order.append((standing.place, standing.label))
        else:
            insort(self._order, (standing.place, standing.label))
        if standing.insert:
            return
        number = standing.entry.number
        for event in standing.recorded:
            for index, insertion in enumerate(event.inserts(), start=1):
                self._insert(standing.entry, insertion, index)
            for amendment in event.amends():
                self._amend(amendment, number)

    def _insert(self, correction: Entry, insertion: Insertion, index: int) -> None:
        new = insertion.action
        entry = replace(
            correction,
            kind=new.kind,
            seat=new.seat,
            by=new.by,
            params=new.params,
            draws=new.draws,
            recorded_at=new.recorded_at,
            override=new.override,
            warnings=new.warnings,
            events=new.events,
        )
        events = self._read(new.events)
        place = (insertion.after, *insertion.under, correction.number, index)
        self._add(Standing(entry, "effective", events, events, correction.number, place=place, insert=index))

    def _amend(self, amendment: Amendment, by: int) -> None:
        amended = self._standings.get((amendment.number, amendment.insert))
        if amended is None:
            return  # a part of the journal may be read with the corrections of the whole
        # An action counts with its own events, with those of the correction, or not at all.
        stands = amended.entry.events if amendment.status == "effective" else amendment.events
        draws = amendment.draws if amendment.draws is not UNSET else None
        step = Step(by, amendment.status, self._read(stands), amendment.why, draws)
        self._standings[amended.label] = replace(
            amended, status=step.status, events=step.events, by=by, why=step.why, steps=(*amended.steps, step)
        )

    def _read(self, stored: Iterable[msgspec.Raw]) -> tuple[Event, ...]:
        return tuple(self._decode(one) for one in stored)

    def standing(self, number: int, insert: int = 0) -> Standing | None:
        """How an action stands; None when the known journal does not reach it."""
        return self._standings.get((number, insert))

    def named(self, name: Name) -> Standing | None:
        """How the action of this name stands; None when the known journal has none."""
        return self.standing(*label_of(name))

    def cited(self, rulebook: KnowsMatters, names: Iterable[Name]) -> dict[Name, Cited]:
        """What may be cited of the actions of these names. Unknown names are left out."""
        found = {name: self.named(name) for name in names}
        return {name: cited(rulebook, one.recorded) for name, one in found.items() if one is not None}

    def standings(self) -> Iterator[Standing]:
        """Every action known, in the order of the effective history."""
        return (self._standings[label] for _, label in self._order)

    def effective(self, at: int | None = None) -> Iterator[Standing]:
        """The actions that count up to and including number `at`, in order."""
        for standing in self.standings():
            if at is not None and standing.place[0] > at:
                return
            if standing.counts:
                yield standing


def made_at_once(number: int, entry: Callable[[int], Entry | None]) -> tuple[int, ...]:
    """The numbers of the entries that action `number` made due at once (`Rulebook.due`).

    They come right after it, by the system, at the same time. What the system did right before another request,
    at the time of that request, belongs to that one. `entry` gives the entry of a number, or None.
    """
    first = entry(number)
    found: list[int] = []
    following = None if first is None else entry(number + 1)
    while first is not None and following is not None and following.recorded_at == first.recorded_at:
        if following.by != "system":
            return ()
        found.append(following.number)
        following = entry(following.number + 1)
    return tuple(found)
