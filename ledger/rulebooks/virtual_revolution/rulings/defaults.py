"""Default steps of a corrected history, or of a banker's request (vr:banker.1).

A seat with a new question gives the default answer of the clock: cards of a raid in order, each with the first
possible loss; no Immunity; the first free position; the best Objective. Turns before an action end, and a turn
without a Director goes by. A missing Necro card or upkeep asks for the draws. If the table chose positions, or
took turns, in a different order from the corrected history, the table's order stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Refusal
from ledger.kernel.facts.values import SeatId
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.progress import Progress
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.attacks.necros import AvoidNecro, NecroAttack
from ledger.rulebooks.virtual_revolution.raids.raids import AvoidCorruption, ResolveCorruptionCard
from ledger.rulebooks.virtual_revolution.rounds import rounds
from ledger.rulebooks.virtual_revolution.rounds.answers import awaited, default_answer
from ledger.rulebooks.virtual_revolution.rounds.turn_order import ChooseTurnOrder
from ledger.rulebooks.virtual_revolution.rounds.upkeep import Upkeep
from ledger.rulebooks.virtual_revolution.table.state import TURN, Draft, Stage, VirtualRevolution, in_order
from ledger.rulebooks.virtual_revolution.table.terms import CORRUPTION, Turn
from ledger.rulebooks.virtual_revolution.turn import turns
from ledger.rulebooks.virtual_revolution.turn.turns import EndTurn, SkipAction, SkipInfluence

chapter = Chapter("What decides itself")


# ----------------------------------------------------------------------------------------------
# A turn without a Director
# ----------------------------------------------------------------------------------------------


@chapter.event
class TurnForgone(Event, frozen=True, kw_only=True):
    """A turn goes by without what its player had to do: no Director was placed, or no Verse taken."""

    en: ClassVar[str] = "The turn of {seat:seat} goes by."
    fr: ClassVar[str] = "Le tour {seat:de|seat} passe."

    rule: str = "vr:turn.7"
    seat: str

    def apply(self, state: VirtualRevolution) -> None:
        """Remove all demands."""
        state.demands = ()


@chapter.action(
    by=("system",),
    summary=("let a turn go by", "laisser passer un tour"),
    when=(
        "when a corrected history has no Director, or no Verse, for a turn",
        "quand une histoire corrigée n'a pas de Directeur, ou de Verse, pour un tour",
    ),
)
class ForgoTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service ends a turn that its player cannot end."""

    def decide(self, draft: Draft) -> None:
        """Let the turn go by. Raises Impossible if the player may end the turn."""
        turn = draft.state.turn
        if turn is None or draft.state.stage != "turn" or turn.seat != draft.seat or not _is_stuck(turn):
            raise Impossible(TURN, "no such turn is under way", "aucun tour de ce genre n'est en cours")
        draft.record(TurnForgone(seat=turn.seat))
        turns.next_turn(draft)


def _is_stuck(turn: Turn) -> bool:
    """Return True if the turn lacks a Director, or the Verse of a Create a Verse under way."""
    return turn.director is None or turn.creating is not None


# ----------------------------------------------------------------------------------------------
# Order of play at the table
# ----------------------------------------------------------------------------------------------


@chapter.event
class PlayedFirst(Event, frozen=True, kw_only=True):
    """A player takes a turn, or chooses a place, before another one: the table has done it in that order."""

    en: ClassVar[str] = "{seat:seat} comes before {other:seat}."
    fr: ClassVar[str] = "{seat:seat} passe avant {other:seat}."

    seat: str
    other: str
    order: tuple[str, ...] = ()
    """The turn order from now on; empty when places are being chosen."""

    def apply(self, state: VirtualRevolution) -> None:
        """Exchange the two seats in the turn order, or let the first choose a position first."""
        if self.order:
            state.order = self.order
        else:
            state.choosers = (self.seat, *(seat for seat in state.choosers if seat != self.seat))


