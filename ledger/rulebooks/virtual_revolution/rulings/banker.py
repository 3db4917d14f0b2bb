"""The banker's rulings and remedies (vr:banker.1). Disputes and corrections are common to all games."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import PlaceNumber, SeatId, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player, seat_named
from ledger.rulebooks.virtual_revolution.rulings.adjusting import Adjust, follow
from ledger.rulebooks.virtual_revolution.rulings.replacing import ReplacePieces
from ledger.rulebooks.virtual_revolution.table.state import (
    TURN,
    Draft,
    VirtualRevolution,
    agent_named,
    amounts,
    directors_of,
    pieces,
    place_named,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS_1,
    AGENTS_2,
    CORRUPTION,
    LOCATIONS,
    NECRO,
    AgentId,
    CardId,
    Offered,
    director,
    service,
    slot,
    title,
    verses,
)
from ledger.rulebooks.virtual_revolution.turn import turns

# ----------------------------------------------------------------------------------------------
# Offers and cards on the table
# ----------------------------------------------------------------------------------------------


class AgentOffered(Event, frozen=True, kw_only=True):
    """A ruling puts an Agent on offer in an arrondissement."""

    en: ClassVar[str] = "By ruling {ruling}, {agent:card} may be recruited in {place:place}."
    fr: ClassVar[str] = "Par la décision {ruling}, {agent:card} peut être recruté dans {place:place}."

    ruling: str
    agent: str
    slot: int
    place: int

    def apply(self, state: VirtualRevolution) -> None:
        """Put the Agent on the slot, and the slot's token in the arrondissement."""
        follow(state)
        state.offers[self.agent] = Offered(agent=self.agent, slot=self.slot, place=self.place)


class OfferAgent(remedies.Remedy, frozen=True, kw_only=True):
    """Put an Agent on offer in an arrondissement, on the first free slot; one on offer already moves there."""

    records: ClassVar[tuple[type[Event], ...]] = (AgentOffered,)

    agent: AgentId
    place: PlaceNumber

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Record the offer. Raises Impossible if every slot is occupied."""
        state, agent = draft.state, agent_named(draft, self.agent, ruling.rule).id
        area, thing = place_named(draft, self.place, ruling.rule), decks.commodity(agent)
        current_offer = state.offers.get(agent)
        used_slots = {offer.slot for offer in state.offers.values()}
        free = [number for number in range(1, amounts(state).agent_slots + 1) if number not in used_slots]
        if current_offer is None and not free:
            raise Impossible(
                "vr:agents.1",
                "an Agent lies on every slot",
                "il y a un Agent sur chaque emplacement",
            )
        number = free[0] if current_offer is None else current_offer.slot
        source = state.holdings.holder(thing)
        moved = () if current_offer or source is None else (Posting(thing, 1, source, slot(number)),)
        draft.record(
            AgentOffered(rule=ruling.rule, ruling=ruling.id, agent=agent, slot=number, place=area, postings=moved)
        )


class CardTurned(Event, frozen=True, kw_only=True):
    """A ruling turns a card: an Agent in service or a Title used or upright, a Verse online or Loading."""

    en: ClassVar[str] = "By ruling {ruling}, {thing:goods} is {side_name.en}."
    fr: ClassVar[str] = "Par la décision {ruling}, {thing:goods} est {side_name.fr}."

    ruling: str
    thing: str
    side: Literal["used", "upright", "online", "loading"]

    @property
    def side_name(self) -> Phrase:
        """The side of the card, for the sentence."""
        return _SIDES[self.side]

    def apply(self, state: VirtualRevolution) -> None:
        """Turn the card to the side."""
        match self.side:
            case "used":
                state.tilted |= {self.thing}
            case "upright":
                state.tilted -= {self.thing}
            case "online":
                state.online |= {decks.card_of(self.thing)}
            case "loading":
                state.online -= {decks.card_of(self.thing)}


_SIDES = {
    "used": Phrase("used", "utilisé"),
    "upright": Phrase("upright", "redressé"),
    "online": Phrase("online", "Online"),
    "loading": Phrase("Loading", "Loading"),
}


class TurnCard(remedies.Remedy, frozen=True, kw_only=True):
    """Turn a card: an Agent in service or a Title "used" or "upright", a Verse "online" or "loading".

    Nothing follows from it: a Verse brings its gain only when it is put online. `card` is the card's id, or the
    district of a Title.
    """

    records: ClassVar[tuple[type[Event], ...]] = (CardTurned,)

    card: CardId
    side: Literal["used", "upright", "online", "loading"]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Record the turn. Raises Impossible for a card without a holder, or without the side."""
        state, name = draft.state, self.card.removeprefix("card:").removeprefix("title:")
        of = verses if self.side in {"online", "loading"} else service
        thing = title(name) if name in pieces(state).titles else decks.commodity(name)
        holder = player if thing.startswith("title:") and of is service else of
        if not any(state.holdings.of(holder(seat), thing) for seat in state.seating):
            raise Impossible(
                ruling.rule,
                "no player has {card:goods} where it could be turned so",
                "aucun joueur n'a {card:goods} là où ce pourrait être tourné ainsi",
                card=thing,
            )
        draft.record(CardTurned(rule=ruling.rule, ruling=ruling.id, thing=thing, side=self.side))


