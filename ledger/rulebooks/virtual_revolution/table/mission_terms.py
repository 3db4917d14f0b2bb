"""The vocabulary of missions: the conditions of Verses."""

from __future__ import annotations

from typing import Literal

from ledger.rulebooks.virtual_revolution.table.operations import AgentType, Amount, Districts, Operation, Price


class NoMission(Operation, frozen=True, kw_only=True, tag="none"):
    """No condition: the Verse goes online as soon as a player takes the card."""


class AgentsInService(Operation, frozen=True, kw_only=True, tag="agents_in_service"):
    """At least a number of Agents of a type in service; with `exactly`, the exact number."""

    type: AgentType | Literal["any"]
    amount: Price
    exactly: bool = False


class AgentsInServiceEach(Operation, frozen=True, kw_only=True, tag="agents_in_service_each"):
    """At least one Agent of each type in service, all at once."""

    types: tuple[AgentType, ...]


class ServerInDistricts(Operation, frozen=True, kw_only=True, tag="server_in_districts"):
    """A Server within the districts."""

    districts: Districts


class SufferRaid(Operation, frozen=True, kw_only=True, tag="suffer_raid"):
    """Undergo a raid with at least a number of Corruption cards, or without spending Immunity."""

    min_corruption: Price = 0
    no_immunity_spent: bool = False


class DirectorsInOneDistrict(Operation, frozen=True, kw_only=True, tag="directors_in_one_district"):
    """A number of the player's Directors in a single district in a single round."""

    amount: Amount


class InfluenceInOneArrondissement(Operation, frozen=True, kw_only=True, tag="influence_in_one_arrondissement"):
    """At least a number of the player's tokens in a single arrondissement."""

    amount: Amount


class InfluenceInRecycling(Operation, frozen=True, kw_only=True, tag="influence_in_recycling"):
    """At least a number of the player's tokens in the recycling zone."""

    amount: Amount


class ServersAdjacent(Operation, frozen=True, kw_only=True, tag="servers_adjacent"):
    """A number of the player's Servers in adjacent arrondissements."""

    amount: Amount


class ImmunityTokens(Operation, frozen=True, kw_only=True, tag="immunity_tokens"):
    """At least a number of Immunity tokens."""

    amount: Amount


class BoostsOwned(Operation, frozen=True, kw_only=True, tag="boosts"):
    """At least a number of Boosts, cards or Agents."""

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
