"""Turns to miss, and throws gained, by cards and squares."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite

chapter = Chapter("Turns missed and throws gained")


@chapter.event
class TurnsForfeited(Event, frozen=True, kw_only=True):
    """A player will miss turns."""

    en: ClassVar[str] = "{seat:seat} misses turns to come: {turns}."
    fr: ClassVar[str] = "{seat:seat} passera des tours : {turns}."

    seat: str
    turns: int

    def apply(self, state: Monopoly) -> None:
        """Add the turns to the turns to miss."""
        state.missing[self.seat] = state.missing.get(self.seat, 0) + self.turns


@chapter.event
class TurnMissed(Event, frozen=True, kw_only=True):
    """A player misses a turn."""

    en: ClassVar[str] = "{seat:seat} misses a turn (round {round})."
    fr: ClassVar[str] = "{seat:seat} passe un tour (tour de table {round})."

    seat: str
    round: int

    def apply(self, state: Monopoly) -> None:
        """Take one from the turns to miss."""
        state.round = self.round
        remaining = state.missing.pop(self.seat, 0) - 1
        if remaining > 0:
            state.missing[self.seat] = remaining


@chapter.event
class ThrowGranted(Event, frozen=True, kw_only=True):
    """A player on turn may throw once more."""

    en: ClassVar[str] = "{seat:seat} throws again."
    fr: ClassVar[str] = "{seat:seat} relance les dés."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Have the player throw again."""
        if state.turn == self.seat and self.seat not in state.jailed:
            state.must_throw = True


def forfeit(draft: Draft, seat: str, turns: int) -> None:
    """Have a player miss turns."""
    draft.record(TurnsForfeited(rule=cite(draft.state, "miss"), seat=seat, turns=turns))


def misses(draft: Draft, seat: str, round_: int) -> bool:
    """Record a turn to miss. Return True if the seat misses the turn."""
    if not draft.state.missing.get(seat):
        return False
    draft.record(TurnMissed(rule=cite(draft.state, "miss"), seat=seat, round=round_))
    return True


def grant(draft: Draft, seat: str) -> None:
    """Let a player on turn throw again."""
    if draft.state.turn == seat:
        draft.record(ThrowGranted(rule=cite(draft.state, "again"), seat=seat))
