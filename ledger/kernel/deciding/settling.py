"""Settling: the default steps of a game, taken before an action that is held up by an open matter.

Unanswered questions, a stop to be resolved, an open turn: a game knows the outcome of each by time alone
(`Progress.default_step`). A correction takes such steps so that the actions after the corrected action keep
their place, and play takes them on the banker's request. A step counts only if the action is possible after the
step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.facts.refusals import NeedsDraw, Refusal, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import DefaultStep, StepGoal
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


MOST_STEPS = 40
"""The maximum number of steps before an action. A round of eight players takes at most three steps a turn."""


class Settled(msgspec.Struct, frozen=True):
    """The steps taken, each with a decision, and the decision of the action itself.

    `decision` is None if the steps, or the earlier history, have already achieved the purpose of the action.
    """

    steps: tuple[tuple[DefaultStep, Decision], ...]
    decision: Decision | None


def step_toward(rulebook: Rulebook[S], state: S, goal: StepGoal, refused: Refusal) -> DefaultStep | None:
    """Return the default step before an action that is refused in a state; None without a step."""
    if state.ended or not isinstance(refused, RuleBroken):
        return None
    return rulebook.progress.default_step(state, goal)


def settle(
    rulebook: Rulebook[S],
    state: S,
    goal: StepGoal,
    attempt: Callable[[S], Decision],
    take: Callable[[S, DefaultStep], Decision],
) -> Settled:
    """Decide an action. If it is refused, first take the default steps before it.

    `attempt` decides the action on a state, `take` decides a step. Raises the last refusal of the action if no
    step is left: the real lack of the action. No step counts then.
    """
    steps: list[tuple[DefaultStep, Decision]] = []
    while True:
        wrong_turn = None if goal.was is None else rulebook.progress.wrong_turn(state, goal)
        try:
            if wrong_turn is None:
                return Settled(tuple(steps), attempt(state))
            refused: Refusal = wrong_turn.named_by(rulebook.naming(state))
        except (RuleBroken, NeedsDraw) as found:
            refused = found
        if goal.was is not None and rulebook.progress.is_done(state, goal):
            return Settled(tuple(steps), None)
        step = step_toward(rulebook, state, goal, refused) if len(steps) < MOST_STEPS else None
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
