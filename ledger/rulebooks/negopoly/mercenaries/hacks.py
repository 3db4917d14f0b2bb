"""IX.B.10 and IX.B.11. Hacks: at the buyer's next arrest somebody else is arrested. Bought in `mercenaries`."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.accounts import Posting
from ledger.kernel.audience import EVERYONE, Audience, Viewer
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.mercenaries.strikes import disclose
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly
from ledger.rulebooks.negopoly.table.terms import USED, player

chapter = Chapter("IX.B.10–11. Hacks")

HACK = "hack"


@chapter.event
class HackFired(Event, frozen=True, kw_only=True):
    """The arrest of a player who has bought a hack falls on its target, once (IX.B.10, IX.B.11)."""

    en: ClassVar[str] = "{seat:seat} has hacked {target:seat}, who is arrested instead."
    fr: ClassVar[str] = "{seat:seat} a volé l'identité {target:de|seat}, qui subit l'arrestation à sa place."

    rule: str = "IX.B.10"
    seat: str
    target: str

    def reveals(self) -> Audience:
        """Nobody but the buyer knew of it (I.C.6)."""
        return EVERYONE

    def redacted(self, viewer: Viewer) -> Event | None:
        """Nothing, as of an arrest that no hack diverts: whoever only asks is not told whom it would be."""
        return None

    def apply(self, state: Negopoly) -> None:
        """It is spent; one secret service fewer."""
        state.hacks.remove((self.seat, self.target))
        disclose(state, self.seat)


def divert(draft: Draft, seat: str) -> str | None:
    """Fire the oldest hack of a player who is being arrested; gives who is arrested instead, if anybody.

    A hack whose target is out of the game diverts nothing, and is not spent (IX.B.10, IX.B.11); one that a ruling
    has taken away diverts nothing either.
    """
    if not draft.state.holdings.of(player(seat), HACK):
        return None
    for buyer, target in draft.state.hacks:
        if buyer == seat and target not in draft.state.eliminated:
            draft.record(HackFired(seat=seat, target=target, postings=(Posting(HACK, 1, player(seat), USED),)))
            return target
    return None
