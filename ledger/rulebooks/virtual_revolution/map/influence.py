"""Influence tokens and Servers on the map: adding, eliminating and moving them (vr:influence.*, vr:server.*).

An arrondissement never holds tokens of two players (vr:influence.9). Every change checks the Titles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.map import gaining, titles
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    builder,
    influencer,
    pieces,
    reserve,
    servers_of,
    tokens,
)
from ledger.rulebooks.virtual_revolution.table.terms import RECYCLING, REVENUE, VP2, influence, server, spot

chapter = Chapter("Influence and Servers")

MIXING = "vr:influence.9"
"""The rule against two players' tokens in one arrondissement."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class InfluenceAdded(Event, frozen=True, kw_only=True):
    """A token goes from its owner's board to the map (vr:influence.2)."""

    en: ClassVar[str] = "{seat:seat} adds influence in {place:place}."
    fr: ClassVar[str] = "{seat:seat} ajoute de l'influence dans {place:place}."

    seat: str
    place: int


@chapter.event
class InfluenceEliminated(Event, frozen=True, kw_only=True):
    """A token goes from the map to the recycling zone (vr:influence.5, vr:influence.11)."""

    en: ClassVar[str] = "{seat:seat} eliminates influence in {place:place}: a token of {whose:seat}."
    fr: ClassVar[str] = "{seat:seat} élimine de l'influence dans {place:place} : un jeton {whose:de|seat}."

    seat: str
    place: int
    whose: str


@chapter.event
class InfluenceMoved(Event, frozen=True, kw_only=True):
    """A token goes from one arrondissement to another one (vr:influence.7)."""

    en: ClassVar[str] = "{seat:seat} moves influence from {source:place} to {place:place}."
    fr: ClassVar[str] = "{seat:seat} déplace de l'influence de {source:place} vers {place:place}."

    seat: str
    source: int
    place: int


@chapter.event
class InfluenceRecycled(Event, frozen=True, kw_only=True):
    """Tokens go from their owner's board to the recycling zone."""

    en: ClassVar[str] = "{seat:seat} puts influence in the recycling zone: {amount}."
    fr: ClassVar[str] = "{seat:seat} met de l'influence au Recyclage : {amount}."

    seat: str
    amount: int


@chapter.event
class ServerPlaced(Event, frozen=True, kw_only=True):
    """A Server goes from its owner's reserve to the map (vr:server.10)."""

    en: ClassVar[str] = "{seat:seat} places a Server in {place:place}."
    fr: ClassVar[str] = "{seat:seat} pose un Serveur dans {place:place}."

    seat: str
    place: int


@chapter.event
class ServerMoved(Event, frozen=True, kw_only=True):
    """A Server goes to another arrondissement (vr:agents.21)."""

    en: ClassVar[str] = "{seat:seat} moves the Server of {owner:seat} from {source:place} to {place:place}."
    fr: ClassVar[str] = "{seat:seat} déplace le Serveur {owner:de|seat} : {source:place}, vers {place:place}."

    seat: str
    owner: str
    source: int
    place: int


@chapter.event
class ServerRemoved(Event, frozen=True, kw_only=True):
    """A Server goes back to its owner's reserve (vr:server.12)."""

    en: ClassVar[str] = "The Server of {seat:seat} in {place:place} goes back to the reserve."
    fr: ClassVar[str] = "Le Serveur {seat:de|seat} dans {place:place} retourne dans la réserve."

    seat: str
    place: int


# ----------------------------------------------------------------------------------------------
# Influence
# ----------------------------------------------------------------------------------------------


def is_free(state: VirtualRevolution, seat: str, area: int) -> bool:
    """Return True if no opponent has a token in the arrondissement (vr:influence.9)."""
    return influencer(state, area) in {None, seat}


def require_free(draft: Draft, seat: str, area: int, rule: str) -> None:
    """Raise Impossible for an arrondissement with an opponent's tokens (vr:influence.9)."""
    owner = influencer(draft.state, area)
    if owner not in {None, seat}:
        raise Impossible(
            MIXING,
            "{place:place} holds influence of {owner:seat}: it has to be eliminated first",
            "{place:place} contient de l'influence {owner:de|seat} : il faut d'abord l'éliminer",
            place=area,
            owner=owner,
        ).citing(rule)


def add(draft: Draft, seat: str, area: int, *, rule: str) -> None:
    """Add a token of a player's board to an arrondissement.

    Raises Impossible by the rule without a token (vr:influence.4), and for an arrondissement with an opponent's
    tokens.
    """
    if not reserve(draft.state, seat):
        raise Impossible(
            "vr:influence.4",
            "{seat:seat} has no influence token left on the board, and {recycled} in the recycling zone",
            "{seat:seat} n'a plus de jeton d'influence sur son plateau, et en a {recycled} au Recyclage",
            seat=seat,
            recycled=draft.state.holdings.of(RECYCLING, influence(seat)),
        ).citing(rule)
    require_free(draft, seat, area, rule)
    moved = (Posting(influence(seat), 1, player(seat), spot(area)),)
    draft.record(InfluenceAdded(rule=rule, seat=seat, place=area, postings=moved))
    titles.check(draft, (area,))


def eliminate(draft: Draft, seat: str, area: int, whose: str, *, rule: str) -> None:
    """Move a token of the player `whose` from an arrondissement to the recycling zone; `seat` is the acting
    player.

    Raises Impossible by the rule without a token of `whose`.
    """
    if not tokens(draft.state, whose, area):
        raise Impossible(
            rule,
            "{whose:seat} has no influence in {place:place}",
            "{whose:seat} n'a pas d'influence dans {place:place}",
            whose=whose,
            place=area,
        )
    moved = (Posting(influence(whose), 1, spot(area), RECYCLING),)
    draft.record(InfluenceEliminated(rule=rule, seat=seat, place=area, whose=whose, postings=moved))
    titles.check(draft, (area,))


