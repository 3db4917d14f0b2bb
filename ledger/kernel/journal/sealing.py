"""The part of each audience in a sealed entry: the visible contents at the time of recording.

An entry is sealed if some viewer might see less than the rest: if an event is not public, or if cards were
drawn or a rule was waived, because such entries have warnings for single seats. Neither the sealing nor the
list of parts depends on a secret: every seat has a part, and so have spectators. So the log reveals no secret.

A part is canonical JSON with the events visible to the audience. A viewer of all events whole sees everything
else too, except warnings to others. Other viewers see the public parameters; the actor sees all parameters. A
correction has the visible part of the changed actions. An action without visible events has a number and a
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.refusals import RuleNote
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Chances, Entry, body, canonical
from ledger.kernel.journal.sight import current_viewer, reads, visible_entry
from ledger.kernel.journal.stored import audience_of, sealed
from ledger.kernel.journal.timeline import TimelineEntry


class KnowsActions(Protocol):
    """The public parameters of a game's actions. Every codec has them."""

    def public_params(self, kind: str, params: bytes) -> bytes | None:
        """Return an action's public parameters as canonical JSON, or None."""


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The contents of a sealed entry visible to an audience."""

    game: str
    number: int
    recorded_at: datetime
    kind: str | None = None
    seat: str | None = None
    by: str | None = None
    params: msgspec.Raw | None = None
    draws: dict[str, list[int | str]] = {}
    override: str | None = None
    warnings: tuple[RuleNote, ...] = ()
    events: tuple[msgspec.Raw, ...] = ()
    changes: tuple[Change, ...] = ()
    chance: Chances | msgspec.UnsetType = msgspec.UNSET
    revision: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET


class Change(msgspec.Struct, frozen=True):
    """The change of an action by a correction, for an audience: the name, the status, and the visible counting
    events.

    The status is "inserted" for an action added by the correction.
    """

    action: Name
    status: str
    events: tuple[msgspec.Raw, ...] = ()


Touched = Callable[[], Iterable[TimelineEntry]]
"""A function that returns the actions corrected or added by the entry, in their state after the entry."""


def seal(codec: KnowsActions, state: State, entry: Entry, events: Sequence[Event], touched: Touched) -> bytes:
    """Return the stored bytes of an entry, with the part of each audience.

    Takes the events, and the state after the entry.
    """
    audiences = [event.audience() for event in events]
    if entry.override is None and _is_open(entry.warnings, entry.draws, events, audiences):
        return canonical(entry)
    timeline_entries = [*touched()] if any(event.amends() or event.inserts() for event in events) else []
    ended = current_viewer(state, Viewer("spectator"))
    views: dict[str, bytes] = {}
    parts: list[tuple[_Look, bytes]] = []
    for seat in (*state.seats, None):
        viewer = ended if seat is None else replace(ended, role="player", seat=seat)
        look = _look(entry, events, audiences, viewer)
        # Seats with equal views share a part, except in corrections, whose changes may differ by seat.
        part = None if timeline_entries else next((part for known_look, part in parts if known_look == look), None)
        if part is None:
            part = body(_part(codec, entry, look, tuple(_changes(entry.number, viewer, timeline_entries))))
            parts.append((look, part))
        views[audience_of(seat)] = part
    return sealed(entry, views)


def is_public(entry: Entry, events: Sequence[Event]) -> bool:
    """Return True if everybody sees such an entry completely, for any secret values."""
    return entry.override is None and is_open(entry.warnings, entry.draws, events)


def is_open(
    warnings: Sequence[RuleNote], draws: Mapping[str, Sequence[int | str]], events: Sequence[Event]
) -> bool:
    """Return True if everybody sees all consequences of an action with the given warnings, draws and events."""
    return _is_open(warnings, draws, events, [event.audience() for event in events])


def _is_open(
    warnings: Sequence[RuleNote],
    draws: Mapping[str, Sequence[int | str]],
    events: Sequence[Event],
    audiences: Sequence[Audience],
) -> bool:
    return (
        not warnings
        and all(audience.everyone for audience in audiences)
        and not any(event.at_end for event in events)
        and not any(isinstance(value, str) for values in draws.values() for value in values)
    )


class _Look(NamedTuple):
    """The view of an entry: events (True for a whole event), readable warnings, and a flag for the actor."""

    events: tuple[Event | bool | None, ...]
    warnings: tuple[RuleNote, ...]
    is_actor: bool


def _look(entry: Entry, events: Sequence[Event], audiences: Sequence[Audience], viewer: Viewer) -> _Look:
    """Return the view of an entry, by the audience of each event (see `sight.admits`)."""
    ended, all_seen = viewer.ended, viewer.sees_all
    visible = tuple(
        all_seen or ((ended or not event.at_end) and audience.admits(viewer)) or event.redacted(viewer)
        for event, audience in zip(events, audiences, strict=True)
    )
    warnings = entry.warnings and tuple(warning for warning in entry.warnings if reads(warning.told, viewer))
    return _Look(visible, warnings, viewer.seat is not None and entry.by == viewer.seat)


def _part(codec: KnowsActions, entry: Entry, look: _Look, changes: tuple[Change, ...]) -> Part:
    """Return the part of an entry for a view."""
    whole = all(event is True for event in look.events)
    stored_events = tuple(
        stored if event is True else msgspec.Raw(body(event))
        for event, stored in zip(look.events, entry.events, strict=True)
        if event is not None
    )
    if not stored_events and not look.is_actor and not whole:
        return Part(
            game=entry.game,
            number=entry.number,
            recorded_at=entry.recorded_at,
            chance=entry.chance,
            revision=entry.revision,
        )
    return Part(
        game=entry.game,
        number=entry.number,
        recorded_at=entry.recorded_at,
        kind=entry.kind,
        seat=entry.seat,
        by=entry.by,
        params=entry.params if look.is_actor or whole else _public_params(codec, entry),
        draws=entry.draws if whole else {},
        override=entry.override if whole else None,
        warnings=look.warnings if whole else (),
        events=stored_events,
        changes=changes,
        chance=entry.chance,
        revision=entry.revision,
    )


def _changes(number: int, viewer: Viewer, touched: Iterable[TimelineEntry]) -> Iterator[Change]:
    """Yield the changes of other actions by the correction with the given number, as far as visible (see
    `sight.visible_entry`).
    """
    for timeline_entry in touched:
        visible = visible_entry(timeline_entry, viewer)
        if timeline_entry.insert and timeline_entry.entry.number == number and visible.recorded:
            yield Change(timeline_entry.name, "inserted", _bodies(event for _, event in visible.recorded))
        for step in visible.steps:
            if step.by == number:
                yield Change(timeline_entry.name, step.status, _bodies(event for _, event in step.new_events))


def _bodies(events: Iterable[Event | None]) -> tuple[msgspec.Raw, ...]:
    return tuple(msgspec.Raw(body(event)) for event in events if event is not None)


def _public_params(codec: KnowsActions, entry: Entry) -> msgspec.Raw | None:
    """Return the public parameters of an entry, or None."""
    public = codec.public_params(entry.kind, bytes(entry.params))
    return None if public is None else msgspec.Raw(public)
