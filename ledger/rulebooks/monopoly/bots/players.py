"""The players of simulated games: they buy, build, trade, bid, and raise what they owe, as far as money allows."""

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
    """How a player plays. Parts are of what the table starts with, or of a price; chances from 0 to 1."""

    keeps: float
    """The part of the starting money that stays in hand when titles are bought and mortgages lifted."""
    fears: float
    """The part of the dearest rent on the board that stays in hand when houses are built."""
    bids: float
    """How much of a title's value is bid for it."""
    trades: float
    """How likely an offer is made at each look at the table."""
    sells_first: bool
    """Whether buildings are sold before titles are mortgaged."""


BOLD = Style(keeps=0.02, fears=0.3, bids=1.0, trades=0.12, sells_first=False)
CAREFUL = Style(keeps=0.12, fears=0.8, bids=0.8, trades=0.08, sells_first=True)

_PATIENCE = 30
"""The rounds after which players take every bargain that they can afford: else a game might have no end."""
_CITES = 0.01
"""How often a player says where a throw is written down."""
_REBUILDS = 0.3
"""How often a player sells houses, to build them on a dearer group, while the bank has none left."""
_LATE = 12
"""The rounds after which prison is a good place to be in."""


class Player:
    """A player of a style. They claim all their rents, and never give a title away below its value."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def kinds(
        self, state: Monopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """The kinds of action wanted now, the most urgent first."""
        wanted: Iterable[str] = ()
        if state.stage == "setup":
            wanted = ("join_table", "roll_for_order", "shuffle_deck", "deal_properties")
        elif state.stage == "between":
            wanted = ("swap_division",) if chance.random() < 0.3 else ()
        elif seat not in state.out:
            wanted = self._wanted(state, seat, chance)
        return [kind for kind in wanted if kind in open_kinds]

    # What is wanted -----------------------------------------------------------------------------

    def _wanted(self, state: Monopoly, seat: str, chance: Random) -> Iterator[str]:
        if any(one.owner == seat and not one.claimed for one in state.rents):
            yield "claim_rent"
        if any(one.lander == seat and one.claimed for one in state.rents):
            yield "roll_for_rent"
        owed = debts.owed_by(state, seat)
        if owed:
            yield from self._paying(state, seat, owed, chance)
        if any(one.seat == seat for one in state.received):
            yield "settle_mortgage_transfer"
        if state.auction is not None:
            if seat != state.auction.bidder and seat not in state.auction.passed:
                yield from ("bid", "pass_bid")
            return
        if any(seat in (one.to, one.by) for one in state.open.values()):
            yield from ("accept_trade", "reject_trade")
        if not owed:
            yield from self._managing(state, seat, chance)
        if state.turn == seat:
            yield from self._playing(state, seat, chance)
        elif state.settings.jail_fine_after_throw and state.jailed.get(seat) and chance.random() < 0.2:
            yield "pay_jail_fine"

    def _paying(self, state: Monopoly, seat: str, owed: int, chance: Random) -> Iterator[str]:
        """Pay, or give up when nothing helps, or raise the money."""
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
        own = state.turn == seat
        votes = 0.02 if seat in state.consents else 0.1
        if _may_vote(state) and chance.random() < votes:
            yield "vote_close_season"
        if own and state.landing is not None:
            return
        poor = cash(state, seat) <= state.settings.starting_cash * self.style.keeps
        if not poor and (own or chance.random() < 0.1):
            if state.settings.build_off_turn or own:
                yield "build"
            if seat not in state.wishes and has_role(state, "shortage"):
                yield "request_building"
            yield "unmortgage"
            if own and not stock_of(state, HOUSE) and chance.random() < _REBUILDS:
                yield "sell_building"
        if chance.random() < self.style.trades and not any(one.by == seat for one in state.open.values()):
            yield "propose_trade"
        if poor and own and not state.settings.mortgage_needs_debt and chance.random() < 0.05:
            yield "mortgage"

    def _playing(self, state: Monopoly, seat: str, chance: Random) -> Iterator[str]:
        """What the turn asks for."""
        landing = state.landing
        if landing is not None:
            if landing.todo == "buy":
                square = pieces(state).squares[landing.square]
                buys = self._buys(state, seat, square)
                yield from ("buy_property", "decline_property") if buys else ("decline_property",)
            elif landing.todo == "card":
                yield "draw_card"
            elif landing.todo == "die":
                yield "roll_chance_die"
            elif landing.todo == "tax":
                yield "pay_tax"
            else:
                yield "roll_for_rent"
            return
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
        """Whether the price leaves enough in hand; the last title of a group is worth the last coin."""
        left = cash(state, seat) - square.price
        worth = values.value(state, seat, square.id, values.owners(state))
        return left >= (0 if worth > 1.2 * square.price else state.settings.starting_cash * self.style.keeps)

    # How ----------------------------------------------------------------------------------------

    def choices(
        self, state: Monopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """The choices that are worth while, the best first."""
        match kind:
            case "bid":
                return [*self._bids(state, seat, offered, chance)]
            case "propose_trade":
                return bargains.proposed(state, seat, _haste(state), chance)
            case "accept_trade":
                return [one for one in offered if bargains.pays(state, seat, one.params["trade"], _haste(state))]
            case "reject_trade":
                # One waits for a while before an offer of one's own is withdrawn.
                return [one for one in offered if chance.random() < _withdraws(state, seat, one)]
            case "build":
                return self._builds(state, seat, offered)
            case "sell_building" if not debts.owed_by(state, seat):
                return self._rebuilds(state, seat, offered)
            case "unmortgage":
                return self._lifts(state, seat, offered)
            case "mortgage":
                return sorted(offered, key=lambda one: self._misses(state, seat, one))
            case "settle_mortgage_transfer":
                rich = cash(state, seat) > state.settings.starting_cash / 3
                return sorted(offered, key=lambda one: one.params["lift"] != rich)
            case "roll_and_move" | "roll_for_jail" | "roll_for_rent" if chance.random() < _CITES:
                return [replace(one, params={**one.params, "post": f"post {state.version}"}) for one in offered]
        return chance.sample(offered, len(offered)) if len(offered) > 1 else offered

    def _bids(self, state: Monopoly, seat: str, offered: Sequence[Choice], chance: Random) -> Iterator[Choice]:
        """A bid within what the lot is worth, some way up to it."""
        auction = state.auction
        if auction is None or not offered:
            return
        money = cash(state, seat) - int(state.settings.starting_cash * self.style.keeps)
        for one in chance.sample(offered, len(offered)):
            worth = self._worth(state, seat, auction, one) * chance.uniform(0.7, 1.1)
            most, least = min(int(worth * self.style.bids), money), one.params["amount"]
            if most >= least:
                amount = least + int((most - least) * chance.random() ** 2)
                yield replace(one, params={**one.params, "amount": amount})

    def _worth(self, state: Monopoly, seat: str, auction: Auction, bid: Choice) -> float:
        if auction.lot.kind == "title":
            return values.value(state, seat, auction.lot.title, values.owners(state))
        return 1.5 * pieces(state).titles[bid.params["title"]].building_price

    def _builds(self, state: Monopoly, seat: str, offered: Sequence[Choice]) -> list[Choice]:
        """Houses that leave enough for a rent elsewhere, where they bring most."""
        if not offered:
            return []
        found = pieces(state).titles
        spare = cash(state, seat) - self._reserve(state, seat)
        good = [one for one in offered if found[one.params["title"]].building_price <= spare]
        return sorted(good, key=lambda one: -max(found[one.params["title"]].rents))

    def _rebuilds(self, state: Monopoly, seat: str, offered: Sequence[Choice]) -> list[Choice]:
        """Houses that would bring more on a dearer group, while the bank has none left."""
        found = pieces(state).titles
        dearest = max(
            (
                found[title].building_price
                for title in whole_streets(state, seat)
                if level(state, title) < state.settings.houses_per_hotel
            ),
            default=0,
        )
        return [one for one in offered if found[one.params["title"]].building_price < dearest]

    def _lifts(self, state: Monopoly, seat: str, offered: Sequence[Choice]) -> list[Choice]:
        """Mortgages whose lifting leaves twice as much in hand as houses would have to."""
        if not offered:
            return []
        found = pieces(state).titles
        spare = cash(state, seat) - 2 * self._reserve(state, seat)
        good = [one for one in offered if 1.2 * found[one.params["title"]].mortgage <= spare]
        return sorted(good, key=lambda one: -self._misses(state, seat, one))

    def _reserve(self, state: Monopoly, seat: str) -> int:
        """The money that stays in hand."""
        feared = self.style.fears * values.dearest_rent(state, seat, values.owners(state))
        return int(max(feared, self.style.keeps * state.settings.starting_cash))

    def _misses(self, state: Monopoly, seat: str, choice: Choice) -> float:
        """How much a mortgaged title would be missed."""
        title = choice.params["title"]
        return values.value(state, seat, title, values.owners(state))


def _haste(state: Monopoly) -> float:
    """From 0 at the beginning to 1, when every bargain is welcome."""
    return min(1.0, state.round / _PATIENCE)


def _may_vote(state: Monopoly) -> bool:
    """Whether enough players are out for the others to close the season."""
    above, below = state.settings.early_close
    return (
        has_role(state, "season_vote")
        and len(state.out) * below >= state.starters * above
        and len(in_play(state)) > 1
    )


def _withdraws(state: Monopoly, seat: str, choice: Choice) -> float:
    trade = state.open.get(choice.params["trade"])
    return 0.25 if trade is not None and trade.by == seat else 1.0
