"""What time has made due in a game and nobody has recorded yet: it comes right before the next action."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.deciding.due import due
from ledger.kernel.facts.state import State
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
    """An action that time has made due, with what it does in English and French."""

    kind: str
    seat: str | None
    en: str
    fr: str


class Late(msgspec.Struct, frozen=True):
    """What time has made due, in both languages. `then` as in `Overdue`; None when it is left out there."""

    actions: tuple[LateAction, ...]
    then: dict[str, Any] | None

    def told(self, language: str) -> Overdue:
        """The same in one language, "en" or "fr"."""
        actions = (
            OverdueAction(one.kind, one.fr if language == "fr" else one.en, one.seat or UNSET)
            for one in self.actions
        )
        return Overdue(tuple(actions), UNSET if self.then is None else self.then)


def late(rulebook: Rulebook[Any], state: State, at: datetime) -> Late | None:
    """What time has made due in a state at a time; None for nothing."""
    actions: list[LateAction] = []
    for request, decision in due(rulebook, state, at, None):
        en, fr = request.action.summary
        actions.append(LateAction(request.action.kind, request.seat, en, fr))
        state = decision.state
    if not actions:
        return None
    return Late(tuple(actions), None if state.ended else rulebook.summary(state))


def forewarned(rulebook: Rulebook[Any], state: State, at: datetime, language: str) -> tuple[WarningView, ...]:
    """What the next action brings first in a state that a correction would lead to: time went on meanwhile."""
    found = late(rulebook, state, at)
    if found is None:
        return ()
    texts = ", ".join(one.text for one in found.told(language).actions)
    rules = [rule for one in found.actions for rule in rulebook.register.rules_of(one.kind)]
    text = (
        f"le temps est passé : la prochaine action apporte d'abord : {texts} ; du temps s'accorde par une décision"
        if language == "fr"
        else f"time is over, so the next action brings first: {texts}; more time is given by a ruling"
    )
    return (WarningView(next(iter(rules), ""), text),)


def overdue(moment: Moment, at: datetime, language: str) -> Overdue | None:
    """What is due at a time; None for nothing, and at an earlier moment of the game."""
    if not moment.at == moment.known_at == moment.version or moment.state is not moment.now:
        return None
    found = late(moment.rulebook, moment.now, at)
    return None if found is None else found.told(language)


def stretch_of(moment: Moment, at: datetime) -> Literal["before", "after"] | None:
    """Whether a time is before all deadlines of the newest state, or after them; None between, or if unknown.

    What is due is the same at all times of a stretch, and so is everything that follows from it
    (`Rulebook.deadlines`).
    """
    deadlines = moment.rulebook.deadlines(moment.now)
    if deadlines is None:
        return None
    if not deadlines or at < min(deadlines):
        return "before"
    return "after" if at > max(deadlines) else None


def present(moment: Moment, at: datetime) -> State:
    """The state that the next action would meet, including what is due by time."""
    state = moment.now
    for _, decision in due(moment.rulebook, state, at, None):
        state = decision.state
    return state
