"""Auctions: titles that were declined, those of a bankrupt, and houses or hotels that are scarce.

The leading bid lies in escrow. The auction closes when all others have passed or its time is over.
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
# What is auctioned
# ----------------------------------------------------------------------------------------------


def eligible(state: Monopoly, lot: Lot) -> list[str]:
    """Who may bid for a lot: all players in the game; for a house or a hotel, those with a place for it."""
    players = in_play(state)
    return players if lot.kind == "title" else [one for one in players if has_place(state, one, lot.kind)]


def awaited(state: Monopoly) -> list[str]:
    """The seats that have yet to bid or to pass: those that can pay more than the highest bid."""
    auction = state.auction
    if auction is None:
        return []
    return [
        one
        for one in eligible(state, auction.lot)
        if one != auction.bidder and one not in auction.passed and debts.spare(state, one) > auction.bid
    ]


def next_lot(state: Monopoly) -> Lot | None:
    """What the banker auctions next: the first lot that waits, or a piece that too many have asked for."""
    if state.lots:
        return state.lots[0]
    piece = shortage.contended(state)
    return None if piece is None else Lot(kind=piece, cause="shortage")


def open_lot(draft: Draft, lot: Lot, *, opened_by: str = "", rule: str) -> None:
    """Open the auction of a lot."""
    seconds = draft.state.settings.auction_seconds
    closes_at = draft.now + timedelta(seconds=seconds) if seconds else None
    draft.record(AuctionOpened(rule=rule, lot=lot, opened_by=opened_by, closes_at=closes_at))


def require_none(draft: Draft, rule: str) -> None:
    """Refuse while a lot is auctioned: its bid would be lost. Raises Impossible."""
    auction = draft.state.auction
    if auction is not None:
        raise Impossible(
            rule,
            "one auction at a time: the one under way ({thing:goods}) has to be closed first",
            "une vente à la fois : il faut d'abord clore celle en cours ({thing:goods})",
            thing=thing_of(auction.lot),
        )


def queue(draft: Draft, lots: Sequence[Lot], *, rule: str) -> None:
    """Have these lots auctioned after those that wait already."""
    if lots:
        draft.record(LotsQueued(rule=rule, lots=tuple(lots)))


def return_bid(draft: Draft, *, rule: str) -> None:
    """Give the highest bid back to its bidder, who cannot be held to it any more."""
    auction = draft.state.auction
    if auction is None or auction.bidder is None:
        return
    back = draft.move(currency(draft.state), auction.bid, ESCROW, purse(auction.bidder))
    draft.record(BidReturned(rule=rule, lot=auction.lot, seat=auction.bidder, amount=auction.bid, postings=back))


def lapse(draft: Draft, *, rule: str) -> None:
    """Let the auction and all lots that wait lapse; the highest bid goes back."""
    return_bid(draft, rule=rule)
    state = draft.state
    lots = [*([state.auction.lot] if state.auction is not None else ()), *state.lots]
    if lots:
        draft.record(SalesLapsed(rule=rule, things=tuple(thing_of(one) for one in lots)))


def due(state: Monopoly, at: datetime) -> CloseAuction | None:
    """The close of the auction whose time is over; None when it is not."""
    ends = deadlines(state)
    return CloseAuction() if ends and at >= ends[0] else None


def deadlines(state: Monopoly) -> tuple[datetime, ...]:
    """When the auction under way may be closed; empty without one or without a clock."""
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
        """The next lot, if any."""
        return (Choice({}),) if state.auction is None and next_lot(state) is not None else ()


def _rule_of(state: Monopoly, lot: Lot) -> str:
    """The rule by which a lot is auctioned."""
    if lot.cause == "shortage":
        return cite(state, "shortage_auction")
    if lot.cause == "bankruptcy":
        return cite(state, "bankrupt_auction")
    return cite(state, "auction", _square_of(state, lot))


def _square_of(state: Monopoly, lot: Lot) -> Square | None:
    """The square of a title that is auctioned; None for a house or a hotel."""
    return pieces(state).titles.get(lot.title)


def _under_way(draft: Draft) -> Auction:
    """The auction under way. Raises Impossible when there is none."""
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
        """Refuse too low a bid, one beyond the player's money, and a piece without a place."""
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
        where = self._place(draft, seat, lot)
        own = auction.bid if auction.bidder == seat else 0
        money = currency(state)
        debts.require_spare(draft, seat, self.amount - own, cite(state, "bid_payment"))
        back = () if auction.bidder in (None, seat) else _to_purse(money, auction)
        rule = cite(state, "decliner" if seat == auction.opened_by else "bidders", _square_of(state, lot))
        paid = draft.move(money, self.amount - own, purse(seat), ESCROW)
        draft.record(
            BidPlaced(rule=rule, lot=lot, seat=seat, amount=self.amount, title=where, postings=(*back, *paid))
        )

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """The highest bid pays, and all others count on it."""
        return cite(state, "bid_won")

    def _place(self, draft: Draft, seat: str, lot: Lot) -> str:
        """Where a house or a hotel would be put: the title named, or the only one that there is."""
        state = draft.state
        if lot.kind == "title":
            return ""
        rule = cite(state, "shortage_auction")
        if self.title is None:
            found = places_for(state, seat, lot.kind)
            if len(found) != 1:
                raise Impossible(
                    rule,
                    "say on which title to build; {seat:seat} has these: {found:each|title}",
                    "indiquez sur quel titre construire ; {seat:seat} a ceux-ci : {found:each|title}",
                    seat=seat,
                    found=found,
                )
            return found[0]
        square = title_named(draft, self.title, rule)
        require_place(draft, seat, square, lot.kind)
        return square.id

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """The least bid, which may be raised up to the player's money; a piece at each place for it."""
        auction = state.auction
        if auction is None or seat not in state.order or seat in auction.passed or seat == auction.bidder:
            return
        least, most = auction.bid + 1, debts.spare(state, seat)
        if seat in state.out or least > most:
            return
        free = {"amount": Bounds(least, most)}
        if auction.lot.kind == "title":
            yield Choice({"amount": least}, free)
            return
        for title in places_for(state, seat, auction.lot.kind):
            yield Choice({"amount": least, "title": title}, free)


