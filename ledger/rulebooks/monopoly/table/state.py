"""The state of a game, and the queries common to all chapters."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.agreements import Archive
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.rulebooks.monopoly.table.effects import KeptUse
from ledger.rulebooks.monopoly.table.pieces import DICE, Pieces, Square
from ledger.rulebooks.monopoly.table.roles import Role, Rules
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.terms import (
    BUILDINGS,
    HOTEL,
    HOUSE,
    MORTGAGE,
    PASS,
    POT,
    TOWER,
    Auction,
    Building,
    Choosing,
    Debt,
    Held,
    Landing,
    Lot,
    Received,
    Rent,
    Task,
    Trade,
)
from ledger.rulebooks.parts import seats, titles
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.parts.seats import player as purse

MonopolyEdition = Edition[Pieces, Rules]

Stage = Literal["setup", "play", "between"]
"""The stage of a game: the set-up, play, or the time between two seasons."""


class Monopoly(State, kw_only=True):
    """The state of a game. Money, titles, buildings, mortgages, cards and bids are holdings."""

    edition: MonopolyEdition
    settings: Settings = msgspec.field(default_factory=lambda: Settings())
    stage: Stage = "setup"
    order: tuple[str, ...] = ()
    """The seats in the order of play."""
    round: int = 0

    # The table
    bankers: tuple[str, ...] = ()
    """The seats elected banker, the present banker last; empty without an election."""
    tokens: dict[str, str] = {}
    thrown: dict[str, tuple[int, ...]] = {}
    """The totals of each seat's throws for the order of play: the first throw, then the throws after ties."""
    shuffled: frozenset[str] = frozenset()
    dealt: bool = False

    # The turn under way
    turn: str | None = None
    throws: int = 0
    """The number of throws in the turn."""
    doubles: int = 0
    """The number of doubles in a row."""
    travelled: int = 0
    """The number of throws in the turn at the last journey from a station."""
    must_throw: bool = False
    landing: Landing | None = None
    held: Held | None = None
    choosing: Choosing | None = None
    remaining: tuple[Task, ...] = ()
    """The rest of the cards, due after the choice."""

    positions: dict[str, int] = {}
    jailed: dict[str, int] = {}
    """The seats in prison, with the number of failed throws."""
    missing: dict[str, int] = {}
    """The seats with turns to miss, with their number."""

    rents: list[Rent] = []
    """The rents open to a claim, and claimed rents in need of a throw."""
    debts: list[Debt] = []
    received: list[Received] = []
    auction: Auction | None = None
    lots: tuple[Lot, ...] = ()
    """The queue of lots for auction."""
    wishes: dict[str, str] = {}
    """The piece (house or hotel) wished for by each seat, while pieces are scarce."""
    wished_in: dict[str, str] = {}
    """The seat on turn at the time of each wish."""
    costs: dict[str, tuple[int, ...]] = {}
    """The prices paid for the buildings on a title, in the order of building (houses replaced by a hotel
    included).
    """
    under: dict[str, tuple[str, ...]] = {}
    """The cards put under each deck, in order."""
    open: dict[str, Trade] = {}
    past: Archive = msgspec.field(default_factory=Archive)

    lapped: frozenset[str] = frozenset()
    """The seats past the start, counted if nobody buys before."""

    ends_at: datetime | None = None
    """The time from which the round under way is the last, if the table limits the time."""

    out: tuple[str, ...] = ()
    """The seats out of the game, or of the season, in the order of elimination."""
    winners: tuple[str, ...] = ()

    # Seasons
    season: int = 1
    starters: int = 0
    """The number of seats at the start of the season."""
    consents: frozenset[str] = frozenset()
    """The seats in favour of closing the season."""
    ranking: tuple[str, ...] = ()
    """The seats at the end of the last season, the best first."""
    moved_up: str | None = None
    """The best merchant, after asking to move up."""


Draft = AnyDraft[Monopoly]
"""The draft of an action on a game."""


# ----------------------------------------------------------------------------------------------
# The edition
# ----------------------------------------------------------------------------------------------


def pieces(state: Monopoly) -> Pieces:
    """Return the pieces in play."""
    return state.edition.pieces


def cite(state: Monopoly, role: Role, square: Square | None = None) -> str:
    """Return the id of the edition's rule for a role, with regard to the square if given.

    Raises KeyError for a role without a rule.
    """
    rules = state.edition.rules
    if square is not None:
        for key in (square.id, square.kind):
            special = rules.at.get(key, {}).get(role)
            if special is not None:
                return special
    if state.settings.quick and role in rules.quick:
        return rules.quick[role]
    return rules.roles[role]


