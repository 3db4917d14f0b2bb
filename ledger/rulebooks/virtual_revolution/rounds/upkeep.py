"""The upkeep: Verses and Agents change, boards are cleared, and the next round begins (vr:upkeep.*)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.decks import decking
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, directors_of
from ledger.rulebooks.virtual_revolution.table.terms import AGENTS, Drawn, director, slot, spot
from ledger.rulebooks.virtual_revolution.turn import turns

chapter = Chapter("Upkeep")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class UpkeepDue(Event, frozen=True, kw_only=True):
    """The next round can be prepared (vr:round.1)."""

    en: ClassVar[str] = "The upkeep follows."
    fr: ClassVar[str] = "Place à l'entretien."

    rule: str = "vr:round.1"

    def apply(self, state: VirtualRevolution) -> None:
        """Start the upkeep stage; the cards are still to be drawn."""
        state.stage = "upkeep"


@chapter.event
class OffersCleared(Event, frozen=True, kw_only=True):
    """Agents that nobody has recruited are discarded, with their Location tokens taken back (vr:upkeep.2)."""

    en: ClassVar[str] = "Not recruited, and discarded: {agents:each|card}."
    fr: ClassVar[str] = "Non recrutés, et défaussés : {agents:each|card}."

    rule: str = "vr:upkeep.2"
    agents: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Clear the offers."""
        state.offers = {}


@chapter.event
class DirectorsBack(Event, frozen=True, kw_only=True):
    """All Directors return to their owners' boards (vr:upkeep.4)."""

    en: ClassVar[str] = "All Directors return to their boards."
    fr: ClassVar[str] = "Tous les Directeurs reviennent sur leurs plateaux."

    rule: str = "vr:upkeep.4"


@chapter.event
class AllUpright(Event, frozen=True, kw_only=True):
    """Used Agents in service and used Titles are set upright (vr:upkeep.5)."""

    en: ClassVar[str] = "Used Agents and Titles are set upright."
    fr: ClassVar[str] = "Les Agents et Titres utilisés sont redressés."

    rule: str = "vr:upkeep.5"

    def apply(self, state: VirtualRevolution) -> None:
        """Set all Agents and Titles upright."""
        state.tilted = frozenset()


@chapter.event
class MarkersOff(Event, frozen=True, kw_only=True):
    """Necro markers of the round just ended come off the boards (vr:upkeep.6)."""

    en: ClassVar[str] = "The Necro markers of round {round} come off the boards."
    fr: ClassVar[str] = "Les marqueurs Nécro de la manche {round} quittent les plateaux."

    rule: str = "vr:upkeep.6"
    round: int

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the markers of the round; markers of the next round stay."""
        state.changed = tuple(change for change in state.changed if change.round > self.round)


# ----------------------------------------------------------------------------------------------
# The action
# ----------------------------------------------------------------------------------------------


@chapter.action(
    by=("banker", "system"),
    summary=("do the upkeep", "faire l'entretien"),
    when=("after the income of a round", "après les Revenus d'une manche"),
)
class Upkeep(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Do the upkeep and begin the next round (vr:upkeep.1 to vr:upkeep.7)."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Change Verses, then Agents, then clear the boards, and begin the next round."""
        state = draft.state
        if state.stage != "upkeep":
            raise Impossible("vr:round.1", "no upkeep is due", "aucun entretien n'est à faire")
        draft.draws.offer(self.drawn)
        last = next((verse for verse in reversed(state.display) if verse), None)
        decking.replace_verses(draft, None, () if last is None else (last,), rule="vr:upkeep.1")
        _change_agents(draft)
        _clear_boards(draft)
        turns.begin_round(draft, state.round + 1)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the upkeep if due."""
        return (Choice({}),) if state.stage == "upkeep" else ()


def _change_agents(draft: Draft) -> None:
    """Discard the Agents on offer and turn up new Agents, as far as the decks go (vr:upkeep.2, vr:upkeep.3)."""
    offers = sorted(draft.state.offers.values(), key=lambda offer: offer.slot)
    if offers:
        gone = tuple(
            Posting(decks.commodity(offer.agent), 1, slot(offer.slot), decks.discards(AGENTS)) for offer in offers
        )
        draft.record(OffersCleared(agents=tuple(offer.agent for offer in offers), postings=gone))
    decking.reveal_agents(draft, rule="vr:upkeep.2")


def _clear_boards(draft: Draft) -> None:
    """Return the Directors, set cards upright, and remove the markers of this round."""
    state = draft.state
    placed = [(seat, area) for seat in state.order for area in directors_of(state, seat)]
    if placed:
        moved = tuple(Posting(director(seat), 1, spot(area), player(seat)) for seat, area in placed)
        draft.record(DirectorsBack(postings=moved))
    if state.tilted:
        draft.record(AllUpright())
    if any(change.round <= state.round for change in state.changed):
        draft.record(MarkersOff(round=state.round))