def _to_purse(money: str, auction: Auction) -> tuple[Posting, ...]:
    """The posting of the highest bid back to its bidder."""
    return (Posting(money, auction.bid, ESCROW, purse(str(auction.bidder))),)


@chapter.action(
    summary=("withdraw from the auction", "se retirer de la vente"),
    when=("while an auction is open, without the highest bid", "pendant une vente, sans la plus haute enchère"),
)
class PassBid(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bid no more in this auction; it may be closed once all others have done so."""

    def decide(self, draft: Draft) -> None:
        """Refuse the highest bidder, and who has withdrawn already."""
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
        """Who has withdrawn is out of the auction: the others bid on that."""
        return cite(state, "bid_won")

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Each player whom the auction waits for."""
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
        over = ends is not None and (draft.again or draft.now >= ends)
        draft.require(
            over or not awaited(state),
            cite(state, "bid_won"),
            "{waiting:seats} may still bid",
            "{waiting:seats} peuvent encore enchérir",
            waiting=awaited(state),
        )
        _award(draft, auction)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """The auction under way, once all others have passed or where its clock may have run out."""
        auction = state.auction
        closes = auction is not None and (auction.closes_at is not None or not awaited(state))
        return (Choice({}),) if closes else ()


def _award(draft: Draft, auction: Auction) -> None:
    """Give the lot to the highest bidder, or leave it with the bank."""
    state, lot, winner = draft.state, auction.lot, auction.bidder
    rule = cite(state, "bid_won")
    where = _standing(state, auction)
    if winner is None or where is None:
        return_bid(draft, rule=rule)
        draft.record(LotUnsold(rule=rule, lot=lot))
        if lot.kind != "title":
            # Nobody wants it at any price, so nobody's wish keeps it from being sold.
            shortage.forget_wishes(draft, lot.kind)
        return
    paid = draft.move(currency(state), auction.bid, ESCROW, BANK)
    won = (*paid, titles.handed(lot.title, BANK, purse(winner))) if lot.kind == "title" else ()
    draft.record(AuctionWon(rule=rule, lot=lot, seat=winner, amount=auction.bid, postings=won))
    if lot.kind != "title":
        rule, square = cite(state, "shortage_auction"), pieces(state).titles[where]
        building.place(draft, winner, square, lot.kind, price=auction.bid, rule=rule, paid=paid)


def _standing(state: Monopoly, auction: Auction) -> str | None:
    """The title that is won, or on which the piece is put: that of the bid, or the first one that is still legal.

    None when a ruling has taken the lot away meanwhile, or the winner's last place.
    """
    lot, winner = auction.lot, auction.bidder
    if lot.kind == "title":
        return lot.title if state.holdings.of(BANK, titles.deed(lot.title)) else None
    if winner is None or not stock_of(state, lot.kind):
        return None
    if can_place(state, winner, auction.place, lot.kind):
        return auction.place
    return next(iter(places_for(state, winner, lot.kind)), None)
