"""The vocabulary of missions: the conditions of Verses."""

from __future__ import annotations

from typing import Literal

from ledger.rulebooks.virtual_revolution.table.operations import AgentType, Amount, Districts, Operation, Price


class NoMission(Operation, frozen=True, kw_only=True, tag="none"):
    """No condition: the Verse goes online when it is taken."""


class AgentsInService(Operation, frozen=True, kw_only=True, tag="agents_in_service"):
    """At least so many Agents of a type in service; with `exactly`, exactly so many."""

    type: AgentType | Literal["any"]
    amount: Price
    exactly: bool = False


class AgentsInServiceEach(Operation, frozen=True, kw_only=True, tag="agents_in_service_each"):
    """At least one Agent of each of these types in service at the same time."""

    types: tuple[AgentType, ...]


class ServerInDistricts(Operation, frozen=True, kw_only=True, tag="server_in_districts"):
    """A Server in at least one of the districts."""

    districts: Districts


class SufferRaid(Operation, frozen=True, kw_only=True, tag="suffer_raid"):
    """Undergo a raid with at least so many Corruption cards; or without spending Immunity in it."""

    min_corruption: Price = 0
    no_immunity_spent: bool = False


class DirectorsInOneDistrict(Operation, frozen=True, kw_only=True, tag="directors_in_one_district"):
    """So many of one's Directors in one district in the same round."""

    amount: Amount


class InfluenceInOneArrondissement(Operation, frozen=True, kw_only=True, tag="influence_in_one_arrondissement"):
    """At least so many of one's tokens in one arrondissement."""

    amount: Amount


class InfluenceInRecycling(Operation, frozen=True, kw_only=True, tag="influence_in_recycling"):
    """At least so many of one's tokens in the recycling zone."""

    amount: Amount


class ServersAdjacent(Operation, frozen=True, kw_only=True, tag="servers_adjacent"):
    """So many of one's Servers in adjacent arrondissements."""

    amount: Amount


class ImmunityTokens(Operation, frozen=True, kw_only=True, tag="immunity_tokens"):
    """At least so many Immunity tokens."""

    amount: Amount


class BoostsOwned(Operation, frozen=True, kw_only=True, tag="boosts"):
    """At least so many Boosts, cards or Agents."""

    amount: Amount


Mission = (
    NoMission
    | AgentsInService
    | AgentsInServiceEach
    | ServerInDistricts
    | SufferRaid
    | DirectorsInOneDistrict
    | InfluenceInOneArrondissement
    | InfluenceInRecycling
    | ServersAdjacent
    | ImmunityTokens
    | BoostsOwned
)
