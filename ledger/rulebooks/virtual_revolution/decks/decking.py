"""All decks: Agents, Locations and Necro cards here; Corruption cards and Verses from separate modules."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.readers import Learnt, Revealing
from ledger.rulebooks.virtual_revolution.decks import piles
from ledger.rulebooks.virtual_revolution.decks.corruption import (
    demand,
    discard,
    discard_all,
    discard_at_random,
    discard_of_choice,
    draw_corruption,
    give,
    require_in_hand,
)
from ledger.rulebooks.virtual_revolution.decks.verse_display import (
    discard_verse,
    put_under,
    refill,
    replace_verses,
    take_verse,
    turns_online,
)
from ledger.rulebooks.virtual_revolution.table.pieces import place_of
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, amounts
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS,
    AGENTS_1,
    AGENTS_2,
    GONE,
    LOCATIONS,
    NECRO,
    NECRO_END,
    SHOWN_NECRO,
    Offered,
    slot,
)
from ledger.rulebooks.virtual_revolution.table.veils import veiled

__all__ = [
    "demand",
    "discard",
    "discard_all",
    "discard_at_random",
    "discard_of_choice",
    "discard_verse",
    "draw_agents",
    "draw_corruption",
    "draw_location",
    "give",
    "next_necro",
    "peek_necro",
    "put_under",
    "refill",
    "replace_verses",
    "require_in_hand",
    "reveal_agents",
    "take_verse",
    "turns_online",
]

AGENT_DECKS = (AGENTS_1, AGENTS_2)

chapter = Chapter("Agents, Locations and Necro cards")


class _TurnedUp(Revealing, frozen=True, kw_only=True):
    """A card is turned up. A dry run hides the card."""

    card: str | None

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card; the turning up is public."""
        return replace(self, card=None, postings=veiled(self.postings))


# ----------------------------------------------------------------------------------------------
# Agents and Locations
# ----------------------------------------------------------------------------------------------


@chapter.event
class AgentRevealed(_TurnedUp, frozen=True, kw_only=True):
    """An Agent is turned up on a slot (vr:setup.19)."""

    en: ClassVar[str] = "Slot {slot}: {card:card}."
    fr: ClassVar[str] = "Emplacement {slot} : {card:card}."

    slot: int

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the Agent from the known tops of the decks; no arrondissement is drawn yet."""
        for deck in AGENT_DECKS:
            piles.leave(state, deck, (self.card,))


@chapter.event
class LocationDrawn(_TurnedUp, frozen=True, kw_only=True):
    """A Location card says where the Agent of a slot can be recruited, and leaves the game (vr:setup.20, 21).

    The first player's card names no place: the Agent is intercepted (vr:setup.22).
    """

    label: ClassVar[Phrase] = Phrase("Where an Agent is", "Où se trouve un Agent")
    en: ClassVar[str] = "{agent:card}: {card:location}."
    fr: ClassVar[str] = "{agent:card} : {card:location}."

    agent: str
    slot: int

    def apply(self, state: VirtualRevolution) -> None:
        """Put the Agent on offer in the arrondissement, unless it is intercepted."""
        area = None if self.card is None else place_of(self.card)
        if area is not None:
            state.offers[self.agent] = Offered(agent=self.agent, slot=self.slot, place=area)
        piles.leave(state, LOCATIONS, (self.card,))

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card and the Agent; the draw of a Location is public."""
        return replace(self, rule="vr:setup.20", agent="", card=None, postings=veiled(self.postings[:1]))


def draw_agents(draft: Draft, count: int) -> list[str]:
    """Draw the next Agents of the deck, at most all remaining: level 1 comes before level 2 (vr:setup.17)."""
    first = piles.draw(draft, AGENTS_1, count)
    return first + (piles.draw(draft, AGENTS_2, count - len(first)) if len(first) < count else [])


def draw_location(draft: Draft) -> str | None:
    """Draw the next Location card; None from an empty deck."""
    return next(iter(piles.draw(draft, LOCATIONS)), None)


