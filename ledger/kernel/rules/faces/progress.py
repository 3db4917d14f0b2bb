"""Progress: the effects of passing time, and the steps of the game itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Generic, TypeVar

from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal

S = TypeVar("S", bound=State)


class Progress(Generic[S]):
    """The effects of passing time, and the steps of the game itself. By default, there are none."""

    def due(self, state: S, at: datetime) -> tuple[Action, str | None] | None:
        """Return the action due for the system, and the seat concerned; None if nothing is due.

        An action due before any deadline is due at once: it is performed together with the causing action, as a
        separate entry. An action due only by time is performed before the next action. A due action refuses to
        be decided when not due, because a correction decides it again.
        """
        return None

    def deadlines(self, state: S) -> Sequence[datetime] | None:
        """Return the times at which something falls due without any action; empty if nothing ever does.

        Before the first deadline, only actions due at once are due, whatever the time. After the last one, the
        due actions and all consequences no longer depend on the time. None if the rulebook cannot tell.
        """
        return () if type(self).due is Progress.due else None

    def closed_kinds(self, state: S, seat: str) -> Collection[str]:
        """Return kinds of action refused to the seat in the state for every choice; moves skip such kinds.

        The list may be incomplete. Waivers do not count here. A refusal is explained as if nothing were listed.
        """
        return ()

    def default_step(self, state: S, goal: StepGoal) -> DefaultStep | None:
        """Return the next step of the game itself before an action that is refused in the state.

        The step is the effect of passing time: the default answer to a question, the effect of a stop, the end
        of a turn. None if no step stands before the action. Steps are taken one at a time, with a new call
        after each.
        """
        return None

    def wrong_turn(self, state: S, goal: StepGoal) -> Refusal | None:
        """Return the refusal for an action of another turn, or None.

        Called in corrections only, with `goal.was` set.
        """
        return None

    def is_done(self, state: S, goal: StepGoal) -> bool:
        """Return True if the purpose of a refused action is already achieved, such as the end of a turn that is
        over.

        Called in corrections only, with `goal.was` set. The action then counts, and changes nothing.
        """
        return False

    def whose_turn(self, state: S) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way: the state's `round` and `turn`, if any.

        None for a game without turns, or between turns.
        """
        round_, seat = getattr(state, "round", None), getattr(state, "turn", None)
        return None if round_ is None or seat is None else (round_, seat)

    def resume_action(self, state: S) -> tuple[Action, str | None] | None:
        """Return the system action that resumes a game forked from the state, and the seat. None if no clock
        was running.
        """
        return None
