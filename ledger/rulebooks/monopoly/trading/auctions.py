"""Auctions of declined titles, of a bankrupt's titles, and of scarce houses or hotels.

The leading bid lies in escrow. The auction closes when all others have passed or the time is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Annotated

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX, TitleId, of_kind
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses import building, shortage
from ledger.rulebooks.monopoly.houses.places import can_place, has_place, places_for, require_place, stock_of
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    currency,
    in_play,
    laid,
    pieces,
    player_in_play,
    require_stage,
    title_named,
)
from ledger.rulebooks.monopoly.table.terms import ESCROW, Auction, Lot
from ledger.rulebooks.monopoly.trading import lots
from ledger.rulebooks.monopoly.trading.lots import (
    AuctionOpened,
    AuctionWon,
    BidPassed,
    BidPlaced,
    BidReturned,
    LotsQueued,
    LotUnsold,
    SalesLapsed,
    thing_of,
)
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player as purse

chapter = lots.chapter


# ----------------------------------------------------------------------------------------------
# Lots
# ----------------------------------------------------------------------------------------------


def eligible(state: Monopoly, lot: Lot) -> list[str]:
    """List the possible bidders for a lot: all players in the game; for a house or a hotel, those with a site
    to build on.
    """
    players = in_play(state)
    return players if lot.kind == "title" else [seat for seat in players if has_place(state, seat, lot.kind)]


def awaited(state: Monopoly) -> list[str]:
    """List the seats yet to bid or to pass: the bidders able to pay more than the highest bid."""
    auction = state.auction
    if auction is None:
        return []
    return [
        seat
        for seat in eligible(state, auction.lot)
        if seat != auction.bidder and seat not in auction.passed and debts.spare(state, seat) > auction.bid
    ]


def next_lot(state: Monopoly) -> Lot | None:
    """Return the next lot for the banker: the first in the queue, or a piece in demand by too many players."""
    if state.lots:
        return state.lots[0]
    piece = shortage.contended(state)
    return None if piece is None else Lot(kind=piece, cause="shortage")


def open_lot(draft: Draft, lot: Lot, *, opened_by: str = "", rule: str) -> None:
    """Open the auction of a lot."""
    seconds = draft.state.settings.auction_seconds
    closes_at = draft.at + timedelta(seconds=seconds) if seconds else None
    draft.record(AuctionOpened(rule=rule, lot=lot, opened_by=opened_by, closes_at=closes_at))


def settle(draft: Draft) -> None:
    """Open the next waiting lot, if no player is banker and the table does not wait for the banker."""
    state = draft.state
    settings = state.settings
    if state.lots and state.auction is None and settings.lots_open_at_once and not settings.elected_banker:
        open_lot(draft, state.lots[0], rule=_rule_of(state, state.lots[0]))


def require_none(draft: Draft, rule: str) -> None:
    """Refuse while an auction is open, because its bid would be lost. Raises Impossible."""
    auction = draft.state.auction
    if auction is not None:
        raise Impossible(
            rule,
            "one auction at a time: the one under way ({thing:goods}) has to be closed first",
            "une vente à la fois : il faut d'abord clore celle en cours ({thing:goods})",
            thing=thing_of(auction.lot),
        )


def queue(draft: Draft, lots: Sequence[Lot], *, rule: str) -> None:
    """Queue lots for auction, after the waiting lots."""
    if lots:
        draft.record(LotsQueued(rule=rule, lots=tuple(lots)))


def return_bid(draft: Draft, *, rule: str) -> None:
    """Give the highest bid back to the bidder, now free of the obligation."""
    auction = draft.state.auction
    if auction is None or auction.bidder is None:
        return
    back = draft.move(currency(draft.state), auction.bid, ESCROW, purse(auction.bidder))
    draft.record(BidReturned(rule=rule, lot=auction.lot, seat=auction.bidder, amount=auction.bid, postings=back))


def lapse(draft: Draft, *, rule: str) -> None:
    """Let the auction and all waiting lots lapse; the highest bid goes back."""
    return_bid(draft, rule=rule)
    state = draft.state
    lots = [*([state.auction.lot] if state.auction is not None else ()), *state.lots]
    if lots:
        draft.record(SalesLapsed(rule=rule, things=tuple(thing_of(lot) for lot in lots)))


def due(state: Monopoly, at: datetime) -> CloseAuction | None:
    """Return the close of an auction after the deadline; None before."""
    ends = deadlines(state)
    return CloseAuction() if ends and at >= ends[0] else None


def deadlines(state: Monopoly) -> tuple[datetime, ...]:
    """Return the deadline of the auction under way; empty without an auction or without a clock."""
    ends = None if state.auction is None else state.auction.closes_at
    return () if ends is None else (ends,)


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    by=("banker", "system"),
    summary=("open an auction", "ouvrir une vente aux enchères"),
    when=(
        "when something waits to be auctioned, or too many want the last pieces",
        "quand un lot attend, ou que trop de joueurs veulent les dernières pièces",
    ),
)
class OpenAuction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker auctions the next lot."""

    def decide(self, draft: Draft) -> None:
        """Refuse while another auction is open, and when nothing is to be auctioned."""
        state = draft.state
        require_stage(draft, "play")
        if state.auction is not None:
            require_none(draft, _rule_of(state, state.auction.lot))
        lot = next_lot(state)
        if lot is None:
            raise Impossible(
                cite(state, "auction"), "there is nothing to auction", "il n'y a rien à mettre aux enchères"
            )
        open_lot(draft, lot, rule=_rule_of(state, lot))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the next lot, if any."""
        return (Choice({}),) if state.auction is None and next_lot(state) is not None else ()


def _rule_of(state: Monopoly, lot: Lot) -> str:
    """Return the rule for the auction of a lot."""
    if lot.cause == "shortage":
        return cite(state, "shortage_auction")
    if lot.cause == "bankruptcy":
        return cite(state, "bankrupt_auction")
    return cite(state, "auction", _square_of(state, lot))


def _square_of(state: Monopoly, lot: Lot) -> Square | None:
    """Return the square of an auctioned title; None for a house or a hotel."""
    return pieces(state).titles.get(lot.title)


def _under_way(draft: Draft) -> Auction:
    """Return the auction under way. Raises Impossible without an auction."""
    auction = draft.state.auction
    if auction is None:
        raise Impossible(
            cite(draft.state, "auction"),
            "nothing is being auctioned",
            "il n'y a pas de vente aux enchères en cours",
        )
    return auction


@chapter.action(
    summary=("bid in the auction", "enchérir"),
    when=("while an auction is open, whoever's turn it is", "pendant une vente, à n'importe quel tour"),
)
class Bid(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bid more than the highest bid, in money that one has; for a house or a hotel, say where it will stand."""

    amount: Annotated[int, Meta(ge=0, le=INT64_MAX, description="the whole bid"), of_kind("amount")]
    title: TitleId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse a bid too low or beyond the player's money, and a piece without a site."""
        seat, auction = player_in_play(draft), _under_way(draft)
        state, lot = draft.state, auction.lot
        draft.require(
            seat not in auction.passed,
            cite(state, "bid_won"),
            "{seat:seat} has withdrawn from this auction",
            "{seat:seat} s'est retiré de cette vente",
            seat=seat,
        )
        if self.amount <= auction.bid:
            raise Impossible(
                cite(state, "bid_minimum"),
                "{amount:money} is too low: the next bid is at least {least:money}",
                "{amount:money}, c'est trop peu : la prochaine enchère est d'au moins {least:money}",
                amount=self.amount,
                least=auction.bid + 1,
            )
        site = self._site(draft, seat, lot)
        staked = laid(state, seat)
        money = currency(state)
        debts.require_spare(draft, seat, self.amount - staked, cite(state, "bid_payment"))
        back = () if auction.bidder in (None, seat) else _to_purse(money, auction)
        rule = cite(state, "decliner" if seat == auction.opened_by else "bidders", _square_of(state, lot))
        paid = draft.move(money, self.amount - staked, purse(seat), ESCROW)
        draft.record(
            BidPlaced(rule=rule, lot=lot, seat=seat, amount=self.amount, title=site, postings=(*back, *paid))
        )

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """Return the rule of the highest bid: the bid pays, and all others count on it."""
        return cite(state, "bid_won")

    def _site(self, draft: Draft, seat: str, lot: Lot) -> str:
        """Return the site for a house or a hotel: the title named, or the only possible title."""
        state = draft.state
        if lot.kind == "title":
            return ""
        rule = cite(state, "shortage_auction")
        if self.title is None:
            sites = places_for(state, seat, lot.kind)
            if len(sites) != 1:
                raise Impossible(
                    rule,
                    "say on which title to build; {seat:seat} has these: {found:each|title}",
                    "indiquez sur quel titre construire ; {seat:seat} a ceux-ci : {found:each|title}",
                    seat=seat,
                    found=sites,
                )
            return sites[0]
        square = title_named(draft, self.title, rule)
        require_place(draft, seat, square, lot.kind)
        return square.id

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the least bid, open up to the player's money; for a piece, once for each possible site."""
        auction = state.auction
        if auction is None or seat not in state.order or seat in auction.passed or seat == auction.bidder:
            return
        least, limit = auction.bid + 1, debts.spare(state, seat)
        if seat in state.out or least > limit:
            return
        free = {"amount": Bounds(least, limit)}
        if auction.lot.kind == "title":
            yield Choice({"amount": least}, free)
            return
        for title in places_for(state, seat, auction.lot.kind):
            yield Choice({"amount": least, "title": title}, free)