class DeckShuffled(Event, frozen=True, kw_only=True):
    """A ruling has a deck shuffled: nobody knows its order any more."""

    en: ClassVar[str] = "By ruling {ruling}, the deck of {deck_name.en} is shuffled."
    fr: ClassVar[str] = "Par la décision {ruling}, la pioche de {deck_name.fr} est mélangée."

    ruling: str
    deck: str

    @property
    def deck_name(self) -> Phrase:
        """The cards of the deck, for the sentence."""
        return _DECKS[self.deck]

    def apply(self, state: VirtualRevolution) -> None:
        """Forget the known cards on top: cards of undone draws and a Necro card seen by a player."""
        state.on_top = {deck: cards for deck, cards in state.on_top.items() if deck != self.deck}
        if self.deck == NECRO:
            state.necro_top, state.seen_necro = "", {}


_DECKS = {
    CORRUPTION: Phrase("Corruption cards", "cartes Corruption"),
    AGENTS_1: Phrase("Agents of level 1", "Agents de niveau 1"),
    AGENTS_2: Phrase("Agents of level 2", "Agents de niveau 2"),
    LOCATIONS: Phrase("Location cards", "cartes Localisation"),
    NECRO: Phrase("Necro cards", "cartes Nécro"),
}


class ShuffleDeck(remedies.Remedy, frozen=True, kw_only=True):
    """Shuffle a face-down deck, so that no card of an undone draw lies on top of it (vr:corruption.3)."""

    records: ClassVar[tuple[type[Event], ...]] = (DeckShuffled,)

    deck: Literal["corruption", "agents_1", "agents_2", "locations", "necro"]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Record the shuffle. A shuffle is possible at any moment."""
        draft.record(DeckShuffled(rule=ruling.rule, ruling=ruling.id, deck=self.deck))


# ----------------------------------------------------------------------------------------------
# Turns
# ----------------------------------------------------------------------------------------------


class AnswersWaived(Event, frozen=True, kw_only=True):
    """What the turn under way was waiting for need not be answered."""

    en: ClassVar[str] = "By ruling {ruling}, the turn waits for no answer."
    fr: ClassVar[str] = "Par la décision {ruling}, le tour n'attend plus de réponse."

    ruling: str

    def apply(self, state: VirtualRevolution) -> None:
        """Remove all demands."""
        state.demands = ()


class SetTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Make it a player's turn in this round, from its start. What the turn under way has left open is over.

    `cycle` is which of the player's turns it is, from 1; by default the next one, by the Directors placed.
    """

    records: ClassVar[tuple[type[Event], ...]] = (AnswersWaived,)

    seat: SeatId
    cycle: Annotated[int, Meta(ge=1, le=20, description="which turn of the round"), of_kind("quantity")] | None = (
        None
    )

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Record the new turn. Raises Impossible between rounds, and for a player without a Director to place
        (vr:director.3).
        """
        state, seat = draft.state, seat_named(draft.state, self.seat, ruling.rule)
        if state.stage != "turn" or state.turn is None:
            raise Impossible(TURN, "no turn is under way", "aucun tour n'est en cours")
        if not state.holdings.of(player(seat), director(seat)):
            raise Impossible(
                "vr:director.3",
                "{seat:seat} has no Director left on the board",
                "{seat:seat} n'a plus de Directeur sur son plateau",
                seat=seat,
            )
        cycle = self.cycle or len(directors_of(state, seat)) + 1
        if state.demands:
            draft.record(AnswersWaived(rule=ruling.rule, ruling=ruling.id))
        draft.record(turns.TurnEnded(rule=ruling.rule, seat=state.turn.seat))
        draft.record(turns.TurnBegan(rule=ruling.rule, seat=seat, cycle=cycle))


class OrderSet(Event, frozen=True, kw_only=True):
    """A ruling changes the turn order."""

    en: ClassVar[str] = "By ruling {ruling}, the turn order is {order:seats}."
    fr: ClassVar[str] = "Par la décision {ruling}, l'ordre du tour est {order:seats}."

    ruling: str
    order: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Change the track; the turn under way goes on."""
        state.order = self.order


class SetOrder(remedies.Remedy, frozen=True, kw_only=True):
    """Put the markers on the turn-order track in this order, from the first place."""

    records: ClassVar[tuple[type[Event], ...]] = (OrderSet,)

    order: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=20)]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Record the order. Raises Impossible unless the order names every player once."""
        order = tuple(seat_named(draft.state, seat, ruling.rule) for seat in self.order)
        if sorted(order) != sorted(draft.state.seating) or not draft.state.order:
            raise Impossible(
                "vr:order.4",
                "the order names each of {seats:seats} once, after the start",
                "l'ordre nomme une fois chacun de {seats:seats}, une fois la partie commencée",
                seats=draft.state.seating,
            )
        draft.record(OrderSet(rule=ruling.rule, ruling=ruling.id, order=order))


Remedy = (
    remedies.Dismiss
    | remedies.CorrectHistory
    | Adjust
    | OfferAgent
    | TurnCard
    | ShuffleDeck
    | SetTurn
    | SetOrder
    | ReplacePieces
)
"""The remedies of rulings."""

chapter: Chapter = arbitration("The banker", remedies=Remedy, player_undo=True)
