"""What a game waits for: of each seat and of the banker, what is to be done, and the moves that do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.kernel.arbitration.docket import open_disputes, sees_dispute
from ledger.kernel.facts.audience import HOST, Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.rules.display import AwaitedView
from ledger.kernel.rules.rulebook import Rulebook


def awaited(rulebook: Rulebook[Any], state: State, viewer: Viewer, language: str) -> tuple[AwaitedView, ...]:
    """What the game waits for, as far as the viewer may know: what the rulebook says, and then open disputes."""
    waiting: Sequence[AwaitedView] = rulebook.waiting(state, viewer, language)
    if not state.disputes:
        return tuple(waiting)
    label = "trancher le litige {}" if language == "fr" else "rule on dispute {}"
    contested = (
        AwaitedView(seat="banker", label=label.format(one.id), moves=(f"rule:{one.id}",))
        for one in open_disputes(state)
        if sees_dispute(state, one, viewer)
    )
    return (*waiting, *contested)


def due_moves(rulebook: Rulebook[Any], state: State, seat: str) -> frozenset[str]:
    """The ids of the moves that the game waits for of a seat, "" for the banker."""
    who = seat or "banker"
    return frozenset(move for one in awaited(rulebook, state, HOST, "en") if one.seat == who for move in one.moves)
