"""The strategies of simulated players of Negopoly.

`PLAIN` buys, builds, trades, delivers, borrows, contracts and attacks within the player's money. `ANYTHING`
plays at random. Both strategies choose from the offered moves and fill in the free parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.negopoly.bots.words import filled_in, gain
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.pieces import TITLES, WISHES
from ledger.rulebooks.negopoly.table.state import Negopoly, in_play, titles_of
from ledger.rulebooks.negopoly.table.terms import MONEY, Deal, player

_TALK = {
    "transfer_money",
    "propose_deal",
    "withdraw_deal",
    "break_deal",
    "register_contract",
    "withdraw_contract",
    "report_breach",
    "post_bounty",
    "start_meeting",
    "leave_meeting",
    "take_loan",
    "repay_loan",
    "send_delivery",
    "delegate_unmortgage",
    "revoke_delegation",
    "waive_police",
}
"""Kinds of action that can be repeated without end and without an effect on the board."""
_DRASTIC = {"use_game_ender", "declare_bankruptcy", "sell_property", "mortgage_property", "destroy_house"}
"""Kinds of action that end the game or give property away."""

Wish = tuple[str, float, int]
"""A kind of action, the probability of wanting the action (0 to 1), and the minimum money for the wish (whole
₦).
"""

_WISHES: tuple[Wish, ...] = (
    ("answer", 1.0, -(10**9)),
    ("join_game", 1.0, -(10**9)),
    ("choose_starter_perk", 1.0, -(10**9)),
    ("declare_bankruptcy", 1.0, -(10**9)),
    ("use_game_ender", 1.0, 0),
    # Before the roll.
    ("use_prescription", 0.5, 0),
    ("consume_dose", 0.15, 0),
    ("quarter_teleport", 0.7, 0),
    ("play_card", 0.5, 0),
    ("roll_dice", 1.0, -(10**9)),
    # During the move.
    ("buy_licence", 0.4, 300),
    ("sell_doses", 0.9, -(10**9)),
    ("buy_doses", 0.5, 200),
    ("place_c4", 0.5, 0),
    ("remove_c4", 0.1, 0),
    ("evict_squatters", 0.8, 0),
    ("unmortgage_property", 0.7, 400),
    ("force_buyback", 0.5, 800),
    ("buy_kamtar_card", 0.4, 300),
    ("use_vehicle", 0.4, 0),
    ("use_ar15", 0.5, 0),
    ("resolve_square", 1.0, -(10**9)),
    # After the stop.
    ("buy_property", 0.9, 250),
    ("decline_property", 0.05, 0),
    ("bribe_k9", 0.3, 400),
    ("sell_item_to_police", 0.05, 0),
    ("buy_prescription", 0.3, 300),
    ("buy_prison_racket", 0.4, 400),
    ("pay_bail", 0.7, 0),
    ("buy_vehicle", 0.4, 600),
    ("buy_weapon", 0.5, 600),
    ("buy_for_player", 0.03, 900),
    ("attack_property", 0.4, 700),
    ("squat_property", 0.4, 500),
    ("take_service", 0.5, 500),
    *((wish.action, wish.likely, 0) for wish in WISHES),
    ("use_kidnapping", 0.3, 0),
    ("build_house", 0.8, 400),
    # With players.
    ("waive_police", 0.3, 0),
    ("revoke_waiver", 0.1, 0),
    ("agree_deal", 0.7, 0),
    ("agree_contract", 0.5, 100),
    ("claim_bounty", 0.3, 0),
    ("join_meeting", 0.3, 100),
    ("send_delivery", 0.1, 0),
    ("propose_deal", 0.25, 100),
    ("register_contract", 0.03, 300),
    ("withdraw_deal", 0.02, 0),
    ("withdraw_contract", 0.02, 0),
    ("post_bounty", 0.03, 700),
    ("start_meeting", 0.04, 300),
    ("report_breach", 0.05, 0),
    ("break_deal", 0.03, 0),
    ("transfer_money", 0.02, 800),
    ("take_loan", 0.05, -(10**9)),
    ("repay_loan", 0.5, 900),
    ("delegate_unmortgage", 0.02, 0),
    ("end_turn", 1.0, -(10**9)),
)
"""The wishes of a plain player, most urgent first."""
_IN_NEED: tuple[Wish, ...] = (
    ("take_loan", 1.0, -(10**9)),
    ("mortgage_property", 0.8, -(10**9)),
    ("destroy_house", 0.0, 0),
    ("sell_property", 0.3, -(10**9)),
    ("sell_item_to_police", 0.9, -(10**9)),
)
"""The wishes of a player with little money, most urgent first."""
_ADVERSE = {
    "attack_property",
    "squat_property",
    "take_service",
    *(wish.action for wish in WISHES if wish.adverse),
    "use_kidnapping",
    "force_buyback",
    "play_card",
}
"""Hostile actions: against the richest player, if possible."""
_POOR = 60
"""Limit of little money, in whole ₦: a player below the limit is in need."""


class Plain:
    """A player with a sensible use of money."""

    def kinds(
        self, state: Negopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the wanted kinds of action, most urgent first."""
        money = state.holdings.of(player(seat), MONEY)
        wishes = (*_IN_NEED, *_WISHES) if money < _POOR else _WISHES
        return [kind for kind, likely, needed in wishes if money >= needed and chance.random() < likely]

    def choices(
        self, state: Negopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the choices at random; but hostile acts hit the richest, deals pay, and titles fit a quarter."""
        shuffled = chance.sample(offered, len(offered))
        if kind == "agree_deal":
            return [choice for choice in shuffled if _pays(state, seat, choice.params["deal"])]
        if kind == "propose_deal":
            shuffled.sort(key=lambda choice: _attraction(state, seat, choice, chance), reverse=True)
            return [filled_in(state, seat, kind, choice, chance) for choice in shuffled]
        if kind in _ADVERSE:
            leader = max(
                (rival for rival in in_play(state) if rival != seat),
                key=lambda rival: (len(titles_of(state, rival)), rival),
                default=seat,
            )
            shuffled.sort(key=lambda choice: leader not in choice.params.values())
        return list(_both(state, seat, kind, shuffled, chance))


def _pays(state: Negopoly, seat: str, deal_id: str) -> bool:
    deal = state.open.get(deal_id)
    return isinstance(deal, Deal) and gain(state, seat, deal) >= 0


def _attraction(state: Negopoly, seat: str, offer: Choice, chance: Random) -> float:
    """Rate a deal offer by the share of the requested title's quarter already owned, plus a small random part."""
    title = TITLES.get(offer.params["legs"][0]["commodity"].removeprefix("title:"))
    if title is None:
        return chance.random() * 0.8
    quarter = QUARTERS[title.quarter]
    return len(set(quarter) & set(titles_of(state, seat))) / len(quarter) + chance.random() * 0.4


def _both(state: Negopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random) -> Iterator[Choice]:
    """Yield each choice as offered, sometimes after a copy with random parameters."""
    for choice in offered:
        if choice.free and chance.random() < 0.5:
            yield filled_in(state, seat, kind, choice, chance)
        yield choice


class Anything:
    """A player who acts at random, with less talk than action."""

    def kinds(
        self, state: Negopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return every kind in random order, with talk and drastic actions mostly at the end."""
        return sorted(open_kinds, key=lambda kind: chance.random() ** (1 / _weight(kind)), reverse=True)

    def choices(
        self, state: Negopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the choices in random order."""
        return list(_both(state, seat, kind, chance.sample(offered, len(offered)), chance))


def _weight(kind: str) -> float:
    if kind in _DRASTIC or kind in {"decline_property", "end_turn"}:
        return 0.2
    return 0.06 if kind in _TALK else 1.0


PLAIN = Plain()
ANYTHING = Anything()