def move(draft: Draft, seat: str, source: int, area: int, *, rule: str) -> None:
    """Move a player's token to a new arrondissement. Raises Impossible like `add` and `eliminate`."""
    if source == area or not tokens(draft.state, seat, source):
        raise Impossible(
            rule,
            "{seat:seat} has no influence to move from {source:place} to {place:place}",
            "{seat:seat} n'a pas d'influence à déplacer ({source:place}, vers {place:place})",
            seat=seat,
            source=source,
            place=area,
        )
    require_free(draft, seat, area, rule)
    moved = (Posting(influence(seat), 1, spot(source), spot(area)),)
    draft.record(InfluenceMoved(rule=rule, seat=seat, source=source, place=area, postings=moved))
    titles.check(draft, (source, area))


def to_recycling(draft: Draft, seat: str, amount: int, *, rule: str) -> None:
    """Move up to `amount` tokens from a player's board to the recycling zone."""
    some = min(amount, reserve(draft.state, seat))
    if some:
        moved = (Posting(influence(seat), some, player(seat), RECYCLING),)
        draft.record(InfluenceRecycled(rule=rule, seat=seat, amount=some, postings=moved))


# ----------------------------------------------------------------------------------------------
# Servers
# ----------------------------------------------------------------------------------------------


def site_refusal(
    state: VirtualRevolution,
    seat: str,
    area: int,
    *,
    needs_influence: bool = True,
    ignoring: int | None = None,
) -> Impossible | None:
    """Return the refusal of a Server in an arrondissement (vr:server.2 to server.4), or None.

    `needs_influence` is False if a card waives the condition. `ignoring` is the arrondissement of the Server to
    be moved, which does not count.
    """
    owner = builder(state, area)
    if owner is not None and area != ignoring:
        return Impossible(
            "vr:server.2" if owner != seat else "vr:server.4",
            "{place:place} holds a Server of {owner:seat} already",
            "{place:place} contient déjà un Serveur {owner:de|seat}",
            place=area,
            owner=owner,
        )
    if needs_influence and not tokens(state, seat, area):
        return Impossible(
            "vr:server.3",
            "{seat:seat} has no influence in {place:place}: a token there comes first",
            "{seat:seat} n'a pas d'influence dans {place:place} : il faut d'abord y mettre un jeton",
            seat=seat,
            place=area,
        )
    district = pieces(state).places[area].district
    near = [site for site in servers_of(state, seat) if site != ignoring]
    if any(pieces(state).places[site].district == district for site in near):
        return Impossible(
            "vr:server.4",
            "{seat:seat} has a Server in {district:district} already",
            "{seat:seat} a déjà un Serveur dans {district:district}",
            seat=seat,
            district=district,
        )
    return None


def is_site(
    state: VirtualRevolution,
    seat: str,
    area: int,
    *,
    needs_influence: bool = True,
    ignoring: int | None = None,
) -> bool:
    """Return True if a player may have a Server in an arrondissement: see `site_refusal`."""
    return site_refusal(state, seat, area, needs_influence=needs_influence, ignoring=ignoring) is None


def place_server(draft: Draft, seat: str, area: int, *, rule: str) -> None:
    """Place a Server of a player's reserve in an arrondissement. The caller has checked the arrondissement."""
    if not draft.state.holdings.of(player(seat), server(seat)):
        raise Impossible(
            rule,
            "{seat:seat} has no Server left in the reserve",
            "{seat:seat} n'a plus de Serveur dans sa réserve",
            seat=seat,
        )
    moved = (Posting(server(seat), 1, player(seat), spot(area)),)
    draft.record(ServerPlaced(rule=rule, seat=seat, place=area, postings=moved))
    titles.check(draft, (area,))


def move_server(draft: Draft, seat: str, owner: str, source: int, area: int, *, rule: str) -> None:
    """Move a Server to a new arrondissement, checked by the caller; `seat` is the acting player."""
    moved = (Posting(server(owner), 1, spot(source), spot(area)),)
    draft.record(ServerMoved(rule=rule, seat=seat, owner=owner, source=source, place=area, postings=moved))
    titles.check(draft, (source, area))


def remove_server(draft: Draft, seat: str, area: int, *, rule: str) -> None:
    """Put a player's Server back into the reserve; settings decide on the loss of the gains (vr:server.12).

    Raises Impossible by the rule without a Server of the player.
    """
    if not draft.state.holdings.of(spot(area), server(seat)):
        raise Impossible(
            rule,
            "{seat:seat} has no Server in {place:place}",
            "{seat:seat} n'a pas de Serveur dans {place:place}",
            seat=seat,
            place=area,
        )
    moved = (Posting(server(seat), 1, spot(area), player(seat)),)
    draft.record(ServerRemoved(rule=rule, seat=seat, place=area, postings=moved))
    titles.check(draft, (area,))
    if not draft.state.settings.server_keeps_revenue:
        gaining.lose(draft, seat, REVENUE, amounts(draft.state).server_revenue, rule="vr:server.12")
    if not draft.state.settings.server_keeps_tokens:
        gaining.lose(draft, seat, VP2, amounts(draft.state).server_vp2, rule="vr:server.12")


def owned_tokens(state: VirtualRevolution, places: Iterable[int], owners: Iterable[str]) -> list[tuple[int, str]]:
    """Return the tokens of the owners in the arrondissements: pairs of arrondissement and owner."""
    seats = tuple(owners)
    return [(area, owner) for area in places for owner in seats if tokens(state, owner, area)]
