"""The players of simulated games: buy, build, trade, bid, and raise money for debts, as far as the means allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

import msgspec
from msgspec.structs import replace

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.monopoly.bots import bargains, values
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses.places import stock_of, whole_streets
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import Monopoly, cash, has_role, in_play, jail_passes, level, pieces
from ledger.rulebooks.monopoly.table.terms import HOUSE, Auction


class Style(msgspec.Struct, frozen=True):
    """A style of play. Parts are of the starting money, or of a price; probabilities lie between 0 and 1."""

    keeps: float
    """The part of the starting money kept in hand when buying titles and lifting mortgages."""
    fears: float
    """The part of the dearest rent on the board kept in hand when building houses."""
    bids: float
    """The part of a title's value bid in an auction."""
    trades: float
    """The probability of an offer at each look at the table."""
    sells_first: bool
    """True to sell buildings before mortgaging titles."""


BOLD = Style(keeps=0.02, fears=0.3, bids=1.0, trades=0.12, sells_first=False)
CAREFUL = Style(keeps=0.12, fears=0.8, bids=0.8, trades=0.08, sells_first=True)

_PATIENCE = 30
"""Number of rounds before players take every bargain within their means: otherwise a game might have no end."""
_CITES = 0.01
"""Probability of citing the post with a throw."""
_REBUILDS = 0.3
"""Probability of selling houses to build on a dearer group, while the bank has none left."""
_TRAVELS = 0.3
"""Probability of travelling on from a station."""
_LATE = 12
"""Number of rounds before prison becomes a good place to be in."""


