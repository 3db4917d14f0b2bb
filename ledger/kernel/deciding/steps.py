"""The steps of one action, the same wherever a game is kept, and a game that is kept in memory.

1. `due` gives what time alone has made due, each action decided on the state after the one before it.
2. `request_of` gives what is asked for, with what the journal knows of the actions that it cites.
3. `require_may_mend` refuses a player's correction that is not an undo of their own.
4. `decided` gives the decision. A correction is planned first, and decided on the state that the plan gives.
   `settled` decides after the default steps that the action needs, when the banker asks for them.
5. `due_at_once` gives what the action makes due at once, decided like what time alone has made due.
6. `entry_of` gives the entry of the journal.

What they need of earlier entries they ask a `Past` for. `JournalInMemory` is one; a stored journal can be another.
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
from ledger.kernel.deciding.plan import Plan, WouldSpread
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.deciding.settling import settle, step_toward
from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.facts.edits import Cascade, Drop
from ledger.kernel.facts.labels import label_of
from ledger.kernel.facts.refusals import NotYours, Refusal, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Chances, Entry, body
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Action, DefaultStep, Mending, Toward
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


S_co = TypeVar("S_co", bound=State, covariant=True)


class Past(Protocol[S_co]):
    """Where what a game has recorded so far comes from."""

    def recorded(self, numbers: Iterable[int]) -> Iterable[Entry]:
        """The entries of these numbers, those that there are, in the order of the journal."""

    def timeline(self) -> Timeline:
        """The effective history from the first action to the last."""

    def state_then(self, number: int) -> S_co:
        """The state right after an action as it was known right then, before any later correction."""

    def state_after(self, number: int) -> S_co:
        """The state right after an action of the effective history; the blank one after action 0."""


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
    """What is asked for, with what the journal knows of the actions that it cites."""
    names = action.cites()
    recorded = past.recorded({label_of(name)[0] for name in names}) if names else ()
    cited = Timeline(recorded, rulebook.event).cited(rulebook, names)
    return Request(action=action, seat=seat, by=by, at=at, override=override, cited=cited)


def require_may_mend(rulebook: Rulebook[S], state: S, request: Request, past: Past[S]) -> None:
    """Refuse a player's action that mends the past, unless it undoes one action that the player may undo.

    Raises NotYours, and RuleBroken by the rule that makes the action final (see `undo.require_may_undo`).
    """
    mending = request.action.mends()
    if mending is None or request.by in {"banker", "system"}:
        return
    match mending.edits:
        case (Drop(action=number),):
            with named(rulebook, state):
                require_may_undo(
                    rulebook, past.timeline(), lambda one: past.state_after(one - 1), request.by, number
                )
        case _:
            raise NotYours(
                "a player may only undo one action of their own",
                "un joueur ne peut qu'annuler une action à lui",
            )


def decided(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chance: Chance | None
) -> tuple[Decision, Plan | None]:
    """Decide an action; one that mends the past is decided on the state that the mending gives.

    Gives the decision and, for an action that mends the past, the plan of all that it comes to, what else the
    action does included. The plan that a WouldSpread carries is as complete. Raises a Refusal; whether a player
    may mend the past is for `require_may_mend`.
    """
    mending = request.action.mends()
    if mending is None:
        return decide(rulebook, state, request, chance=chance), None
    with named(rulebook, state):
        return _mended(rulebook, state, request, past, mending, chance)


def beside(rulebook: Rulebook[S], state: S, request: Request, past: Past[S], found: Plan) -> Plan:
    """The plan of a request, with what the same edits come to with the cascades "restate" and "keep".

    A cascade with which the correction is refused has the refusal. The past is read once for all of them.
    """
    mending = request.action.mends()
    if mending is None:
        return found

    def planned(cascade: Cascade) -> Plan | Refusal:
        try:
            with named(rulebook, state):
                return _mended(rulebook, state, request, past, replace(mending, cascade=cascade), None)[1]
        except Refusal as refusal:
            return refusal

    # A plan that "refuse" gives, or that it is refused with, is the one of "restate".
    restated = planned("restate") if found.event.cascade == "keep" else found
    spreads = not isinstance(restated, Plan) or restated.spreads
    # Where nothing is decided otherwise, it is the same to keep what was recorded.
    kept = restated if not spreads else found if found.event.cascade == "keep" else planned("keep")
    return replace(found, beside={"restate": restated, "keep": kept})


def _mended(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], mending: Mending, chance: Chance | None
) -> tuple[Decision, Plan]:
    """Plan a correction, and decide the action on the state that the plan gives."""

    def whole(found: Plan) -> tuple[Decision, Plan]:
        if request.by not in {"banker", "system"}:
            found = replace(found, event=replace(found.event, by=request.by))
        decision = decide(rulebook, found.after, request, chance=chance, correction=found.event)
        if found.event.warnings:  # what else the action does may have put some of it right
            broken = appeared(rulebook.inconsistencies(state), rulebook.inconsistencies(decision.state))
            event = replace(found.event, warnings=tuple(one.warned() for one in broken))
            decision = replace(decision, events=(event, *decision.events[1:]))
            found = replace(found, event=event)
        return decision, replace(found, after=decision.state)

    try:
        return whole(
            plan(
                rulebook,
                past.timeline(),
                state,
                lambda number: past.state_after(number - 1),
                mending,
                lambda number: past.state_then(number - 1),
            )
        )
    except WouldSpread as refusal:
        with suppress(Refusal):  # what else is wrong with the action can wait
            refusal.plan = whole(refusal.plan)[1]
        refusal.plan = beside(rulebook, state, request, past, refusal.plan)
        raise


def settled(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chance: Chance | None
) -> tuple[list[tuple[Request, Decision]], Decision]:
    """Decide an action of play after the default steps that it needs, each decided on the state before it.

    Raises the refusal of what the action lacks after every step, and the NeedsDraw of a step. That one names the
    step, because whoever holds the die or the card can take it as an action.
    """
    steps: list[tuple[Request, Decision]] = []

    def attempt(now: S) -> Decision:
        return decided(rulebook, now, request, past, chance)[0]

    def take(now: S, step: DefaultStep) -> Decision:
        asked = Request(action=step.action, seat=step.seat, by="system", at=request.at)
        decision = decide(rulebook, now, asked, chance=chance)
        if decision.missed:
            raise decision.missed[0].for_action(step.by_hand or step.action, step.seat)
        steps.append((asked, decision))
        return decision

    found = settle(rulebook, state, Toward(request.action, request.seat), attempt, take)
    if found.decision is None:
        raise AssertionError("in play every action is decided")
    return steps, found.decision


def step_in_play(
    rulebook: Rulebook[S], state: S, request: Request, past: Past[S], chance: Chance | None
) -> DefaultStep | None:
    """Name the default step that `settled` takes first on a state, before an action.

    None when the action is possible, or when no step stands before it. Raises NeedsDraw, as `settled` does.
    """
    try:
        decided(rulebook, state, request, past, chance)
    except RuleBroken as refused:
        return step_toward(rulebook, state, Toward(request.action, request.seat), refused)
    return None


def entry_of(
    game: str, request: Request, decision: Decision, salt: str, chance: Chances | msgspec.UnsetType = msgspec.UNSET
) -> Entry:
    """The entry that a decision adds to the journal of this game."""
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
    )


def salt_of(chance: Random) -> str:
    """The salt of a new entry: 16 random bytes, as hex."""
    return chance.randbytes(16).hex()
