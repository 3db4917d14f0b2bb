"""The legs of a trade: transfers between parties, checked and turned into postings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX, CommodityId, SeatId, of_kind
from ledger.rulebooks.parts.seats import player


class Leg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One transfer of a trade: an amount of a commodity from one seat to another."""

    giver: SeatId
    taker: SeatId
    commodity: CommodityId
    amount: Annotated[
        int, Meta(ge=0, le=INT64_MAX, description="whole units of money, or pieces"), of_kind("quantity")
    ] = 1


def require_between(leg: Leg, parties: Collection[str], *, stranger: str, oneself: str) -> None:
    """Refuse a leg not leading from one party to another. Raises Impossible.

    `stranger` is the rule against a player outside the deal, `oneself` the rule against giving to oneself.
    """
    for seat in (leg.giver, leg.taker):
        if seat not in parties:
            raise Impossible(
                stranger,
                "{seat:seat} is not a party to the deal and cannot give or receive by it; its "
                "parties are: {parties:seats}",
                "{seat:seat} n'est pas partie à l'accord et ne peut ni y donner ni y recevoir ; "
                "parties : {parties:seats}",
                seat=seat,
                parties=tuple(parties),
            )
    if leg.giver == leg.taker:
        raise Impossible(
            oneself,
            "{seat:seat} cannot give {commodity:goods} to themselves",
            "{seat:seat} ne peut pas se donner {commodity:goods}",
            seat=leg.giver,
            commodity=leg.commodity,
        )


def moved(leg: Leg) -> Posting:
    """Return the posting of a leg between the accounts of the two seats."""
    return Posting(leg.commodity, leg.amount, player(leg.giver), player(leg.taker))
