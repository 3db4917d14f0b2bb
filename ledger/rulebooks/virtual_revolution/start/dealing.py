"""Colours, Objectives, Location cards and the first influence tokens (vr:setup.2, vr:setup.8 to vr:setup.15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
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

Colour = Annotated[str, Meta(min_length=1, max_length=60), of_kind("text")]
Dealt = Annotated[dict[SeatId, Annotated[tuple[CardId, ...], Meta(max_length=24)]], Meta(max_length=4)]
"""Cards by seat."""


def dealt(seat: str) -> str:
    """The account of the Location cards that a player has before the game."""
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
        """Nobody else takes it."""
        state.colours[self.seat] = self.colour


@chapter.event
class ObjectivesDealt(Event, frozen=True, kw_only=True):
    """A player receives Objectives, which others do not see (vr:setup.8, vr:secrecy.1)."""

    en: ClassVar[str] = "{seat:seat} receives Objectives: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} reçoit des Objectifs : {cards:cards}."

    rule: str = "vr:setup.8"
    seat: str
    cards: tuple[str | None, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """The deal is over when everybody has some."""
        if all(state.holdings.account(objectives(seat)) for seat in state.seating):
            state.done |= {"objectives"}

    def audience(self) -> Audience:
        """The player."""
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """How many there are is public."""
        return replace(self, cards=(None,) * len(self.cards), postings=veiled(self.postings))

    def reveals(self) -> Audience:
        """The player learns them."""
        return only(self.seat)


class _Public(Event, frozen=True, kw_only=True):
    """What everybody sees happen; a dry run shows nothing of it, since the cards are not dealt yet."""

    def reveals(self) -> Audience:
        """Everybody sees the Location cards."""
        return EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """That cards are dealt is known."""
        return replace(self, postings=veiled(self.postings))


@chapter.event
class LocationsDealt(_Public, frozen=True, kw_only=True):
    """Everybody receives as many Location cards (vr:setup.10)."""

    en: ClassVar[str] = "The Location cards are dealt: {count} to each player."
    fr: ClassVar[str] = "Les cartes Localisation sont distribuées : {count} par joueur."

    rule: str = "vr:setup.10"
    count: int

    def apply(self, state: VirtualRevolution) -> None:
        """They lie before the players until the Location deck is prepared."""
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
        """The markers on the turn-order track."""
        state.first, state.order = self.order[0], self.order

    def redacted(self, viewer: Viewer) -> Event:
        """Before the cards are dealt nobody knows who begins."""
        return replace(self, order=())


# ----------------------------------------------------------------------------------------------
# When
# ----------------------------------------------------------------------------------------------


def is_due(state: VirtualRevolution, what: str) -> bool:
    """Whether a part of the set-up is still to be done."""
    return state.stage == "setup" and what not in state.done


def require_due(draft: Draft, what: str, rule: str) -> None:
    """Raise Impossible by the rule when the game has begun, or this part of the set-up is done."""
    if not is_due(draft.state, what):
        raise Impossible(
            rule, "this part of the set-up is done", "cette partie de la mise en place est faite"
        ).citing("vr:setup.32")


# ----------------------------------------------------------------------------------------------
# Colours
# ----------------------------------------------------------------------------------------------


def free_colours(state: VirtualRevolution) -> list[str]:
    """The colours that nobody has, in their order."""
    return [one for one in pieces(state).colours if one not in state.colours.values()]


@chapter.action(
    summary=("choose a colour", "choisir une couleur"),
    when=("during set-up", "pendant la mise en place"),
)
class ChooseColour(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player chooses one of the colours that nobody has (vr:setup.2)."""

    colour: Colour

    def decide(self, draft: Draft) -> None:
        """Two players in one colour are refused; a player may change to another free one."""
        state, seat = draft.state, draft.seat
        if state.stage != "setup":
            raise Impossible(
                "vr:setup.2", "colours are chosen before the game", "les couleurs se choisissent avant la partie"
            )
        found = free_colours(state)
        if self.colour not in found:
            # What is no colour at all is quoted as it was sent.
            named = "{colour:colour}" if self.colour in pieces(state).colours else "{colour!r}"
            raise Impossible(
                "vr:setup.2",
                f"{named} is not free; free colours: {{free:each|colour}}",
                f"{named} n'est pas libre ; couleurs libres : {{free:each|colour}}",
                colour=self.colour,
                free=found,
            )
        draft.record(ColourChosen(seat=seat, colour=self.colour))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each free colour, for who has none."""
        if state.stage == "setup" and seat not in state.colours:
            for colour in free_colours(state):
                yield Choice({"colour": colour}, alike="colour")


def choose_colours(draft: Draft) -> None:
    """Give a free colour to everybody who has chosen none, in the order of the seats."""
    for seat in draft.state.seating:
        if seat not in draft.state.colours:
            draft.record(ColourChosen(seat=seat, colour=free_colours(draft.state)[0]))


# ----------------------------------------------------------------------------------------------
# Objectives
# ----------------------------------------------------------------------------------------------


def deal_objectives(draft: Draft, given: Mapping[str, Iterable[str]] | None = None) -> None:
    """Deal Objectives to everybody who has none, as given or at random.

    Raises Impossible for other numbers of cards or other seats, NeedsDraw where the table has not said.
    """
    rule = "vr:setup.8"
    waiting = [seat for seat in draft.state.seating if not draft.state.holdings.account(objectives(seat))]
    each = amounts(draft.state).objectives_dealt
    if given is not None:
        found = {seat_named(draft.state, seat, rule): [*cards] for seat, cards in given.items()}
        if set(found) != set(waiting) or any(len(cards) != each for cards in found.values()):
            raise Impossible(
                rule,
                "{each} Objectives for each of {seats:seats}",
                "{each} Objectifs pour chacun de : {seats:seats}",
                each=each,
                seats=waiting,
            )
        draft.draws.offer([one.removeprefix("card:") for seat in waiting for one in found[seat]])
    drawn = piles.draw(draft, OBJECTIVES, each * len(waiting))
    for place, seat in enumerate(waiting):
        _deal(draft, seat, drawn[place * each : (place + 1) * each])


def _deal(draft: Draft, seat: str, cards: Iterable[str]) -> None:
    """Hand Objectives to a player."""
    found = tuple(cards)
    moved = tuple(Posting(decks.commodity(one), 1, decks.pile(OBJECTIVES), objectives(seat)) for one in found)
    draft.record(ObjectivesDealt(seat=seat, cards=found, postings=moved))


@chapter.action(
    by=("banker",),
    summary=("deal the Objectives", "distribuer les Objectifs"),
    when=("during set-up, once", "pendant la mise en place, une fois"),
)
class DealObjectives(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two Objectives for each player, as given or at random; the others are not used (vr:setup.8)."""

    objectives: Dealt | None = None

    def decide(self, draft: Draft) -> None:
        """Those who have recorded theirs keep them."""
        require_due(draft, "objectives", "vr:setup.8")
        deal_objectives(draft, self.objectives)

    def redacted(self) -> Mapping[str, Any]:
        """Objectives are hidden."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Until everybody has theirs."""
        return (Choice({}, free=("objectives",)),) if is_due(state, "objectives") else ()


