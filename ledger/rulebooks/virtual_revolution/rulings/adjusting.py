"""What rulings move: any piece, between the places where it may lie (vr:banker.1).

Every piece stays in exactly one place. What does not fit together afterwards is refused by its rule, unless the
ruling waives it. Titles are checked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.audience import BANKER_ONLY, Audience
from ledger.kernel.facts.consistency import Inconsistency, appeared
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.map import titles
from ledger.rulebooks.virtual_revolution.rulings.consistency import inconsistencies
from ledger.rulebooks.virtual_revolution.start.dealing import dealt
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS,
    AGENTS_1,
    AGENTS_2,
    ASIDE,
    BOOSTS,
    CORRUPTION,
    DISPLAY,
    EUROCREDIT,
    GONE,
    IMMUNITY,
    LOCATIONS,
    NECRO,
    NECRO_END,
    OBJECTIVES,
    RECYCLING,
    REVENUE,
    SHOWN_NECRO,
    TITLES,
    UNUSED,
    VERSES,
    VP2,
    boosts,
    director,
    hand,
    influence,
    objectives,
    raided,
    retired,
    server,
    service,
    slot,
    spot,
    title,
    verses,
)

# ----------------------------------------------------------------------------------------------
# What there is to move
# ----------------------------------------------------------------------------------------------


def movable(state: VirtualRevolution) -> Mapping[str, tuple[str, ...]]:
    """What `adjust` moves, with the accounts between which it does."""
    found, seats = pieces(state), state.seating
    boards = tuple(player(seat) for seat in seats)
    spots = tuple(spot(place) for place in found.places)
    places: dict[str, tuple[str, ...]] = {}
    for thing in (EUROCREDIT, REVENUE, IMMUNITY, VP2):
        places[thing] = (BANK, *boards)
    for seat in seats:
        places[influence(seat)] = (player(seat), RECYCLING, *spots)
        places[server(seat)] = places[director(seat)] = (player(seat), *spots)
    for district in found.titles:
        places[title(district)] = (TITLES, *boards)
    places.update(_cards(found, seats))
    if state.raid is not None:
        revealed = raided(state.raid.seat)
        places.update(
            {
                decks.commodity(one): (*places[decks.commodity(one)], revealed)
                for one in found.corruptions
                if state.holdings.of(revealed, decks.commodity(one))
            }
        )
    return places


def _cards(found: Pieces, seats: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Where each card may lie. An Agent comes to a slot by `offer_agent`, which says its arrondissement too."""
    seats = tuple(seats)
    slots = tuple(slot(number) for number in range(1, found.amounts.agent_slots + 1))
    of_players = tuple(of(seat) for of in (service, boosts, retired) for seat in seats)
    for agent in found.agent:
        deck = decks.pile(AGENTS_1 if agent.level == 1 else AGENTS_2)
        yield decks.commodity(agent.id), (deck, decks.discards(AGENTS), ASIDE, *slots, *of_players)
    for boost in found.boost:
        yield decks.commodity(boost.id), (BOOSTS, *map(boosts, seats))
    for verse in found.verse:
        yield decks.commodity(verse.id), (decks.pile(VERSES), DISPLAY, *map(verses, seats))
    for card in found.corruption:
        lying = (decks.pile(CORRUPTION), decks.discards(CORRUPTION))
        yield decks.commodity(card.id), (*lying, *map(hand, seats))
    for necro in found.necro:
        deck = decks.pile(NECRO if necro.kind == "standard" else NECRO_END)
        yield decks.commodity(necro.id), (deck, decks.pile(UNUSED), SHOWN_NECRO)
    for objective in found.objective:
        yield decks.commodity(objective.id), (decks.pile(OBJECTIVES), *map(objectives, seats))
    for location in found.locations:
        yield decks.commodity(location), (decks.pile(LOCATIONS), GONE, *map(dealt, seats))


def accounts(state: VirtualRevolution) -> Iterator[str]:
    """The accounts that exist, also those that hold nothing."""
    yield BANK
    for lying in movable(state).values():
        yield from lying


# ----------------------------------------------------------------------------------------------
# Moving pieces
# ----------------------------------------------------------------------------------------------