def _to_purse(money: str, auction: Auction) -> tuple[Posting, ...]:
    """Return the posting of the highest bid back to the bidder."""
    return (Posting(money, auction.bid, ESCROW, purse(str(auction.bidder))),)


@chapter.action(
    summary=("withdraw from the auction", "se retirer de la vente"),
    when=("while an auction is open, without the highest bid", "pendant une vente, sans la plus haute enchère"),
)
class PassBid(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bid no more in this auction; it may be closed once all others have done so."""

    def decide(self, draft: Draft) -> None:
        """Refuse the highest bidder, and a second withdrawal."""
        seat, auction = player_in_play(draft), _under_way(draft)
        state = draft.state
        if seat == auction.bidder:
            raise Impossible(
                cite(state, "bid_won"),
                "the highest bid is {seat:seat}'s, who is bound by it",
                "la plus haute enchère est celle {seat:de|seat}, qui s'y tient",
                seat=seat,
            )
        if seat in auction.passed:
            raise Impossible(
                cite(state, "bid_won"),
                "{seat:seat} has withdrawn already",
                "{seat:seat} s'est déjà retiré",
                seat=seat,
            )
        draft.record(BidPassed(rule=cite(state, "bid_won"), lot=auction.lot, seat=seat))

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """Return the rule of withdrawals: the others bid on without the seat."""
        return cite(state, "bid_won")

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the withdrawal to each awaited player."""
        return (Choice({}),) if seat in awaited(state) else ()


@chapter.action(
    by=("banker", "system"),
    summary=("close the auction", "clore la vente aux enchères"),
    when=(
        "when all others have passed, or the time is over",
        "quand tous les autres ont passé, ou que le délai est écoulé",
    ),
)
class CloseAuction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The lot goes to the highest bidder, or stays with the bank."""

    def decide(self, draft: Draft) -> None:
        """Refuse before the time while somebody may still bid."""
        auction, state = _under_way(draft), draft.state
        ends = auction.closes_at
        over = ends is not None and (draft.is_placed or draft.at >= ends)
        draft.require(
            over or not awaited(state),
            cite(state, "bid_won"),
            "{waiting:seats} may still bid, or pass",
            "{waiting:seats} peuvent encore enchérir ou passer",
            waiting=awaited(state),
        )
        _award(draft, auction)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the close once all others have passed, or if the auction has a clock that may have run out."""
        auction = state.auction
        closes = auction is not None and (auction.closes_at is not None or not awaited(state))
        return (Choice({}),) if closes else ()


def _award(draft: Draft, auction: Auction) -> None:
    """Give the lot to the highest bidder, or leave the lot with the bank."""
    state, lot, winner = draft.state, auction.lot, auction.bidder
    rule = cite(state, "bid_won")
    site = _standing(state, auction)
    if winner is None or site is None:
        return_bid(draft, rule=rule)
        draft.record(LotUnsold(rule=rule, lot=lot))
        if lot.kind != "title":
            # Nobody wants the piece at any price, so no wish may keep the stock from being sold.
            shortage.forget_wishes(draft, lot.kind)
        return
    paid = draft.move(currency(state), auction.bid, ESCROW, BANK)
    won = (*paid, titles.title_posting(lot.title, BANK, purse(winner))) if lot.kind == "title" else ()
    draft.record(AuctionWon(rule=rule, lot=lot, seat=winner, amount=auction.bid, postings=won))
    if lot.kind != "title":
        rule, square = cite(state, "shortage_auction"), pieces(state).titles[site]
        building.put_piece(draft, winner, square, lot.kind, price=auction.bid, rule=rule, paid=paid)


def _standing(state: Monopoly, auction: Auction) -> str | None:
    """Return the title won, or the site for the piece: the site in the bid, or the first site still legal.

    None if a ruling has meanwhile taken away the lot or the winner's last site.
    """
    lot, winner = auction.lot, auction.bidder
    if lot.kind == "title":
        return lot.title if state.holdings.of(BANK, titles.deed(lot.title)) else None
    if winner is None or not stock_of(state, lot.kind):
        return None
    if can_place(state, winner, auction.place, lot.kind):
        return auction.place
    return next(iter(places_for(state, winner, lot.kind)), None)
