"""Boosts: available Boost cards taken and discarded, Agents in Boost discarded (vr:boost.1 to 3)."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import Deed, TakeBoost
from ledger.rulebooks.virtual_revolution.table.state import Draft, boost_action, boosts_of, pieces
from ledger.rulebooks.virtual_revolution.table.terms import AGENTS, BOOSTS, boosts

chapter = Chapter("Boosts")


@chapter.event
class BoostTaken(Event, frozen=True, kw_only=True):
    """A player puts an available Boost card under its Action (vr:boost.1)."""

    en: ClassVar[str] = "{seat:seat} takes the Boost card {boost:card}, under {action:deed}."
    fr: ClassVar[str] = "{seat:seat} prend la carte Boost {boost:card}, sous {action:deed}."

    seat: str
    boost: str
    action: Deed


@chapter.event
class BoostDiscarded(Event, frozen=True, kw_only=True):
    """A player discards a Boost: a card becomes available again, an Agent goes to the discard (vr:boost.2, 3)."""

    en: ClassVar[str] = "{seat:seat} discards the Boost {boost:card}."
    fr: ClassVar[str] = "{seat:seat} défausse le Boost {boost:card}."

    seat: str
    boost: str


def take_boost(draft: Draft, seat: str, boost: str, rule: str) -> None:
    """Let a player take a Boost card. Raises Impossible by the rule for an unavailable card."""
    card = boost.removeprefix("card:")
    available = decks.held_in(draft.state, BOOSTS)
    if card not in available:
        raise Impossible(
            rule,
            "{boost:card} is not available; available are: {available:each|card}",
            "{boost:card} n'est pas disponible ; le sont : {available:each|card}",
            boost=card,
            available=available,
        )
    moved = (Posting(decks.commodity(card), 1, BOOSTS, boosts(seat)),)
    action = boost_action(draft.state, card)
    draft.record(BoostTaken(rule=rule, seat=seat, boost=card, action=action, postings=moved))


def discard_boost(draft: Draft, seat: str, boost: str, rule: str) -> None:
    """Let a player discard a Boost, a card or an Agent. Raises Impossible for a Boost of somebody else."""
    card = boost.removeprefix("card:")
    mine = boosts_of(draft.state, seat)
    if card not in mine:
        raise Impossible(
            rule,
            "{boost!r} is no Boost of {seat:seat}, who has: {mine:each|card}",
            "{boost!r} n'est pas un Boost {seat:de|seat}, qui a : {mine:each|card}",
            boost=card,
            seat=seat,
            mine=mine,
        )
    target = BOOSTS if card in pieces(draft.state).boosts else decks.discards(AGENTS)
    moved = (Posting(decks.commodity(card), 1, boosts(seat), target),)
    draft.record(BoostDiscarded(rule=rule, seat=seat, boost=card, postings=moved))


@effects.carries_out(TakeBoost, asks=True)
def _take(draft: Draft, effect: TakeBoost, doing: Doing) -> None:
    """Take available Boost cards; with none available nothing is gained."""
    pick = doing.pick()
    for _ in range(effect.amount):
        available = decks.held_in(draft.state, BOOSTS)
        requested = None if pick is None or pick.boost is None else pick.boost.removeprefix("card:")
        boost = effects.chosen(doing, available, requested)
        if boost is not None:
            take_boost(draft, doing.seat, boost, doing.rule)
