"""The vocabulary of scores: points at the end of the game."""

from __future__ import annotations

from typing import Literal

from ledger.rulebooks.virtual_revolution.table.operations import (
    AgentType,
    Amount,
    Districts,
    Operation,
    Points,
    VerseType,
)


class _Score(Operation, frozen=True, kw_only=True):
    """A number of points (`vp`) for each counted unit."""

    vp: Points = 0


class PerAgent(_Score, frozen=True, kw_only=True, tag="per_agent"):
    """Per Agent of a type: in service, in Boost or retired."""

    type: AgentType


class PerAgentTrio(_Score, frozen=True, kw_only=True, tag="per_agent_trio"):
    """Per trio of Agents of three types."""


class PerVerse(_Score, frozen=True, kw_only=True, tag="per_verse"):
    """Per Verse of a type, online or not."""

    type: VerseType


class PerArrondissementControlled(_Score, frozen=True, kw_only=True, tag="per_arrondissement_controlled"):
    """Per controlled arrondissement of these districts."""

    districts: Districts


class PerDistrictWithoutInfluence(_Score, frozen=True, kw_only=True, tag="per_district_without_influence"):
    """Per district without an influence token of one's own; Servers do not matter."""


class PerCorruptionAtFinalRaid(_Score, frozen=True, kw_only=True, tag="per_corruption_at_final_raid"):
    """Per Corruption card held when the final raid began."""


class PerArrondissementWithInfluence(_Score, frozen=True, kw_only=True, tag="per_arrondissement_with_influence"):
    """Per arrondissement with at least so many of one's tokens."""

    minimum: Amount


class PerInfluenceInRecycling(_Score, frozen=True, kw_only=True, tag="per_influence_in_recycling"):
    """Per token of one's own in the recycling zone."""


class PerBoost(_Score, frozen=True, kw_only=True, tag="per_boost"):
    """Per Boost, card or Agent."""


class PerBoostedAction(_Score, frozen=True, kw_only=True, tag="per_boosted_action"):
    """Per Action with at least one Boost."""


class PerServer(_Score, frozen=True, kw_only=True, tag="per_server"):
    """Per Server in play."""


class PerImmunity(_Score, frozen=True, kw_only=True, tag="per_immunity"):
    """Per Immunity token."""


class IfFewest(_Score, frozen=True, kw_only=True, tag="if_fewest"):
    """For having the fewest of something, alone or tied."""

    what: Literal["eurocredit", "influence_on_map"]


class IfMost(_Score, frozen=True, kw_only=True, tag="if_most"):
    """For having the most of something, alone or tied."""

    what: Literal["eurocredit", "influence_on_map"]


class Per(_Score, frozen=True, kw_only=True, tag="per"):
    """Per piece; `vp_by_players` has the points by the number of players ("2", "3", "4") where they differ."""

    what: Literal[
        "controlled_arrondissement",
        "different_verse_type",
        "district_without_influence",
        "server",
        "title",
        "verse",
        "verse_of_one_chosen_type",
    ]
    vp_by_players: dict[str, Points] = {}


class PerAmount(_Score, frozen=True, kw_only=True, tag="per_amount"):
    """Per full `step` of something."""

    what: Literal["eurocredit", "revenue"]
    step: Amount


class AgentsByLevel(Operation, frozen=True, kw_only=True, tag="agents_by_level"):
    """Points per Agent of two types, by level."""

    first: AgentType
    first_level_1: Points
    first_level_2: Points
    second: AgentType
    second_level_1: Points
    second_level_2: Points


class SumOf(Operation, frozen=True, kw_only=True, tag="sum"):
    """Several scores together."""

    of: tuple[Score, ...]


Score = (
    PerAgent
    | PerAgentTrio
    | PerVerse
    | PerArrondissementControlled
    | PerDistrictWithoutInfluence
    | PerCorruptionAtFinalRaid
    | PerArrondissementWithInfluence
    | PerInfluenceInRecycling
    | PerBoost
    | PerBoostedAction
    | PerServer
    | PerImmunity
    | IfFewest
    | IfMost
    | Per
    | PerAmount
    | AgentsByLevel
    | SumOf
)
