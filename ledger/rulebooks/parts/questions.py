"""Questions: a seat is asked while an action waits for the answer, and each answer has an effect.

A game has one `Questions`. Its chapters register the kinds of question with their answers; the first answer is the
default:

    QUESTIONS = Questions[Town]()

    @QUESTIONS.answers("raid", lambda state, question: ("no", "yes"))
    def _raided(draft: Draft, question: Question, answer: str) -> None: ...

    QUESTIONS.ask(draft, seat, "raid", rule="raid.2", by=turn.seat, about={"price": 3}, private=True)

A state with questions has the field `questions: list[Question]`: the open ones, oldest first.

Several questions may be open at once, and are answered in any order. The existence of a question is public, so the
choice of the seat asked may depend on public facts only. The game decides what waits for an answer, and how long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.rules.draft import Draft


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a player, while the rest of an action waits for the answer."""

    id: str
    kind: str
    """The kind of question, a name of the game."""
    seat: str
    """The seat asked."""
    by: str
    """The seat with the waiting action."""
    rule: str
    about: dict[str, Any] = {}
    """The subject of the question, as plain JSON values; public unless the question is `private`."""
    private: bool = False


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class QuestionAsked(Event, frozen=True, kw_only=True):
    """A question to a player; the subject may be a secret of the player."""

    en: ClassVar[str] = "{question.seat:seat} is asked: {question.kind:goods}?"
    fr: ClassVar[str] = "Question posée à {question.seat:seat} : {question.kind:goods} ?"

    rule: str
    question: Question

    def apply(self, state: Any) -> None:
        """Add the question to the open questions."""
        state.questions.append(self.question)

    def audience(self) -> Audience:
        """Return everybody; for a private question, only the asked player."""
        return only(self.question.seat) if self.question.private else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the subject; the question stays public."""
        return replace(self, question=replace(self.question, about={}), postings=())


class QuestionOver(Event, frozen=True, kw_only=True):
    """A question is closed."""

    rule: str
    question: Question

    def apply(self, state: Any) -> None:
        """Remove the question."""
        state.questions = [question for question in state.questions if question.id != self.question.id]

    def audience(self) -> Audience:
        """The audience of the question."""
        return only(self.question.seat) if self.question.private else EVERYONE


class QuestionAnswered(QuestionOver, frozen=True, kw_only=True):
    """A player answers."""

    en: ClassVar[str] = "{question.seat:seat} answers: {answer:answer} ({question.kind:goods})."
    fr: ClassVar[str] = "Réponse {question.seat:de|seat} : {answer:answer} ({question.kind:goods})."

    answer: str | None
    """The answer; None for viewers without access."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the answer."""
        return replace(self, question=replace(self.question, about={}), answer=None, postings=())


class QuestionLapsed(QuestionOver, frozen=True, kw_only=True):
    """A question is closed without an answer: its time is over, or the player is out of the game."""

    en: ClassVar[str] = "{question.seat:seat} has not answered ({question.kind:goods})."
    fr: ClassVar[str] = "{question.seat:seat} n'a pas répondu ({question.kind:goods})."

    reason: str
    """"time" or "eliminated"."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the subject."""
        return replace(self, question=replace(self.question, about={}), postings=())


# ----------------------------------------------------------------------------------------------
# Asking
# ----------------------------------------------------------------------------------------------

S = TypeVar("S", bound=State)
Options = Callable[[S, Question], Sequence[str]]
Answering = Callable[[Draft[S], Question, str], None]


class Questions(Generic[S]):
    """The kinds of question of a game. `asked_event` is the class of the event of a new question."""

    def __init__(self, asked_event: type[QuestionAsked] = QuestionAsked) -> None:
        self._asked_event = asked_event
        self._kinds: dict[str, tuple[Options[S], Answering[S]]] = {}

    def answers(self, kind: str, options: Options[S]) -> Callable[[Answering[S]], Answering[S]]:
        """Register the answers of a kind of question (the first is the default), and the effect of each."""

        def register(answer: Answering[S]) -> Answering[S]:
            self._kinds[kind] = (options, answer)
            return answer

        return register

    def options_of(self, state: S, question: Question) -> Sequence[str]:
        """Return the answers open to the asked player; the first is the default."""
        return self._kinds[question.kind][0](state, question)

    def ask(
        self,
        draft: Draft[S],
        seat: str,
        kind: str,
        *,
        rule: str,
        by: str,
        about: Mapping[str, Any] | None = None,
        private: bool = False,
        subject: str | None = None,
    ) -> None:
        """Ask a player a question, by the rule with the choice.

        `by` is the seat with the waiting action. `about` is the subject, as plain JSON values; if the question
        is `private`, only the asked player sees it. The id is made of the subject's id (`subject`, or the
        action) and of the seat. So an answer still finds the question after a correction.
        """
        first = f"{draft.label if subject is None else subject}-{seat}"
        used = {question_id.id for question_id in _waiting(draft.state)}
        names = chain((first,), (f"{first}-{more}" for more in count(2)))
        question = Question(
            id=next(question_id for question_id in names if question_id not in used),
            kind=kind,
            seat=seat,
            by=by,
            rule=rule,
            about=dict(about or {}),
            private=private,
        )
        draft.record(self._asked_event(rule=rule, question=question))

    def answer(self, draft: Draft[S], seat: str, question_id: str, answer: str, *, rule: str) -> None:
        """Record a seat's answer to a question, and continue the waiting action.

        Raises Impossible: by `rule` if the seat has no such question, by the question's rule for an unknown
        answer.
        """
        question = next((candidate for candidate in _waiting(draft.state) if candidate.id == question_id), None)
        if question is None or question.seat != seat:
            raise Impossible(
                rule,
                "{seat:seat} has not been asked question {id!r}, or it is over",
                "la question {id!r} n'est pas posée à {seat:seat}, ou elle est close",
                seat=seat,
                id=question_id,
            )
        options = self.options_of(draft.state, question)
        if answer not in options:
            raise Impossible(
                question.rule,
                "{seat:seat} cannot answer {answer!r} ({kind:goods}): the answers are: {options:each|answer}",
                "{seat:seat} ne peut pas répondre {answer!r} ({kind:goods}) ; réponses possibles : "
                "{options:each|answer}",
                seat=seat,
                answer=answer,
                kind=question.kind,
                options=options,
            )
        draft.record(QuestionAnswered(rule=question.rule, question=question, answer=answer))
        self._kinds[question.kind][1](draft, question, answer)

    def lapse(self, draft: Draft[S], question: Question, reason: str, *, rule: str | None = None) -> None:
        """Close a question with the default answer, citing `rule` or the question's rule."""
        silence = self.options_of(draft.state, question)[0]
        draft.record(QuestionLapsed(rule=rule or question.rule, question=question, reason=reason))
        self._kinds[question.kind][1](draft, question, silence)


def _waiting(state: Any) -> list[Question]:
    questions: list[Question] = state.questions
    return questions