class Player:
    """A player with a style. All rents are claimed, and no title is given away below value."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def kinds(
        self, state: Monopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the kinds of action to try now, the most urgent first."""
        goals: Iterable[str] = ()
        if state.stage == "setup":
            goals = ("join_table", "roll_for_order", "shuffle_deck", "deal_properties")
        elif state.stage == "between":
            goals = ("swap_division",) if chance.random() < 0.3 else ()
        elif seat not in state.out:
            goals = self._goals(state, seat, chance)
        return [kind for kind in goals if kind in open_kinds]

    # Goals ------------------------------------------------------------------------------------

    def _goals(self, state: Monopoly, seat: str, chance: Random) -> Iterator[str]:
        if state.choosing is not None:
            if state.choosing.seat == seat:
                yield "draw_card" if state.choosing.ask == "draw" else "choose"
            return
        if any(card.use != "leave_prison" for card in pieces(state).cards):
            yield "play_card"
        if any(item.owner == seat and not item.claimed for item in state.rents):
            yield "claim_rent"
        if any(item.lander == seat and item.claimed for item in state.rents):
            yield "roll_for_rent"
        owed = debts.owed_by(state, seat)
        if owed:
            yield from self._paying(state, seat, owed, chance)
        if any(item.seat == seat for item in state.received):
            yield "settle_mortgage_transfer"
        if state.auction is not None:
            if seat != state.auction.bidder and seat not in state.auction.passed:
                yield from ("bid", "pass_bid")
            return
        if any(seat in (item.to, item.by) for item in state.open.values()):
            yield from ("accept_trade", "reject_trade")
        if not owed:
            yield from self._managing(state, seat, chance)
        if state.turn == seat:
            yield from self._playing(state, seat, chance)
        elif state.settings.jail_fine_after_throw and state.jailed.get(seat) and chance.random() < 0.2:
            yield "pay_jail_fine"

    def _paying(self, state: Monopoly, seat: str, owed: int, chance: Random) -> Iterator[str]:
        """Pay, give up without any hope, or raise the money."""
        if not debts.short_of_cash(state, seat):
            yield "pay_debt"
            return
        if chance.random() < 0.3 and not state.open:
            yield "propose_trade"
        yield "declare_bankruptcy"
        yield from ("sell_building", "mortgage") if self.style.sells_first else ("mortgage", "sell_building")
        yield "pay_debt"

    def _managing(self, state: Monopoly, seat: str, chance: Random) -> Iterator[str]:
        """Build, lift mortgages, offer trades, agree to end a season."""
        my_turn = state.turn == seat
        votes = 0.02 if seat in state.consents else 0.1
        if _may_vote(state) and chance.random() < votes:
            yield "vote_close_season"
        if my_turn and state.landing is not None:
            return
        poor = cash(state, seat) <= state.settings.starting_cash * self.style.keeps
        if not poor and (my_turn or chance.random() < 0.1):
            if state.settings.build_off_turn or my_turn:
                yield "build"
            if seat not in state.wishes and has_role(state, "shortage"):
                yield "request_building"
            yield "unmortgage"
            if my_turn and not stock_of(state, HOUSE) and chance.random() < _REBUILDS:
                yield "sell_building"
        if chance.random() < self.style.trades and not any(trade.by == seat for trade in state.open.values()):
            yield "propose_trade"
        if poor and my_turn and not state.settings.mortgage_needs_debt and chance.random() < 0.05:
            yield "mortgage"

    def _playing(self, state: Monopoly, seat: str, chance: Random) -> Iterator[str]:
        """List the kinds of action due in the turn."""
        landing = state.landing
        if landing is not None:
            if landing.todo == "buy":
                square = pieces(state).squares[landing.square]
                buys = self._buys(state, seat, square)
                yield from ("buy_property", "decline_property") if buys else ("decline_property",)
            elif landing.todo == "card":
                if state.settings.card_declined_for is not None and chance.random() < 0.2:
                    yield "decline_card"
                yield "draw_card"
            elif landing.todo == "die":
                yield "roll_chance_die"
            elif landing.todo == "tax":
                yield "pay_tax"
            elif landing.todo == "go":
                yield "roll_to_go"
            else:
                yield "roll_for_rent"
            return
        if state.settings.station_travel and chance.random() < _TRAVELS:
            yield "travel"
        if not state.must_throw:
            yield "end_turn"
            return
        if seat in state.jailed:
            if state.round < _LATE or chance.random() < 0.3:
                if jail_passes(state, seat):
                    yield "use_jail_card"
                if chance.random() < 0.7:
                    yield "pay_jail_fine"
            yield "roll_for_jail"
            return
        yield "roll_and_move"

    def _buys(self, state: Monopoly, seat: str, square: Square) -> bool:
        """Return True if the price leaves enough in hand; the last title of a group is worth the last coin."""
        remaining = cash(state, seat) - square.price
        worth = values.value(state, seat, square.id, values.owners(state))
        return remaining >= (0 if worth > 1.2 * square.price else state.settings.starting_cash * self.style.keeps)

    # Choices ----------------------------------------------------------------------------------

    def choices(
        self, state: Monopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the worthwhile choices, the best first."""
        match kind:
            case "bid":
                return [*self._bids(state, seat, offered, chance)]
            case "propose_trade":
                return bargains.proposed(state, seat, _haste(state), chance)
            case "accept_trade":
                return [
                    choice
                    for choice in offered
                    if bargains.pays(state, seat, choice.params["trade"], _haste(state))
                ]
            case "reject_trade":
                # Own offers are left open for a while before the withdrawal.
                return [choice for choice in offered if chance.random() < _withdraws(state, seat, choice)]
            case "build":
                return self._builds(state, seat, offered)
            case "sell_building" if not debts.owed_by(state, seat):
                return self._rebuilds(state, seat, offered)
            case "unmortgage":
                return self._lifts(state, seat, offered)
            case "mortgage":
                return sorted(offered, key=lambda choice: self._misses(state, seat, choice))
            case "settle_mortgage_transfer":
                rich = cash(state, seat) > state.settings.starting_cash / 3
                return sorted(offered, key=lambda choice: choice.params["lift"] != rich)
            case "roll_and_move" | "roll_for_jail" | "roll_for_rent" | "roll_to_go" if chance.random() < _CITES:
                return [
                    replace(choice, params={**choice.params, "post": f"post {state.version}"})
                    for choice in offered
                ]
        return chance.sample(offered, len(offered)) if len(offered) > 1 else offered

    def _bids(self, state: Monopoly, seat: str, offered: Sequence[Choice], chance: Random) -> Iterator[Choice]:
        """Choose bids within the worth of the lot, at a random point of the range."""
        auction = state.auction
        if auction is None or not offered:
            return
        money = cash(state, seat) - int(state.settings.starting_cash * self.style.keeps)
        for choice in chance.sample(offered, len(offered)):
            worth = self._worth(state, seat, auction, choice) * chance.uniform(0.7, 1.1)
            limit, least = min(int(worth * self.style.bids), money), choice.params["amount"]
            if limit >= least:
                amount = least + int((limit - least) * chance.random() ** 2)
                yield replace(choice, params={**choice.params, "amount": amount})

    def _worth(self, state: Monopoly, seat: str, auction: Auction, bid: Choice) -> float:
        if auction.lot.kind == "title":
            return values.value(state, seat, auction.lot.title, values.owners(state))
        return 1.5 * pieces(state).titles[bid.params["title"]].building_price

    def _builds(self, state: Monopoly, seat: str, offered: Sequence[Choice]) -> list[Choice]:
        """Choose houses that leave enough for a rent elsewhere, the highest rents first."""
        if not offered:
            return []
        squares = pieces(state).titles
        spare = cash(state, seat) - self._reserve(state, seat)
        good = [choice for choice in offered if (choice.cost or 0) <= spare]
        return sorted(good, key=lambda choice: -max(squares[choice.params["title"]].rents))

    def _rebuilds(self, state: Monopoly, seat: str, offered: Sequence[Choice]) -> list[Choice]:
        """Choose houses to sell for a dearer group, while the bank has none left."""
        squares = pieces(state).titles
        dearest = max(
            (
                squares[title].building_price
                for title in whole_streets(state, seat)
                if level(state, title) < state.settings.houses_per_hotel
            ),
            default=0,
        )
        return [choice for choice in offered if squares[choice.params["title"]].building_price < dearest]

    def _lifts(self, state: Monopoly, seat: str, offered: Sequence[Choice]) -> list[Choice]:
        """Choose mortgages to lift that leave twice the reserve for building in hand."""
        if not offered:
            return []
        squares = pieces(state).titles
        spare = cash(state, seat) - 2 * self._reserve(state, seat)
        good = [choice for choice in offered if 1.2 * squares[choice.params["title"]].mortgage <= spare]
        return sorted(good, key=lambda choice: -self._misses(state, seat, choice))

    def _reserve(self, state: Monopoly, seat: str) -> int:
        """Return the money to keep in hand."""
        feared = self.style.fears * values.dearest_rent(state, seat, values.owners(state))
        return int(max(feared, self.style.keeps * state.settings.starting_cash))

    def _misses(self, state: Monopoly, seat: str, choice: Choice) -> float:
        """Return the loss of value by a mortgage on the title."""
        title = choice.params["title"]
        return values.value(state, seat, title, values.owners(state))


def _haste(state: Monopoly) -> float:
    """Return the haste: from 0 at the beginning to 1, when every bargain is welcome."""
    return min(1.0, state.round / _PATIENCE)


def _may_vote(state: Monopoly) -> bool:
    """Return True if enough players are out for the others to close the season."""
    above, below = state.settings.early_close
    return (
        has_role(state, "season_vote")
        and len(state.out) * below >= state.starters * above
        and len(in_play(state)) > 1
    )


def _withdraws(state: Monopoly, seat: str, choice: Choice) -> float:
    trade = state.open.get(choice.params["trade"])
    return 0.25 if trade is not None and trade.by == seat else 1.0
