"""IX.B.10 and IX.B.11.

Hacks: at the buyer's next arrest another player is arrested. Hacks are bought in `services`.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.mercenaries.strikes import disclose
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly
from ledger.rulebooks.negopoly.table.terms import USED, player
from ledger.rulebooks.parts.readers import Revealing

chapter = Chapter("IX.B.10–11. Hacks")

HACK = "hack"


@chapter.event
class HackFired(Revealing, frozen=True, kw_only=True):  # only the buyer knew about the hack (I.C.6)
    """The arrest of a player who has bought a hack hits the hack's target instead, once (IX.B.10, IX.B.11)."""

    # Not redacted, but left out, as without a hack: a dry run must not reveal the player to be arrested.

    en: ClassVar[str] = "{seat:seat} has hacked {target:seat}, who is arrested instead."
    fr: ClassVar[str] = "{seat:seat} a volé l'identité {target:de|seat}, qui subit l'arrestation à sa place."

    rule: str = "IX.B.10"
    seat: str
    target: str

    def apply(self, state: Negopoly) -> None:
        """Remove the hack, and count one secret service of the buyer fewer."""
        state.require_part((self.seat, self.target) in state.hacks)
        state.hacks.remove((self.seat, self.target))
        disclose(state, self.seat)


def divert(draft: Draft, seat: str) -> str | None:
    """Use the oldest hack of a player who is being arrested; return the target, or None without a hack.

    A hack with an eliminated target diverts nothing and is kept (IX.B.10, IX.B.11). A hack that a ruling has taken
    away diverts nothing either.
    """
    if not draft.state.holdings.of(player(seat), HACK):
        return None
    for buyer, target in draft.state.hacks:
        if buyer == seat and target not in draft.state.eliminated:
            draft.record(HackFired(seat=seat, target=target, postings=(Posting(HACK, 1, player(seat), USED),)))
            return target
    return None
