"""VIII.B.6 and VIII.B.7. The Tank: what it spares its user, and whom it crushes.

From its activation to the end of the turn the squares do its user no harm. Every chapter whose square would, asks
`spares` first; whether a compulsory card is refused is asked of the user (`cards`).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import hospital
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play
from ledger.rulebooks.negopoly.table.terms import Strike

chapter = Chapter("VIII.B. The Tank")

TANK = "tank"

Harm = Literal["rent", "check", "card"]

_HARMS: dict[Harm, tuple[str, str]] = {
    "rent": ("the rent", "le loyer"),
    "check": ("the police check", "le contrôle de police"),
    "card": ("the card", "la carte"),
}


@chapter.event
class TankSpared(Event, frozen=True, kw_only=True):
    """A square would have done the user of a Tank some harm, and does not (VIII.B.6)."""

    en: ClassVar[str] = "The Tank spares {seat:seat} {what[0]} of {square:square}."
    fr: ClassVar[str] = "Le Tank épargne à {seat:seat} {what[1]} de {square:square}."

    rule: str = "VIII.B.6"
    seat: str
    square: int
    harm: Harm

    @property
    def what(self) -> tuple[str, str]:
        """What the square would have done, in English and French."""
        return _HARMS[self.harm]


def protects(state: Negopoly, seat: str) -> bool:
    """Whether the seat is in a Tank: in its own turn, once it has used one (VIII.B.6)."""
    return state.turn is not None and state.turn.seat == seat and TANK in state.turn.vehicles


def spares(draft: Draft, seat: str, harm: Harm) -> bool:
    """Whether the seat's Tank keeps this harm of its square away, which is recorded then (VIII.B.6)."""
    if not protects(draft.state, seat):
        return False
    draft.record(TankSpared(seat=seat, square=draft.state.positions[seat], harm=harm))
    return True


def crush(draft: Draft, seat: str, square: int) -> None:
    """Send everybody else who stands where a Tank ends its move to Hôpital (VIII.B.7); there, nothing changes."""
    state = draft.state
    if state.board[square].kind == "hopital":
        return
    crushed = tuple(other for other in in_play(state) if other != seat and state.positions[other] == square)
    if crushed:
        reactions.strike(
            draft, Strike(kind=TANK, by=seat, rule="VIII.B.7", victims=crushed, about={"square": square})
        )


@reactions.carries_out(TANK)
def _crush(draft: Draft, strike: Strike) -> None:
    """Those who are still there and whom no security team has saved."""
    for victim in strike.victims:
        if draft.state.positions[victim] == strike.about["square"]:
            hospital.admit(draft, victim, cause="tank", rule=strike.rule)
