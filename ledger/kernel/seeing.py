"""What a viewer sees of an action and its events. Everything that leaves the service passes here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.audience import Viewer
from ledger.kernel.events import Event, Reason
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.timeline import Standing
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State

S = TypeVar("S", bound=State)

Shown = tuple[tuple[int, Event], ...]
"""Events as a viewer sees them, each with its place among the action's events."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


def looking(now: State, viewer: Viewer) -> Viewer:
    """The viewer at a game that stands like this now: once it has ended, all is revealed to everybody.

    What counts is the newest state with all that is known, whatever moment is looked at. So nothing of a game that
    has ended is hidden any more, and when its end is undone everything is hidden as before.
    """
    return replace(viewer, revealed=True) if now.ended and not viewer.revealed else viewer


def seen(now: State, event: Event, viewer: Viewer) -> Event | None:
    """The event as the viewer sees it in a game that stands like this now: whole, redacted, or None."""
    return _seen(event, looking(now, viewer))


def _seen(event: Event, viewer: Viewer) -> Event | None:
    return event if viewer.sees_all or event.audience().admits(viewer) else event.redacted(viewer)


def foreseen(event: Event, viewer: Viewer) -> Event | None:
    """The event as one sees it who only asks what would happen: what they would learn by it stays hidden."""
    if not viewer.sees_all and event.reveals().admits(viewer):
        return event.redacted(viewer)
    return _seen(event, viewer)


def sees_whole(now: State, events: Sequence[Event], viewer: Viewer) -> bool:
    """Whether the viewer may see every one of the events, and so the parameters that led to them."""
    viewer = looking(now, viewer)
    return viewer.sees_all or all(event.audience().admits(viewer) for event in events)


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


class Touch(msgspec.Struct, frozen=True):
    """What a viewer can tell that correction `by` made of an action: what it is since, what it was and came to."""

    by: int
    status: str
    before: Shown
    after: Shown


class Sight(msgspec.Struct, frozen=True):
    """How an action stands for one viewer.

    A correction that changes nothing of what they see of the action has not touched it, as far as they can tell.
    """

    recorded: Shown
    counting: Shown
    """The events that count, if any do."""
    whole: bool
    """Whether they see every event that was recorded, and each of them whole."""
    status: str
    by: int | None
    """The correction that made the status what it is."""
    why: Reason | None
    touches: tuple[Touch, ...]

    @property
    def anything(self) -> bool:
        """Whether they see anything of the action."""
        return self.whole or bool(self.recorded or self.counting or self.touches)


def sight(standing: Standing, viewer: Viewer) -> Sight:
    """An action and what corrections made of it, as a viewer sees it who has been told by `looking` what is."""
    recorded = _shown(standing.recorded, viewer)
    whole = viewer.sees_all or all(event.audience().admits(viewer) for event in standing.recorded)
    first = without_corrections(recorded)
    status, by, why, counting = "effective", standing.entry.number if standing.insert else None, None, recorded
    touches: list[Touch] = []
    for step in standing.steps:
        after = _shown(step.events, viewer) if step.counts else ()
        before, then = without_corrections(counting), without_corrections(after)
        now = "effective" if step.status == "restated" and then == first else step.status
        known = bool(recorded or counting or after)
        counting = after
        if known and (now != status or then != before):
            touches.append(Touch(step.by, now, before, then))
            status, by, why = now, step.by, step.why
    if why is not None and not (whole and reads(why.told, viewer)):
        why = None
    return Sight(recorded, counting, whole, status, by, why, tuple(touches))


def _shown(events: Iterable[Event], viewer: Viewer) -> Shown:
    shown = ((place, _seen(event, viewer)) for place, event in enumerate(events))
    return tuple((place, event) for place, event in shown if event is not None)


def without_corrections(shown: Shown) -> Shown:
    """What an action did in the game, apart from what it made of the past."""
    kept = tuple(one for one in shown if not isinstance(one[1], HistoryCorrected))
    gone = len(shown) - len(kept)
    return shown if not gone else tuple((place - gone, event) for place, event in kept)


def reads(told: Sequence[str] | None, viewer: Viewer) -> bool:
    """Whether a viewer who sees an action whole may read what is kept with it for these seats (None: for all)."""
    return told is None or viewer.sees_all or viewer.seat in told


# ----------------------------------------------------------------------------------------------
# Holdings
# ----------------------------------------------------------------------------------------------


def sees_holding(rulebook: Rulebook[S], state: S, account: str, commodity: str, viewer: Viewer) -> bool:
    """Whether the viewer may see how much of the commodity the account holds at the moment of this state."""
    return viewer.sees_all or rulebook.holding_audience(state, account, commodity).admits(viewer)


def seen_account(rulebook: Rulebook[S], state: S, account: str, viewer: Viewer) -> Mapping[str, int]:
    """The holdings of an account as the viewer may see them, sorted: what is hidden from them under its veil."""
    return veiled(
        rulebook,
        state.holdings.account(account),
        lambda commodity: sees_holding(rulebook, state, account, commodity, viewer),
    )


def veiled(rulebook: Rulebook[Any], held: Mapping[str, int], sees: Callable[[str], bool]) -> dict[str, int]:
    """Amounts by commodity, sorted: those of commodities that are not seen are added up under their veils."""
    shown: dict[str, int] = {}
    for commodity, amount in held.items():
        name = commodity if sees(commodity) else rulebook.veil(commodity)
        if name is not None:
            shown[name] = shown.get(name, 0) + amount
    return {commodity: amount for commodity, amount in sorted(shown.items()) if amount}
