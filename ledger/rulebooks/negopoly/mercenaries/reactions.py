"""II.D.2 and IX.B.14–15. Reactions: questions to players during an action.

A hostile act is a `Strike`. The attacker pays, throws the dice, and hands the strike to `strike`. Defences
stop the strike for their titles (IX.B.5). Then all players hit who may hold a security team are asked at once.
The function registered with `carries_out` for the kind applies the rest:
    reactions.strike(draft, Strike(kind="mortier", by=seat, rule="IX.C.22", titles=(title,)))
    @reactions.carries_out("mortier")
    def _shell(draft: Draft, strike: Strike) -> None:
        for title in strike.titles: ...          # only unprotected titles, all of them owned by players

The function may run at once or in a later action, so no code after the call may rely on the effect. The
function must not refuse: an effect that has become impossible is dropped. A strike launched while another
strike waits comes afterwards.

Other questions work in the same way. `ask` records the question. `answers` registers the answers to the kind of
question (the first answer is the default) and the effect of each:
    reactions.ask(draft, seat, "kamtar_02", rule="II.D.2", by=turn.seat, about={"cause": cause}, private=True)
    @reactions.answers("kamtar_02", lambda state, question: ("no", "yes"))
    def _alibi(draft: Draft, question: Question, answer: str) -> None: ...

The existence of a question is public, so the choice of the player asked may depend on public facts only: every
player with a secret service from a bar is asked about a security team.

A question is open until the end of the turn at most. At the end of the turn, and on the elimination of the
player asked, the default answer counts. The turns of the players concerned wait for the answer (`own_turn`),
and no turn ends before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer, only
from ledger.kernel.facts.plain import without_nulls
from ledger.kernel.facts.values import QuestionId, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.mercenaries import strikes
from ledger.rulebooks.negopoly.mercenaries.strikes import TEAM
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, still_in
from ledger.rulebooks.negopoly.table.terms import USED, Drawn, Question, Strike, player
from ledger.rulebooks.parts import questions

chapter = Chapter("IX.B.14–15. Reactions")

LET_IT_HAPPEN = "no"
USE_TEAM = "use"

Carrying = Callable[[Draft, Strike], None]

_carrying: dict[str, Carrying] = {}


def carries_out(kind: str) -> Callable[[Carrying], Carrying]:
    """Register the effect of a kind of strike on unprotected titles and players."""

    def register(carry: Carrying) -> Carrying:
        _carrying[kind] = carry
        return carry

    return register


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class QuestionAsked(questions.QuestionAsked, frozen=True, kw_only=True):
    """A player is asked a question; its subject may be a secret of that player (II.D.2)."""

    def apply(self, state: Negopoly) -> None:
        """Add the question. Mark the strike of a question about a security team as asked."""
        super().apply(state)
        if self.question.kind == TEAM:
            strikes.change(state, self.question.about["strike"], asked=True)


chapter.event(questions.QuestionAnswered)
chapter.event(questions.QuestionLapsed)

QUESTIONS = questions.Questions[Negopoly](QuestionAsked)
"""The questions to players of Negopoly."""
answers = QUESTIONS.answers
options_of = QUESTIONS.options_of

_ANSWERS: dict[str | None, Phrase] = {
    None: Phrase("in secret", "en secret"),
    "no": Phrase("no", "non"),
    "yes": Phrase("yes", "oui"),
    USE_TEAM: Phrase("yes", "oui"),
}


def speak_answer(value: Any, language: str) -> str:
    """Return the text of an answer in sentences; `value` is None for an answer hidden from the viewer."""
    return _ANSWERS[value].in_language(language) if value in _ANSWERS else str(value)


# ----------------------------------------------------------------------------------------------
# Strikes
# ----------------------------------------------------------------------------------------------


def strike(draft: Draft, launched: Strike) -> None:
    """Launch a paid hostile act, with effect at once or after the answers of the players hit.

    Defences come first (IX.B.5), then the security teams of the victims and of the titles' owners, never the
    attacker's own (IX.B.14). A strike launched while an answer is due starts later.
    """
    launched = replace(launched, id=draft.new_id())
    if draft.state.strikes or draft.state.questions:
        draft.record(strikes.StrikeLaunched(strike=launched))
        return
    begun = strikes.without_defended(draft, launched)
    seats = strikes.to_ask(draft.state, begun)
    if seats:
        draft.record(strikes.StrikeLaunched(strike=begun))
        _ask_all(draft, begun, seats)
    else:
        _carry_out(draft, begun)


def _ask_all(draft: Draft, begun: Strike, seats: Iterable[str]) -> None:
    for seat in seats:
        ask(draft, seat, TEAM, rule="IX.B.15", by=begun.by, about={"strike": begun.id})


def _carry_out(draft: Draft, begun: Strike) -> None:
    """Apply the rest of a strike."""
    if begun.titles or begun.victims:
        _carrying[begun.kind](draft, begun)


def _continue_strikes(draft: Draft) -> None:
    """Start and apply the waiting strikes in turn, until an answer is needed."""
    state = draft.state
    while state.strikes and not state.questions:
        if not state.strikes[0].asked:
            begun = strikes.without_defended(draft, state.strikes[0])
            if seats := strikes.to_ask(state, begun):
                _ask_all(draft, begun, seats)
                return
        remaining = strikes.left_of(state, state.strikes[0])
        reason = "answered" if remaining.titles or remaining.victims else "stopped"
        draft.record(strikes.StrikeClosed(strike=remaining, reason=reason))
        _carry_out(draft, remaining)


@answers(TEAM, lambda state, question: _team_options(state, question))
def _team(draft: Draft, question: Question, answer: str) -> None:
    """Use the player's team if the player says so, and apply the strike after the last answer."""
    if answer == USE_TEAM:
        stopped = next(waiting for waiting in draft.state.strikes if waiting.id == question.about["strike"])
        spent = Posting(TEAM, 1, player(question.seat), USED)
        draft.record(strikes.TeamUsed(seat=question.seat, strike=stopped, postings=(spent,)))
    _continue_strikes(draft)


