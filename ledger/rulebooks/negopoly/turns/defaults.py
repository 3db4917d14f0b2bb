"""II.B.7 and II.B.13. What the game does by itself: default answers, the effect of a stop, the end of a turn.

The clock of a turn does all of it at once (`turns.ExpireTurn`). A correction, or a banker who asks for it, does it
step by step, and only as far as the next action needs it.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Refusal
from ledger.kernel.facts.values import QuestionId, SeatId
from ledger.kernel.rules.actions import Action, DefaultStep, Toward
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.board import squares
from ledger.rulebooks.negopoly.board.movement import ConsumeDose, RollDice
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn, forget_passages
from ledger.rulebooks.negopoly.table.terms import Drawn, Question, Turn
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
        """Refuse a question that is not open; then continue what waited for it."""
        draft.draws.offer(self.draws)
        found = next((one for one in draft.state.questions if one.id == self.question), None)
        if found is None:
            raise Impossible(
                "II.B.13",
                "question {id!r} is not open",
                "la question {id!r} n'est pas ouverte",
                id=self.question,
            )
        reactions.lapse_one(draft, found)


@chapter.event
class TurnsExchanged(Event, frozen=True, kw_only=True):
    """A player plays before another one in this round: the table has played it in that order (II.3)."""

    en: ClassVar[str] = "{seat:seat} plays before {other:seat} in this round."
    fr: ClassVar[str] = "{seat:seat} joue avant {other:seat} dans ce round."

    rule: str = "II.3"
    seat: str
    other: str
    order: tuple[str, ...]
    """The order of this round; the next one has the order that this round had."""

    def apply(self, state: Negopoly) -> None:
        """Change the order of this round, and leave the game without a turn until the next one starts."""
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
        """Refuse after the roll, and a player who does not come later in this round."""
        state, turn = draft.state, draft.state.turn
        if turn is None or turn.seat != draft.seat or not has_just_begun(turn):
            raise Impossible("II.3", "no turn has just begun", "aucun tour ne vient de commencer")
        here = state.order.index(turn.seat)
        if self.to not in state.order[here + 1 :]:
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
        open_next_turn(draft, after=order[here - 1] if here else None)


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
"""The actions that make up a turn: each belongs to the turn in which it was taken, and to no other."""


def whose_turn(state: Negopoly) -> tuple[int, str] | None:
    """The round and the seat of the turn under way."""
    return None if state.turn is None else (state.round, state.turn.seat)


def next_step(state: Negopoly, toward: Toward) -> DefaultStep | None:
    """The next default step before an action (see `Rulebook.default_step`).

    A correction closes every turn that comes before the one in which the action was taken. In play, at most the
    turn of a player who has rolled is closed.
    """
    turn = state.turn
    if turn is None or state.ended:
        return None
    if toward.was is None:
        behind = toward.seat not in {None, turn.seat} and turn.roll != "due"
    else:
        behind = _is_behind(state, toward.was)
    closing = behind or (isinstance(toward.action, EndTurn | ExpireTurn) and toward.seat == turn.seat)
    question = _in_the_way(state, toward, closing=closing)
    if question is not None:
        silence = reactions.options_of(state, question)[0]
        by_hand = reactions.Answer(question=question.id, answer=silence)
        return DefaultStep(LapseQuestion(question=question.id), question.seat, by_hand)
    mine = toward.seat == turn.seat and (toward.was is None or whose_turn(toward.was) == whose_turn(state))
    if (
        (closing or mine)
        and turn.unresolved
        and squares.is_mandatory(state, turn.seat, state.positions[turn.seat])
    ):
        return None if isinstance(toward.action, ResolveSquare) else DefaultStep(ResolveSquare(), turn.seat)
    if behind and toward.was is not None and _plays_later(state, toward.was):
        return DefaultStep(YieldTurn(to=toward.was.turn.seat), turn.seat)
    if (closing or (mine and _had_rolled(toward))) and turn.roll == "due" and toward.was is not None:
        return DefaultStep(ForgoRoll(), turn.seat)
    return DefaultStep(EndTurn(), turn.seat) if behind else None


def misplaced(state: Negopoly, toward: Toward) -> Refusal | None:
    """Why an action of a turn cannot be taken in the turn under way: it belongs to another one (II.2)."""
    there = whose_turn(toward.was)
    if there is None or whose_turn(state) == there or not isinstance(toward.action, _OF_A_TURN):
        return None
    return Impossible(
        "II.2",
        "{seat:seat}'s turn of round {round} is not under way",
        "le tour {seat:de|seat} au round {round} n'est pas en cours",
        round=there[0],
        seat=there[1],
    )


def is_done(state: Negopoly, toward: Toward) -> bool:
    """Whether there is nothing left for an action to do.

    The turn that it ends is over, the stop that it resolves is resolved, or the question to which it gives the
    default answer is not asked.
    """
    there, turn = whose_turn(toward.was), state.turn
    if isinstance(toward.action, reactions.Answer):
        asked = [one for one in toward.was.questions if one.id == toward.action.question]
        return not any(one.id == toward.action.question for one in state.questions) and any(
            toward.action.answer == reactions.options_of(toward.was, one)[0] for one in asked
        )
    if there is None or turn is None or not isinstance(toward.action, EndTurn | ExpireTurn | ResolveSquare):
        return False
    if whose_turn(state) == there:
        resolved = turn.stop is not None and not turn.unresolved
        return isinstance(toward.action, ResolveSquare) and resolved
    return not _is_behind(state, toward.was)


def _is_behind(state: Negopoly, was: Negopoly) -> bool:
    """Whether the turn under way comes before the one of another state of the game."""
    return comes_before(state.order, whose_turn(state), whose_turn(was))


def has_just_begun(turn: Turn) -> bool:
    """Whether nothing has happened in a turn yet."""
    return turn.roll == "due" and turn.drug_die is None and not turn.passages and not turn.extension


def _had_rolled(toward: Toward) -> bool:
    """Whether the player had rolled when they took an action that is no roll."""
    turn = None if toward.was is None else toward.was.turn
    return turn is not None and turn.roll != "due" and not isinstance(toward.action, RollDice | ConsumeDose)


def _plays_later(state: Negopoly, was: Negopoly) -> bool:
    """Whether the player whose turn has just begun plays later in this round, by the order of another state."""
    turn, there = state.turn, was.turn
    if turn is None or there is None or state.round != was.round or not has_just_begun(turn):
        return False
    if not {turn.seat, there.seat} <= {*was.order} or there.seat not in state.order:
        return False
    return was.order.index(turn.seat) > was.order.index(there.seat)


def _in_the_way(state: Negopoly, toward: Toward, *, closing: bool) -> Question | None:
    """The first open question that may hold up an action.

    The same question was open in the history as it was when it held nothing up.
    """
    before = set() if toward.was is None or closing else {one.id for one in toward.was.questions}
    for question in state.questions:
        answers = isinstance(toward.action, reactions.Answer) and toward.action.question == question.id
        if not answers and question.id not in before:
            return question
    return None
