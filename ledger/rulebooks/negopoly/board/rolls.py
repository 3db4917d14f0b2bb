"""II.B.5. The effect of cards and weather on a dice total, before the drug die and a vehicle."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn

chapter = Chapter("II.B. Dice totals")


@chapter.event
class TotalChanged(Event, frozen=True, kw_only=True):
    """Cards and weather change the dice total, never below 0 (II.B.5)."""

    en: ClassVar[str] = "{seat:seat}'s dice total of {dice} counts for {total} (cards {signed}, weather)."
    fr: ClassVar[str] = "Le total des dés {seat:de|seat} ({dice}) compte pour {total} (cartes {signed}, météo)."

    rule: str = "II.B.5"
    seat: str
    dice: int
    """The sum of the dice."""
    cards: int
    """Number added by cards."""
    total: int

    @property
    def signed(self) -> str:
        """The number added by cards, with a sign."""
        return f"{self.cards:+d}"

    def apply(self, state: Negopoly) -> None:
        """Remove the roll changes of cards, now used."""
        state.roll_changes.pop(self.seat, None)
        change_turn(state, roll_change=0)


def total(draft: Draft, seat: str, dice: tuple[int, ...]) -> int:
    """Return the current player's dice total after cards and weather (II.B.5), recording a change."""
    state = draft.state
    thrown = sum(dice)
    turn_change = 0 if state.turn is None else state.turn.roll_change
    cards = turn_change + state.roll_changes.get(seat, 0)
    counted = weather.modified(state, "roll_total", thrown + cards, collects="player")
    if counted != thrown or cards or seat in state.roll_changes:
        draft.record(TotalChanged(seat=seat, dice=thrown, cards=cards, total=counted))
    return counted
