"""V.E. Complete quarters: the holders of the active abilities.

An ability is a function of the state: a player owns all titles of the color, without a mortgage (V.E.2). The
abilities are in `neighbourhoods` (Marron, Cyan, Rose), `chance_choice` (Rouge), `police_orders` (Orange),
`remote_property` and `quarter_teleport` (Bleu foncé), and in the shops of vehicles and weapons (Vert, Jaune).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
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
"""The names of the quarters in the document."""


def has_ability(state: Negopoly, seat: str, quarter: Quarter) -> bool:
    """Return True if the seat's ability is active: the quarter is complete and free of mortgages (V.E.2).

    Squatters affect only the squatted square; the chapter of the square checks for squatters.
    """
    return _missing(state, seat, quarter) is None


def holder_of(state: Negopoly, quarter: str) -> str | None:
    """Return the seat with the active ability of the quarter, or None (V.E.1, V.E.2)."""
    return titles.holder_of(state, QUARTERS[quarter], lambda title: is_mortgaged(state, title))


def holders(state: Negopoly, owners: Mapping[str, str]) -> dict[str, str]:
    """Return the holder of each held quarter, as `holder_of` would with the given owners of titles."""
    by_quarter: dict[str, str] = {}
    for quarter, group in QUARTERS.items():
        owner = owners.get(group[0])
        if owner is not None and all(
            owners.get(title) == owner and not is_mortgaged(state, title) for title in group
        ):
            by_quarter[quarter] = owner
    return by_quarter


def came_late(state: Negopoly, quarter: Quarter) -> bool:
    """Return True if the quarter was completed after the stop of the current turn, and so does not affect it.

    An ability starts with the event that completes the quarter (V.E.1).
    """
    return state.turn is not None and quarter in state.turn.completed


def _missing(state: Negopoly, seat: str, quarter: str) -> str | None:
    """Return the first title of the quarter mortgaged or outside the seat's ownership, or None."""
    return titles.missing_of(state, seat, QUARTERS[quarter], lambda title: is_mortgaged(state, title))


@chapter.event
class QuarterGained(Event, frozen=True, kw_only=True):
    """A player completes a quarter without mortgages: its ability becomes active (V.E.1)."""

    en: ClassVar[str] = "{seat:seat} holds the whole of {quarter:quarter}: its ability is active."
    fr: ClassVar[str] = "{seat:seat} tient tout le quartier {quarter:quarter} : sa capacité est active."

    rule: str = "V.E.1"
    seat: str
    quarter: str

    def apply(self, state: Negopoly) -> None:
        """Store the holder. The ability does not affect a stop already made in the current turn."""
        state.quarters[self.quarter] = self.seat
        if state.turn is not None and state.turn.stop is not None:
            change_turn(state, completed=(*state.turn.completed, self.quarter))


@chapter.event
class QuarterLost(Event, frozen=True, kw_only=True):
    """A player loses a quarter's ability: a title was sold, bought back, mortgaged or reset (V.E.2).

    `title` is the first one that is missing or mortgaged.
    """

    en: ClassVar[str] = "{seat:seat} loses the ability of {quarter:quarter} with {title:title}."
    fr: ClassVar[str] = "{seat:seat} perd la capacité du quartier {quarter:quarter} avec {title:title}."

    rule: str = "V.E.2"
    seat: str
    quarter: str
    title: str

    def apply(self, state: Negopoly) -> None:
        """Remove the holder. The loss of Orange ends the instructions to the police (V.E.17)."""
        state.quarters.pop(self.quarter, None)
        if self.quarter == "orange":
            state.police_orders = set()


def announce(draft: Draft) -> None:
    """Record the abilities activated or ended by the action (V.E.1, V.E.2)."""
    state = draft.state
    if not any(_may_change_quarters(event) for event in draft.events):
        return
    for quarter in QUARTERS:
        previous, holder = state.quarters.get(quarter), holder_of(state, quarter)
        if previous == holder:
            continue
        if previous is not None and (missing := _missing(state, previous, quarter)) is not None:
            draft.record(QuarterLost(seat=previous, quarter=quarter, title=missing))
        if holder is not None:
            draft.record(QuarterGained(seat=holder, quarter=quarter))


def _may_change_quarters(event: Event) -> bool:
    """Return True if the event moves titles or mortgages, or corrects the history."""
    return bool(event.amends()) or any(
        posting.commodity == "mortgage" or posting.commodity.startswith("title:") for posting in event.postings
    )
