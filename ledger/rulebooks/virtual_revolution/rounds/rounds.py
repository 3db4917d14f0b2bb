"""The end of a round, step by step: automatic steps, due actions, and the clock for answers (vr:round.1).

After the turns come raids, the Necro attack, the turn order, the income and the upkeep; after the last round
the final raid, the final attack, the last choices and the scoring (vr:endgame.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.attacks import attacks, necros
from ledger.rulebooks.virtual_revolution.raids import raids
from ledger.rulebooks.virtual_revolution.raids.after_raids import MissionsOpened, missions_answered, open_missions
from ledger.rulebooks.virtual_revolution.rounds import turn_order, upkeep
from ledger.rulebooks.virtual_revolution.rounds.answers import asks_for, default_answer
from ledger.rulebooks.virtual_revolution.scores import endgame, scoring
from ledger.rulebooks.virtual_revolution.table.state import Draft, Stage, VirtualRevolution

chapter = Chapter("The end of a round")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class AttackDue(Event, frozen=True, kw_only=True):
    """The raids are over, and the Necro card can be turned up (vr:round.1)."""

    en: ClassVar[str] = "The attack of the Necros follows."
    fr: ClassVar[str] = "Place à l'attaque Nécro."

    rule: str = "vr:round.1"

    def apply(self, state: VirtualRevolution) -> None:
        """Start the attack stage; the Necro card is still to be drawn."""
        state.stage, state.waiting, state.attack = "attack", (), None


@chapter.event
class AnswerAwaited(Event, frozen=True, kw_only=True):
    """A question is open, and the clock for its answer runs; or no question is, and the clock stands."""

    en: ClassVar[str] = "The clock for answers: {told}."
    fr: ClassVar[str] = "Le chronomètre des réponses : {told}."

    rule: str = "vr:round.1"
    question: str
    """The text of `asks_for`; "" without a question."""
    at: str
    """The start of the clock (RFC 3339); "" for a stopped clock."""

    @property
    def told(self) -> str:
        """The start of the clock, for the sentence."""
        return self.at or "-"

    def apply(self, state: VirtualRevolution) -> None:
        """Set the clock."""
        state.asked, state.asked_at = self.question, self.at


# ----------------------------------------------------------------------------------------------
# Automatic steps
# ----------------------------------------------------------------------------------------------


def go_on(draft: Draft) -> None:
    """Record all steps without a draw and without a choice, then set the clock for the awaited answer."""
    while not draft.state.ended and _STEPS[draft.state.stage](draft):
        pass
    _set_clock(draft)


def _nothing(draft: Draft) -> bool:
    """Do nothing: the stage waits for an action."""
    return False


def _after_turns(draft: Draft) -> bool:
    """Begin the raids after the last turn of the round."""
    if draft.state.turn is not None or draft.state.round == 0:
        return False
    raids.begin(draft)
    return True


def _raids(draft: Draft) -> bool:
    """Go on with the raids; afterwards, open the missions for the waiting seats, or announce the attack."""
    if raids.go_on(draft):
        return True
    state = draft.state
    if state.raid is not None:
        return False
    open_ = tuple(seat for seat in state.waiting if open_missions(state, seat))
    draft.record(MissionsOpened(seats=open_) if open_ else AttackDue(rule=_rule(state)))
    return True


def _missions(draft: Draft) -> bool:
    """Stop waiting for a seat without open missions; announce the attack after the last seat."""
    state = draft.state
    idle = next((seat for seat in state.waiting if not open_missions(state, seat)), None)
    if idle is not None:
        missions_answered(draft, idle)
        return True
    if state.waiting or state.demands:
        return False
    draft.record(AttackDue(rule=_rule(state)))
    return True


def _attack(draft: Draft) -> bool:
    """Go on with the attack; afterwards, begin the turn order, or in the last round the choices for the
    scoring.
    """
    if attacks.go_on(draft):
        return True
    state = draft.state
    if state.attack is None or state.attack.stage != "over":
        return False
    if raids.is_final(state):
        endgame.begin(draft)
    else:
        turn_order.begin(draft)
    return True


def _order(draft: Draft) -> bool:
    """Go on with the turn order; afterwards, announce the upkeep."""
    if draft.state.choosers:
        return turn_order.go_on(draft)
    turn_order.go_on(draft)
    draft.record(upkeep.UpkeepDue())
    return True


def _choices(draft: Draft) -> bool:
    """Score the game after all choices."""
    if not endgame.go_on(draft):
        return False
    scoring.score_game(draft)
    return True


def _rule(state: VirtualRevolution) -> str:
    """Return the rule of the order of steps."""
    return "vr:endgame.1" if raids.is_final(state) else "vr:round.1"


_STEPS: Mapping[Stage, Callable[[Draft], bool]] = {
    "setup": _nothing,
    "turn": _after_turns,
    "raid": _raids,
    "missions": _missions,
    "attack": _attack,
    "order": _order,
    "upkeep": _nothing,
    "choices": _choices,
    "ended": _nothing,
}


# ----------------------------------------------------------------------------------------------
# Due actions, and the clock
# ----------------------------------------------------------------------------------------------


def _set_clock(draft: Draft) -> None:
    """Start the clock for a new question, if settings have a clock; stop the clock without a question."""
    state = draft.state
    if not state.settings.answer_seconds:
        return
    question = "" if state.ended else asks_for(state)
    if question != state.asked:
        draft.record(AnswerAwaited(question=question, at=draft.at.isoformat() if question else ""))


def by_itself(state: VirtualRevolution) -> Action | None:
    """Return the next step of the round that draws cards; None with open demands, or without such a step."""
    if state.demands:
        return None
    if state.stage == "attack" and state.attack is None:
        return necros.NecroAttack()
    return upkeep.Upkeep() if state.stage == "upkeep" else None


def due(state: VirtualRevolution, at: datetime) -> tuple[Action, str | None] | None:
    """Return the service's next action: the step with a draw, if the service draws, or an overdue answer."""
    step = by_itself(state) if state.dice == "service" else None
    if step is not None:
        return step, None
    if any(at >= deadline for deadline in deadlines(state)):
        return default_answer(state)
    return None


def deadlines(state: VirtualRevolution) -> Sequence[datetime]:
    """Return the deadline of the awaited answer; empty without a clock."""
    seconds = state.settings.answer_seconds
    if not seconds or not state.asked_at or state.ended:
        return ()
    return (datetime.fromisoformat(state.asked_at) + timedelta(seconds=seconds),)