@chapter.action(
    by=("system",),
    summary=("let another player come first", "laisser passer d'abord un autre joueur"),
    when=(
        "when the table has played in another order than a corrected history would have",
        "quand la table a joué dans un autre ordre que celui d'une histoire corrigée",
    ),
)
class LetFirst(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let a player who comes later take a turn, or choose a place, first (vr:order.1, vr:order.4)."""

    first: SeatId

    def decide(self, draft: Draft) -> None:
        """Record the exchange. Raises Impossible for a player not later in the order, and for a turn already in
        use.
        """
        state = draft.state
        if state.stage == "order" and self.first in state.choosers[1:]:
            draft.record(PlayedFirst(rule="vr:order.1", seat=self.first, other=state.choosers[0]))
            return
        turn = state.turn
        if turn is None or turn.seat != draft.seat or not _comes_later(state, self.first):
            raise Impossible(
                "vr:order.4",
                "{seat:seat} does not come later",
                "{seat:seat} ne vient pas plus tard",
                seat=self.first,
            )
        exchanged = {turn.seat: self.first, self.first: turn.seat}
        order = tuple(exchanged.get(seat, seat) for seat in state.order)
        draft.record(PlayedFirst(rule="vr:order.4", seat=self.first, other=turn.seat, order=order))
        draft.record(turns.TurnBegan(seat=self.first, cycle=turn.cycle))


def _comes_later(state: VirtualRevolution, seat: str) -> bool:
    """Return True if the player has yet to play in the present cycle, and the present turn has only begun."""
    turn = state.turn
    if turn is None or turn.phase > 1 or turn.performed or seat not in state.order:
        return False
    return state.order.index(seat) > state.order.index(turn.seat)


# ----------------------------------------------------------------------------------------------
# Times of states
# ----------------------------------------------------------------------------------------------

_STAGES: tuple[Stage, ...] = (
    "setup",
    "turn",
    "raid",
    "missions",
    "attack",
    "order",
    "upkeep",
    "choices",
    "ended",
)
"""The stages of a round, in order."""
_PARTS = ("minimum", "payment", "global", "maximum", "over")


def _when(state: VirtualRevolution, order: tuple[str, ...]) -> tuple[int, int, int, int]:
    """Return the time of a state, for comparisons: the round, the stage, and the step and seat within the
    stage.
    """
    step, seat = 0, ""
    match state.stage:
        case "turn" if state.turn is not None:
            step, seat = state.turn.cycle, state.turn.seat
        case "raid" if state.raid is not None:
            seat = state.raid.seat
        case "attack" if state.attack is not None:
            step = 1 + _PARTS.index(state.attack.stage)
            seat = state.attack.losses[0].seat if state.attack.losses else ""
    return state.round, _STAGES.index(state.stage), step, order.index(seat) if seat in order else -1


def _is_behind(state: VirtualRevolution, was: VirtualRevolution) -> bool:
    """Return True if a state comes before the original state of an action."""
    order = state.order if state.stage == "turn" else in_order(state)
    return _when(state, order) < _when(was, order)


def _turn_of(state: VirtualRevolution) -> tuple[int, int, str] | None:
    """Return the round, the cycle and the seat of the turn under way."""
    turn = state.turn
    return None if turn is None or state.stage != "turn" else (state.round, turn.cycle, turn.seat)


# ----------------------------------------------------------------------------------------------
# Finished actions
# ----------------------------------------------------------------------------------------------


# ----------------------------------------------------------------------------------------------
# The next step
# ----------------------------------------------------------------------------------------------


def _in_play(state: VirtualRevolution, goal: StepGoal) -> DefaultStep | None:
    """Return the next step at the banker's request: a missing answer, or the end of a turn already begun."""
    seats = awaited(state)
    if seats:
        return None if goal.seat in seats else _answered(state)
    turn = state.turn
    if state.stage == "turn" and turn is not None:
        ends = goal.seat not in {None, turn.seat} and not _is_stuck(turn)
        return DefaultStep(EndTurn(), turn.seat) if ends else None
    return None


def _in_correction(state: VirtualRevolution, goal: StepGoal, was: VirtualRevolution) -> DefaultStep | None:
    """Return the next step from the corrected history to the original state of the action."""
    if state.demands and state.demands[0] not in was.demands:
        return _answered(state)
    if state.stage == "order" and was.stage == "order" and goal.seat in state.choosers[1:]:
        return DefaultStep(LetFirst(first=str(goal.seat)), state.choosers[0])
    behind = _is_behind(state, was)
    if state.stage == "turn" and state.turn is not None:
        return _toward_turn(state, state.turn, goal, was, behind=behind)
    if not behind:
        return None
    step = rounds.by_itself(state)
    if step is not None:
        return None if isinstance(goal.action, type(step)) else DefaultStep(step, None)
    return _answered(state)


def _toward_turn(
    state: VirtualRevolution, turn: Turn, goal: StepGoal, was: VirtualRevolution, *, behind: bool
) -> DefaultStep | None:
    """Return the step that ends a turn before the action, or a turn without a possible end."""
    there = was.turn
    same_cycle = there is not None and (was.round, was.stage, there.cycle) == (state.round, "turn", turn.cycle)
    if there is not None and same_cycle and there.seat != turn.seat and _played_later(state, was, there.seat):
        return DefaultStep(LetFirst(first=there.seat), turn.seat)
    ends = behind or (isinstance(goal.action, EndTurn) and _turn_of(state) == _turn_of(was))
    if not ends:
        return None
    if state.demands:
        return _answered(state)
    if _is_stuck(turn):
        return DefaultStep(ForgoTurn(), turn.seat)
    return DefaultStep(EndTurn(), turn.seat) if behind else None


def _played_later(state: VirtualRevolution, was: VirtualRevolution, seat: str) -> bool:
    """Return True if the table had a seat play before the present player, but the seat comes later in this
    history.
    """
    turn = state.turn
    if turn is None or not _comes_later(state, seat) or turn.seat not in was.order:
        return False
    return was.order.index(turn.seat) > was.order.index(seat)


def _answered(state: VirtualRevolution) -> DefaultStep | None:
    """Return the default answer of the first awaited seat."""
    answer = default_answer(state)
    return None if answer is None else DefaultStep(*answer)


class VirtualRevolutionProgress(Progress[VirtualRevolution]):
    """The effects of passing time, and the steps of the game itself."""

    def due(self, state: VirtualRevolution, at: datetime) -> tuple[Action, str | None] | None:
        """Return the Necro card or the upkeep, if the service draws, or an overdue answer."""
        return rounds.due(state, at)

    def deadlines(self, state: VirtualRevolution) -> Sequence[datetime]:
        """Return the deadline of the awaited answer, if the table has a clock."""
        return rounds.deadlines(state)

    def default_step(self, state: VirtualRevolution, goal: StepGoal) -> DefaultStep | None:
        """Return the next default step before an action: an answer, the end of a turn."""
        if state.ended or state.stage == "setup" or goal.action.docket:
            return None
        return _in_play(state, goal) if goal.was is None else _in_correction(state, goal, goal.was)

    def wrong_turn(self, state: VirtualRevolution, goal: StepGoal) -> Refusal | None:
        """Return the refusal of an action from another turn or another round, or None."""
        was: VirtualRevolution = goal.was
        if goal.action.docket or was.stage == "setup":
            return None
        original_turn = _turn_of(was)
        if original_turn is None:
            if state.round == was.round:
                return None
            return Impossible(
                "vr:round.1",
                "round {round} is not under way",
                "la manche {round} n'est pas en cours",
                round=was.round,
            )
        if goal.seat != original_turn[2] or _turn_of(state) == original_turn:
            return None
        return Impossible(
            TURN,
            "{seat:seat}'s turn {cycle} of round {round} is not under way",
            "le tour {cycle} {seat:de|seat} à la manche {round} n'est pas en cours",
            round=original_turn[0],
            cycle=original_turn[1],
            seat=original_turn[2],
        )

    def is_done(self, state: VirtualRevolution, goal: StepGoal) -> bool:
        """Return True if the action has nothing more to do.

        The turn or the phase ended by the action is over, no effect remains to be avoided, a card has taken effect
        by itself, or the position has remained for the player.
        """
        was: VirtualRevolution = goal.was
        ahead = not _is_behind(state, was)
        match goal.action:
            case EndTurn():
                return ahead and _turn_of(state) != _turn_of(was)
            case SkipInfluence() | SkipAction():
                current_turn, original_turn = _turn_of(state), _turn_of(was)
                return current_turn == original_turn and state.turn is not None and was.turn is not None and ahead
            case AvoidNecro(tokens=0):
                return ahead and not (state.attack is not None and goal.seat in state.attack.paying)
            case ResolveCorruptionCard(card=named) | AvoidCorruption(card=named):
                card = named.removeprefix("card:")
                return ahead and card in decks.held_in(state, decks.discards(CORRUPTION))
            case ChooseTurnOrder(place=place):
                chosen = state.order[place - 1 : place] == (goal.seat,)
                return state.round == was.round and state.stage == "upkeep" and chosen
            case NecroAttack():
                return state.round == was.round and state.attack is not None
            case Upkeep():
                return state.round > was.round
            case _:
                return False

    def whose_turn(self, state: VirtualRevolution) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way."""
        return None if state.turn is None or state.stage != "turn" else (state.round, state.turn.seat)
