"""The players and the banker of simulated games of Négoces 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.bots import BANKER, RANDOM, WHIM, Bot
from ledger.rulebooks.negoces2.cards import CONTRABAND, GOODS
from ledger.rulebooks.negoces2.table import Negoces2, cards_in, coins_of, seller_of
from ledger.rulebooks.negoces2.terms import hand, offer_card

_SET_UP = ("set_starter", "draw_starter", "deal_goods")


class House:
    """The banker of a simulated game: prepares the table and then does nothing."""

    def kinds(
        self, state: Negoces2, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the missing actions of the set-up."""
        return _SET_UP if state.phase == "setup" else ()

    def choices(
        self, state: Negoces2, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the offered choices in random order."""
        return chance.sample(offered, len(offered))


class Merchant:
    """A player who uses their own hand and public facts, and claims victory as soon as possible.

    Merchants keep a card of each good and sell or offer the rest, face up or face down. Merchants accept offers
    with a new good or some coins, and force a sale without a good offer.
    """

    def kinds(
        self, state: Negoces2, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the kinds of action for the moment, sometimes with hiding or showing coins."""
        whims = chance.sample(("hide_coins", "show_coins"), 2) if chance.random() < 0.04 else []
        return [*whims, *self._preferred_kinds(state, seat, chance)]

    def _preferred_kinds(self, state: Negoces2, seat: str, chance: Random) -> Sequence[str]:
        if state.phase == "auction":
            # Each player values Contraband at random, up to eight coins.
            return ("bid", "withdraw") if state.bid < chance.randint(1, 8) else ("withdraw", "bid")
        if state.phase == "between":
            return ("declare_victory", "decline_victory", "offer_for_sale")
        if seat != seller_of(state):
            if seat not in state.offers:
                return ("make_offer",)
            return ("change_offer", "withdraw_offer") if chance.random() < 0.85 else ("withdraw_offer",)
        if state.phase == "negotiation":
            waits = chance.random() < 0.7
            coins = ("add_coins_to_sale", "remove_coins_from_sale") if chance.random() < 0.1 else ()
            return (*coins, "accept_offer") if waits else (*coins, "accept_offer", "force_sale")
        return ("announce_good", "choose_card")

    def choices(
        self, state: Negoces2, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the useful choices, first the choices with a spare card."""
        mixed = chance.sample(offered, len(offered))
        if kind == "accept_offer":
            return [choice for choice in mixed if self._likes(state, seat, choice.params["buyer"], chance)]
        if kind in {"make_offer", "change_offer", "add_coins_to_sale"}:
            mixed = [self._with_coins(state, seat, choice, chance) for choice in mixed]
        cards = cards_in(state, hand(seat))
        return sorted(mixed, key=lambda choice: not self._spares(cards, choice))

    @staticmethod
    def _spares(cards: Mapping[str, int], choice: Choice) -> bool:
        """Return True if the choice keeps the last card of every good."""
        card = choice.params.get("card")
        return card is None or card == CONTRABAND or cards.get(card, 0) > 1

    @staticmethod
    def _with_coins(state: Negoces2, seat: str, choice: Choice, chance: Random) -> Choice:
        """Return the choice with a few coins if coins can be added, else the unchanged choice."""
        if "coins" not in choice.free:
            return choice
        coins = chance.randint(1, max(1, min(6, coins_of(state, seat))))
        return replace(choice, params={**choice.params, "coins": coins})

    @staticmethod
    def _likes(state: Negoces2, seat: str, buyer: str, chance: Random) -> bool:
        """Return True if an offer has a missing good, a face-down card with some luck, or enough coins."""
        offer = state.offers[buyer]
        if offer.face == "up":
            lacking = [card for card in GOODS.values() if not state.holdings.of(hand(seat), card)]
            return any(state.holdings.of(offer_card(buyer), card) for card in lacking)
        return chance.random() < (0.4 if offer.face == "down" else 0.1 * offer.coins)


STRATEGIES: Mapping[str, Bot] = {"merchant": Merchant(), RANDOM: WHIM, BANKER: House()}
"""The strategies of simulated games, by name."""
