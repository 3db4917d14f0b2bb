"""II.B.7 and II.B.13. The default steps of the game: default answers, the effect of a stop, the end of a turn.

The clock of a turn takes all steps at once (`turns.ExpireTurn`). A correction, or a banker on request, takes
the steps singly, and only as far as the next action needs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Refusal
from ledger.kernel.facts.values import QuestionId, SeatId
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.progress import Progress
from ledger.rulebooks.negopoly.board import squares
from ledger.rulebooks.negopoly.board.movement import ConsumeDose, RollDice
from ledger.rulebooks.negopoly.meetings import meetings
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn, forget_passages
from ledger.rulebooks.negopoly.table.terms import Drawn, Question, Turn
from ledger.rulebooks.negopoly.turns import clock, closed, turns
from ledger.rulebooks.negopoly.turns.turns import EndTurn, ExpireTurn, ResolveSquare, open_next_turn
from ledger.rulebooks.parts.seats import comes_before

chapter = Chapter("II.B.13. What the game does by itself")


@chapter.event
class RollForgone(Event, frozen=True, kw_only=True):
    """A player's turn goes on without a roll, which is lost (II.B.13)."""

    en: ClassVar[str] = "{seat:seat} does not roll this turn."
    fr: ClassVar[str] = "{seat:seat} ne lance pas les dés ce tour-ci."

    rule: str = "II.B.13"
    seat: str

    def apply(self, state: Negopoly) -> None:
        """Cancel the roll."""
        change_turn(state, roll="gone")


