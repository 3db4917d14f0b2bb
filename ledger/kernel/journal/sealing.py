"""What each audience sees of an entry at the moment when it is recorded: its part of the sealed entry.

An entry is sealed when somebody might see less of it than others: when an event is not for everybody, or when
cards were drawn or a rule was waived, because warnings for single seats come with those. Whether it is sealed, and
who has a part, does not depend on what is secret: every seat has one, and those who only watch. So what is in the
log does not tell a secret.

A part is canonical JSON. It has the events as the audience sees them. Whoever sees all of them whole has all of
the rest, but for the warnings of others. Others have the parameters that everybody may know; whoever did the
action has all of its parameters. Of a correction there is what the audience sees of the actions that it changed.
Of an action of which the audience sees nothing there are its number and its time.
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
from ledger.kernel.facts.refusals import Warned
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Chances, Entry, body, canonical
from ledger.kernel.journal.sight import reads, sight, viewer_now
from ledger.kernel.journal.stored import audience_of, sealed
from ledger.kernel.journal.timeline import Standing


class KnowsActions(Protocol):
    """The public parameters of a game's actions. Every rulebook has them."""

    def public_params(self, kind: str, params: bytes) -> bytes | None:
        """Return an action's public parameters as canonical JSON, or None."""


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an audience sees of a sealed entry."""

    game: str
    number: int
    recorded_at: datetime
    kind: str | None = None
    seat: str | None = None
    by: str | None = None
    params: msgspec.Raw | None = None
    draws: dict[str, list[int | str]] = {}
    override: str | None = None
    warnings: tuple[Warned, ...] = ()
    events: tuple[msgspec.Raw, ...] = ()
    changes: tuple[Change, ...] = ()
    chance: Chances | msgspec.UnsetType = msgspec.UNSET


class Change(msgspec.Struct, frozen=True):
    """What a correction made of an action, as an audience sees it: its name, its status, and what counts of it.

    The status is "inserted" for an action that the correction added.
    """

    action: Name
    status: str
    events: tuple[msgspec.Raw, ...] = ()


Touched = Callable[[], Iterable[Standing]]
"""A function that gives the actions that the entry corrects, or adds, as they stand after it."""


def seal(rulebook: KnowsActions, state: State, entry: Entry, events: Sequence[Event], touched: Touched) -> bytes:
    """The stored bytes of an entry with what each audience sees of it.

    Takes its events, and the state after it.
    """
    audiences = [event.audience() for event in events]
    if entry.override is None and _is_open(entry.warnings, entry.draws, events, audiences):
        return canonical(entry)
    standings = [*touched()] if any(event.amends() or event.inserts() for event in events) else []
    ended = viewer_now(state, Viewer("spectator"))
    views: dict[str, bytes] = {}
    parts: list[tuple[_Look, bytes]] = []
    for seat in (*state.seats, None):
        viewer = ended if seat is None else replace(ended, role="player", seat=seat)
        look = _look(entry, events, audiences, viewer)
        # Seats that see the same have the same part, unless a correction shows each of them something else.
        part = None if standings else next((part for one, part in parts if one == look), None)
        if part is None:
            part = body(_part(rulebook, entry, look, tuple(_changes(entry.number, viewer, standings))))
            parts.append((look, part))
        views[audience_of(seat)] = part
    return sealed(entry, views)


def is_public(entry: Entry, events: Sequence[Event]) -> bool:
    """Whether everybody sees everything of such an entry, whatever is secret."""
    return entry.override is None and is_open(entry.warnings, entry.draws, events)


def is_open(warnings: Sequence[Warned], draws: Mapping[str, Sequence[int | str]], events: Sequence[Event]) -> bool:
    """Whether everybody sees everything that comes of an action with these warnings, draws and events."""
    return _is_open(warnings, draws, events, [event.audience() for event in events])


def _is_open(
    warnings: Sequence[Warned],
    draws: Mapping[str, Sequence[int | str]],
    events: Sequence[Event],
    audiences: Sequence[Audience],
) -> bool:
    return (
        not warnings
        and all(one.everyone for one in audiences)
        and not any(event.at_end for event in events)
        and not any(isinstance(value, str) for values in draws.values() for value in values)
    )


class _Look(NamedTuple):
    """What a viewer sees of an entry: events (True for a whole one), warnings, and whether they did it."""

    events: tuple[Event | bool | None, ...]
    warnings: tuple[Warned, ...]
    own: bool


def _look(entry: Entry, events: Sequence[Event], audiences: Sequence[Audience], viewer: Viewer) -> _Look:
    """What a viewer sees, by the audience of each event (see `seeing.admits`)."""
    ended, all_seen = viewer.ended, viewer.sees_all
    seen = tuple(
        all_seen or ((ended or not event.at_end) and audience.admits(viewer)) or event.redacted(viewer)
        for event, audience in zip(events, audiences, strict=True)
    )
    warnings = entry.warnings and tuple(one for one in entry.warnings if reads(one.told, viewer))
    return _Look(seen, warnings, viewer.seat is not None and entry.by == viewer.seat)


def _part(rulebook: KnowsActions, entry: Entry, look: _Look, changes: tuple[Change, ...]) -> Part:
    """What a viewer sees of an entry."""
    whole = all(one is True for one in look.events)
    seen = tuple(
        stored if one is True else msgspec.Raw(body(one))
        for one, stored in zip(look.events, entry.events, strict=True)
        if one is not None
    )
    if not seen and not look.own and not whole:
        return Part(game=entry.game, number=entry.number, recorded_at=entry.recorded_at, chance=entry.chance)
    return Part(
        game=entry.game,
        number=entry.number,
        recorded_at=entry.recorded_at,
        kind=entry.kind,
        seat=entry.seat,
        by=entry.by,
        params=entry.params if look.own or whole else _public_params(rulebook, entry),
        draws=entry.draws if whole else {},
        override=entry.override if whole else None,
        warnings=look.warnings if whole else (),
        events=seen,
        changes=changes,
        chance=entry.chance,
    )


def _changes(number: int, viewer: Viewer, touched: Iterable[Standing]) -> Iterator[Change]:
    """What the correction of this number made of other actions, as far as the viewer can tell (see `sight`)."""
    for standing in touched:
        shown = sight(standing, viewer)
        if standing.insert and standing.entry.number == number and shown.recorded:
            yield Change(standing.name, "inserted", _bodies(event for _, event in shown.recorded))
        for step in shown.steps:
            if step.by == number:
                yield Change(standing.name, step.status, _bodies(event for _, event in step.after))


def _bodies(events: Iterable[Event | None]) -> tuple[msgspec.Raw, ...]:
    return tuple(msgspec.Raw(body(event)) for event in events if event is not None)


def _public_params(rulebook: KnowsActions, entry: Entry) -> msgspec.Raw | None:
    """The parameters that everybody may know."""
    public = rulebook.public_params(entry.kind, bytes(entry.params))
    return None if public is None else msgspec.Raw(public)
