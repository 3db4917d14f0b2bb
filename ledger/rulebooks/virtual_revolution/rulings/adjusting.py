"""Moves of pieces by rulings, between any two possible accounts (vr:banker.1).

Every piece stays in exactly one account. An inconsistent result is refused by its rule, unless the ruling
waives the rule. Titles are checked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import BANKER_ONLY, Audience
from ledger.kernel.facts.consistency import Inconsistency, appeared
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.map import titles
from ledger.rulebooks.virtual_revolution.rulings.consistency import inconsistencies
from ledger.rulebooks.virtual_revolution.showing import glossary
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
# Movable pieces and their accounts
# ----------------------------------------------------------------------------------------------


def movable(state: VirtualRevolution) -> Mapping[str, tuple[str, ...]]:
    """Map each movable commodity to the accounts open to `adjust`."""
    catalogue, seats = pieces(state), state.seating
    boards = tuple(player(seat) for seat in seats)
    spots = tuple(spot(place) for place in catalogue.places)
    places: dict[str, tuple[str, ...]] = {}
    for thing in (EUROCREDIT, REVENUE, IMMUNITY, VP2):
        places[thing] = (BANK, *boards)
    for seat in seats:
        places[influence(seat)] = (player(seat), RECYCLING, *spots)
        places[server(seat)] = places[director(seat)] = (player(seat), *spots)
    for district in catalogue.titles:
        places[title(district)] = (TITLES, *boards)
    places.update(_cards(catalogue, seats))
    if state.raid is not None:
        revealed = raided(state.raid.seat)
        places.update(
            {
                decks.commodity(card): (*places[decks.commodity(card)], revealed)
                for card in catalogue.corruptions
                if state.holdings.of(revealed, decks.commodity(card))
            }
        )
    return places


def _cards(catalogue: Pieces, seats: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each card with its possible accounts.

    A ruling brings an Agent to a slot by `offer_agent`, because the remedy also names the arrondissement.
    """
    seats = tuple(seats)
    slots = tuple(slot(number) for number in range(1, catalogue.amounts.agent_slots + 1))
    of_players = tuple(of(seat) for of in (service, boosts, retired) for seat in seats)
    for agent in catalogue.agent:
        deck = decks.pile(AGENTS_1 if agent.level == 1 else AGENTS_2)
        yield decks.commodity(agent.id), (deck, decks.discards(AGENTS), ASIDE, *slots, *of_players)
    for boost in catalogue.boost:
        yield decks.commodity(boost.id), (BOOSTS, *map(boosts, seats))
    for verse in catalogue.verse:
        yield decks.commodity(verse.id), (decks.pile(VERSES), DISPLAY, *map(verses, seats))
    for card in catalogue.corruption:
        lying = (decks.pile(CORRUPTION), decks.discards(CORRUPTION))
        yield decks.commodity(card.id), (*lying, *map(hand, seats))
    for necro in catalogue.necro:
        deck = decks.pile(NECRO if necro.kind == "standard" else NECRO_END)
        yield decks.commodity(necro.id), (deck, decks.pile(UNUSED), SHOWN_NECRO)
    for objective in catalogue.objective:
        yield decks.commodity(objective.id), (decks.pile(OBJECTIVES), *map(objectives, seats))
    for location in catalogue.locations:
        yield decks.commodity(location), (decks.pile(LOCATIONS), GONE, *map(dealt, seats))


def accounts(state: VirtualRevolution) -> Iterator[str]:
    """Yield all accounts of the game, the empty accounts included."""
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
    """The new arrondissement of the turn's Director, if the ruling has moved the Director."""

    def audience(self) -> Audience:
        """Return the banker alone: the event may be about a hidden card."""
        return BANKER_ONLY

    def apply(self, state: VirtualRevolution) -> None:
        """Drop the statements about pieces that have moved away, and set the arrondissement of the Director."""
        follow(state)
        if self.director is not None and state.turn is not None:
            state.turn = replace(state.turn, director=self.director)


def follow(state: VirtualRevolution) -> None:
    """Adapt offers, the display, marks and deck tops to the new accounts of cards and Titles."""

    def lies(card: str, account: str) -> bool:
        return state.holdings.of(account, decks.commodity(card)) > 0

    state.offers = {name: item for name, item in state.offers.items() if lies(name, slot(item.slot))}
    display = ["" if item and not lies(item, DISPLAY) else item for item in state.display]
    for card in decks.held_in(state, DISPLAY):
        if card not in display:
            free = display.index("") if "" in display else len(display)
            display[free : free + 1] = [card]
    state.display = tuple(display)
    state.online = frozenset(
        item for item in state.online if any(lies(item, verses(seat)) for seat in state.seating)
    )
    used = [account for seat in state.seating for account in (service(seat), player(seat))]
    state.tilted = frozenset(
        thing for thing in state.tilted if any(state.holdings.of(account, thing) for account in used)
    )
    state.under = tuple(item for item in state.under if lies(item, decks.pile(VERSES)))
    if state.verse_top and not lies(state.verse_top, decks.pile(VERSES)):
        state.verse_top = ""
    if state.necro_top and not any(lies(state.necro_top, decks.pile(deck)) for deck in (NECRO, NECRO_END)):
        state.necro_top, state.seen_necro = "", {}
    state.on_top = {
        deck: tuple(item for item in cards if lies(item, decks.pile(deck))) for deck, cards in state.on_top.items()
    }