def _team_options(state: Negopoly, question: Question) -> Sequence[str]:
    """Return the options: to let the strike happen, or to use a team if the player has a team."""
    teams = state.holdings.of(player(question.seat), TEAM)
    return (LET_IT_HAPPEN, USE_TEAM) if teams else (LET_IT_HAPPEN,)


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
    """Ask a player a question, by the rule that offers the choice (see `Questions.ask`).

    A question about a strike has the strike's id as its subject, in every action while the strike waits.
    """
    subject = None if about is None else about.get("strike")
    QUESTIONS.ask(draft, seat, kind, rule=rule, by=by, about=about, private=private, subject=subject)


def lapse(draft: Draft) -> None:
    """Give the default answers at the end of the turn, and apply everything waiting for an answer (IX.B.15)."""
    while draft.state.questions or draft.state.strikes:
        if draft.state.questions:
            _lapse(draft, draft.state.questions[0], "time")
        else:
            _continue_strikes(draft)


def lapse_one(draft: Draft, question: Question) -> None:
    """Give a question the default answer, because the time for an answer is over (II.B.13)."""
    _lapse(draft, question, "time")


def settle(draft: Draft) -> None:
    """Continue with everything that no longer waits for an answer.

    The questions to an eliminated player lapse, and the strikes of the player are called off (I.B.5).
    """
    state = draft.state
    called_off = [abandoned for abandoned in state.strikes if abandoned.by in state.eliminated]
    for abandoned in called_off:
        draft.record(strikes.StrikeClosed(rule="I.B.5", strike=abandoned, reason="eliminated"))
        for question in [
            candidate for candidate in state.questions if candidate.about.get("strike") == abandoned.id
        ]:
            draft.record(questions.QuestionLapsed(rule="I.B.5", question=question, reason="eliminated"))
    for question in [abandoned for abandoned in state.questions if abandoned.seat in state.eliminated]:
        _lapse(draft, question, "eliminated")
    _continue_strikes(draft)


def _lapse(draft: Draft, question: Question, reason: str) -> None:
    QUESTIONS.lapse(draft, question, reason, rule="I.B.5" if reason == "eliminated" else None)


@chapter.action(
    summary=("answer what one is asked", "répondre à la question posée"),
    when=("while a question waits for one's answer, in or out of turn", "tant qu'une question attend sa réponse"),
)
class Answer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player answers a question while something happens, in or out of turn (II.D.2, IX.B.15)."""

    question: QuestionId
    answer: Annotated[str, Meta(min_length=1, max_length=100), of_kind("answer")]
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second answer. Then continue with everything waiting for the answer."""
        draft.draws.offer(self.draws)
        QUESTIONS.answer(draft, still_in(draft), self.question, self.answer, rule="II.D.2")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer every answer to every question to the player."""
        for question in state.questions:
            if question.seat == seat:
                for answer in options_of(state, question):
                    yield Choice({"question": question.id, "answer": answer})


# ----------------------------------------------------------------------------------------------
# The view
# ----------------------------------------------------------------------------------------------


def view(state: Negopoly, viewer: Viewer) -> dict[str, Any]:
    """Return the questions, strikes and secret services visible to the viewer (I.C.6)."""
    listed = []
    for question in state.questions:
        theirs = only(question.seat).admits(viewer)
        line: dict[str, Any] = {"id": question.id, "kind": question.kind, "seat": question.seat, "by": question.by}
        if theirs or not question.private:
            line["about"] = without_nulls(question.about)
        if theirs:
            line["answers"] = list(options_of(state, question))
        listed.append(line)
    return {
        "questions": listed,
        "strikes": [
            {
                "id": waiting.id,
                "kind": waiting.kind,
                "by": waiting.by,
                "titles": list(waiting.titles),
                "victims": list(waiting.victims),
            }
            for waiting in state.strikes
        ],
        "services": dict(sorted(state.services.items())),
    }
