"""II.D.2 and IX.B.14–15. Reactions: what is asked of a player while something happens to them.

A hostile act is a `Strike`: whoever makes one pays, throws, and hands it to `strike`. Defences of titles stop it
by themselves (IX.B.5); then every player struck who may hold a security team is asked, all at once, and what
nobody has stopped is carried out by the function that its kind has registered with `carries_out`:

    reactions.strike(draft, Strike(kind="mortier", by=seat, rule="IX.C.22", titles=(title,)))

    @reactions.carries_out("mortier")
    def _shell(draft: Draft, strike: Strike) -> None:
        for title in strike.titles: ...          # only what is left to strike, all of it in players' hands

It may be carried out at once or in a later action, so nothing that relies on it may follow the call; and it must
not refuse: what has become impossible meanwhile does nothing. Strikes launched while another waits come after it.

Any other question works alike: `ask` records it, and `answers` registers the answers to a kind (the first is what
silence means) and what each does:

    reactions.ask(draft, seat, "kamtar_02", rule="II.D.2", by=turn.seat, about={"cause": cause}, private=True)

    @reactions.answers("kamtar_02", lambda state, question: ("no", "yes"))
    def _alibi(draft: Draft, question: Question, answer: str) -> None: ...

That a question is asked tells everybody something, so who is asked may depend only on what everybody knows:
security teams are asked of whoever has taken a secret service at a bar.

A question pends until the end of the turn at most: silence is an answer then, as when the asked player leaves the
game. The turns of those concerned wait for it (`own_turn`), and no turn ends before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.accounts import Posting
from ledger.kernel.actions import Action, Choice
from ledger.kernel.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible
from ledger.rulebooks.negopoly.mercenaries import strikes
from ledger.rulebooks.negopoly.mercenaries.strikes import TEAM
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, still_in
from ledger.rulebooks.negopoly.table.terms import USED, Drawn, Question, Strike, player

chapter = Chapter("IX.B.14–15. Reactions")

LET_IT_HAPPEN = "no"
USE_TEAM = "use"

Carrying = Callable[[Draft, Strike], None]
Answering = Callable[[Draft, Question, str], None]
Options = Callable[[Negopoly, Question], Sequence[str]]

_carrying: dict[str, Carrying] = {}
_answering: dict[str, tuple[Options, Answering]] = {}


def carries_out(kind: str) -> Callable[[Carrying], Carrying]:
    """Register what a kind of strike does to the titles and the victims that nothing protects."""

    def register(carry: Carrying) -> Carrying:
        _carrying[kind] = carry
        return carry

    return register


def answers(kind: str, options: Options) -> Callable[[Answering], Answering]:
    """Register the answers that a kind of question has (the first is what silence means), and what each does."""

    def register(answer: Answering) -> Answering:
        _answering[kind] = (options, answer)
        return answer

    return register


# ----------------------------------------------------------------------------------------------
# What happens
# ----------------------------------------------------------------------------------------------


@chapter.event
class QuestionAsked(Event, frozen=True, kw_only=True):
    """A player is asked something; what it is about may be theirs alone to know (II.D.2)."""

    en: ClassVar[str] = "{question.seat:seat} is asked: {question.kind:goods}?"
    fr: ClassVar[str] = "Question posée à {question.seat:seat} : {question.kind:goods} ?"

    rule: str
    question: Question

    def apply(self, state: Negopoly) -> None:
        """It waits for its answer."""
        state.questions.append(self.question)
        if self.question.kind == TEAM:
            strikes.change(state, self.question.about["strike"], asked=True)

    def audience(self) -> Audience:
        """Everybody, unless it is private."""
        return only(self.question.seat) if self.question.private else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """That something is asked of the player."""
        return replace(self, question=replace(self.question, about={}), postings=())


class _Over(Event, frozen=True, kw_only=True):
    """A question that waits no longer."""

    rule: str
    question: Question

    def apply(self, state: Negopoly) -> None:
        """It is asked no more."""
        state.questions = [one for one in state.questions if one.id != self.question.id]

    def audience(self) -> Audience:
        """As for the question."""
        return only(self.question.seat) if self.question.private else EVERYONE


@chapter.event
class QuestionAnswered(_Over, frozen=True, kw_only=True):
    """A player answers (II.D.2, IX.B.15)."""

    en: ClassVar[str] = "{question.seat:seat} answers: {said[0]} ({question.kind:goods})."
    fr: ClassVar[str] = "Réponse {question.seat:de|seat} : {said[1]} ({question.kind:goods})."

    answer: str | None
    """None for those who may not know it."""

    @property
    def said(self) -> tuple[str, str]:
        """The answer in words, in English and French."""
        return _WORDS.get(self.answer, (str(self.answer), str(self.answer)))

    def redacted(self, viewer: Viewer) -> Event:
        """That the player has answered."""
        return replace(self, question=replace(self.question, about={}), answer=None, postings=())


_WORDS: dict[str | None, tuple[str, str]] = {
    None: ("in secret", "en secret"),
    "no": ("no", "non"),
    "yes": ("yes", "oui"),
    USE_TEAM: ("yes", "oui"),
}


@chapter.event
class QuestionLapsed(_Over, frozen=True, kw_only=True):
    """A question is over without an answer: the turn is over, or the player is out of the game (IX.B.15)."""

    en: ClassVar[str] = "{question.seat:seat} has not answered ({question.kind:goods})."
    fr: ClassVar[str] = "{question.seat:seat} n'a pas répondu ({question.kind:goods})."

    reason: str
    """"time" or "eliminated"."""

    def redacted(self, viewer: Viewer) -> Event:
        """That nothing was said."""
        return replace(self, question=replace(self.question, about={}), postings=())


# ----------------------------------------------------------------------------------------------
# Strikes
# ----------------------------------------------------------------------------------------------


def strike(draft: Draft, launched: Strike) -> None:
    """Launch a hostile act that has been paid for: it happens at once or when those it strikes have answered.

    Defences come first (IX.B.5), then the security teams of the victims and of the titles' owners, but for the
    attacker's own (IX.B.14). A strike launched while another one, or an answer, is waited for begins after that.
    """
    launched = replace(launched, id=draft.new_id())
    if draft.state.strikes or draft.state.questions:
        draft.record(strikes.StrikeLaunched(strike=launched))
        return
    begun = strikes.without_defended(draft, launched)
    asked = strikes.to_ask(draft.state, begun)
    if asked:
        draft.record(strikes.StrikeLaunched(strike=begun))
        _ask_all(draft, begun, asked)
    else:
        _carry_out(draft, begun)


def _ask_all(draft: Draft, begun: Strike, seats: Iterable[str]) -> None:
    for seat in seats:
        ask(draft, seat, TEAM, rule="IX.B.15", by=begun.by, about={"strike": begun.id})


def _carry_out(draft: Draft, begun: Strike) -> None:
    """Let what is left of a strike take effect."""
    if begun.titles or begun.victims:
        _carrying[begun.kind](draft, begun)


def _go_on(draft: Draft) -> None:
    """Let the strikes that wait begin and take effect, one after another, until an answer is waited for."""
    state = draft.state
    while state.strikes and not state.questions:
        if not state.strikes[0].asked:
            begun = strikes.without_defended(draft, state.strikes[0])
            if asked := strikes.to_ask(state, begun):
                _ask_all(draft, begun, asked)
                return
        left = strikes.left_of(state, state.strikes[0])
        reason = "answered" if left.titles or left.victims else "stopped"
        draft.record(strikes.StrikeClosed(strike=left, reason=reason))
        _carry_out(draft, left)


@answers(TEAM, lambda state, question: _team_options(state, question))
def _team(draft: Draft, question: Question, answer: str) -> None:
    """Spend the team of a player who wants it, and carry the strike out once everybody has answered."""
    if answer == USE_TEAM:
        stopped = next(one for one in draft.state.strikes if one.id == question.about["strike"])
        spent = Posting(TEAM, 1, player(question.seat), USED)
        draft.record(strikes.TeamUsed(seat=question.seat, strike=stopped, postings=(spent,)))
    _go_on(draft)


def _team_options(state: Negopoly, question: Question) -> Sequence[str]:
    """Whoever holds a team may use it; everybody may let it happen."""
    held = state.holdings.of(player(question.seat), TEAM)
    return (LET_IT_HAPPEN, USE_TEAM) if held else (LET_IT_HAPPEN,)


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


def ask(
    draft: Draft,
    seat: str,
    kind: str,
    *,
    rule: str,
    by: str,
    about: Mapping[str, Any] | None = None,
    private: bool = False,
) -> None:
    """Ask a player something, by the rule that gives them the choice.

    `kind` has registered its answers (see `answers`); `by` is the seat whose action waits; `about` is what the
    answer is needed for, as plain JSON values, which only the asked player sees when it is `private`.
    """
    known = dict(about or {})
    question = Question(
        id=_id(draft, seat, known), kind=kind, seat=seat, by=by, rule=rule, about=known, private=private
    )
    draft.record(QuestionAsked(rule=rule, question=question))


def _id(draft: Draft, seat: str, about: Mapping[str, Any]) -> str:
    """What is asked about, and whom: an answer finds its question, and no other, also after a correction."""
    asked = f"{about.get('strike', draft.label)}-{seat}"
    taken = {one.id for one in draft.state.questions}
    return next(one for one in chain((asked,), (f"{asked}-{more}" for more in count(2))) if one not in taken)


def options_of(state: Negopoly, question: Question) -> Sequence[str]:
    """The answers open to the asked player; the first is what silence means."""
    options, _ = _answering[question.kind]
    return options(state, question)


def lapse(draft: Draft) -> None:
    """The turn is over: whoever has not answered has said nothing, and what waited happens (IX.B.15)."""
    while draft.state.questions or draft.state.strikes:
        if draft.state.questions:
            _lapse(draft, draft.state.questions[0], "time")
        else:
            _go_on(draft)


def settle(draft: Draft) -> None:
    """Go on with what waits for no answer any more.

    A player out of the game answers nothing, and no strike of theirs is carried out (I.B.5).
    """
    state = draft.state
    called_off = [one for one in state.strikes if one.by in state.eliminated]
    for one in called_off:
        draft.record(strikes.StrikeClosed(rule="I.B.5", strike=one, reason="eliminated"))
        for question in [asked for asked in state.questions if asked.about.get("strike") == one.id]:
            draft.record(QuestionLapsed(rule="I.B.5", question=question, reason="eliminated"))
    for question in [one for one in state.questions if one.seat in state.eliminated]:
        _lapse(draft, question, "eliminated")
    _go_on(draft)


def _lapse(draft: Draft, question: Question, reason: str) -> None:
    rule = "I.B.5" if reason == "eliminated" else question.rule
    silence = options_of(draft.state, question)[0]
    draft.record(QuestionLapsed(rule=rule, question=question, reason=reason))
    _answering[question.kind][1](draft, question, silence)


@chapter.action(
    summary=("answer what one is asked", "répondre à la question posée"),
    when=("while a question waits for one's answer, in or out of turn", "tant qu'une question attend sa réponse"),
)
class Answer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answer a question that one is asked while something happens (II.D.2, IX.B.15)."""

    question: Annotated[str, Meta(min_length=1, max_length=100)]
    answer: Annotated[str, Meta(min_length=1, max_length=100)]
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Once; what waited for it goes on."""
        draft.draws.offer(self.draws)
        seat = still_in(draft)
        found = next((one for one in draft.state.questions if one.id == self.question), None)
        if found is None or found.seat != seat:
            raise Impossible(
                "II.D.2",
                "{seat} has not been asked question {id!r}, or it is over",
                "la question {id!r} n'est pas posée à {seat}, ou elle est close",
                seat=seat,
                id=self.question,
            )
        open_answers = options_of(draft.state, found)
        if self.answer not in open_answers:
            raise Impossible(
                found.rule,
                "{seat} cannot answer {answer!r} to {kind}: open to them is {options}",
                "{seat} ne peut pas répondre {answer!r} à {kind} : réponses possibles : {options}",
                seat=seat,
                answer=self.answer,
                kind=found.kind,
                options=", ".join(open_answers),
            )
        draft.record(QuestionAnswered(rule=found.rule, question=found, answer=self.answer))
        _answering[found.kind][1](draft, found, self.answer)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Every answer to every question that one is asked."""
        for question in state.questions:
            if question.seat == seat:
                for answer in options_of(state, question):
                    yield Choice({"question": question.id, "answer": answer})


# ----------------------------------------------------------------------------------------------
# The view
# ----------------------------------------------------------------------------------------------


def shown(state: Negopoly, viewer: Viewer) -> dict[str, Any]:
    """What the viewer may see of the questions and strikes under way, and of the secret services (I.C.6)."""
    questions = []
    for question in state.questions:
        theirs = only(question.seat).admits(viewer)
        line: dict[str, Any] = {"id": question.id, "kind": question.kind, "seat": question.seat, "by": question.by}
        if theirs or not question.private:
            line["about"] = dict(question.about)
        if theirs:
            line["answers"] = list(options_of(state, question))
        questions.append(line)
    return {
        "questions": questions,
        "strikes": [
            {
                "id": one.id,
                "kind": one.kind,
                "by": one.by,
                "titles": list(one.titles),
                "victims": list(one.victims),
            }
            for one in state.strikes
        ],
        "services": dict(sorted(state.services.items())),
    }