class Adjust(remedies.Adjust, frozen=True, kw_only=True):
    """Move pieces, cards, eurocredits and Revenue between the places where they may lie.

    Who does not see the cards of a hand learns that a card moves, and not which one (vr:secrecy.4).
    """

    records: ClassVar[tuple[type[Event], ...]] = (*remedies.Adjust.records, PlacesFollowed)

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Move the pieces. Raises Impossible for an account closed to a thing, and for a new inconsistency."""
        remedies.require_known(draft, ruling, self.postings)
        places = movable(draft.state)
        for posting in self.postings:
            for account in (posting.source, posting.target):
                if account not in places.get(posting.commodity, ()):
                    raise _no_place(ruling, posting.commodity, account)
            if posting.target.startswith("slot:"):
                raise _no_place(ruling, posting.commodity, posting.target)
        existing = list(inconsistencies(draft.state))
        super().carry_out(draft, ruling)
        draft.record(PlacesFollowed(rule=ruling.rule, ruling=ruling.id, director=self._director(draft.state)))
        require_sound(draft, existing)

    def _director(self, state: VirtualRevolution) -> int | None:
        """Return the arrondissement to which the postings have moved the Director of the turn; None if unmoved."""
        turn = state.turn
        if turn is None or turn.director is None:
            return None
        area = turn.director
        for posting in self.postings:
            if posting.commodity == director(turn.seat) and posting.source == spot(area):
                area = next((number for number in pieces(state).places if spot(number) == posting.target), area)
        return None if area == turn.director else area


def _no_place(ruling: Ruling, thing: str, account: str) -> Impossible:
    return Impossible(
        ruling.rule,
        "{thing:goods} has no place in {account:account}",
        "{thing:goods} n'a pas sa place dans {account:account}",
        thing=thing,
        account=account,
    )


def require_sound(draft: Draft, existing: Iterable[Inconsistency]) -> None:
    """Check all Titles again, and refuse each new inconsistency by its rule unless the ruling waives the rule."""
    titles.check(draft)
    for inconsistency in appeared(existing, inconsistencies(draft.state)):
        draft.require(False, inconsistency.rule, "{said}", "{dit}", said=inconsistency.en, dit=inconsistency.fr)


class VirtualRevolutionAccounts(Accounts[VirtualRevolution]):
    """The accounts of the game."""

    account_names: Mapping[str, AccountName] = glossary.ACCOUNT_NAMES

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True for pieces of the box, for eurocredits and Revenue of the bank, and for cards of some
        decks.

        Eurocredits and Revenue never run out. A deck owes a card drawn by a player if the journal has the card
        in a hidden hand.
        """
        if account in {decks.pile(CORRUPTION), decks.pile(OBJECTIVES)}:
            return decks.is_card(commodity)
        return account == BOX or (account == BANK and commodity in {EUROCREDIT, REVENUE})

    def knows_account(self, state: VirtualRevolution, account: str) -> bool:
        """Return True if the account exists, even without a holding."""
        return super().knows_account(state, account) or account in accounts(state)

    def knows_commodity(self, state: VirtualRevolution, commodity: str) -> bool:
        """Return True if the commodity exists, even without a holder."""
        return super().knows_commodity(state, commodity) or commodity in movable(state)

    def movable(self, state: VirtualRevolution) -> Mapping[str, Sequence[str]]:
        """Map each movable commodity to its possible accounts; the contents of the box are public."""
        return movable(state)

    def commodities(self, state: VirtualRevolution) -> Glossary:
        """Return the words for money, tokens, influence, Servers, Directors, Titles and cards: the contents of
        the box are public.
        """
        return glossary.commodities(state)

    def groups(self, state: VirtualRevolution, language: str) -> Mapping[str, str]:
        """Return the sorts of cards; districts are groups of the map."""
        return {name: words.in_language(language) for name, words in glossary.GROUPS.items()}

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return the board of a seat, and the seat's hand, Objectives, Agents, Boosts and Verses."""
        return glossary.accounts_of(seat)
