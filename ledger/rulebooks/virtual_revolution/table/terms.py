"""The values in the state of a game, and the names of accounts and commodities."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.facts.values import PlaceNumber, SeatId, of_kind
from ledger.rulebooks.virtual_revolution.table.operations import Deed, Effect, Losable, VerseType

# ----------------------------------------------------------------------------------------------
# Commodities and accounts
# ----------------------------------------------------------------------------------------------

EUROCREDIT: Final = "eurocredit"
IMMUNITY: Final = "immunity"
REVENUE: Final = "revenue"
"""A point of Revenue, an ordinary commodity issued by the bank."""
VP2: Final = "vp2_token"
"""A token worth 2 victory points."""
VICTORY_POINT = "victory_point"
"""The unit of worth; no account holds any."""

RECYCLING = "recycling"
"""The recycling zone: influence tokens of all players."""
DISPLAY = "display"
"""The Verses on display, in the order of `state.display`."""
BOOSTS = "boost_cards"
"""The available Boost cards."""
TITLES = "titles"
"""The Titles without a holder."""
ASIDE = "aside"
"""The Agents set aside before the game, visible to players but not to spectators (vr:setup.18)."""
SHOWN_NECRO = "necro"
"""The Necro cards turned up."""
GONE = "gone"
"""The Location cards out of the game."""

AGENTS_1, AGENTS_2 = "agents_1", "agents_2"
"""The decks of Agents. All Agents of level 1 come before any of level 2."""
CORRUPTION = "corruption"
VERSES = "verses"
LOCATIONS = "locations"
NECRO, NECRO_END = "necro", "necro_end"
"""The decks of Necro cards. The second deck has the last card of the game."""
UNUSED = "unused"
"""The unseen Necro cards outside the deck. A drawing table leaves the unused cards in the deck."""
OBJECTIVES = "objectives"
AGENTS = "agents"
"""The name of the Agent discard."""


@lru_cache(maxsize=256)
def influence(seat: str) -> str:
    """Return the commodity of a player's influence tokens."""
    return f"influence:{seat}"


@lru_cache(maxsize=256)
def server(seat: str) -> str:
    """Return the commodity of a player's Servers."""
    return f"server:{seat}"


@lru_cache(maxsize=256)
def director(seat: str) -> str:
    """Return the commodity of a player's Directors."""
    return f"director:{seat}"


@lru_cache(maxsize=256)
def title(district: str) -> str:
    """Return the commodity of a Title, by district."""
    return f"title:{district}"


@lru_cache(maxsize=256)
def spot(area: int) -> str:
    """Return the account of an arrondissement: influence, Servers and Directors."""
    return f"arrondissement:{area}"


@lru_cache(maxsize=64)
def hand(seat: str) -> str:
    """Return the account of a player's Corruption cards, visible to the player alone."""
    return f"hand:{seat}"


@lru_cache(maxsize=64)
def raided(seat: str) -> str:
    """Return the account of the Corruption cards revealed by a raid and not yet resolved."""
    return f"raid:{seat}"


@lru_cache(maxsize=64)
def objectives(seat: str) -> str:
    """Return the account of a player's Objectives, visible to the player alone."""
    return f"objectives:{seat}"


@lru_cache(maxsize=64)
def service(seat: str) -> str:
    """Return the account of a player's Agents in service."""
    return f"service:{seat}"


@lru_cache(maxsize=64)
def boosts(seat: str) -> str:
    """Return the account of a player's Boosts: cards and Agents under the Actions."""
    return f"boosts:{seat}"


@lru_cache(maxsize=64)
def retired(seat: str) -> str:
    """Return the account of a player's retired Agents."""
    return f"retired:{seat}"


@lru_cache(maxsize=64)
def verses(seat: str) -> str:
    """Return the account of a player's Verses."""
    return f"verses:{seat}"


@lru_cache(maxsize=64)
def slot(number: int) -> str:
    """Return the account of the Agent on a slot, from 1."""
    return f"slot:{number}"


# ----------------------------------------------------------------------------------------------
# Parameters of actions
# ----------------------------------------------------------------------------------------------