def dice_rule(state: Monopoly) -> str:
    """Return the id of the rule about the number of dice of a throw."""
    return cite(state, "dice" if pieces(state).thrown == DICE else "dice_board")


def has_role(state: Monopoly, role: Role) -> bool:
    """Return True if the edition has a rule for the role."""
    return role in state.edition.rules.roles


def currency(state: Monopoly) -> str:
    """Return the commodity of money."""
    return state.edition.currency


def fees_to(state: Monopoly, fee: Literal["tax", "fine", "card"] = "tax") -> str:
    """Return the account for taxes, fines of the prison or sums of cards: the bank, or the pot by the settings."""
    settings = state.settings
    to_pot = {
        "tax": settings.fees_to_pot or settings.taxes_to_pot,
        "fine": settings.fees_to_pot or settings.fines_to_pot,
        "card": settings.cards_to_pot,
    }
    return POT if to_pot[fee] else BANK


def title_named(draft: Draft, title: str, rule: str) -> Square:
    """Return the title by id, with or without "title:". Raises Impossible by the rule for an unknown title."""
    square = pieces(draft.state).titles.get(title.removeprefix("title:"))
    if square is None:
        raise Impossible(
            rule,
            "there is no title {title!r}; the titles are: {titles:each|title}",
            "il n'y a pas de titre {title!r} ; les titres sont : {titles:each|title}",
            title=title,
            titles=tuple(pieces(draft.state).titles),
        )
    return square


# ----------------------------------------------------------------------------------------------
# Owners
# ----------------------------------------------------------------------------------------------


def cash(state: Monopoly, seat: str) -> int:
    """Return a player's money."""
    return state.holdings.of(purse(seat), state.edition.currency)


def laid(state: Monopoly, seat: str) -> int:
    """Return the highest bid of a player in the auction under way, which lies in escrow; 0 without one."""
    auction = state.auction
    return auction.bid if auction is not None and auction.bidder == seat else 0


def owner_of(state: Monopoly, title: str) -> str | None:
    """Return the seat of a title's owner; None for a title of the bank."""
    return titles.owner_of(state, title)


def titles_of(state: Monopoly, seat: str) -> list[str]:
    """Return a player's titles, in the order of the board."""
    return titles.titles_of(state, seat, pieces(state).titles)


def group_of(state: Monopoly, title: str) -> tuple[str, ...]:
    """Return the titles in the group of a title, the title included, in the order of the board."""
    return pieces(state).group_of(title)


def joined(state: Monopoly, title: str) -> tuple[str, ...]:
    """Return the titles bound together in building, mortgages and trades: the group of a title; the owner's part
    of the group at a table that builds without the whole.
    """
    group = group_of(state, title)
    if not builds_apart(state):
        return group
    owner = owner_of(state, title)
    return tuple(member for member in group if owner_of(state, member) == owner)


def builds_apart(state: Monopoly) -> bool:
    """Return True if the table builds without whole groups."""
    return state.settings.build_without_group or state.settings.three_in_a_row


ROW = 3
"""The number of neighbouring streets in a row."""


def in_row(state: Monopoly, seat: str, title: str) -> bool:
    """Return True if a street is part of a row: three streets of a player without another street between, and
    without a mortgage. Always False at a table without rows.
    """
    streets = pieces(state).streets
    if not state.settings.three_in_a_row or title not in streets or len(streets) < ROW:
        return False
    balances, index = state.holdings.account(purse(seat)), streets.index(title)
    near = [streets[(index + step) % len(streets)] for step in range(1 - ROW, ROW)]
    counts = [titles.deed(street) in balances and not is_mortgaged(state, street) for street in near]
    return any(all(counts[first : first + ROW]) for first in range(ROW))


def may_build_on(state: Monopoly, seat: str, title: str) -> bool:
    """Return True if a player has enough of the streets around an own street to build there."""
    return state.settings.build_without_group or holds_group(state, seat, title) or in_row(state, seat, title)


def is_mortgaged(state: Monopoly, title: str) -> bool:
    """Return True if a title is mortgaged."""
    return titles.lies_on(state, title, MORTGAGE) > 0


def buildings(board: Pieces) -> tuple[Building, ...]:
    """Return the sorts of buildings in the box of a board."""
    return BUILDINGS if board.has_towers else (HOUSE, HOTEL)


