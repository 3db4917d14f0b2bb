"""Between the raids and the Necro card: Verses with a mission fulfilled by a raid may go online (vr:verse.11)."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, verses_of

chapter = Chapter("After the raids")


@chapter.event
class MissionsOpened(Event, frozen=True, kw_only=True):
    """Owners of Verses whose mission a raid has fulfilled may turn them online before the attack (vr:verse.11)."""

    en: ClassVar[str] = "Before the Necro card is turned up, {seats:seats} may put a Verse online."
    fr: ClassVar[str] = "Avant que la carte Nécro soit révélée, Verse à mettre Online : {seats:seats}."

    rule: str = "vr:verse.11"
    seats: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Let the Necro card wait for the seats."""
        state.stage, state.waiting = "missions", self.seats


@chapter.event
class MissionsAnswered(Event, frozen=True, kw_only=True):
    """A player has no Verse left to put online after a raid, or leaves it in Loading (vr:verse.11)."""

    en: ClassVar[str] = "{seat:seat} puts no other Verse online now."
    fr: ClassVar[str] = "{seat:seat} ne met pas d'autre Verse Online maintenant."

    rule: str = "vr:verse.11"
    seat: str

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the player from the waiting seats."""
        state.waiting = tuple(seat for seat in state.waiting if seat != self.seat)


def missions_answered(draft: Draft, seat: str) -> None:
    """Record the end of a player's Verses after a raid."""
    draft.record(MissionsAnswered(seat=seat))


def open_missions(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the Verses of a seat in Loading with a mission fulfilled by a raid."""
    return [verse for verse in verses_of(state, seat) if verse in state.raided and verse not in state.online]
