"""The players of simulated games: each plays to win in a personal style, from the seat's knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table.operations import Deed
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    amounts,
    builder,
    cash,
    controls,
    hand_size,
    immunity,
    in_service,
    influencer,
    is_turn_of,
    pieces,
    recycled,
    reserve,
    servers_of,
    titles_of,
    verses_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import OBJECTIVES, Turn


class Style(msgspec.Struct, frozen=True):
    """A style of play: the order of the Actions, and the probabilities, from 0 to 1, of optional moves."""

    deeds: tuple[Deed, ...]
    fights: float
    """The probability of eliminating influence of an opponent in the arrondissement."""
    promotes: float
    """The basic probability of a promotion, each time the bot considers an Agent."""
    dares: int
    """The number of Corruption cards in hand at which influence stops."""


BUILDER = Style(("build_server", "recruit_agent", "create_verse"), fights=0.3, promotes=0.15, dares=4)
RECRUITER = Style(("recruit_agent", "build_server", "create_verse"), fights=0.4, promotes=0.45, dares=6)
CREATOR = Style(("create_verse", "recruit_agent", "build_server"), fights=0.2, promotes=0.2, dares=5)
SCHEMER = Style(("create_verse", "build_server", "recruit_agent"), fights=0.8, promotes=0.3, dares=12)

_PRICES: dict[Deed, str] = {
    "recruit_agent": "recruit_price",
    "build_server": "server_price",
    "create_verse": "verse_price",
}


class Player:
    """A player of a style."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def kinds(
        self, state: VirtualRevolution, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the kinds of action in order of urgency."""
        return [kind for kind in self._wishes(state, seat, chance) if kind in open_kinds]

    def choices(
        self, state: VirtualRevolution, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the choices offered, the best first as far as the style knows."""
        mixed = chance.sample(offered, len(offered))
        match kind:
            case "place_director":
                mixed.sort(key=lambda choice: -self._attraction(state, seat, choice.params["place"]))
            case "influence_eliminate":
                mixed.sort(key=lambda choice: choice.params.get("whose") == seat)
            case "record_objectives":
                objectives = decks.held_in(state, decks.pile(OBJECTIVES))
                some = chance.sample(objectives, min(amounts(state).objectives_dealt, len(objectives)))
                return [Choice({"objectives": some})]
            case "choose_turn_order":
                mixed.sort(key=lambda choice: choice.params["place"])
        return mixed

    # Wishes -----------------------------------------------------------------------------------

    def _wishes(self, state: VirtualRevolution, seat: str, chance: Random) -> Iterator[str]:
        if any(demand.seat == seat for demand in state.demands):
            yield from ("discard_corruption", "exchange_corruption", "choose_loss")
            return
        match state.stage:
            case "setup":
                yield from ("record_objectives", "choose_colour")
            case "raid":
                yield from self._raided(state, seat, chance)
            case "missions":
                if chance.random() < 0.8:
                    yield "put_verse_online"
                yield "leave_loading"
            case "attack":
                yield from ("avoid_necro", "resolve_necro_effect")
            case "order":
                yield "choose_turn_order"
            case "choices":
                yield from ("choose_agent_type", "choose_objective")
            case "turn" if is_turn_of(state, seat) and state.turn is not None:
                yield from self._turn(state, state.turn, seat, chance)
            case _:
                pass

    def _raided(self, state: VirtualRevolution, seat: str, chance: Random) -> Iterator[str]:
        """Yield the answers to a raid, sometimes first a payment from a reserve of at least three Immunity
        tokens.
        """
        spends = immunity(state, seat) > 2 and chance.random() < 0.5
        yield from ("avoid_corruption", "resolve_corruption_card") if spends else ("resolve_corruption_card",)

    def _turn(self, state: VirtualRevolution, turn: Turn, seat: str, chance: Random) -> Iterator[str]:
        if turn.creating is not None:
            if chance.random() < 0.2:
                yield "renew_verses"
            yield "create_verse"
            return
        if turn.director is None:
            if chance.random() < 0.05 and titles_of(state, seat):
                yield "activate_title"
            yield "place_director"
            return
        yield from self._free(state, seat, chance)
        if turn.phase == 2:
            yield from self._influence(state, turn.director, seat, chance)
        if turn.phase in (2, 3):
            yield from self._deeds(state, seat, chance)
        yield "end_turn"

    def _free(self, state: VirtualRevolution, seat: str, chance: Random) -> Iterator[str]:
        """Yield the actions open at any moment of the turn."""
        if verses_of(state, seat):
            yield "put_verse_online"
            if chance.random() < 0.004:
                yield "trade_verse"
        agents = in_service(state, seat)
        if agents and chance.random() < 0.7:
            yield "activate_agent"
        full = len(agents) >= amounts(state).agents_in_service
        if agents and chance.random() < self.style.promotes * (2 if full else 1) * (0.3 + 0.15 * state.round):
            yield "promote_agent"
        if recycled(state, seat) >= 3 or (recycled(state, seat) and chance.random() < 0.3):
            yield "recover_influence"
        if titles_of(state, seat) and chance.random() < 0.5:
            yield "activate_title"
        if (
            state.turn is not None
            and any(performed.open for performed in state.turn.performed)
            and chance.random() < 0.3
        ):
            yield "apply_bonus"

    def _influence(self, state: VirtualRevolution, area: int, seat: str, chance: Random) -> Iterator[str]:
        """Yield influence actions: add if allowed, fight an opponent, and stop with a hand too large for a
        raid.
        """
        dares = hand_size(state, seat) < self.style.dares
        owner = influencer(state, area)
        if owner not in (None, seat) and dares and chance.random() < self.style.fights:
            yield "influence_eliminate"
        if owner in (None, seat):
            if dares and reserve(state, seat) and not controls(state, seat, area):
                yield "influence_add"
            if chance.random() < 0.4:
                yield "influence_move"
            if dares and chance.random() < 0.4:
                yield "influence_add"
        if chance.random() < 0.3:
            yield "skip_influence"

    def _deeds(self, state: VirtualRevolution, seat: str, chance: Random) -> Iterator[str]:
        """Yield the affordable Actions, in the order of the style."""
        money, many = cash(state, seat), amounts(state)
        if chance.random() < 0.01:
            yield "skip_action"
        if hand_size(state, seat) >= self.style.dares + 1 and chance.random() < 0.6:
            yield "make_donation"
        for deed in self.style.deeds:
            if money >= getattr(many, _PRICES[deed]) and chance.random() < 0.85:
                if deed == "create_verse" and chance.random() < 0.1:
                    yield "renew_verses"
                yield deed
        if money > many.donation_1 and hand_size(state, seat) and chance.random() < 0.15:
            yield "make_donation"
        yield "work"

    def _attraction(self, state: VirtualRevolution, seat: str, area: int) -> float:
        """Rate the attraction of an arrondissement for a Director."""
        catalogue = pieces(state)
        worth = 0.0
        owner = influencer(state, area)
        if owner is None:
            worth += 1.0
        elif owner == seat:
            worth += 0.8
        district = catalogue.places[area].district
        built = {catalogue.places[item].district for item in servers_of(state, seat)}
        can_build = owner == seat and builder(state, area) in (None, seat) and district not in built
        if can_build and cash(state, seat) >= amounts(state).server_price:
            worth += 3.0 if self.style.deeds[0] == "build_server" else 1.5
        if cash(state, seat) >= amounts(state).recruit_price:
            near = {area, *catalogue.places[area].adjacent}
            worth += 1.2 * sum(item.place in near for item in state.offers.values())
        members = catalogue.members[district]
        mine = sum(controls(state, seat, item) for item in members)
        if not controls(state, seat, area):
            worth += mine / len(members)
        return worth
