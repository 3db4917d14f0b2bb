"""The pieces of the game: map, Agents, Verses, Boosts, Titles, cards, numbers, from the TOML files of
`pieces/`.

The files hold everything that the rules document leaves open, and a table may bring its own pieces
(vr:banker.2). Ids of cards are unique over all kinds of cards, because each card is a commodity
("card:leslie").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.parts.face.faces import Face
from ledger.rulebooks.virtual_revolution.table.mission_terms import Mission
from ledger.rulebooks.virtual_revolution.table.operations import (
    AgentType,
    Amount,
    Deed,
    Effect,
    Id,
    Points,
    Price,
    VerseType,
)
from ledger.rulebooks.virtual_revolution.table.score_terms import Score

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Rule = Annotated[str, Meta(min_length=1, max_length=40)]
Number = Annotated[int, Meta(ge=1, le=999)]
Count = Annotated[int, Meta(ge=0, le=1_000)]
Coordinate = Annotated[int, Meta(ge=0, le=1_000)]
Effects = Annotated[tuple[Effect, ...], Meta(max_length=10)]


class _Piece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class District(_Piece, frozen=True, kw_only=True):
    """A district of Néo Paris: a few arrondissements, and a Title for who controls them all."""

    id: Id
    name: Name
    colour: str = ""


class Arrondissement(_Piece, frozen=True, kw_only=True):
    """A place of the map, and those with which it shares a side (vr:setup.31). `at` is where it is drawn."""

    number: Number
    district: Id
    adjacent: Annotated[tuple[Number, ...], Meta(max_length=50)]
    at: tuple[Coordinate, Coordinate] | None = None


class AgentRules(_Piece, frozen=True, kw_only=True):
    """The rules of an Agent: its type's effect, the extra of its card, its promotion, its line as a Boost."""

    use: Rule
    extra: str = ""
    promotion: Rule
    boost: str = ""


class Agent(_Piece, frozen=True, kw_only=True):
    """An Agent card. At level 1 it may become a Boost of `boost_action`."""

    id: Id
    name: Name
    level: Annotated[int, Meta(ge=1, le=2)]
    type: AgentType
    activation: Effects
    promotion: Effects
    boost: Effects = ()
    boost_action: Deed | None = None
    rules: AgentRules


class VerseRules(_Piece, frozen=True, kw_only=True):
    """The rules of a Verse: its mission with the gain, and what it scores."""

    mission: Rule
    end: Rule


class Verse(_Piece, frozen=True, kw_only=True):
    """A Verse card: its mission, its gain when it goes online, what it scores at the end, at most `max`."""

    id: Id
    name: Name
    type: VerseType
    mission: Mission
    immediate: Effects = ()
    end: Score
    max: Count
    rules: VerseRules
    mission_text: Phrase
    end_text: Phrase


class Objective(_Piece, frozen=True, kw_only=True):
    """An Objective card."""

    id: Id
    name: Phrase
    score: Score
    max: Count
    rule: Rule
    text: Phrase


class Necro(_Piece, frozen=True, kw_only=True):
    """A Necro card: what the lowest, all, and the highest by Revenue undergo."""

    id: Id
    name: Name
    kind: Literal["standard", "end"]
    minimum: Effects = ()
    all: Effects = msgspec.field(name="global", default=())
    maximum: Effects = ()
    simultaneous: bool = False
    rule: Rule
    text: Phrase


class CorruptionKind(_Piece, frozen=True, kw_only=True):
    """A kind of Corruption card, and its rule."""

    id: Id
    name: Phrase
    rule: Rule
    text: Phrase


class Corruption(_Piece, frozen=True, kw_only=True):
    """A Corruption card. One with `priority` is resolved before all others (vr:raid.3)."""

    id: Id
    kind: Id
    priority: bool = False
    effects: Effects


class Boost(_Piece, frozen=True, kw_only=True):
    """A Boost card: what it adds to each performance of its Action."""

    id: Id
    name: Phrase
    action: Deed
    effects: Effects
    rule: Rule
    text: Phrase


class Title(_Piece, frozen=True, kw_only=True):
    """The Title of a district, called as the district is."""

    district: Id
    effects: Effects
    rule: Rule
    text: Phrase


class Recycling(_Piece, frozen=True, kw_only=True):
    """What so many recovered influence tokens bring."""

    tokens: Amount
    effects: Effects
    rule: Rule
    text: Phrase


class Amounts(_Piece, frozen=True, kw_only=True):
    """Numbers of pieces, and prices. `influence_on_board` is by the number of players."""

    rounds: Amount
    directors: Amount
    servers: Amount
    influence: Amount
    influence_on_board: dict[str, Count]
    start_eurocredits: Count
    start_immunity: Count
    start_revenue: Count
    immunity_tokens: Count
    vp2_tokens: Count
    agents_in_service: Amount
    agent_slots: Amount
    verse_slots: Amount
    aside_level_1: Count
    aside_level_2: Count
    objectives_dealt: Amount
    necro_standard: Amount
    raid_threshold: Amount
    raid_avoid: Amount
    necro_avoid_global: Amount
    necro_avoid_both: Amount
    title_loss_at: Amount
    recruit_range: Count
    recruit_price: Price
    server_price: Price
    server_revenue: Count
    server_vp2: Count
    verse_price: Price
    verse_revenue: Count
    verse_renewal: Price
    work_gain: Count
    donation_1: Price
    donation_2: Price
    donation_immunity: Price
    verse_for_immunity: Amount