def reveal_agents(draft: Draft, *, rule: str) -> None:
    """Turn up an Agent on each slot and draw a Location, in the order of the slots (vr:setup.19 to setup.22).

    Stop if a deck runs out (vr:upkeep.3). A drawing table names Agents and Locations in turn. A slot without
    either stays empty in a corrected history.
    """
    state = draft.state
    for number in range(1, amounts(state).agent_slots + 1):
        agents: list[str] = []
        location: str | None = None
        with piles.may_lack(draft):
            agents = draw_agents(draft, 1)
        if not decks.left_in(state, LOCATIONS) or not any(decks.left_in(state, deck) for deck in AGENT_DECKS):
            return
        with piles.may_lack(draft):
            location = draw_location(draft)
        if agents and location is not None:
            _turn_up(draft, agents[0], location, number, rule)


def _turn_up(draft: Draft, agent: str, location: str, number: int, rule: str) -> None:
    """Record an Agent on a slot and its Location."""
    thing = decks.commodity(agent)
    level = AGENTS_1 if draft.state.holdings.of(decks.pile(AGENTS_1), thing) else AGENTS_2
    moved = (Posting(thing, 1, decks.pile(level), slot(number)),)
    draft.record(AgentRevealed(rule=rule, card=agent, slot=number, postings=moved))
    gone = Posting(decks.commodity(location), 1, decks.pile(LOCATIONS), GONE)
    lost = Posting(thing, 1, slot(number), decks.discards(AGENTS))
    there = place_of(location) is not None
    draft.record(
        LocationDrawn(
            rule="vr:setup.20" if there else "vr:setup.22",
            card=location,
            agent=agent,
            slot=number,
            postings=(gone,) if there else (gone, lost),
        )
    )


# ----------------------------------------------------------------------------------------------
# Necro cards
# ----------------------------------------------------------------------------------------------


@chapter.event
class NecroPeeked(Learnt, frozen=True, kw_only=True):
    """A player looks at the Necro card on top; that they look is public (vr:secrecy.2)."""

    en: ClassVar[str] = "{seat:seat} looks secretly at the next Necro card: {card:card}."
    fr: ClassVar[str] = "{seat:seat} regarde en secret la prochaine carte Nécro : {card:card}."

    card: str | None
    """None at a drawing table without a named card, and for viewers without sight of the card."""

    def apply(self, state: VirtualRevolution) -> None:
        """Note the card as known to the player until it is turned up."""
        state.seen_necro[self.seat] = self.card or ""
        state.necro_top = self.card or state.necro_top

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card, which stays in the deck, unseen."""
        return replace(self, card=None)


@chapter.event
class NecroTurnedUp(_TurnedUp, frozen=True, kw_only=True):
    """The Necro card of the round is turned up (vr:necro.1)."""

    en: ClassVar[str] = "The Necro card is turned up: {card:card}."
    fr: ClassVar[str] = "La carte Nécro est révélée : {card:card}."

    rule: str = "vr:necro.1"

    def apply(self, state: VirtualRevolution) -> None:
        """Forget the earlier looks at the card."""
        state.necro_top = ""
        state.seen_necro = {}
        for deck in (NECRO, NECRO_END):
            piles.leave(state, deck, (self.card,))


def necro_deck(state: VirtualRevolution) -> str:
    """Return the deck of the next Necro card: the last card is for the end of the game (vr:setup.25)."""
    turned_up = len(decks.held_in(state, SHOWN_NECRO))
    return NECRO if turned_up < amounts(state).necro_standard else NECRO_END


def peek_necro(draft: Draft, seat: str, *, rule: str) -> None:
    """Let a player look at the Necro card on top (vr:title.9, vr:recycling.3).

    A drawing table may keep the card to itself: then the service does not know the card either.
    """
    card: str | None = None
    if draft.state.dice == "service" or _is_named(draft):
        if draft.draws.unused:
            piles.require_sight(draft, seat)
        card = piles.draw(draft, necro_deck(draft.state), top=(draft.state.necro_top,))[0]
    draft.record(NecroPeeked(rule=rule, seat=seat, card=card))


def _is_named(draft: Draft) -> bool:
    """Return True if the next card sent with the action is a Necro card."""
    offered = draft.draws.unused
    return bool(offered) and offered[0] in draft.state.edition.pieces.necros


def next_necro(draft: Draft) -> str:
    """Turn up the Necro card of the round and return its id (vr:necro.1).

    Raises NeedsDraw at a drawing table without a named card.
    """
    deck = necro_deck(draft.state)
    (card,) = piles.draw(draft, deck, top=(draft.state.necro_top,))
    moved = (Posting(decks.commodity(card), 1, decks.pile(deck), SHOWN_NECRO),)
    draft.record(NecroTurnedUp(card=card, postings=moved))
    return card
