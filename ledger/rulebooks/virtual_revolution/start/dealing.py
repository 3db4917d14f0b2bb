"""Colours, Objectives, Location cards and the first influence tokens (vr:setup.2, vr:setup.8 to vr:setup.15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.readers import Learnt, Revealing
from ledger.rulebooks.parts.seats import player, seat_named
from ledger.rulebooks.virtual_revolution.decks import piles
from ledger.rulebooks.virtual_revolution.map import titles
from ledger.rulebooks.virtual_revolution.table.pieces import FIRST, place_of
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, amounts, pieces
from ledger.rulebooks.virtual_revolution.table.terms import (
    LOCATIONS,
    OBJECTIVES,
    CardId,
    Cards,
    influence,
    objectives,
    spot,
)
from ledger.rulebooks.virtual_revolution.table.veils import veiled

chapter = Chapter("Colours, Objectives and Locations")

Colour = Annotated[str, Meta(min_length=1, max_length=60), of_kind("choice")]
Dealt = Annotated[dict[SeatId, Annotated[tuple[CardId, ...], Meta(max_length=24)]], Meta(max_length=4)]
"""Cards by seat."""


def dealt(seat: str) -> str:
    """Return the account of a player's Location cards before the game."""
    return f"locations:{seat}"


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class ColourChosen(Event, frozen=True, kw_only=True):
    """A player chooses a colour (vr:setup.2)."""

    en: ClassVar[str] = "{seat:seat} plays {colour:colour}."
    fr: ClassVar[str] = "{seat:seat} joue en {colour:colour}."

    rule: str = "vr:setup.2"
    seat: str
    colour: str

    def apply(self, state: VirtualRevolution) -> None:
        """Note the player's colour."""
        state.colours[self.seat] = self.colour


