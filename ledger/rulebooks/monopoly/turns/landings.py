"""The landing square decides what follows: what it asks is open until it is done."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.pieces import Square
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
        """Who has stopped there."""
        return self.landing.seat

    @property
    def square(self) -> int:
        """The number of the square."""
        return self.landing.square

    @property
    def todo(self) -> str:
        """What it asks."""
        return self.landing.todo

    def apply(self, state: Monopoly) -> None:
        """It stays open until it is done."""
        state.landing = self.landing


def open_landing(draft: Draft, landing: Landing) -> None:
    """Record what a square asks."""
    square = pieces(draft.state).squares[landing.square]
    draft.record(LandingOpened(rule=cite(draft.state, "landing", square), landing=landing))


def square_under(state: Monopoly, seat: str) -> Square:
    """The square on which a token stands."""
    return pieces(state).squares[state.positions[seat]]