CardId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("card")]
AgentId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("card", group="agents")]
VerseId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("card", group="verses")]
BoostId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("card", group="boosts")]
CorruptionId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("card", group="corruption")]
Cards = Annotated[tuple[CardId, ...], Meta(max_length=12)]
DistrictId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("title")]
"""A Title, by district."""
SourceId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("card")]
"""The source of a bonus: a Boost card, an Agent in Boost or in service, by id; a Title by district."""
ThingId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("choice")]
"""A thing to lose: "arrondissement:5" (a token in the arrondissement), "server:5", "card:leslie",
"card:boost_work", "card:westland", "immunity".
"""
Drawn = Annotated[
    Annotated[tuple[CardId, ...], Meta(max_length=24)] | None,
    Meta(description="the cards drawn, in order, where the table draws"),
]


class Bonus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A bonus that a player declares with an Action: a Boost, a Title, or the promotion of an Agent tied to it.

    The source is an Agent in service for a promotion. `to` says what becomes of it. `copies` is the Agent whose
    promotion Pixel applies. `verses` are put under the deck, `card` is discarded, where the bonus does that.
    """

    source: SourceId
    when: Literal["before", "after"] = "before"
    to: Literal["retire", "boost"] | None = None
    copies: AgentId | None = None
    verses: Annotated[tuple[VerseId, ...], Meta(max_length=12)] = ()
    card: CorruptionId | None = None


Bonuses = Annotated[Annotated[tuple[Bonus, ...], Meta(max_length=20)] | None, of_kind("bonuses")]
"""None applies every Boost with gains alone before the Action. A list applies exactly the bonuses in the list."""


class Work(msgspec.Struct, frozen=True, kw_only=True, tag_field="action", tag="work", omit_defaults=True):
    """Work, as a bonus Action."""

    bonuses: Bonuses = None


class Recruit(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="action", tag="recruit_agent", omit_defaults=True
):
    """Recruit an Agent, as a bonus Action."""

    agent: AgentId
    bonuses: Bonuses = None


class Build(msgspec.Struct, frozen=True, kw_only=True, tag_field="action", tag="build_server", omit_defaults=True):
    """Build a Server, as a bonus Action."""

    bonuses: Bonuses = None


class Create(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="action", tag="create_verse", omit_defaults=True
):
    """Create a Verse. Without a Verse the Action begins, and the display may be renewed before one is taken."""

    verse: VerseId | None = None
    bonuses: Bonuses = None


class Donate(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="action", tag="make_donation", omit_defaults=True
):
    """Make a Donation: discard up to two cards, buy an Immunity token."""

    discard: Annotated[tuple[CorruptionId, ...], Meta(max_length=2)] = ()
    immunity: bool = False
    bonuses: Bonuses = None


Performed = Work | Recruit | Build | Create | Donate
"""One of the five Actions, with its parameters."""


class Pick(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a player chooses for one effect of a card. Each operation reads what it needs, and refuses the rest.

    place     an arrondissement               places    several, one for each token
    whose     the seat whose token it is      source    the arrondissement from which something goes
    to        another player                  add       add a token instead of eliminating one
    agent     an Agent                        gives     the Agent given for it
    verse     a Verse                         boost     a Boost card
    cards     Corruption cards                verses    Verses on display
    option    one of several, from 0          action    a bonus Action
    skip      leave out what may be left out
    """

    place: PlaceNumber | None = None
    places: Annotated[tuple[PlaceNumber, ...], Meta(max_length=20)] = ()
    whose: SeatId | None = None
    source: PlaceNumber | None = None
    to: SeatId | None = None
    add: bool = False
    agent: AgentId | None = None
    gives: AgentId | None = None
    verse: VerseId | None = None
    boost: BoostId | None = None
    cards: Annotated[tuple[CorruptionId, ...], Meta(max_length=12)] = ()
    verses: Annotated[tuple[VerseId, ...], Meta(max_length=12)] = ()
    option: Annotated[int, Meta(ge=0, le=20), of_kind("quantity")] | None = None
    action: Annotated[Performed | None, of_kind("performed")] = None
    skip: bool = False


