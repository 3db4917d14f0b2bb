"""The steps of an action, independent of the storage of the game, and a game in memory.

1. `due` decides the actions due by time, each on the state left by the previous action.
2. `request_of` builds the request, with the citations of the journal.
3. `require_may_mend` refuses a correction by a player, except an undo of the player's own action.
4. `decide_request` gives the decision. A correction is planned first, and decided on the state of the plan.
   `decide_after_steps` first takes the default steps needed by the action, on request of the banker.
5. `due_immediately` decides the actions made due at once, like the actions due by time.
6. `entry_of` gives the entry of the journal.

The steps read earlier entries from a `Past`. `JournalInMemory` is a `Past`; a stored journal can be a `Past`
too.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from random import Random
from typing import Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.deciding.decision import Decision, decide, named
from ledger.kernel.deciding.plan import CorrectionSpreads, Plan
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.deciding.settling import settle, step_toward
from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.facts.edits import Cascade, Drop
from ledger.kernel.facts.labels import label_of
from ledger.kernel.facts.refusals import NotYours, Refusal, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import FIRST_RULES, Chances, Entry, body
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Action, Correct, DefaultStep, StepGoal
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


S_co = TypeVar("S_co", bound=State, covariant=True)


class Past(Protocol[S_co]):
    """A source of the recorded past of a game."""

    def recorded(self, numbers: Iterable[int]) -> Iterable[Entry]:
        """Return the existing entries with the given numbers, in journal order."""

    def timeline(self) -> Timeline:
        """Return the effective history from the first action to the last."""

    def state_then(self, number: int) -> S_co:
        """Return the state right after an action as known at the time, before any later correction."""

    def state_after(self, number: int) -> S_co:
        """Return the state right after an action of the effective history; the blank state after action 0."""


def request_of(
    rulebook: Rulebook[S],
    past: Past[S],
    action: Action,
    *,
    seat: str | None,
    by: str,
    at: datetime,
    override: str | None = None,
) -> Request:
    """Build the request of an action, with the citations of the journal."""
    names = action.cites()
    recorded = past.recorded({label_of(name)[0] for name in names}) if names else ()
    cited = Timeline(recorded, rulebook.codec.event).cited(rulebook.secrets, names)
    return Request(action=action, seat=seat, by=by, at=at, override=override, cited=cited)


def require_may_mend(rulebook: Rulebook[S], state: S, request: Request, past: Past[S]) -> None:
    """Refuse a player's correction of the past, except an undo of an action open to the player.

    Raises NotYours, and RuleBroken by the rule that makes the action final (see `undo.require_may_undo`).
    """
    correction_request = request.action.correction_request()
    if correction_request is None or request.by in {"banker", "system"}:
        return
    match correction_request.edits:
        case (Drop(action=number),):
            with named(rulebook, state):
                require_may_undo(
                    rulebook,
                    past.timeline(),
                    lambda entry_number: past.state_after(entry_number - 1),
                    request.by,
                    number,
                )
        case _:
            raise NotYours(
                "a player may only undo one action of their own",
                "un joueur ne peut qu'annuler une action à lui",
            )


def decide_request(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chance: Chance | None
) -> tuple[Decision, Plan | None]:
    """Decide an action; a correction is decided on the state after the correction.

    Returns the decision and, for a correction, the complete plan with all effects of the action. A WouldSpread
    carries an equally complete plan. Raises a Refusal. The player's right to correct is checked by
    `require_may_mend`.
    """
    correction_request = request.action.correction_request()
    if correction_request is None:
        return decide(rulebook, state, request, chance=chance), None
    with named(rulebook, state):
        return _mended(rulebook, state, request, past, correction_request, chance)


def alternatives(rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chosen: Plan) -> Plan:
    """Return the plan of a request, with the plans of the edits for the cascades "restate" and "keep".

    A cascade that refuses the correction has the refusal instead of a plan. The past is read once for all
    plans.
    """
    correction_request = request.action.correction_request()
    if correction_request is None:
        return chosen

    def planned(cascade: Cascade) -> Plan | Refusal:
        edited = replace(correction_request, cascade=cascade)
        try:
            with named(rulebook, state):
                return _mended(rulebook, state, request, past, edited, None)[1]
        except Refusal as refusal:
            return refusal

    # The plan of "refuse", accepted or refused, equals the plan of "restate".
    restated = planned("restate") if chosen.event.cascade == "keep" else chosen
    spreads = not isinstance(restated, Plan) or restated.spreads
    # If no later action is decided differently, "keep" gives the plan of "restate".
    keeping = restated if not spreads else chosen if chosen.event.cascade == "keep" else planned("keep")
    return replace(chosen, beside={"restate": restated, "keep": keeping})


def _mended(
    rulebook: Rulebook[S],
    state: S,
    request: Request,
    past: Past[S],
    correction_request: Correct,
    chance: Chance | None,
) -> tuple[Decision, Plan]:
    """Plan a correction, and decide the action on the state of the plan."""

    def whole(complete: Plan) -> tuple[Decision, Plan]:
        if request.by not in {"banker", "system"}:
            complete = replace(complete, event=replace(complete.event, by=request.by))
        decision = decide(rulebook, complete.new_state, request, chance=chance, correction=complete.event)
        if complete.event.warnings:  # other effects of the action may have removed some faults
            broken = appeared(rulebook.play.inconsistencies(state), rulebook.play.inconsistencies(decision.state))
            event = replace(complete.event, warnings=tuple(fault.warned() for fault in broken))
            decision = replace(decision, events=(event, *decision.events[1:]))
            complete = replace(complete, event=event)
        return decision, replace(complete, new_state=decision.state)

    try:
        return whole(plan_of(rulebook, state, past, correction_request))
    except CorrectionSpreads as refusal:
        with suppress(Refusal):  # other faults of the action can wait
            refusal.plan = whole(refusal.plan)[1]
        refusal.plan = alternatives(rulebook, state, request, past, refusal.plan)
        raise


def plan_of(rulebook: Rulebook[S], state: S, past: Past[S], correction_request: Correct) -> Plan:
    """Return the plan of the edits of a correction. Raises the exceptions of `plan`."""
    return plan(
        rulebook,
        past.timeline(),
        state,
        lambda number: past.state_after(number - 1),
        correction_request,
        lambda number: past.state_then(number - 1),
    )


def decide_after_steps(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chance: Chance | None
) -> tuple[list[tuple[Request, Decision]], Decision]:
    """Decide an action of play after the default steps, each decided on the state left by the previous step.

    Raises the last refusal of the action after every possible step, and the NeedsDraw of a step. The NeedsDraw
    names the step, because a holder of the die or the card can take the step as an action.
    """
    steps: list[tuple[Request, Decision]] = []

    def attempt(current: S) -> Decision:
        return decide_request(rulebook, current, request, past, chance)[0]

    def take(current: S, step: DefaultStep) -> Decision:
        step_request = Request(action=step.action, seat=step.seat, by="system", at=request.at)
        decision = decide(rulebook, current, step_request, chance=chance)
        if decision.missed:
            raise decision.missed[0].for_action(step.by_hand or step.action, step.seat)
        steps.append((step_request, decision))
        return decision

    outcome = settle(rulebook, state, StepGoal(request.action, request.seat), attempt, take)
    if outcome.decision is None:
        raise AssertionError("in play every action is decided")
    return steps, outcome.decision


def step_in_play(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chance: Chance | None
) -> DefaultStep | None:
    """Return the first default step of `decide_after_steps` on a state, before an action.

    None if the action is possible, or if no step comes before it. Raises NeedsDraw, as `decide_after_steps`
    does.
    """
    try:
        decide_request(rulebook, state, request, past, chance)
    except RuleBroken as refused:
        return step_toward(rulebook, state, StepGoal(request.action, request.seat), refused)
    return None


def entry_of(
    game: str, request: Request, decision: Decision, salt: str, chance: Chances | msgspec.UnsetType = msgspec.UNSET
) -> Entry:
    """Return the journal entry of a decision in the game."""
    state: State = decision.state
    return Entry(
        game=game,
        number=state.version,
        kind=request.action.kind,
        seat=request.seat,
        by=request.by,
        params=msgspec.Raw(body(request.action)),
        draws=decision.draws,
        recorded_at=request.at,
        override=request.override,
        warnings=decision.warnings,
        events=tuple(msgspec.Raw(body(event)) for event in decision.events),
        first_seq=state.seq - len(decision.events) + 1,
        salt=salt,
        chance=chance,
        revision=msgspec.UNSET if decision.revision == FIRST_RULES else decision.revision,
    )


def salt_of(chance: Random) -> str:
    """Return the salt of a new entry: 16 random bytes, as hex."""
    return chance.randbytes(16).hex()
