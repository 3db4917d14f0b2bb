"""VIII.B.6 and VIII.B.7. The Tank protects its user and crushes other players.

From the Tank's use to the end of the turn, squares do no harm to the user. Every chapter with a harmful square
calls `spares` first. `cards` asks the user whether to refuse a mandatory card.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import hospital
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play
from ledger.rulebooks.negopoly.table.terms import Strike

chapter = Chapter("VIII.B. The Tank")

TANK = "tank"

Harm = Literal["rent", "check", "card"]

_HARMS: dict[Harm, Phrase] = {
    "rent": Phrase("the rent", "le loyer"),
    "check": Phrase("the police check", "le contrôle de police"),
    "card": Phrase("the card", "la carte"),
}


@chapter.event
class TankSpared(Event, frozen=True, kw_only=True):
    """A Tank protects its user from the effect of a square (VIII.B.6)."""

    en: ClassVar[str] = "The Tank spares {seat:seat} {what.en} of {square:square}."
    fr: ClassVar[str] = "Le Tank épargne à {seat:seat} {what.fr} {square:de|square}."

    rule: str = "VIII.B.6"
    seat: str
    square: int
    harm: Harm

    @property
    def what(self) -> Phrase:
        """The effect of the square, in English and French."""
        return _HARMS[self.harm]


def protects(state: Negopoly, seat: str) -> bool:
    """Return True if the seat is in a Tank, used in the seat's present turn (VIII.B.6)."""
    return state.turn is not None and state.turn.seat == seat and TANK in state.turn.vehicles


def spares(draft: Draft, seat: str, harm: Harm) -> bool:
    """Return True if the seat's Tank prevents the harm. If so, record the protection (VIII.B.6)."""
    if not protects(draft.state, seat):
        return False
    draft.record(TankSpared(seat=seat, square=draft.state.positions[seat], harm=harm))
    return True


def crush(draft: Draft, seat: str, square: int) -> None:
    """Send the other players on the Tank's last square to Hôpital (VIII.B.7). Do nothing on Hôpital itself."""
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
    """Send the victims without a security team to Hôpital, if still on the square."""
    for victim in strike.victims:
        if draft.state.positions[victim] == strike.about["square"]:
            hospital.admit(draft, victim, cause="tank", rule=strike.rule)
