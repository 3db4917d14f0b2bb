"""The timeline: the actions of a journal that count, and their events.

The journal never changes. A correction is a separate action. The events list the changes to earlier actions
(`Event.amends`) and the actions added in between (`Event.inserts`). Reading is bitemporal: `known_at` is the
known part of the journal, `at` is the moment of the game to read.
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
"""The decoder of stored event bodies, older shapes included."""


class Step(msgspec.Struct, frozen=True):
    """The change by a correction to an action: the new status, and the effective events from then on."""

    by: int
    status: str
    events: tuple[Event, ...]
    why: Reason | None
    draws: Mapping[str, Sequence[int | str]] | None = None
    """The draws that count from then on, if different from the draws of the entry."""

    @property
    def counts(self) -> bool:
        """True if the events are part of the effective history."""
        return _counts(self.status)


class TimelineEntry(msgspec.Struct, frozen=True):
    """An action in the timeline: the status, the effective events, and the correction that changed the
    action (if any).

    `entry` is the action as recorded. An inserted action has the entry of the correction, with separate
    contents.
    """

    entry: Entry
    status: str
    events: tuple[Event, ...]
    recorded: tuple[Event, ...] = ()
    """The events recorded with the entry."""
    by: int | None = None
    why: Reason | None = None
    position: Place = (0, 0, 0)
    insert: int = 0
    steps: tuple[Step, ...] = ()
    """The changes made by the known corrections, in order. The last change gives the current status."""

    @property
    def label(self) -> Label:
        """The label of the action."""
        return self.entry.number, self.insert

    @property
    def name(self) -> str:
        """The readable name of the action: "57", or "60.1" for the first action inserted by correction 60."""
        return str(name_of(self.label))

    @property
    def inserted_after(self) -> Name | None:
        """The action right before an inserted action; None for an action of the journal."""
        return preceding(self.position)

    @property
    def counts(self) -> bool:
        """True if the events are part of the effective history."""
        return _counts(self.status)

    @property
    def draws(self) -> Mapping[str, Sequence[int | str]]:
        """The effective draws of the action; empty if it does not count."""
        changed = self.steps[-1].draws if self.steps else None
        return {} if not self.counts else self.entry.draws if changed is None else changed

    @property
    def is_default_step(self) -> bool:
        """True for a default step of the game inserted by a correction."""
        return bool(self.insert) and self.entry.by == "system"


def _counts(status: str) -> bool:
    return status in {"effective", "restated"}


class Timeline:
    """The effective history over a journal.

    Takes the entries in order and an event decoder; `known_at` (a number) leaves out later entries.
    """

    def __init__(self, entries: Iterable[Entry], decode: Decode, known_at: int | None = None) -> None:
        self._decode = decode
        self._entries: dict[Label, TimelineEntry] = {}
        self._order: list[tuple[Place, Label]] = []
        for entry in entries:
            if known_at is not None and entry.number > known_at:
                break
            events = self._read(entry.events)
            self._add(TimelineEntry(entry, "effective", events, events, position=(entry.number, 0, 0)))

    def _add(self, timeline_entry: TimelineEntry) -> None:
        self._entries[timeline_entry.label] = timeline_entry
        if not self._order or self._order[-1][0] < timeline_entry.position:
            self._order.append((timeline_entry.position, timeline_entry.label))
        else:
            insort(self._order, (timeline_entry.position, timeline_entry.label))
        if timeline_entry.insert:
            return
        number = timeline_entry.entry.number
        for event in timeline_entry.recorded:
            for index, insertion in enumerate(event.inserts(), start=1):
                self._insert(timeline_entry.entry, insertion, index)
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
        position = (insertion.after, *insertion.under, correction.number, index)
        self._add(
            TimelineEntry(entry, "effective", events, events, correction.number, position=position, insert=index)
        )

    def _amend(self, amendment: Amendment, by: int) -> None:
        amended = self._entries.get((amendment.number, amendment.insert))
        if amended is None:
            return  # a part of the journal may be read with the corrections of the whole
        # The counting events are those of the entry, those of the correction, or none.
        stands = amended.entry.events if amendment.status == "effective" else amendment.events
        draws = amendment.draws if amendment.draws is not UNSET else None
        step = Step(by, amendment.status, self._read(stands), amendment.why, draws)
        self._entries[amended.label] = replace(
            amended, status=step.status, events=step.events, by=by, why=step.why, steps=(*amended.steps, step)
        )

    def _read(self, stored: Iterable[msgspec.Raw]) -> tuple[Event, ...]:
        return tuple(self._decode(event) for event in stored)

    def entry(self, number: int, insert: int = 0) -> TimelineEntry | None:
        """Return an action in the timeline; None if the known journal lacks the action."""
        return self._entries.get((number, insert))

    def named(self, name: Name) -> TimelineEntry | None:
        """Return the action with the given name; None if the known journal has no such action."""
        return self.entry(*label_of(name))

    def cited(self, secrets: KnowsMatters, names: Iterable[Name]) -> dict[Name, Cited]:
        """Return the citations of the actions with the given names. Unknown names are left out."""
        named_entries = {name: self.named(name) for name in names}
        return {
            name: cited(secrets, timeline_entry.recorded, timeline_entry.entry.seat)
            for name, timeline_entry in named_entries.items()
            if timeline_entry is not None
        }

    def entries(self) -> Iterator[TimelineEntry]:
        """Iterate over all known actions, in the order of the effective history."""
        return (self._entries[label] for _, label in self._order)

    def effective(self, at: int | None = None) -> Iterator[TimelineEntry]:
        """Yield the effective actions up to and including number `at`, in order."""
        for timeline_entry in self.entries():
            if at is not None and timeline_entry.position[0] > at:
                return
            if timeline_entry.counts:
                yield timeline_entry


def made_at_once(number: int, entry: Callable[[int], Entry | None]) -> tuple[int, ...]:
    """Return the numbers of the entries made due at once by action `number` (`Progress.due`).

    These entries by the system follow the action directly, with an equal time. System entries right before
    another request, at the time of the request, belong to the request. `entry` returns the entry of a number,
    or None.
    """
    first = entry(number)
    numbers: list[int] = []
    following = None if first is None else entry(number + 1)
    while first is not None and following is not None and following.recorded_at == first.recorded_at:
        if following.by != "system":
            return ()
        numbers.append(following.number)
        following = entry(following.number + 1)
    return tuple(numbers)