class Scoring(_Piece, frozen=True, kw_only=True):
    """What everybody scores at the end. `servers` is by the number of Servers in play, from 0."""

    vp2_token: Points
    eurocredit_step: Amount
    revenue: Points
    arrondissement: Points
    title: Points
    agent: Points
    agent_trio: Points
    servers: Annotated[tuple[Points, ...], Meta(min_length=1, max_length=50)]


class Pieces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """All pieces of a game."""

    colours: Annotated[tuple[Name, ...], Meta(min_length=2, max_length=20)]
    corporations: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    amounts: Amounts
    scoring: Scoring
    district: Annotated[tuple[District, ...], Meta(min_length=1, max_length=50)]
    arrondissement: Annotated[tuple[Arrondissement, ...], Meta(min_length=2, max_length=200)]
    agent: Annotated[tuple[Agent, ...], Meta(max_length=200)]
    verse: Annotated[tuple[Verse, ...], Meta(max_length=200)]
    objective: Annotated[tuple[Objective, ...], Meta(max_length=100)]
    necro: Annotated[tuple[Necro, ...], Meta(max_length=100)]
    corruption_kind: Annotated[tuple[CorruptionKind, ...], Meta(max_length=50)]
    corruption: Annotated[tuple[Corruption, ...], Meta(max_length=200)]
    boost: Annotated[tuple[Boost, ...], Meta(max_length=50)]
    title: Annotated[tuple[Title, ...], Meta(max_length=50)]
    recycling: Annotated[tuple[Recycling, ...], Meta(max_length=10)]
    face: Face | UnsetType = UNSET
    """The look on a screen; without it, the rulebook's."""

    @cached_property
    def districts(self) -> Mapping[str, District]:
        """The districts, by id."""
        return {district.id: district for district in self.district}

    @cached_property
    def places(self) -> Mapping[int, Arrondissement]:
        """The arrondissements, by number."""
        return {area.number: area for area in self.arrondissement}

    @cached_property
    def members(self) -> Mapping[str, tuple[int, ...]]:
        """The arrondissements of each district, in order."""
        return {
            district.id: tuple(area.number for area in self.arrondissement if area.district == district.id)
            for district in self.district
        }

    @cached_property
    def steps(self) -> Mapping[int, Mapping[int, int]]:
        """The number of sides between each two arrondissements, by the shortest path; no number without a path."""
        distances: dict[int, dict[int, int]] = {}
        for start in self.places:
            away, edge = {start: 0}, [start]
            while edge:
                edge = [
                    near
                    for area in edge
                    for near in self.places[area].adjacent
                    if near not in away and away.setdefault(near, away[area] + 1)
                ]
            distances[start] = away
        return distances

    @cached_property
    def agents(self) -> Mapping[str, Agent]:
        """The Agents, by id."""
        return {agent.id: agent for agent in self.agent}

    @cached_property
    def verses(self) -> Mapping[str, Verse]:
        """The Verses, by id."""
        return {verse.id: verse for verse in self.verse}

    @cached_property
    def objectives(self) -> Mapping[str, Objective]:
        """The Objectives, by id."""
        return {objective.id: objective for objective in self.objective}

    @cached_property
    def necros(self) -> Mapping[str, Necro]:
        """The Necro cards, by id."""
        return {necro.id: necro for necro in self.necro}

    @cached_property
    def corruptions(self) -> Mapping[str, Corruption]:
        """The Corruption cards, by id."""
        return {corruption.id: corruption for corruption in self.corruption}

    @cached_property
    def kinds(self) -> Mapping[str, CorruptionKind]:
        """The kinds of Corruption cards, by id."""
        return {kind.id: kind for kind in self.corruption_kind}

    @cached_property
    def boosts(self) -> Mapping[str, Boost]:
        """The Boost cards, by id."""
        return {boost.id: boost for boost in self.boost}

    @cached_property
    def titles(self) -> Mapping[str, Title]:
        """The Titles, by the id of the district."""
        return {title.district: title for title in self.title}

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """The ids of the Location cards: one for each arrondissement, and the first player's."""
        return (*(location_of(place) for place in self.places), FIRST)

    @cached_property
    def plain(self) -> Mapping[str, Any]:
        """The pieces as plain data, not to be changed."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


FIRST = "loc_first"
"""The Location card of the first player, which later intercepts an Agent."""


def location_of(area: int) -> str:
    """Return the id of the Location card of an arrondissement."""
    return f"loc_{area:02d}"


def place_of(location: str) -> int | None:
    """Return the arrondissement of a Location card; None for the first player's card."""
    return None if location == FIRST else int(location.removeprefix("loc_"))