class PlacesFollowed(Event, frozen=True, kw_only=True):
    """What is no holding follows what a ruling has moved: offers, the display, what is online, used or on top.

    It is told to the banker alone, because it repeats what everybody sees of the moves themselves.
    """

    en: ClassVar[str] = "The table follows ruling {ruling}."
    fr: ClassVar[str] = "La table suit la décision {ruling}."

    ruling: str
    director: int | None = None
    """Where the Director of the turn stands now, if the ruling has moved it."""

    def audience(self) -> Audience:
        """Nobody else: it may be about a card that is hidden."""
        return BANKER_ONLY

    def apply(self, state: VirtualRevolution) -> None:
        """Keep what is said of pieces that are still there."""
        follow(state)
        if self.director is not None and state.turn is not None:
            state.turn = replace(state.turn, director=self.director)


def follow(state: VirtualRevolution) -> None:
    """Let what the state says of cards and Titles agree with where they lie."""

    def lies(card: str, account: str) -> bool:
        return state.holdings.of(account, decks.commodity(card)) > 0

    state.offers = {name: one for name, one in state.offers.items() if lies(name, slot(one.slot))}
    kept = ["" if one and not lies(one, DISPLAY) else one for one in state.display]
    for card in decks.held_in(state, DISPLAY):
        if card not in kept:
            free = kept.index("") if "" in kept else len(kept)
            kept[free : free + 1] = [card]
    state.display = tuple(kept)
    state.online = frozenset(one for one in state.online if any(lies(one, verses(seat)) for seat in state.seating))
    used = [account for seat in state.seating for account in (service(seat), player(seat))]
    state.tilted = frozenset(
        thing for thing in state.tilted if any(state.holdings.of(account, thing) for account in used)
    )
    state.under = tuple(one for one in state.under if lies(one, decks.pile(VERSES)))
    if state.verse_top and not lies(state.verse_top, decks.pile(VERSES)):
        state.verse_top = ""
    if state.necro_top and not any(lies(state.necro_top, decks.pile(deck)) for deck in (NECRO, NECRO_END)):
        state.necro_top, state.seen_necro = "", {}
    state.on_top = {
        deck: tuple(one for one in cards if lies(one, decks.pile(deck))) for deck, cards in state.on_top.items()
    }


class Adjust(remedies.Adjust, frozen=True, kw_only=True):
    """Move pieces, cards, eurocredits and Revenue between the places where they may lie.

    Who does not see the cards of a hand learns that a card moves, and not which one (vr:secrecy.4).
    """

    records: ClassVar[tuple[type[Event], ...]] = (*remedies.Adjust.records, PlacesFollowed)

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse an account where a thing has no place, and what does not fit together afterwards."""
        remedies.require_known(draft, ruling, self.postings)
        places = movable(draft.state)
        for one in self.postings:
            for account in (one.source, one.target):
                if account not in places.get(one.commodity, ()):
                    raise _no_place(ruling, one.commodity, account)
            if one.target.startswith("slot:"):
                raise _no_place(ruling, one.commodity, one.target)
        before = list(inconsistencies(draft.state))
        super().carry_out(draft, ruling)
        draft.record(PlacesFollowed(rule=ruling.rule, ruling=ruling.id, director=self._director(draft.state)))
        require_sound(draft, before)

    def _director(self, state: VirtualRevolution) -> int | None:
        """Where these moves have put the Director of the turn under way."""
        turn = state.turn
        if turn is None or turn.director is None:
            return None
        place = turn.director
        for one in self.postings:
            if one.commodity == director(turn.seat) and one.source == spot(place):
                place = next((number for number in pieces(state).places if spot(number) == one.target), place)
        return None if place == turn.director else place


def _no_place(ruling: Ruling, thing: str, account: str) -> Impossible:
    return Impossible(
        ruling.rule,
        "{thing:goods} has no place in {account:account}",
        "{thing:goods} n'a pas sa place dans {account:account}",
        thing=thing,
        account=account,
    )


def require_sound(draft: Draft, before: Iterable[Inconsistency]) -> None:
    """Check all Titles again, and refuse by its rule whatever else does not fit together; a waiver allows it."""
    titles.check(draft)
    for found in appeared(before, inconsistencies(draft.state)):
        draft.require(False, found.rule, "{said}", "{dit}", said=found.en, dit=found.fr)
