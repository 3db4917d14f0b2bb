"""The tasks of each seat and of the banker, and the moves that complete the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.kernel.arbitration.docket import open_disputes, sees_dispute
from ledger.kernel.facts.audience import HOST, Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import AwaitedView
from ledger.kernel.rules.rulebook import Rulebook


def awaited(rulebook: Rulebook[Any], state: State, viewer: Viewer, language: str) -> tuple[AwaitedView, ...]:
    """Return the tasks visible to the viewer: the tasks of the rulebook, then the open disputes."""
    waiting: Sequence[AwaitedView] = rulebook.screen.waiting(state, viewer, language)
    if not state.disputes:
        return tuple(waiting)
    label = Phrase("rule on dispute {}", "trancher le litige {}").in_language(language)
    contested = (
        AwaitedView(seat="banker", label=label.format(dispute.id), moves=(f"rule:{dispute.id}",))
        for dispute in open_disputes(state)
        if sees_dispute(state, dispute, viewer)
    )
    return (*waiting, *contested)


def due_moves(rulebook: Rulebook[Any], state: State, seat: str) -> tuple[str, ...]:
    """Return the ids of the moves that the game awaits from a seat, or from the banker for "", in its order."""
    actor = seat or "banker"
    return tuple(
        move for task in awaited(rulebook, state, HOST, "en") if task.seat == actor for move in task.moves
    )