def houses_on(state: Monopoly, title: str) -> int:
    """Count the houses on a title."""
    return titles.lies_on(state, title, HOUSE)


def has_hotel(state: Monopoly, title: str) -> bool:
    """Return True if a title has a hotel."""
    return titles.lies_on(state, title, HOTEL) > 0


def level(state: Monopoly, title: str) -> int:
    """Return the level of building on a title: the number of houses; a hotel is one level above the most
    houses, and each tower on it another.
    """
    lying = state.holdings.account(titles.attached(title))
    if not lying:
        return 0
    if lying.get(HOTEL, 0) > 0:
        return state.settings.houses_per_hotel + 1 + lying.get(TOWER, 0)
    return lying.get(HOUSE, 0)


def levels(state: Monopoly, title: str) -> int:
    """Return the number of levels of building that a title may have."""
    return pieces(state).titles[title].levels(state.settings.houses_per_hotel)


def is_built(state: Monopoly, members: Iterable[str]) -> bool:
    """Return True if any of the titles has buildings."""
    return any(level(state, title) for title in members)


def holds_group(state: Monopoly, seat: str, title: str) -> bool:
    """Return True if a player owns the whole group of a title."""
    return titles.missing_of(state, seat, group_of(state, title)) is None


def jail_passes(state: Monopoly, seat: str) -> list[str]:
    """Return a player's commodities for getting out of prison: cards first, then passes of the bank."""
    return [thing for thing in kept_things(state, seat) if use_of(state, thing) == "leave_prison"]


def kept_things(state: Monopoly, seat: str) -> list[str]:
    """Return the commodities of a player's kept cards, and of passes of the bank last."""
    balances = state.holdings.account(purse(seat))
    return sorted(
        (thing for thing in balances if balances[thing] > 0 and is_kept(thing)),
        key=lambda thing: (thing == PASS, thing),
    )


def is_kept(commodity: str) -> bool:
    """Return True if a commodity is a kept card, or a pass of the bank."""
    return commodity == PASS or commodity.startswith("card:")


def use_of(state: Monopoly, commodity: str) -> KeptUse:
    """Return the use of a kept card, or of a pass."""
    card = pieces(state).card.get(commodity.removeprefix("card:"))
    return "leave_prison" if card is None or card.keep is None else card.use


def kept_for(state: Monopoly, seat: str, use: KeptUse) -> list[str]:
    """Return the commodities of a player's kept cards with a use."""
    return [thing for thing in kept_things(state, seat) if use_of(state, thing) == use]


def is_selling(state: Monopoly) -> bool:
    """Return True if an auction is under way, or has to be opened."""
    return state.auction is not None or bool(state.lots)


# ----------------------------------------------------------------------------------------------
# Players
# ----------------------------------------------------------------------------------------------


def in_play(state: Monopoly) -> list[str]:
    """Return the seats still in the game, in the order of play."""
    return seats.in_play(state.order, state.out)


def player_in_play(draft: Draft) -> str:
    """Return the acting seat of a player still in the game. Raises Impossible for any other seat."""
    state = draft.state
    require_stage(draft, "play")
    seat = seats.seat_named(state, draft.seat, cite(state, "turn"))
    if seat in state.out:
        raise Impossible(
            cite(state, "eliminated"),
            "{seat:seat} is bankrupt and out of the game",
            "{seat:seat} est en faillite et hors du jeu",
            seat=seat,
        )
    return seat


def on_turn(draft: Draft) -> str:
    """Return the acting seat, if on turn. Raises Impossible out of turn."""
    seat = player_in_play(draft)
    seats.require_turn(draft, str(draft.state.turn), cite(draft.state, "turn"))
    return seat


_STAGES: dict[str, Phrase] = {
    "setup": Phrase("the table is being prepared", "la table se prépare"),
    "play": Phrase("the game is played", "la partie se joue"),
    "between": Phrase("the season is over", "la saison est terminée"),
}


def require_stage(draft: Draft, stage: Stage, rule: str | None = None) -> None:
    """Check the stage of the game. Raises Impossible for any other stage."""
    current = draft.state.stage
    if current != stage:
        raise Impossible(
            rule or cite(draft.state, "opening"),
            "this is for when {wanted.en}; now {found.en}",
            "cela se fait quand {wanted.fr} ; or {found.fr}",
            wanted=_STAGES[stage],
            found=_STAGES[current],
        )