@chapter.action(
    by=("system",),
    summary=("give a question its default answer", "donner à une question sa réponse par défaut"),
    when=(
        "when a corrected history, or a banker who asks for it, needs the answer",
        "quand une histoire corrigée, ou un banquier qui le demande, a besoin de la réponse",
    ),
)
class LapseQuestion(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service closes a question that nobody has answered with its default answer (II.B.13)."""

    question: QuestionId
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse a question that is not open. Then continue with everything waiting for the answer."""
        draft.draws.offer(self.draws)
        question = next((candidate for candidate in draft.state.questions if candidate.id == self.question), None)
        if question is None:
            raise Impossible(
                "II.B.13",
                "question {id!r} is not open",
                "la question {id!r} n'est pas ouverte",
                id=self.question,
            )
        reactions.lapse_one(draft, question)


@chapter.event
class TurnsExchanged(Event, frozen=True, kw_only=True):
    """A player plays before another one in this round: the table has played it in that order (II.3)."""

    en: ClassVar[str] = "{seat:seat} plays before {other:seat} in this round."
    fr: ClassVar[str] = "{seat:seat} joue avant {other:seat} dans ce round."

    rule: str = "II.3"
    seat: str
    other: str
    order: tuple[str, ...]
    """The new order of the round. The next round has the former order."""

    def apply(self, state: Negopoly) -> None:
        """Change the order of the round, and leave the game without a turn until the next turn starts."""
        if state.next_order is None:
            state.next_order = state.order
        state.order = self.order
        state.turn = None
        forget_passages(state)


@chapter.action(
    by=("system",),
    summary=("let another player play first", "laisser jouer d'abord un autre joueur"),
    when=(
        "when the table has played a round in another order than a corrected history would have",
        "quand la table a joué un round dans un autre ordre que celui d'une histoire corrigée",
    ),
)
class YieldTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn has just begun exchanges places with one who comes later in the round (II.3)."""

    to: SeatId

    def decide(self, draft: Draft) -> None:
        """Refuse after the roll, and a player who does not come later in the round."""
        state, turn = draft.state, draft.state.turn
        if turn is None or turn.seat != draft.seat or not has_just_begun(turn):
            raise Impossible("II.3", "no turn has just begun", "aucun tour ne vient de commencer")
        position = state.order.index(turn.seat)
        if self.to not in state.order[position + 1 :]:
            raise Impossible(
                "II.3",
                "{seat:seat} does not come after {other:seat} in this round",
                "{seat:seat} ne vient pas après {other:seat} dans ce round",
                seat=self.to,
                other=turn.seat,
            )
        exchanged = {turn.seat: self.to, self.to: turn.seat}
        order = tuple(exchanged.get(seat, seat) for seat in state.order)
        draft.record(TurnsExchanged(seat=self.to, other=turn.seat, order=order))
        open_next_turn(draft, previous=order[position - 1] if position else None)


@chapter.action(
    by=("system",),
    summary=("let a turn go on without its roll", "laisser un tour se passer de lancer"),
    when=(
        "when a corrected history has no roll for a turn",
        "quand une histoire corrigée n'a pas de lancer pour un tour",
    ),
)
class ForgoRoll(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service lets the roll of the turn under way be lost (II.B.13)."""

    def decide(self, draft: Draft) -> None:
        """Refuse when no roll is due."""
        turn = draft.state.turn
        if turn is None or turn.roll != "due" or turn.seat != draft.seat:
            raise Impossible("II.B.13", "no roll is due", "aucun lancer n'est dû")
        draft.record(RollForgone(seat=turn.seat))


_OF_A_TURN = (RollDice, ConsumeDose, ForgoRoll, ResolveSquare, EndTurn, ExpireTurn, YieldTurn)
"""The actions of a turn. Each belongs to the turn in which it was taken, and to no other."""


def whose_turn(state: Negopoly) -> tuple[int, str] | None:
    """Return the round and the seat of the turn under way."""
    return None if state.turn is None else (state.round, state.turn.seat)


def _is_behind(state: Negopoly, was: Negopoly) -> bool:
    """Return True if the turn under way comes before the turn in another state of the game."""
    return comes_before(state.order, whose_turn(state), whose_turn(was))


def has_just_begun(turn: Turn) -> bool:
    """Return True if nothing has happened in a turn yet."""
    return turn.roll == "due" and turn.drug_die is None and not turn.passages and not turn.extension


def _had_rolled(goal: StepGoal) -> bool:
    """Return True if the player had rolled before the original action, and the action is no roll."""
    turn = None if goal.was is None else goal.was.turn
    return turn is not None and turn.roll != "due" and not isinstance(goal.action, RollDice | ConsumeDose)


def _plays_later(state: Negopoly, was: Negopoly) -> bool:
    """Return True if the player of the new turn plays later in the round, by the order of another state."""
    turn, original = state.turn, was.turn
    if turn is None or original is None or state.round != was.round or not has_just_begun(turn):
        return False
    if not {turn.seat, original.seat} <= {*was.order} or original.seat not in state.order:
        return False
    return was.order.index(turn.seat) > was.order.index(original.seat)


def _in_the_way(state: Negopoly, goal: StepGoal, *, closing: bool) -> Question | None:
    """Return the first open question that may hold up an action.

    Questions already open at the original action do not count, because they did not hold it up then.
    """
    known_ids = set() if goal.was is None or closing else {earlier.id for earlier in goal.was.questions}
    for question in state.questions:
        answers = isinstance(goal.action, reactions.Answer) and goal.action.question == question.id
        if not answers and question.id not in known_ids:
            return question
    return None


class NegopolyProgress(Progress[Negopoly]):
    """The effects of passing time, and the steps of the game itself."""

    def due(self, state: Negopoly, at: datetime) -> tuple[Action, str | None] | None:
        """Return the next action by time: the end of a meeting (IV.B.2), or of a turn (II.B.13)."""
        if not state.ended and (ending := meetings.due(state, at)) is not None:
            return ending, None
        if state.turn is not None and not state.ended and state.turn.is_over(at):
            return turns.ExpireTurn(), state.turn.seat
        return None

    def deadlines(self, state: Negopoly) -> Sequence[datetime]:
        """Return the ends of the meetings (IV.B.2), and of the turn while the clock runs (II.B.13)."""
        if state.ended:
            return ()
        turn = state.turn
        ends = () if turn is None or turn.paused_at is not None else (turn.ends_at,)
        return (*ends, *meetings.deadlines(state))

    def closed_kinds(self, state: Negopoly, seat: str) -> Collection[str]:
        """Return the kinds closed to the seat: moves of its turn at other times, bar moves away from a bar."""
        return closed.kinds(state, seat)

    def default_step(self, state: Negopoly, goal: StepGoal) -> DefaultStep | None:
        """Return the next default step before an action (see `Progress.default_step`).

        A correction closes every turn before the turn of the action. In play, at most the turn of a player who has
        rolled is closed.
        """
        turn = state.turn
        if turn is None or state.ended:
            return None
        if goal.was is None:
            behind = goal.seat not in {None, turn.seat} and turn.roll != "due"
        else:
            behind = _is_behind(state, goal.was)
        closing = behind or (isinstance(goal.action, EndTurn | ExpireTurn) and goal.seat == turn.seat)
        question = _in_the_way(state, goal, closing=closing)
        if question is not None:
            silence = reactions.options_of(state, question)[0]
            by_hand = reactions.Answer(question=question.id, answer=silence)
            return DefaultStep(LapseQuestion(question=question.id), question.seat, by_hand)
        mine = goal.seat == turn.seat and (goal.was is None or whose_turn(goal.was) == whose_turn(state))
        if (
            (closing or mine)
            and turn.unresolved
            and squares.is_mandatory(state, turn.seat, state.positions[turn.seat])
        ):
            return None if isinstance(goal.action, ResolveSquare) else DefaultStep(ResolveSquare(), turn.seat)
        if behind and goal.was is not None and _plays_later(state, goal.was):
            return DefaultStep(YieldTurn(to=goal.was.turn.seat), turn.seat)
        if (closing or (mine and _had_rolled(goal))) and turn.roll == "due" and goal.was is not None:
            return DefaultStep(ForgoRoll(), turn.seat)
        return DefaultStep(EndTurn(), turn.seat) if behind else None

    def wrong_turn(self, state: Negopoly, goal: StepGoal) -> Refusal | None:
        """Return the refusal for an action of another turn, or None (II.2)."""
        original = whose_turn(goal.was)
        if original is None or whose_turn(state) == original or not isinstance(goal.action, _OF_A_TURN):
            return None
        return Impossible(
            "II.2",
            "{seat:seat}'s turn of round {round} is not under way",
            "le tour {seat:de|seat} au round {round} n'est pas en cours",
            round=original[0],
            seat=original[1],
        )

    def is_done(self, state: Negopoly, goal: StepGoal) -> bool:
        """Return True if nothing remains to be done by an action.

        The turn to be ended is over, the stop to be resolved is resolved, or the question is not open and the
        answer was the default answer.
        """
        original, turn = whose_turn(goal.was), state.turn
        if isinstance(goal.action, reactions.Answer):
            questions = [question for question in goal.was.questions if question.id == goal.action.question]
            return not any(question.id == goal.action.question for question in state.questions) and any(
                goal.action.answer == reactions.options_of(goal.was, question)[0] for question in questions
            )
        if original is None or turn is None or not isinstance(goal.action, EndTurn | ExpireTurn | ResolveSquare):
            return False
        if whose_turn(state) == original:
            resolved = turn.stop is not None and not turn.unresolved
            return isinstance(goal.action, ResolveSquare) and resolved
        return not _is_behind(state, goal.was)

    def whose_turn(self, state: Negopoly) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way (II.2)."""
        return whose_turn(state)

    def resume_action(self, state: Negopoly) -> tuple[Action, str | None] | None:
        """Return the action that stops the clock until the players of the new table are ready (II.B.13)."""
        return None if state.turn is None or state.ended else (clock.TakeUpTurn(), state.turn.seat)