@chapter.event
class ObjectivesDealt(Learnt, frozen=True, kw_only=True):
    """A player receives Objectives, which others do not see (vr:setup.8, vr:secrecy.1)."""

    en: ClassVar[str] = "{seat:seat} receives Objectives: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} reçoit des Objectifs : {cards:cards}."

    rule: str = "vr:setup.8"
    cards: tuple[str | None, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Close the deal as soon as every seat has Objectives."""
        if all(state.holdings.account(objectives(seat)) for seat in state.seating):
            state.done |= {"objectives"}

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the number is public."""
        return replace(self, cards=(None,) * len(self.cards), postings=veiled(self.postings))


class _Public(Revealing, frozen=True, kw_only=True):  # the Location cards are public
    """A public event hidden from dry runs, because the cards are not dealt yet."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the deal itself is known."""
        return replace(self, postings=veiled(self.postings))


@chapter.event
class LocationsDealt(_Public, frozen=True, kw_only=True):
    """Everybody receives as many Location cards (vr:setup.10)."""

    en: ClassVar[str] = "The Location cards are dealt: {count} to each player."
    fr: ClassVar[str] = "Les cartes Localisation sont distribuées : {count} par joueur."

    rule: str = "vr:setup.10"
    count: int

    def apply(self, state: VirtualRevolution) -> None:
        """Close the deal; the cards stay with the players until the Location deck is prepared."""
        state.done |= {"locations"}


@chapter.event
class InfluencePlaced(_Public, frozen=True, kw_only=True):
    """Everybody puts a token on each arrondissement of their Location cards (vr:setup.11)."""

    en: ClassVar[str] = "Everybody puts an influence token on each arrondissement of their Location cards."
    fr: ClassVar[str] = "Chacun pose un jeton Influence dans chaque arrondissement de ses cartes Localisation."

    rule: str = "vr:setup.11"


@chapter.event
class FirstOrderSet(_Public, frozen=True, kw_only=True):
    """Who has the first player's card begins; the others follow clockwise (vr:setup.12, vr:setup.13)."""

    en: ClassVar[str] = "The order of play in round 1: {order:seats}."
    fr: ClassVar[str] = "L'ordre du tour de la manche 1 : {order:seats}."

    rule: str = "vr:setup.13"
    order: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Set the first player and the turn-order track."""
        state.first, state.order = self.order[0], self.order

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the order, unknown before the deal."""
        return replace(self, order=())


# ----------------------------------------------------------------------------------------------
# Parts of the set-up
# ----------------------------------------------------------------------------------------------


def is_due(state: VirtualRevolution, part: str) -> bool:
    """Return True if a part of the set-up is still due."""
    return state.stage == "setup" and part not in state.done


def require_due(draft: Draft, part: str, rule: str) -> None:
    """Raise Impossible by the rule if the game has begun or the part of the set-up is done."""
    if not is_due(draft.state, part):
        raise Impossible(
            rule, "this part of the set-up is done", "cette partie de la mise en place est faite"
        ).citing("vr:setup.32")


# ----------------------------------------------------------------------------------------------
# Colours
# ----------------------------------------------------------------------------------------------


def free_colours(state: VirtualRevolution) -> list[str]:
    """Return the free colours, in order."""
    return [colour for colour in pieces(state).colours if colour not in state.colours.values()]


@chapter.action(
    summary=("choose a colour", "choisir une couleur"),
    when=("during set-up", "pendant la mise en place"),
)
class ChooseColour(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player chooses one of the colours that nobody has (vr:setup.2)."""

    colour: Colour

    def decide(self, draft: Draft) -> None:
        """Record the colour. Raises Impossible for a colour already chosen; a player may change to another free
        colour.
        """
        state, seat = draft.state, draft.seat
        if state.stage != "setup":
            raise Impossible(
                "vr:setup.2", "colours are chosen before the game", "les couleurs se choisissent avant la partie"
            )
        free = free_colours(state)
        if self.colour not in free:
            # Quote an unknown colour as sent.
            named = "{colour:colour}" if self.colour in pieces(state).colours else "{colour!r}"
            raise Impossible(
                "vr:setup.2",
                f"{named} is not free; free colours: {{free:each|colour}}",
                f"{named} n'est pas libre ; couleurs libres : {{free:each|colour}}",
                colour=self.colour,
                free=free,
            )
        draft.record(ColourChosen(seat=seat, colour=self.colour))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each free colour to a player without a colour."""
        if state.stage == "setup" and seat not in state.colours:
            for colour in free_colours(state):
                yield Choice({"colour": colour}, alike="colour")


def choose_colours(draft: Draft) -> None:
    """Give a free colour to every player without a colour, in seating order."""
    for seat in draft.state.seating:
        if seat not in draft.state.colours:
            draft.record(ColourChosen(seat=seat, colour=free_colours(draft.state)[0]))


# ----------------------------------------------------------------------------------------------
# Objectives
# ----------------------------------------------------------------------------------------------


def deal_objectives(draft: Draft, cards_by_seat: Mapping[str, Iterable[str]] | None = None) -> None:
    """Deal Objectives to every player without Objectives, as named or at random.

    Raises Impossible for a wrong number of cards or wrong seats, NeedsDraw at a drawing table without named
    cards.
    """
    rule = "vr:setup.8"
    waiting = [seat for seat in draft.state.seating if not draft.state.holdings.account(objectives(seat))]
    each = amounts(draft.state).objectives_dealt
    if cards_by_seat is not None:
        if not draft.may_name(BANKER_ONLY):
            raise Impossible(
                piles.SECRECY,
                "each player records their own Objectives",
                "chaque joueur inscrit ses propres Objectifs",
            )
        hands = {seat_named(draft.state, seat, rule): [*cards] for seat, cards in cards_by_seat.items()}
        if set(hands) != set(waiting) or any(len(cards) != each for cards in hands.values()):
            raise Impossible(
                rule,
                "{each} Objectives for each of {seats:seats}",
                "{each} Objectifs pour chacun de : {seats:seats}",
                each=each,
                seats=waiting,
            )
        draft.draws.offer([card.removeprefix("card:") for seat in waiting for card in hands[seat]])
    drawn = piles.draw(draft, OBJECTIVES, each * len(waiting))
    for index, seat in enumerate(waiting):
        _deal(draft, seat, drawn[index * each : (index + 1) * each])


def _deal(draft: Draft, seat: str, cards: Iterable[str]) -> None:
    """Hand Objectives to a player."""
    card_ids = tuple(cards)
    moved = tuple(Posting(decks.commodity(card), 1, decks.pile(OBJECTIVES), objectives(seat)) for card in card_ids)
    draft.record(ObjectivesDealt(seat=seat, cards=card_ids, postings=moved))


@chapter.action(
    by=("banker",),
    summary=("deal the Objectives", "distribuer les Objectifs"),
    when=("during set-up, once", "pendant la mise en place, une fois"),
)
class DealObjectives(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two Objectives for each player, as given or at random; the others are not used (vr:setup.8)."""

    objectives: Dealt | None = None

    def decide(self, draft: Draft) -> None:
        """Deal to the seats without Objectives; recorded Objectives stay."""
        require_due(draft, "objectives", "vr:setup.8")
        deal_objectives(draft, self.objectives)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the Objectives."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the deal until all players have Objectives."""
        return (Choice({}, free=("objectives",)),) if is_due(state, "objectives") else ()


@chapter.action(
    summary=("record one's Objectives", "inscrire ses Objectifs"),
    when=("during set-up, where the table deals", "pendant la mise en place, quand la table distribue"),
)
class RecordObjectives(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player records the Objectives that they were dealt, so that nobody else need see them (vr:secrecy.6)."""

    objectives: Cards

    def decide(self, draft: Draft) -> None:
        """Record the player's statement, even for a card recorded in another hidden hand."""
        require_due(draft, "objectives", "vr:setup.8")
        state, seat = draft.state, draft.seat
        if state.dice == "service" or state.holdings.account(objectives(seat)):
            raise Impossible(
                "vr:setup.8",
                "{seat:seat} has no Objectives to record: the service deals them, or has them already",
                "{seat:seat} n'a pas d'Objectifs à enregistrer : le service les distribue, ou les a déjà",
                seat=seat,
            )
        draft.draws.offer([card.removeprefix("card:") for card in self.objectives])
        whole = decks.Whole(tuple(pieces(state).objectives), rule=piles.SECRECY)
        _deal(draft, seat, piles.draw(draft, OBJECTIVES, amounts(state).objectives_dealt, whole=whole))

    def redacted(self) -> Mapping[str, Any]:
        """Hide the Objectives."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action to a player without Objectives, at a dealing table."""
        due = is_due(state, "objectives") and state.dice == "table"
        if due and not state.holdings.account(objectives(seat)):
            yield Choice({"objectives": []}, free=("objectives",))


# ----------------------------------------------------------------------------------------------
# Location cards
# ----------------------------------------------------------------------------------------------


@chapter.action(
    by=("banker",),
    summary=("deal the Location cards", "distribuer les cartes Localisation"),
    when=("during set-up, once", "pendant la mise en place, une fois"),
)
class DealLocations(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All Location cards in equal numbers, as given or at random; then the first influence and the order."""

    locations: Dealt | None = None

    def decide(self, draft: Draft) -> None:
        """Deal the cards. Raises Impossible for an unequal split (vr:setup.10)."""
        require_due(draft, "locations", "vr:setup.10")
        deal_locations(draft, self.locations)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the deal until the cards are dealt."""
        return (Choice({}, free=("locations",)),) if is_due(state, "locations") else ()


def deal_locations(draft: Draft, cards_by_seat: Mapping[str, Iterable[str]] | None = None) -> None:
    """Deal the Location cards, place the first influence, set the order of play, award Titles.

    Raises Impossible for an unequal split, NeedsDraw at a dealing table without named cards.
    """
    state = draft.state
    cards = list(pieces(state).locations)
    each = len(cards) // len(state.seating)
    order = draft.draws.shuffled(
        "deal", None if cards_by_seat is None else _named_order(draft, cards_by_seat, cards, each), cards
    )
    hands = {seat: order[position * each : (position + 1) * each] for position, seat in enumerate(state.seating)}
    moved = tuple(
        Posting(decks.commodity(card), 1, decks.pile(LOCATIONS), dealt(seat))
        for seat, hand in hands.items()
        for card in hand
    )
    draft.record(LocationsDealt(count=each, postings=moved))
    tokens = tuple(
        Posting(influence(seat), 1, player(seat), spot(position))
        for seat, hand in hands.items()
        for position in map(place_of, hand)
        if position is not None
    )
    draft.record(InfluencePlaced(postings=tokens))
    first = next(position for position, hand in enumerate(hands.values()) if FIRST in hand)
    draft.record(FirstOrderSet(order=(*state.seating[first:], *state.seating[:first])))
    titles.check(draft)


def _named_order(
    draft: Draft, cards_by_seat: Mapping[str, Iterable[str]], cards: list[str], each: int
) -> list[str]:
    """Return the named cards in the order of the seats. Raises Impossible for an unequal split (vr:setup.10)."""
    rule = "vr:setup.10"
    hands = {
        seat_named(draft.state, seat, rule): [card.removeprefix("card:") for card in hand]
        for seat, hand in cards_by_seat.items()
    }
    named = [card for seat in draft.state.seating for card in hands.get(seat, ())]
    if sorted(named) != sorted(cards) or any(len(hand) != each for hand in hands.values()):
        raise Impossible(
            rule,
            "each of the {all} Location cards goes to one player, {each} to each of {seats:seats}",
            "chacune des {all} cartes Localisation va à un joueur, {each} à chacun de : {seats:seats}",
            all=len(cards),
            each=each,
            seats=draft.state.seating,
        )
    return named
