"""Titles: a player in control of a whole district takes the Title at once, and uses it once per round.

Control follows from the map (vr:title.1, vr:title.2), so Titles are checked after every change of the map
(vr:title.6).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table import effects, pieces
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import Effect, KeepFromDiscard, ReadyAgents
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    controls,
    holder_of,
    in_service,
)
from ledger.rulebooks.virtual_revolution.table.state import pieces as pieces_of
from ledger.rulebooks.virtual_revolution.table.terms import TITLES, influence, server, spot, title

chapter = Chapter("Titles")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class TitleAwarded(Event, frozen=True, kw_only=True):
    """A player who controls a whole district takes its Title (vr:title.3)."""

    en: ClassVar[str] = "{seat:seat} controls all of {district:district} and takes its Title."
    fr: ClassVar[str] = "{seat:seat} contrôle tout {district:district} et en prend le Titre."

    rule: str = "vr:title.3"
    seat: str
    district: str


@chapter.event
class TitleReturned(Event, frozen=True, kw_only=True):
    """A player has lost control of two places of a district, and its Title with them (vr:title.4, vr:title.5)."""

    en: ClassVar[str] = "{seat:seat} loses the Title of {district:district}."
    fr: ClassVar[str] = "{seat:seat} perd le Titre {district:district}."

    rule: str = "vr:title.4"
    seat: str
    district: str

    def apply(self, state: VirtualRevolution) -> None:
        """Set the Title upright for the next holder (vr:title.8)."""
        state.tilted -= {title(self.district)}


@chapter.event
class TitleUsed(Event, frozen=True, kw_only=True):
    """A player uses a Title, which is tilted for the round (vr:title.7)."""

    en: ClassVar[str] = "{seat:seat} uses the Title of {district:district}."
    fr: ClassVar[str] = "{seat:seat} active le Titre {district:district}."

    seat: str
    district: str

    def apply(self, state: VirtualRevolution) -> None:
        """Tilt the Title: one use per round."""
        state.tilted |= {title(self.district)}


@chapter.event
class AgentReadied(Event, frozen=True, kw_only=True):
    """An Agent in service is set upright, and can be used again in this round."""

    en: ClassVar[str] = "{agent:card} is upright again."
    fr: ClassVar[str] = "{agent:card} est redressé."

    seat: str
    agent: str

    def apply(self, state: VirtualRevolution) -> None:
        """Set the Agent upright."""
        state.tilted -= {decks.commodity(self.agent)}


# ----------------------------------------------------------------------------------------------
# Control
# ----------------------------------------------------------------------------------------------


def settle(draft: Draft) -> None:
    """Check the Titles of the arrondissements changed by this action (vr:title.6); after a correction, all
    Titles.
    """
    if any(event.amends() or event.inserts() for event in draft.events):
        check(draft)
        return
    changed = {
        int(account.removeprefix(SPOT))
        for event in draft.events
        for posting in event.postings
        if posting.commodity.startswith(_COUNTING)
        for account in (posting.source, posting.target)
        if account.startswith(SPOT)
    }
    if changed:
        check(draft, changed)


SPOT = spot(0).removesuffix("0")
_COUNTING = (influence(""), server(""))
"""The prefixes of the commodities that give control."""


def check(draft: Draft, changed: Iterable[int] | None = None) -> None:
    """Return and award Titles by the present map (vr:title.3 to vr:title.6).

    `changed` are the arrondissements that have changed; None for all.
    """
    state = draft.state
    catalogue = pieces_of(state)
    members = catalogue.members
    touched = None if changed is None else {catalogue.places[area].district for area in changed}
    for district in catalogue.titles:
        if touched is not None and district not in touched:
            continue
        places, holder = members[district], holder_of(state, district)
        winner = next((seat for seat in state.seating if not _lost(state, seat, places)), None)
        if holder is not None:
            is_lost = _lost(state, holder, places) >= amounts(state).title_loss_at
            goes_on = winner not in {None, holder} and not state.settings.title_stays
            if not is_lost and not goes_on:
                continue
            draft.record(
                TitleReturned(
                    rule="vr:title.4" if is_lost else "vr:title.3",
                    seat=holder,
                    district=district,
                    postings=(Posting(title(district), 1, player(holder), TITLES),),
                )
            )
        if winner is not None:
            draft.record(
                TitleAwarded(
                    seat=winner, district=district, postings=(Posting(title(district), 1, TITLES, player(winner)),)
                )
            )


def _lost(state: VirtualRevolution, seat: str, places: Iterable[int]) -> int:
    """Count the arrondissements not controlled by a player."""
    return sum(1 for area in places if not controls(state, seat, area))


# ----------------------------------------------------------------------------------------------
# Use
# ----------------------------------------------------------------------------------------------


def is_usable(state: VirtualRevolution, seat: str, district: str) -> bool:
    """Return True if a player holds the Title upright."""
    return state.holdings.of(player(seat), title(district)) > 0 and title(district) not in state.tilted


def use(draft: Draft, seat: str, district: str, *, rule: str) -> None:
    """Tilt a Title. Raises Impossible for a Title not held by the player, and for a tilted Title (vr:title.7)."""
    state = draft.state
    if district not in pieces_of(state).titles:
        raise Impossible(
            rule,
            "there is no Title {district!r}; there are: {titles:list}",
            "il n'y a pas de Titre {district!r} ; il y a : {titles:list}",
            district=district,
            titles=list(pieces_of(state).titles),
        )
    if not state.holdings.of(player(seat), title(district)):
        raise Impossible(
            rule,
            "{seat:seat} does not hold the Title of {district:district}: control of the whole district gives it",
            "{seat:seat} ne détient pas le Titre {district:district}, que donne le contrôle de tout le district",
            seat=seat,
            district=district,
        ).citing("vr:title.7")
    if title(district) in state.tilted:
        raise Impossible(
            "vr:title.7",
            "the Title of {district:district} has been used in this round, and serves again in the next one",
            "le Titre {district:district} a déjà été utilisé pendant cette manche, et resservira à la prochaine",
            district=district,
        ).citing(rule, "vr:title.8")
    draft.record(TitleUsed(rule=rule, seat=seat, district=district))


def elsewhere(card: pieces.Title) -> Effect | None:
    """Return the effect of a Title for use elsewhere: tied to an Action, or reserved for raids and attacks."""
    return next(
        (
            effect
            for effect in card.effects
            if isinstance(effect, KeepFromDiscard) or getattr(effect, "when_action", None) is not None
        ),
        None,
    )


# ----------------------------------------------------------------------------------------------
# Agents set upright
# ----------------------------------------------------------------------------------------------


def tilted_agents(state: VirtualRevolution, seat: str) -> list[str]:
    """Return a player's Agents in service already used in this round."""
    return [agent for agent in in_service(state, seat) if decks.commodity(agent) in state.tilted]


@effects.carries_out(ReadyAgents, asks=lambda effect: effect.amount != "all")
def _ready(draft: Draft, effect: ReadyAgents, doing: Doing) -> None:
    """Set all Agents upright, or one Agent of the player's choice for each unit (vr:title.11, vr:promotion.17)."""
    tilted = tilted_agents(draft.state, doing.seat)
    if effect.amount == "all":
        chosen = tilted
    else:
        pick = doing.pick()
        if effects.is_left_out(doing, pick):
            return
        named = None if pick is None or pick.agent is None else pick.agent.removeprefix("card:")
        if not tilted and not doing.may_skip:
            raise Impossible(
                doing.rule,
                "{seat:seat} has no tilted Agent in service",
                "{seat:seat} n'a pas d'Agent en service incliné",
                seat=doing.seat,
            )
        if effect.amount >= len(tilted) and named is None:
            chosen = tilted
        else:
            choice = effects.chosen(doing, tilted, named, must=True)
            chosen = [] if choice is None else [choice]
    for agent in chosen:
        draft.record(AgentReadied(rule=doing.rule, seat=doing.seat, agent=agent))
