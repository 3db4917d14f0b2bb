"""The landing square decides the business of the turn: a demand stays open until done."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec import UNSET, UnsetType

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.pieces import Effects, Square
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, pieces
from ledger.rulebooks.monopoly.table.terms import Landing

chapter = Chapter("What a square asks")


@chapter.event
class LandingOpened(Event, frozen=True, kw_only=True):
    """A player must do what the square asks before anything else of the turn."""

    en: ClassVar[str] = "{seat:seat} stops on {square:square}: {todo:todo}."
    fr: ClassVar[str] = "{seat:seat} s'arrête sur {square:square} : {todo:todo}."

    landing: Landing

    @property
    def seat(self) -> str:
        """The player on the square."""
        return self.landing.seat

    @property
    def square(self) -> int:
        """The number of the square."""
        return self.landing.square

    @property
    def todo(self) -> str:
        """The demand of the square."""
        return self.landing.todo

    def apply(self, state: Monopoly) -> None:
        """Keep the demand open until done."""
        state.landing = self.landing


def open_landing(draft: Draft, landing: Landing) -> None:
    """Record the demand of a square."""
    square = pieces(draft.state).squares[landing.square]
    draft.record(LandingOpened(rule=cite(draft.state, "landing", square), landing=landing))


def square_under(state: Monopoly, seat: str) -> Square:
    """Return the square under a seat's token."""
    return pieces(state).squares[state.positions[seat]]


# ----------------------------------------------------------------------------------------------
# Squares with effects
# ----------------------------------------------------------------------------------------------

Obeys = Callable[[Draft, str, Square, Effects], None]
"""Carries out the effects of a square for a seat."""

_obeys: list[Obeys] = []


def obeys(carry_out: Obeys) -> Obeys:
    """Declare the function for the effects of squares: the room of effects is a later room."""
    _obeys.append(carry_out)
    return carry_out


def obey(draft: Draft, seat: str, square: Square, effects: Effects | UnsetType) -> None:
    """Carry out the effects of a square, if any."""
    if effects is not UNSET:
        for carry_out in _obeys:
            carry_out(draft, seat, square, effects)
