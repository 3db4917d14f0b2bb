"""The state of a game, and the questions that all chapters ask about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from ledger.kernel.facts.agreements import Archive
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.rulebooks.monopoly.table.pieces import Pieces, Square
from ledger.rulebooks.monopoly.table.roles import Role, Rules
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.terms import (
    HOTEL,
    HOUSE,
    MORTGAGE,
    PASS,
    Auction,
    Debt,
    Held,
    Landing,
    Lot,
    Received,
    Rent,
    Trade,
)
from ledger.rulebooks.parts import seats, titles
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.parts.seats import player as purse

MonopolyEdition = Edition[Pieces, Rules]

Stage = Literal["setup", "play", "between"]
"""The table is prepared; the game is played; a season is over, and the next one is not open."""


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
    """The seats that have been elected banker, the last one of which is; empty without an election."""
    tokens: dict[str, str] = {}
    thrown: dict[str, tuple[int, ...]] = {}
    """The totals that each seat has thrown for the order of play: its throw, then those among seats that tied."""
    shuffled: frozenset[str] = frozenset()
    dealt: bool = False

    # The turn under way
    turn: str | None = None
    throws: int = 0
    """How many throws its seat has made."""
    doubles: int = 0
    """How many doubles in a row."""
    must_throw: bool = False
    landing: Landing | None = None
    held: Held | None = None

    positions: dict[str, int] = {}
    jailed: dict[str, int] = {}
    """The seats in prison, with how many throws of theirs have failed."""

    rents: list[Rent] = []
    """The rents that may be claimed, and those claimed that wait for a throw."""
    debts: list[Debt] = []
    received: list[Received] = []
    auction: Auction | None = None
    lots: tuple[Lot, ...] = ()
    """What is auctioned next."""
    wishes: dict[str, str] = {}
    """The piece (house or hotel) that each seat wants, while pieces are scarce."""
    wished_in: dict[str, str] = {}
    """In whose turn each of these seats has asked for it."""
    costs: dict[str, tuple[int, ...]] = {}
    """What was paid for each building on a title, in the order of building (a hotel's includes its houses')."""
    under: dict[str, tuple[str, ...]] = {}
    """The cards put under each deck, in their order."""
    open: dict[str, Trade] = {}
    past: Archive = msgspec.field(default_factory=Archive)

    out: tuple[str, ...] = ()
    """The seats out of the game, or of the season, in the order in which they went."""
    winners: tuple[str, ...] = ()

    # Seasons
    season: int = 1
    starters: int = 0
    """How many began the season."""
    consents: frozenset[str] = frozenset()
    """Who agrees to close the season."""
    ranking: tuple[str, ...] = ()
    """The seats at the end of the last season, the best first."""
    moved_up: str | None = None
    """The best merchant, who has asked to move up."""


Draft = AnyDraft[Monopoly]
"""The game on which an action is being decided."""


# ----------------------------------------------------------------------------------------------
# The edition
# ----------------------------------------------------------------------------------------------


def pieces(state: Monopoly) -> Pieces:
    """The pieces in play."""
    return state.edition.pieces


def cite(state: Monopoly, role: Role, square: Square | None = None) -> str:
    """The id of the edition's rule for a role, at a square where that matters.

    Raises KeyError when the edition has none.
    """
    rules = state.edition.rules
    if square is not None:
        for place in (square.id, square.kind):
            found = rules.at.get(place, {}).get(role)
            if found is not None:
                return found
    if state.settings.quick and role in rules.quick:
        return rules.quick[role]
    return rules.roles[role]


def has_role(state: Monopoly, role: Role) -> bool:
    """Whether the edition has a rule for the role."""
    return role in state.edition.rules.roles


def currency(state: Monopoly) -> str:
    """The commodity that is money."""
    return state.edition.currency


def title_named(draft: Draft, title: str, rule: str) -> Square:
    """The title of this id, also written out ("title:…"). Raises Impossible by the rule when there is none."""
    found = pieces(draft.state).titles.get(title.removeprefix("title:"))
    if found is None:
        raise Impossible(
            rule,
            "there is no title {title!r}; the titles are: {titles:each|title}",
            "il n'y a pas de titre {title!r} ; les titres sont : {titles:each|title}",
            title=title,
            titles=tuple(pieces(draft.state).titles),
        )
    return found


# ----------------------------------------------------------------------------------------------
# Who has what
# ----------------------------------------------------------------------------------------------


def cash(state: Monopoly, seat: str) -> int:
    """A player's money."""
    return state.holdings.of(purse(seat), state.edition.currency)


