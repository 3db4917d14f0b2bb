"""Questions: what a seat is asked while an action waits for the answer, and what each answer does.

A game has one `Questions`, and its chapters register the kinds of question that it has, with their answers (the
first one is what silence means):

    QUESTIONS = Questions[Town]()

    @QUESTIONS.answers("raid", lambda state, question: ("no", "yes"))
    def _raided(draft: Draft, question: Question, answer: str) -> None: ...

    QUESTIONS.ask(draft, seat, "raid", rule="raid.2", by=turn.seat, about={"price": 3}, private=True)

A state that keeps questions has the field `questions: list[Question]`: those that wait, oldest first.

Several questions may wait at once, and are answered in any order. That a question is asked tells everybody
something, so who is asked may depend only on what everybody knows. What waits for an answer, and for how long, is
for the game to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.draft import Draft
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible
from ledger.kernel.state import State


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a player is asked, while the rest of an action waits for the answer."""

    id: str
    kind: str
    """What it is about: the name of a kind of question of the game."""
    seat: str
    """Who is asked."""
    by: str
    """Whose action waits for the answer."""
    rule: str
    about: dict[str, Any] = {}
    """What the answer is needed for, as plain JSON values; public unless the question is `private`."""
    private: bool = False


# ----------------------------------------------------------------------------------------------
# What happens
# ----------------------------------------------------------------------------------------------


class QuestionAsked(Event, frozen=True, kw_only=True):
    """A player is asked something; what it is about may be theirs alone to know."""

    en: ClassVar[str] = "{question.seat:seat} is asked: {question.kind:goods}?"
    fr: ClassVar[str] = "Question posée à {question.seat:seat} : {question.kind:goods} ?"

    rule: str
    question: Question

    def apply(self, state: Any) -> None:
        """It waits for its answer."""
        state.questions.append(self.question)

    def audience(self) -> Audience:
        """Everybody, unless it is private."""
        return only(self.question.seat) if self.question.private else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """That something is asked of the player."""
        return replace(self, question=replace(self.question, about={}), postings=())


class QuestionOver(Event, frozen=True, kw_only=True):
    """A question that waits no longer."""

    rule: str
    question: Question

    def apply(self, state: Any) -> None:
        """It is asked no more."""
        state.questions = [one for one in state.questions if one.id != self.question.id]

    def audience(self) -> Audience:
        """As for the question."""
        return only(self.question.seat) if self.question.private else EVERYONE


class QuestionAnswered(QuestionOver, frozen=True, kw_only=True):
    """A player answers."""

    en: ClassVar[str] = "{question.seat:seat} answers: {answer:answer} ({question.kind:goods})."
    fr: ClassVar[str] = "Réponse {question.seat:de|seat} : {answer:answer} ({question.kind:goods})."

    answer: str | None
    """None for those who may not know it."""

    def redacted(self, viewer: Viewer) -> Event:
        """That the player has answered."""
        return replace(self, question=replace(self.question, about={}), answer=None, postings=())


class QuestionLapsed(QuestionOver, frozen=True, kw_only=True):
    """A question is over without an answer: its time is over, or the player is out of the game."""

    en: ClassVar[str] = "{question.seat:seat} has not answered ({question.kind:goods})."
    fr: ClassVar[str] = "{question.seat:seat} n'a pas répondu ({question.kind:goods})."

    reason: str
    """"time" or "eliminated"."""

    def redacted(self, viewer: Viewer) -> Event:
        """That nothing was said."""
        return replace(self, question=replace(self.question, about={}), postings=())


# ----------------------------------------------------------------------------------------------
# Asking
# ----------------------------------------------------------------------------------------------

S = TypeVar("S", bound=State)
Options = Callable[[S, Question], Sequence[str]]
Answering = Callable[[Draft[S], Question, str], None]


class Questions(Generic[S]):
    """The kinds of question of one game. `asked` is the event that records one."""

    def __init__(self, asked: type[QuestionAsked] = QuestionAsked) -> None:
        self._asked = asked
        self._kinds: dict[str, tuple[Options[S], Answering[S]]] = {}

    def answers(self, kind: str, options: Options[S]) -> Callable[[Answering[S]], Answering[S]]:
        """Register the answers of a kind of question (the first is what silence means), and what each does."""

        def register(answer: Answering[S]) -> Answering[S]:
            self._kinds[kind] = (options, answer)
            return answer

        return register

    def options_of(self, state: S, question: Question) -> Sequence[str]:
        """The answers open to the asked player; the first is what silence means."""
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
        """Ask a player something, by the rule that gives them the choice.

        `by` is the seat whose action waits; `about` is what the answer is needed for, as plain JSON values, which
        only the asked player sees when it is `private`. The id is made of what is asked about (`subject`, or else
        the action) and of whom: so an answer finds its question, and no other, also after a correction.
        """
        first = f"{draft.label if subject is None else subject}-{seat}"
        taken = {one.id for one in _waiting(draft.state)}
        names = chain((first,), (f"{first}-{more}" for more in count(2)))
        question = Question(
            id=next(one for one in names if one not in taken),
            kind=kind,
            seat=seat,
            by=by,
            rule=rule,
            about=dict(about or {}),
            private=private,
        )
        draft.record(self._asked(rule=rule, question=question))

    def answer(self, draft: Draft[S], seat: str, question_id: str, answer: str, *, rule: str) -> None:
        """Answer a question that a seat is asked: it is recorded, and what waited for it goes on.

        Raises Impossible: by the rule when the seat is not asked that, by the question's own for another answer.
        """
        found = next((one for one in _waiting(draft.state) if one.id == question_id), None)
        if found is None or found.seat != seat:
            raise Impossible(
                rule,
                "{seat} has not been asked question {id!r}, or it is over",
                "la question {id!r} n'est pas posée à {seat}, ou elle est close",
                seat=seat,
                id=question_id,
            )
        options = self.options_of(draft.state, found)
        if answer not in options:
            raise Impossible(
                found.rule,
                "{seat} cannot answer {answer!r} to {kind}: open to them is {options}",
                "{seat} ne peut pas répondre {answer!r} à {kind} : réponses possibles : {options}",
                seat=seat,
                answer=answer,
                kind=found.kind,
                options=", ".join(options),
            )
        draft.record(QuestionAnswered(rule=found.rule, question=found, answer=answer))
        self._kinds[found.kind][1](draft, found, answer)

    def lapse(self, draft: Draft[S], question: Question, reason: str, *, rule: str | None = None) -> None:
        """Take silence for the answer to a question, by the rule given or by the question's own."""
        silence = self.options_of(draft.state, question)[0]
        draft.record(QuestionLapsed(rule=rule or question.rule, question=question, reason=reason))
        self._kinds[question.kind][1](draft, question, silence)


def _waiting(state: Any) -> list[Question]:
    found: list[Question] = state.questions
    return found
