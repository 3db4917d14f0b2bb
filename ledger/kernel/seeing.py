"""What a viewer sees of an action and its events. Everything that leaves the service passes here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ledger.kernel.audience import Viewer
from ledger.kernel.events import Event
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State

S = TypeVar("S", bound=State)


def seen(state: State, event: Event, viewer: Viewer) -> Event | None:
    """The event as the viewer sees it: whole, redacted, or None. After the end of a game all is revealed."""
    if state.ended or event.audience().admits(viewer):
        return event
    return event.redacted(viewer)


def sees_whole(state: State, events: Sequence[Event], viewer: Viewer) -> bool:
    """Whether the viewer may see every one of the events, and so the parameters that led to them."""
    return state.ended or all(event.audience().admits(viewer) for event in events)


def sees_holding(rulebook: Rulebook[S], state: S, account: str, commodity: str, viewer: Viewer) -> bool:
    """Whether the viewer may see how much of the commodity the account holds."""
    return state.ended or rulebook.holding_audience(state, account, commodity).admits(viewer)


def seen_account(rulebook: Rulebook[S], state: S, account: str, viewer: Viewer) -> Mapping[str, int]:
    """The holdings of an account that the viewer may see."""
    held = state.holdings.account(account)
    return {
        commodity: amount
        for commodity, amount in held.items()
        if sees_holding(rulebook, state, account, commodity, viewer)
    }