def owner_of(state: Monopoly, title: str) -> str | None:
    """The seat that owns a title; None when the bank does."""
    return titles.owner_of(state, title)


def titles_of(state: Monopoly, seat: str) -> list[str]:
    """A player's titles, in the order of the board."""
    return titles.titles_of(state, seat, pieces(state).titles)


def group_of(state: Monopoly, title: str) -> tuple[str, ...]:
    """The titles of the group of a title, itself among them, in the order of the board."""
    found = pieces(state)
    return found.members[found.titles[title].group]


def is_mortgaged(state: Monopoly, title: str) -> bool:
    """Whether a mortgage lies on the title."""
    return titles.lies_on(state, title, MORTGAGE) > 0


def houses_on(state: Monopoly, title: str) -> int:
    """How many houses stand on a title."""
    return titles.lies_on(state, title, HOUSE)


def has_hotel(state: Monopoly, title: str) -> bool:
    """Whether a hotel stands on the title."""
    return titles.lies_on(state, title, HOTEL) > 0


def level(state: Monopoly, title: str) -> int:
    """How far a title is built: the number of its houses; a hotel is the level above the most houses."""
    lying = state.holdings.account(titles.attached(title))
    if not lying:
        return 0
    return state.settings.houses_per_hotel + 1 if lying.get(HOTEL, 0) > 0 else lying.get(HOUSE, 0)


def is_built(state: Monopoly, found: Iterable[str]) -> bool:
    """Whether anything stands on one of these titles."""
    return any(level(state, title) for title in found)


def holds_group(state: Monopoly, seat: str, title: str) -> bool:
    """Whether a player owns the whole group of a title."""
    return titles.missing_of(state, seat, group_of(state, title)) is None


def jail_passes(state: Monopoly, seat: str) -> list[str]:
    """The commodities of a player that get one out of prison: cards first, then passes of the bank."""
    held = state.holdings.account(purse(seat))
    return sorted((one for one in held if held[one] > 0 and is_jail_pass(one)), key=lambda one: (one == PASS, one))


def is_jail_pass(commodity: str) -> bool:
    """Whether a thing gets one out of prison."""
    return commodity == PASS or commodity.startswith("card:")


def is_selling(state: Monopoly) -> bool:
    """Whether an auction is under way, or has to be opened."""
    return state.auction is not None or bool(state.lots)


# ----------------------------------------------------------------------------------------------
# Who plays
# ----------------------------------------------------------------------------------------------


def in_play(state: Monopoly) -> list[str]:
    """The seats still in the game, in the order of play."""
    return seats.in_play(state.order, state.out)


def player_in_play(draft: Draft) -> str:
    """The acting seat, after checking that it plays and is not bankrupt. Raises Impossible."""
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
    """The acting seat, after checking that it is its turn."""
    seat = player_in_play(draft)
    seats.require_turn(draft, str(draft.state.turn), cite(draft.state, "turn"))
    return seat


_STAGES: dict[str, tuple[str, str]] = {
    "setup": ("the table is being prepared", "la table se prépare"),
    "play": ("the game is played", "la partie se joue"),
    "between": ("the season is over", "la saison est terminée"),
}


def require_stage(draft: Draft, stage: Stage, rule: str | None = None) -> None:
    """Raise Impossible unless the game is at this stage."""
    now = draft.state.stage
    if now != stage:
        raise Impossible(
            rule or cite(draft.state, "opening"),
            "this is for when {wanted}; now {found}",
            "cela se fait quand {attendu} ; or {trouve}",
            wanted=_STAGES[stage][0],
            found=_STAGES[now][0],
            attendu=_STAGES[stage][1],
            trouve=_STAGES[now][1],
        )
