"""What decides itself: the default steps of a game, taken before an action that something open holds up.

Unanswered questions, a stop to be resolved, a turn that is not closed: a game knows what time alone would make of
them (`Rulebook.default_step`). A correction takes such steps so that the actions after the corrected one keep
their place, and play takes them when the banker asks for it. A step counts only when the action is possible after
it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.facts.refusals import NeedsDraw, Refusal, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import DefaultStep, Toward
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


MOST_STEPS = 40
"""The largest number of steps before one action. A round of eight players takes three steps a turn at most."""


class Settled(msgspec.Struct, frozen=True):
    """The steps that were taken, each with its decision, and the decision of the action itself.

    `decision` is None when the steps, or the history before them, have done already what the action was for.
    """

    steps: tuple[tuple[DefaultStep, Decision], ...]
    decision: Decision | None


def step_toward(rulebook: Rulebook[S], state: S, toward: Toward, refused: Refusal) -> DefaultStep | None:
    """Name the default step that stands before an action that is refused on a state; None where none does."""
    if state.ended or not isinstance(refused, RuleBroken):
        return None
    return rulebook.default_step(state, toward)


def settle(
    rulebook: Rulebook[S],
    state: S,
    toward: Toward,
    attempt: Callable[[S], Decision],
    take: Callable[[S, DefaultStep], Decision],
) -> Settled:
    """Decide an action, and if it is refused, the default steps that stand before it and then the action.

    `attempt` decides the action on a state, `take` decides a step. Raises the last refusal of the action when no
    step is left: that is what it truly lacks. No step counts then.
    """
    steps: list[tuple[DefaultStep, Decision]] = []
    while True:
        misplaced = None if toward.was is None else rulebook.misplaced(state, toward)
        try:
            if misplaced is None:
                return Settled(tuple(steps), attempt(state))
            refused: Refusal = misplaced.named_by(rulebook.naming(state))
        except (RuleBroken, NeedsDraw) as found:
            refused = found
        if toward.was is not None and rulebook.is_done(state, toward):
            return Settled(tuple(steps), None)
        step = step_toward(rulebook, state, toward, refused) if len(steps) < MOST_STEPS else None
        if step is None:
            raise refused
        try:
            decision = take(state, step)
        except NeedsDraw:
            raise
        except Refusal:
            raise refused from None
        steps.append((step, decision))
        state = decision.state
