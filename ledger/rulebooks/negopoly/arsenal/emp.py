"""IX.C.24 to IX.C.27. Using a Bombe IEM. The effects are in `disruption`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import weapons
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly

chapter = Chapter("IX.C. Bombe IEM: use")

BOMB = "bombe_iem"


@chapter.event
class BombTriggered(weapons.Use, frozen=True, kw_only=True):
    """A player uses a Bombe IEM: squares, remote actions, private talks and charges go off (IX.C.24 to 27)."""

    en: ClassVar[str] = "{seat:seat} sets off a Bombe IEM: the whole board is disabled."
    fr: ClassVar[str] = "{seat:seat} déclenche une Bombe IEM : tout le plateau est désactivé."

    rule: str = "IX.C.24"

    def apply(self, state: Negopoly) -> None:
        """Start the bomb's effect, also while another bomb is active."""
        super().apply(state)
        state.blackouts.add(self.seat)


@chapter.action(
    summary=("set off a Bombe IEM", "déclencher une Bombe IEM"),
    when=(
        "in your own turn, after the roll, as its one weapon",
        "pendant son tour, après le lancer, comme seule arme",
    ),
)
class UseEmp(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with a Bombe IEM disables the board until their next turn, or as set by the table (IX.C.24)."""

    def decide(self, draft: Draft) -> None:
        """Use the bomb. Nothing stops a bomb, and forbidden meetings end at once (IV.C.2)."""
        weapons.take_up(draft, BOMB, on_the_way=True)
        weapons.in_hand(draft, BOMB)
        draft.record(BombTriggered(seat=draft.seat, use=BOMB, postings=(weapons.spent(draft, BOMB),)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action to a player with a bomb."""
        return (Choice({}),) if weapons.armed(state, seat, BOMB) else ()
