"""V.E. Complete quarters: whose ability is active, and what everybody asks of it.

An ability is a function of the state: all titles of the colour in one hand, none mortgaged (V.E.2). What it does
is in `neighbourhoods` (Marron, Cyan, Rose), `chance_choice` (Rouge), `police_orders` (Orange), `remote_property`
and `quarter_teleport` (Bleu foncé), and where vehicles and weapons are sold (Vert, Jaune).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn, is_mortgaged
from ledger.rulebooks.parts import titles

chapter = Chapter("V.E. Quarters")

Quarter = Literal["marron", "cyan", "rose", "vert", "rouge", "jaune", "orange", "bleu_fonce"]

QUARTERS: dict[str, tuple[str, ...]] = {}
"""The titles of each quarter, quarters and titles in the order of the board (V.E.1)."""
for _title in TITLES.values():
    QUARTERS[_title.quarter] = (*QUARTERS.get(_title.quarter, ()), _title.id)

NAMES: dict[str, str] = {quarter: quarter.capitalize() for quarter in QUARTERS} | {"bleu_fonce": "Bleu foncé"}
"""The quarters as the document names them."""


def has_ability(state: Negopoly, seat: str, quarter: Quarter) -> bool:
    """Whether the seat's quarter is complete and none of it mortgaged, so that its ability is active (V.E.2).

    Squatters switch off only what depends on their own square, which whoever asks about that square looks at.
    """
    return _missing(state, seat, quarter) is None


def holder_of(state: Negopoly, quarter: str) -> str | None:
    """The seat whose ability of this quarter is active, None when nobody's is (V.E.1, V.E.2)."""
    return titles.holder_of(state, QUARTERS[quarter], lambda title: is_mortgaged(state, title))


def came_late(state: Negopoly, quarter: Quarter) -> bool:
    """Whether the quarter was completed after the player whose turn it is had stopped: it does not touch the stop.

    An ability begins with the event that completes its quarter, and a landing before that was none on it (V.E.1).
    """
    return state.turn is not None and quarter in state.turn.completed


def _missing(state: Negopoly, seat: str, quarter: str) -> str | None:
    """The first title of the quarter that the seat does not own, or has mortgaged; None when there is none."""
    return titles.missing_of(state, seat, QUARTERS[quarter], lambda title: is_mortgaged(state, title))


@chapter.event
class QuarterGained(Event, frozen=True, kw_only=True):
    """A quarter is complete and free of mortgages: its owner has its ability from here on (V.E.1)."""

    en: ClassVar[str] = "{seat:seat} holds the whole of {quarter:quarter}: its ability is active."
    fr: ClassVar[str] = "{seat:seat} tient tout le quartier {quarter:quarter} : sa capacité est active."

    rule: str = "V.E.1"
    seat: str
    quarter: str

    def apply(self, state: Negopoly) -> None:
        """It has been said, and comes too late for whoever has already stopped somewhere."""
        state.quarters[self.quarter] = self.seat
        if state.turn is not None and state.turn.stop is not None:
            change_turn(state, completed=(*state.turn.completed, self.quarter))


@chapter.event
class QuarterLost(Event, frozen=True, kw_only=True):
    """A title of the quarter was sold, bought back, mortgaged or reset: the ability is off (V.E.2).

    `title` is the first one that is missing or mortgaged.
    """

    en: ClassVar[str] = "{seat:seat} loses the ability of {quarter:quarter} with {title:title}."
    fr: ClassVar[str] = "{seat:seat} perd la capacité du quartier {quarter:quarter} avec {title:title}."

    rule: str = "V.E.2"
    seat: str
    quarter: str
    title: str

    def apply(self, state: Negopoly) -> None:
        """It has been said. What the holder of Orange has told the police holds no longer (V.E.17)."""
        state.quarters.pop(self.quarter, None)
        if self.quarter == "orange":
            state.police_orders = set()


def announce(draft: Draft) -> None:
    """Say which abilities have become active, or have ended, by what the action has done (V.E.1, V.E.2)."""
    state = draft.state
    if not any(_may_change_quarters(event) for event in draft.events):
        return
    for quarter in QUARTERS:
        told, holder = state.quarters.get(quarter), holder_of(state, quarter)
        if told == holder:
            continue
        if told is not None and (missing := _missing(state, told, quarter)) is not None:
            draft.record(QuarterLost(seat=told, quarter=quarter, title=missing))
        if holder is not None:
            draft.record(QuarterGained(seat=holder, quarter=quarter))


def _may_change_quarters(event: Event) -> bool:
    """Whether titles or mortgages have moved, or the past has been corrected."""
    return bool(event.amends()) or any(
        posting.commodity == "mortgage" or posting.commodity.startswith("title:") for posting in event.postings
    )