OnePick = Annotated[Pick | None, of_kind("pick")]
"""A choice for the single effect of a card, or none."""
OneBonus = Annotated[Bonus, of_kind("bonus")]
"""A bonus, as a parameter."""
Picks = Annotated[tuple[Pick | None, ...], Meta(max_length=10), of_kind("picks")]
"""A choice for each effect of a card that asks for a choice, in order; null for no choice."""


# ----------------------------------------------------------------------------------------------
# The state
# ----------------------------------------------------------------------------------------------


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """An Agent on offer: the slot, from 1, and the arrondissement of the Location token."""

    agent: str
    slot: int
    place: int


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """An Action performed in the turn under way.

    `open` are the Boosts and Titles still applicable. `tied` are the Agents with a promotion tied to the
    performance. `brought` are the cards brought into play by the performance (vr:action.6).
    """

    action: Deed
    is_bonus: bool = False
    open: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()


class Creating(msgspec.Struct, frozen=True, kw_only=True):
    """Create a Verse under way: begun, and no Verse taken yet."""

    number: int = 0
    """The number of the performance in the turn, from 0."""
    after: tuple[Bonus, ...] = ()
    """Bonuses declared for after the Action."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The turn under way."""

    seat: str
    cycle: int = 1
    """The number of the seat's turn in the round, from 1."""
    director: int | None = None
    """The arrondissement of the Director placed in this turn; None before the placement."""
    phase: Literal[1, 2, 3, 4] = 1
    """1 placing the Director, 2 influence, 3 the Action, 4 after the Action."""
    creating: Creating | None = None
    performed: tuple[Performance, ...] = ()


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has to answer before the turn goes on.

    discard   discard `amount` cards of the hand (discard_corruption)
    exchange  take a card of `of` and give one back (exchange_corruption)
    loss      lose one thing of `among` (choose_loss)
    """

    kind: Literal["discard", "exchange", "loss"]
    seat: str
    by: str
    rule: str
    amount: int = 0
    of: str = ""
    among: tuple[Losable, ...] = ()


class Raid(msgspec.Struct, frozen=True, kw_only=True):
    """The raid under way: the number of cards at the beginning, and any Immunity spent.

    The remaining cards are in the account `raided(seat)`.
    """

    seat: str
    cards: int
    spent: bool = False


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """One loss of a Necro attack that a player has to choose, of the effect `effect`."""

    seat: str
    effect: Effect
    part: Literal["minimum", "global", "maximum"]


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """The Necro attack under way (vr:necro.8), with the lowest and highest seats fixed as the card is turned
    up.

    `stage` is the present part; `paying` are the seats yet to decide on a payment; `avoided` are the parts
    avoided by each seat; `losses` are the choices still to be made, the next first.
    """

    card: str
    lowest: tuple[str, ...]
    highest: tuple[str, ...]
    stage: Literal["minimum", "payment", "global", "maximum", "over"] = "minimum"
    paying: tuple[str, ...] = ()
    avoided: tuple[tuple[str, Literal["global", "both"]], ...] = ()
    losses: tuple[Loss, ...] = ()


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """An Action with other figures for a seat in one round (vr:necro.11); None where a figure is as usual."""

    seat: str
    action: Deed
    round: int
    rule: str
    price: int | None = None
    gain: int | None = None
    price_1: int | None = None
    price_2: int | None = None
    price_immunity: int | None = None


class ScoreChange(msgspec.Struct, frozen=True, kw_only=True):
    """What a Necro card changes in a seat's score: a cap on Verses or the Objective, or points per unit of a line;
    `line` is "points" for points lost outright."""

    seat: str
    line: Literal["verse", "objective", "agent_trio", "title", "points"]
    amount: int
    rule: str
    is_cap: bool = False


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The Objective that a seat has chosen, and the type of Verse that it counts where it counts one."""

    objective: str
    verse_type: VerseType | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a score: what is counted, how many, the points, and the rule.

    `what` is the kind of line ("vp2_token", "verse", "objective"…), `of` the card it is about.
    """

    what: str
    count: int
    points: int
    rule: str
    of: str = ""