@chapter.action(
    summary=("record one's Objectives", "inscrire ses Objectifs"),
    when=("during set-up, where the table deals", "pendant la mise en place, quand la table distribue"),
)
class RecordObjectives(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player records the Objectives that they were dealt, so that nobody else need see them (vr:secrecy.6)."""

    objectives: Cards

    def decide(self, draft: Draft) -> None:
        """The player's word is taken, also for a card that the journal has in another hidden hand."""
        require_due(draft, "objectives", "vr:setup.8")
        state, seat = draft.state, draft.seat
        if state.dice == "service" or state.holdings.account(objectives(seat)):
            raise Impossible(
                "vr:setup.8",
                "{seat:seat} has no Objectives to record: the service deals them, or has them already",
                "{seat:seat} n'a pas d'Objectifs à enregistrer : le service les distribue, ou les a déjà",
                seat=seat,
            )
        draft.draws.offer([one.removeprefix("card:") for one in self.objectives])
        whole = decks.Whole(tuple(pieces(state).objectives), rule="vr:secrecy.6")
        _deal(draft, seat, piles.draw(draft, OBJECTIVES, amounts(state).objectives_dealt, whole=whole))

    def redacted(self) -> Mapping[str, Any]:
        """Objectives are hidden."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Who has none, where the table deals."""
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
        """Any split that is not equal is refused (vr:setup.10)."""
        require_due(draft, "locations", "vr:setup.10")
        deal_locations(draft, self.locations)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Until they are dealt."""
        return (Choice({}, free=("locations",)),) if is_due(state, "locations") else ()


def deal_locations(draft: Draft, given: Mapping[str, Iterable[str]] | None = None) -> None:
    """Deal the Location cards, place the first influence, set the order of play, award Titles.

    Raises Impossible for an unequal split, NeedsDraw where the table deals and has not said how.
    """
    state = draft.state
    cards = list(pieces(state).locations)
    each = len(cards) // len(state.seating)
    order = draft.draws.shuffled("deal", None if given is None else _given(draft, given, cards, each), cards)
    hands = {seat: order[place * each : (place + 1) * each] for place, seat in enumerate(state.seating)}
    moved = tuple(
        Posting(decks.commodity(one), 1, decks.pile(LOCATIONS), dealt(seat))
        for seat, held in hands.items()
        for one in held
    )
    draft.record(LocationsDealt(count=each, postings=moved))
    tokens = tuple(
        Posting(influence(seat), 1, player(seat), spot(place))
        for seat, held in hands.items()
        for place in map(place_of, held)
        if place is not None
    )
    draft.record(InfluencePlaced(postings=tokens))
    first = next(place for place, held in enumerate(hands.values()) if FIRST in held)
    draft.record(FirstOrderSet(order=(*state.seating[first:], *state.seating[:first])))
    titles.check(draft)


def _given(draft: Draft, given: Mapping[str, Iterable[str]], cards: list[str], each: int) -> list[str]:
    """The cards in the order of the seats, as many for each. Raises Impossible (vr:setup.10)."""
    rule = "vr:setup.10"
    found = {
        seat_named(draft.state, seat, rule): [one.removeprefix("card:") for one in held]
        for seat, held in given.items()
    }
    named = [one for seat in draft.state.seating for one in found.get(seat, ())]
    if sorted(named) != sorted(cards) or any(len(held) != each for held in found.values()):
        raise Impossible(
            rule,
            "each of the {all} Location cards goes to one player, {each} to each of {seats:seats}",
            "chacune des {all} cartes Localisation va à un joueur, {each} à chacun de : {seats:seats}",
            all=len(cards),
            each=each,
            seats=draft.state.seating,
        )
    return named
