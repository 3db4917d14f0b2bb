"""Actions due by time and not yet recorded: the game records them right before the next action."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.deciding.due import due
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.views import WarningView


class OverdueAction(msgspec.Struct, frozen=True):
    """An action of the system that time has made due, the seat that it concerns, and what it does."""

    kind: str
    text: str
    seat: str | UnsetType = UNSET


class Overdue(msgspec.Struct, frozen=True):
    """What time has made due, in order. Moves and refusals count with it already.

    `then` is the summary of the game after it (the round, whose turn it is). It is left out when the game is over
    then, because only its end tells how it ends.
    """

    actions: tuple[OverdueAction, ...]
    then: dict[str, Any] | UnsetType = UNSET


class LateAction(msgspec.Struct, frozen=True, array_like=True):
    """An action due by time, with its summary in English and French."""

    kind: str
    seat: str | None
    en: str
    fr: str

    @property
    def summary(self) -> Phrase:
        """The summary in both languages."""
        return Phrase(self.en, self.fr)


class Late(msgspec.Struct, frozen=True):
    """The actions due by time, in both languages. `then` as in `Overdue`, with None instead of UNSET."""

    actions: tuple[LateAction, ...]
    then: dict[str, Any] | None

    def view(self, language: str) -> Overdue:
        """Return the view in a language, "en" or "fr"."""
        actions = (
            OverdueAction(action.kind, action.summary.in_language(language), action.seat or UNSET)
            for action in self.actions
        )
        return Overdue(tuple(actions), UNSET if self.then is None else self.then)


def late(rulebook: Rulebook[Any], state: State, at: datetime) -> Late | None:
    """Return the actions due in a state at the time `at`, or None."""
    actions: list[LateAction] = []
    for request, decision in due(rulebook, state, at, None):
        summary = request.action.summary
        actions.append(LateAction(request.action.kind, request.seat, summary.en, summary.fr))
        state = decision.state
    if not actions:
        return None
    return Late(tuple(actions), None if state.ended else rulebook.screen.summary(state))


def warn_of_due(rulebook: Rulebook[Any], state: State, at: datetime, language: str) -> tuple[WarningView, ...]:
    """Warn of the actions due first in a corrected state, because time went on meanwhile."""
    due_actions = late(rulebook, state, at)
    if due_actions is None:
        return ()
    texts = ", ".join(action.text for action in due_actions.view(language).actions)
    rules = [rule for action in due_actions.actions for rule in rulebook.register.rules_of(action.kind)]
    text = Phrase(
        f"time is over, so the next action brings first: {texts}; more time is given by a ruling",
        f"le temps est passé : la prochaine action apporte d'abord : {texts} ; "
        "du temps s'accorde par une décision",
    )
    return (WarningView(next(iter(rules), ""), text.in_language(language)),)


def overdue(moment: Moment, at: datetime, language: str) -> Overdue | None:
    """Return the actions due at the time `at`, or None. An earlier moment of the game has none."""
    if not moment.at == moment.known_at == moment.version or moment.state is not moment.newest:
        return None
    due_actions = late(moment.rulebook, moment.newest, at)
    return None if due_actions is None else due_actions.view(language)


def stretch_of(moment: Moment, at: datetime) -> Literal["before", "after"] | None:
    """Return the side of all deadlines of the newest state: "before" or "after".

    None between deadlines, or if unknown. The due actions are constant within a stretch, with all their
    consequences (`Progress.deadlines`).
    """
    deadlines = moment.rulebook.progress.deadlines(moment.newest)
    if deadlines is None:
        return None
    if not deadlines or at < min(deadlines):
        return "before"
    return "after" if at > max(deadlines) else None


def present(moment: Moment, at: datetime) -> State:
    """Return the state for the next action, including the actions due by time."""
    state = moment.newest
    for _, decision in due(moment.rulebook, state, at, None):
        state = decision.state
    return state
