"""The visible part of actions, events and holdings for a viewer. All output of the service passes through this
module.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Event, Reason
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import TimelineEntry

S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Secrets(Protocol[S_contra]):
    """The rules of secrecy for a game's holdings: a face of each rulebook."""

    def holding_audience(self, state: S_contra, account: str, commodity: str) -> Audience:
        """Return the viewers who may read the account's amount of the commodity."""

    def veil(self, commodity: str) -> str | None:
        """Return the cover name of a hidden commodity, or None for a commodity without cover."""


Shown = tuple[tuple[int, Event], ...]
"""Visible events, each with the index among the events of the action."""


def current_viewer(newest: State, viewer: Viewer) -> Viewer:
    """Return the viewer with `ended` set after the end of the game, and `revealed` after an end that reveals
    everything.

    A banker who also plays is covered. `newest` is the newest state with every correction known, for any moment
    read. So an end that reveals everything leaves nothing hidden, and an undone end hides everything again.
    """
    viewer = as_playing_banker(newest, viewer)
    return (
        replace(viewer, ended=True, revealed=newest.reveals_at_end)
        if newest.ended and not viewer.ended
        else viewer
    )


def as_playing_banker(state: State, viewer: Viewer) -> Viewer:
    """Return the viewer; a banker who also plays in the game gets a seat and is covered."""
    if state.banker_plays is None or viewer.role != "banker" or viewer.covered or viewer.host:
        return viewer
    return replace(viewer, seat=state.banker_plays, covered=True)


def view_event(newest: State, event: Event, viewer: Viewer) -> Event | None:
    """Return the event for the viewer: whole, redacted, or None. `newest` is the newest state of the game."""
    return _view_event(event, current_viewer(newest, viewer))


def _view_event(event: Event, viewer: Viewer) -> Event | None:
    return event if admits(event, viewer) else event.redacted(viewer)


def admits(event: Event, viewer: Viewer) -> bool:
    """Return True if the viewer sees the event whole. Facts told only by the end are visible while the game has
    ended.
    """
    return viewer.sees_all or ((viewer.ended or not event.at_end) and event.audience().admits(viewer))


def redact_for_dry_run(event: Event, viewer: Viewer) -> Event | None:
    """Return the event in a dry run for the viewer.

    A dry run never reveals facts that only the performed action would reveal.
    """
    if not viewer.sees_all and event.reveals().admits(viewer):
        return event.redacted(viewer)
    return _view_event(event, viewer)


def foreseeable(events: Sequence[Event], viewer: Viewer) -> Sequence[Event]:
    """Keep the events up to the first that reveals something to the viewer: later events could leak the secret."""
    if viewer.sees_all:
        return events
    learnt = next((index for index, event in enumerate(events) if event.reveals().admits(viewer)), len(events))
    return events[: learnt + 1]


class SeenStep(msgspec.Struct, frozen=True):
    """The visible part of a change to an action by correction `by`.

    `status` is the status of the action since then. `old_events` and `new_events` are the events before and after
    the change.
    """

    by: int
    status: str
    old_events: Shown
    new_events: Shown


class VisibleEntry(msgspec.Struct, frozen=True):
    """The visible part of an action in the timeline, for a viewer.

    A correction without a visible change is left out.
    """

    recorded: Shown
    effective_events: Shown
    """The events that count now; empty if the action does not count."""
    whole: bool
    """True if the viewer sees every recorded event whole."""
    status: str
    by: int | None
    """The number of the correction that gave the action its status."""
    why: Reason | None
    steps: tuple[SeenStep, ...]

    @property
    def is_visible(self) -> bool:
        """True if the viewer sees any part of the action."""
        return self.whole or bool(self.recorded or self.effective_events or self.steps)


def visible_entry(timeline_entry: TimelineEntry, viewer: Viewer) -> VisibleEntry:
    """Return the visible part of an action in the timeline. The viewer must come from `current_viewer`, for
    `revealed`.
    """
    recorded, whole = _visible_events(timeline_entry.recorded, viewer)
    status, by, why, counting = (
        "effective",
        timeline_entry.entry.number if timeline_entry.insert else None,
        None,
        recorded,
    )
    first = without_corrections(recorded) if timeline_entry.steps else recorded
    steps: list[SeenStep] = []
    for step in timeline_entry.steps:
        new_events = _visible_events(step.events, viewer)[0] if step.counts else ()
        old, new = without_corrections(counting), without_corrections(new_events)
        new_status = "effective" if step.status == "restated" and new == first else step.status
        is_known = bool(recorded or counting or new_events)
        counting = new_events
        if is_known and (new_status != status or new != old):
            steps.append(SeenStep(step.by, new_status, old, new))
            status, by, why = new_status, step.by, step.why
    if why is not None and not (whole and reads(why.told, viewer)):
        why = None
    return VisibleEntry(recorded, counting, whole, status, by, why, tuple(steps))


def _visible_events(events: Sequence[Event], viewer: Viewer) -> tuple[Shown, bool]:
    """Return the visible events, and True if every event is visible whole."""
    if viewer.sees_all:
        return tuple(enumerate(events)), True
    visible: list[tuple[int, Event]] = []
    whole = True
    for index, event in enumerate(events):
        if admits(event, viewer):
            visible.append((index, event))
            continue
        whole = False
        redacted = event.redacted(viewer)
        if redacted is not None:
            visible.append((index, redacted))
    return tuple(visible), whole


def without_corrections(events: Shown) -> Shown:
    """Return the events of an action without the correction of the history, if any."""
    retained = tuple(item for item in events if not isinstance(item[1], HistoryCorrected))
    gone = len(events) - len(retained)
    return events if not gone else tuple((index - gone, event) for index, event in retained)


def reads(seats: Sequence[str] | None, viewer: Viewer) -> bool:
    """Return True if a viewer may read a text kept for the given seats (None: for all viewers of the whole
    action).
    """
    return seats is None or viewer.sees_all or viewer.seat in seats


def sees_holding(secrets: Secrets[Any], state: State, account: str, commodity: str, viewer: Viewer) -> bool:
    """Return True if the viewer may see the amount of the commodity in the account, in the state."""
    return viewer.sees_all or secrets.holding_audience(state, account, commodity).admits(viewer)


def visible_holdings(secrets: Secrets[Any], state: State, account: str, viewer: Viewer) -> Mapping[str, int]:
    """Return the visible holdings of an account, sorted: hidden holdings under a veil, or left out."""
    balances = state.holdings.account(account)
    if viewer.sees_all:
        return dict(sorted(balances.items()))
    audience = secrets.holding_audience
    return veiled(
        secrets,
        balances,
        {commodity for commodity in balances if audience(state, account, commodity).admits(viewer)},
    )


def veiled(secrets: Secrets[Any], balances: Mapping[str, int], visible: Collection[str]) -> dict[str, int]:
    """Return amounts by commodity, sorted. Commodities not in `visible` are summed under veils."""
    amounts: dict[str, int] = {}
    for commodity, amount in balances.items():
        name = commodity if commodity in visible else secrets.veil(commodity)
        if name is not None:
            amounts[name] = amounts.get(name, 0) + amount
    return {commodity: amount for commodity, amount in sorted(amounts.items()) if amount}
