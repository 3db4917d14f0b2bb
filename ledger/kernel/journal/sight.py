"""What a viewer sees of actions, events and holdings. Everything that leaves the service passes through here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Event, Reason
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import Standing

S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Secrets(Protocol[S_contra]):
    """The secrecy of a game's holdings. Every rulebook has it."""

    def holding_audience(self, state: S_contra, account: str, commodity: str) -> Audience:
        """Return the viewers who may read the account's amount of the commodity."""

    def veil(self, commodity: str) -> str | None:
        """Return the cover name of a hidden commodity, or None for a commodity without cover."""


Shown = tuple[tuple[int, Event], ...]
"""Events as a viewer sees them, each with its place among the action's events."""


def viewer_now(now: State, viewer: Viewer) -> Viewer:
    """The viewer, with `ended` set when the game has ended, and `revealed` when its end reveals everything.

    A banker who also plays is covered. `now` is the newest state with every correction known, also when an earlier
    moment is read. So an end that reveals everything leaves nothing hidden, and when the end is undone everything
    is hidden as before.
    """
    viewer = covered(now, viewer)
    return replace(viewer, ended=True, revealed=now.reveals_at_end) if now.ended and not viewer.ended else viewer


def covered(state: State, viewer: Viewer) -> Viewer:
    """The viewer; a banker who also plays in this game has the seat that they play, and is covered."""
    if state.banker_plays is None or viewer.role != "banker" or viewer.covered or viewer.host:
        return viewer
    return replace(viewer, seat=state.banker_plays, covered=True)


def seen(now: State, event: Event, viewer: Viewer) -> Event | None:
    """The event as the viewer sees it: whole, redacted, or None. `now` is the newest state of the game."""
    return _seen(event, viewer_now(now, viewer))


def _seen(event: Event, viewer: Viewer) -> Event | None:
    return event if admits(event, viewer) else event.redacted(viewer)


def admits(event: Event, viewer: Viewer) -> bool:
    """Whether the viewer sees the event whole. What only the end tells is whole while the game has ended."""
    return viewer.sees_all or ((viewer.ended or not event.at_end) and event.audience().admits(viewer))


def foreseen(event: Event, viewer: Viewer) -> Event | None:
    """The event as a dry run shows it to the viewer.

    A dry run never reveals what only performing the action would.
    """
    if not viewer.sees_all and event.reveals().admits(viewer):
        return event.redacted(viewer)
    return _seen(event, viewer)


def foreseeable(events: Sequence[Event], viewer: Viewer) -> Sequence[Event]:
    """The events up to the first one that reveals something to the viewer. Later events could reveal it, too."""
    if viewer.sees_all:
        return events
    learnt = next((place for place, event in enumerate(events) if event.reveals().admits(viewer)), len(events))
    return events[: learnt + 1]


def sees_whole(now: State, events: Sequence[Event], viewer: Viewer) -> bool:
    """Whether the viewer may see all of the events whole, and so the parameters of their action."""
    viewer = viewer_now(now, viewer)
    return all(admits(event, viewer) for event in events)


class SeenStep(msgspec.Struct, frozen=True):
    """A change that correction `by` made to an action, as far as a viewer can tell.

    `status` is the action's status since then. `before` and `after` are its events before and since.
    """

    by: int
    status: str
    before: Shown
    after: Shown


class Sight(msgspec.Struct, frozen=True):
    """How an action stands, as one viewer sees it.

    A correction is left out when it changes nothing that the viewer sees of the action.
    """

    recorded: Shown
    counting: Shown
    """The events that count now; none when the action does not count."""
    whole: bool
    """Whether the viewer sees every recorded event, and each of them whole."""
    status: str
    by: int | None
    """The number of the correction that gave the action its status."""
    why: Reason | None
    steps: tuple[SeenStep, ...]

    @property
    def anything(self) -> bool:
        """Whether the viewer sees anything of the action."""
        return self.whole or bool(self.recorded or self.counting or self.steps)


def sight(standing: Standing, viewer: Viewer) -> Sight:
    """How an action stands, as the viewer sees it. The viewer must come from `viewer_now`, for `revealed`."""
    recorded, whole = _shown(standing.recorded, viewer)
    status, by, why, counting = "effective", standing.entry.number if standing.insert else None, None, recorded
    first = without_corrections(recorded) if standing.steps else recorded
    steps: list[SeenStep] = []
    for step in standing.steps:
        after = _shown(step.events, viewer)[0] if step.counts else ()
        before, then = without_corrections(counting), without_corrections(after)
        now = "effective" if step.status == "restated" and then == first else step.status
        known = bool(recorded or counting or after)
        counting = after
        if known and (now != status or then != before):
            steps.append(SeenStep(step.by, now, before, then))
            status, by, why = now, step.by, step.why
    if why is not None and not (whole and reads(why.told, viewer)):
        why = None
    return Sight(recorded, counting, whole, status, by, why, tuple(steps))


def _shown(events: Sequence[Event], viewer: Viewer) -> tuple[Shown, bool]:
    """What the viewer sees of the events, and whether it is every event, and each of them whole."""
    if viewer.sees_all:
        return tuple(enumerate(events)), True
    shown: list[tuple[int, Event]] = []
    whole = True
    for place, event in enumerate(events):
        if admits(event, viewer):
            shown.append((place, event))
            continue
        whole = False
        redacted = event.redacted(viewer)
        if redacted is not None:
            shown.append((place, redacted))
    return tuple(shown), whole


def without_corrections(shown: Shown) -> Shown:
    """The events of an action without its correction of the history, if it made one."""
    kept = tuple(one for one in shown if not isinstance(one[1], HistoryCorrected))
    gone = len(shown) - len(kept)
    return shown if not gone else tuple((place - gone, event) for place, event in kept)


def reads(told: Sequence[str] | None, viewer: Viewer) -> bool:
    """Whether a viewer may read something kept for these seats (None: for everybody who sees the action whole)."""
    return told is None or viewer.sees_all or viewer.seat in told


def sees_holding(rulebook: Secrets[Any], state: State, account: str, commodity: str, viewer: Viewer) -> bool:
    """Whether the viewer may see how much of the commodity the account holds at the moment of this state."""
    return viewer.sees_all or rulebook.holding_audience(state, account, commodity).admits(viewer)


def seen_account(rulebook: Secrets[Any], state: State, account: str, viewer: Viewer) -> Mapping[str, int]:
    """The holdings of an account, sorted, as the viewer sees them: hidden ones under their veil, or left out."""
    held = state.holdings.account(account)
    if viewer.sees_all:
        return dict(sorted(held.items()))
    audience = rulebook.holding_audience
    return veiled(rulebook, held, {one for one in held if audience(state, account, one).admits(viewer)})


def veiled(rulebook: Secrets[Any], held: Mapping[str, int], seen: Collection[str]) -> dict[str, int]:
    """Amounts by commodity, sorted. Those that the viewer has not `seen` are added up under their veils."""
    shown: dict[str, int] = {}
    for commodity, amount in held.items():
        name = commodity if commodity in seen else rulebook.veil(commodity)
        if name is not None:
            shown[name] = shown.get(name, 0) + amount
    return {commodity: amount for commodity, amount in sorted(shown.items()) if amount}
