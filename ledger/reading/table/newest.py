"""The newest public line of a game in a few words, for a screen read from across a room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name, name_of
from ledger.kernel.journal.sight import current_viewer, visible_entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.language.briefs import brief
from ledger.reading.entries.look import WITHOUT_EFFECT, telling_events

BRIEF = 40
"""The most characters of a brief sentence."""

_RUN = 8
"""The number of lines in one reading, from the newest back."""
_RUNS = 4
"""The number of readings without a public line, or without a throw, until the search ends."""


class LastView(msgspec.Struct, frozen=True, kw_only=True):
    """The newest public line, equal for every viewer: `action` names the line.

    `brief` is a sentence of at most 40 characters without a full stop: "Bruno pays Ana ₦90 of rent". A cut
    sentence ends with "…". `seat` is the acting seat; left out for nobody. `dice` are the newest throw of the seat
    in turn, or of the line; left out without a throw.
    """

    brief: str
    action: Name
    seat: str | UnsetType = UNSET
    dice: tuple[int, ...] | UnsetType = UNSET


def last_line(moment: Moment, language: str) -> LastView | UnsetType:
    """Return the newest public line up to the moment, in "en" or "fr"; UNSET for none of late."""
    return moment.shared(("last", language), lambda: _last_line(moment, language))


def _last_line(moment: Moment, language: str) -> LastView | UnsetType:
    rulebook, state = moment.rulebook, moment.state
    turn = rulebook.screen.turn(state)
    player = None if turn is None else turn.seat
    newest: LastView | None = None
    for line, events in _public_lines(moment):
        dice = _dice(events)
        if newest is None:
            event = _main_event(moment, events)
            speakers = rulebook.language.speakers(state)
            template: str = event.fr if language == "fr" else event.en
            newest = LastView(
                brief=brief(template, event, language, speakers, BRIEF),
                action=name_of(line.label),
                seat=line.entry.seat or UNSET,
                dice=dice or UNSET,
            )
            if dice or player is None:
                return newest
        elif dice:
            return msgspec.structs.replace(newest, dice=dice) if line.entry.seat == player else newest
    return newest or UNSET


def _public_lines(moment: Moment) -> Iterator[tuple[TimelineEntry, Sequence[Event]]]:
    """Yield the public lines in force and the events, from the newest back."""
    viewer = current_viewer(moment.newest, SPECTATOR)
    last = moment.at
    for _ in range(_RUNS):
        first = max(1, last - _RUN + 1)
        if last < first:
            return
        lines = moment.game.history.timeline_between(first, last, moment.corrections).entries()
        run = [line for line in lines if first <= line.position[0] <= last and line.position <= moment.through]
        for line in reversed(run):
            visible = visible_entry(line, viewer)
            events = [event for _, event in telling_events(visible)]
            if visible.status not in WITHOUT_EFFECT and events:
                yield line, events
        last = first - 1


def _main_event(moment: Moment, events: Sequence[Event]) -> Any:
    """Return the main event: the first between two seats, else the first with postings, else the last."""

    def sides(event: Event) -> Iterator[tuple[str | None, str | None]]:
        seat_of, state = moment.rulebook.accounts.seat_of, moment.state
        return ((seat_of(state, posting.source), seat_of(state, posting.target)) for posting in event.postings)

    def is_between(giver: str | None, taker: str | None) -> bool:
        return giver is not None and taker is not None and giver != taker

    between = (event for event in events if any(is_between(*pair) for pair in sides(event)))
    moving = (event for event in events if event.postings)
    return next(between, None) or next(moving, None) or events[-1]


def _dice(events: Sequence[Event]) -> tuple[int, ...]:
    """Return the dice of the events; dice of one throw come first."""
    for event in events:
        dice = getattr(event, "dice", None)
        if isinstance(dice, tuple) and dice:
            return dice
    for event in events:
        die = getattr(event, "die", None)
        if isinstance(die, int):
            return (die,)
    return ()
