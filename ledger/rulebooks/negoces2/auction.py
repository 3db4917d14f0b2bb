"""The auction: the highest bidder gets Contraband, and the coins of the bid leave the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negoces2.cards import CONTRABAND, OPENING_BID, RAISES
from ledger.rulebooks.negoces2.table import Draft, Negoces2, coins_of, lay_coins, player, require_phase
from ledger.rulebooks.negoces2.terms import SALE_CARD, hand
from ledger.rulebooks.parts import seats

chapter = Chapter("The auction")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class BidMade(Event, frozen=True, kw_only=True):
    """A player opens with 1, or raises by 1 or 2 (auction.2, auction.4)."""

    en: ClassVar[str] = "{seat:seat} bids {amount:coins}."
    fr: ClassVar[str] = "{seat:seat} annonce {amount:coins}."

    rule: str
    seat: str
    amount: int
    turn: str
    """The next bidder."""

    def apply(self, state: Negoces2) -> None:
        """Store the bid until the next raise."""
        state.bid = self.amount
        state.bidder = self.seat
        state.turn = self.turn


@chapter.event
class BidderWithdrew(Event, frozen=True, kw_only=True):
    """A player leaves the auction for good and pays nothing (auction.5, auction.10)."""

    en: ClassVar[str] = "{seat:seat} leaves the auction."
    fr: ClassVar[str] = "{seat:seat} se retire des enchères."

    rule: str = "negoces2:auction.5"
    seat: str
    turn: str
    """The next bidder."""

    def apply(self, state: Negoces2) -> None:
        """Remove the player from the auction."""
        state.withdrawn.add(self.seat)
        state.turn = self.turn


@chapter.event
class ContrabandAwarded(Event, frozen=True, kw_only=True):
    """The last bidder left takes Contraband into the hand, and now has nine cards (auction.7, auction.8)."""

    en: ClassVar[str] = "{seat:seat} wins {contraband:goods} for {amount:coins} and is the seller."
    fr: ClassVar[str] = "{seat:seat} remporte la carte {contraband:goods} pour {amount:coins} et devient vendeur."

    rule: str = "negoces2:auction.8"
    seat: str
    amount: int

    @property
    def contraband(self) -> str:
        """The card won."""
        return CONTRABAND

    def apply(self, state: Negoces2) -> None:
        """End the auction; the player with nine cards is the seller (seller.1)."""
        state.phase = "between"
        state.turn = None
        state.sellers.add(self.seat)


@chapter.event
class BidPaid(Event, frozen=True, kw_only=True):
    """The coins of the winning bid go to the box and stay there (auction.9)."""

    en: ClassVar[str] = "{seat:seat} pays {amount:coins} into the box, out of the game for good."
    fr: ClassVar[str] = "{seat:seat} verse {amount:coins} dans la boîte, définitivement hors de la partie."

    rule: str = "negoces2:auction.9"
    seat: str
    amount: int


@chapter.event
class BidderSet(Event, frozen=True, kw_only=True):
    """A ruling says whose turn it is in the auction (auction.3)."""

    en: ClassVar[str] = "By a ruling, {seat:seat} is the next to bid."
    fr: ClassVar[str] = "Par une décision, c'est à {seat:seat} d'annoncer."

    rule: str = "negoces2:auction.3"
    seat: str

    def apply(self, state: Negoces2) -> None:
        """Give the turn to the player."""
        state.turn = self.seat


def set_turn(draft: Draft, seat: str) -> None:
    """Give a player the turn in the auction, by ruling.

    Raises Impossible outside the auction (auction.1), for a player who has left the auction (auction.5) or
    holds the highest bid (auction.4), and if nothing would change (auction.3).
    """
    state = draft.state
    require_phase(draft, "auction", "negoces2:auction.1")
    if seat in state.withdrawn:
        raise Impossible(
            "negoces2:auction.5",
            "{seat:seat} has left the auction for good",
            "{seat:seat} s'est retiré définitivement des enchères",
            seat=seat,
        )
    if seat == state.bidder:
        raise Impossible(
            "negoces2:auction.4",
            "the highest bid of {bid} is {seat:seat}'s, who cannot raise it",
            "la plus forte enchère, de {bid}, est {seat:de|seat}, qui ne peut pas surenchérir",
            bid=state.bid,
            seat=seat,
        )
    draft.require_now(
        seat != state.turn,
        "negoces2:auction.3",
        "it is {seat:seat}'s turn to bid already",
        "c'est déjà à {seat:seat} d'annoncer",
        seat=seat,
    )
    draft.record(BidderSet(seat=seat))


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("open the auction with 1, or raise by 1 or 2", "débuter les enchères à 1, ou surenchérir de 1 ou 2"),
    when=("in the auction, on one's turn", "pendant les enchères, à son tour"),
)
class Bid(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player whose turn it is bids for Contraband; the number is the whole bid, not the raise."""

    amount: Annotated[int, Meta(ge=1, le=60, description="the bid, in coins"), of_kind("amount")]

    def decide(self, draft: Draft) -> None:
        """Refuse steps except 1 or 2, and bids above the player's coins (auction.6)."""
        state = draft.state
        seat = _on_turn(draft)
        if draft.is_replayed and self.amount > state.bid:
            pass  # in a corrected history, the bid before was another
        elif not state.bid:
            draft.require(
                self.amount == OPENING_BID,
                "negoces2:auction.2",
                "the opening bid is {opening}, not {amount}",
                "les enchères débutent à {opening}, pas à {amount}",
                opening=OPENING_BID,
                amount=self.amount,
            )
        elif self.amount <= state.bid:
            raise Impossible(
                "negoces2:auction.4",
                "{amount} does not raise the bid of {bid}: bid {least} or {most}",
                "{amount} ne dépasse pas l'enchère de {bid} : il faut annoncer {least} ou {most}",
                amount=self.amount,
                bid=state.bid,
                least=state.bid + min(RAISES),
                most=state.bid + max(RAISES),
            )
        else:
            draft.require(
                self.amount - state.bid in RAISES,
                "negoces2:auction.4",
                "a bid of {bid} is raised by 1 or 2, not by {step}",
                "une enchère de {bid} se relève de 1 ou 2, pas de {step}",
                bid=state.bid,
                step=self.amount - state.bid,
            )
        if self.amount > coins_of(state, seat):
            raise Impossible(
                "negoces2:auction.6",
                "{seat:seat} has {held} coins and cannot bid {amount}",
                "{seat:seat} a {held} pièces et ne peut pas en annoncer {amount}",
                seat=seat,
                held=coins_of(state, seat),
                amount=self.amount,
            )
        rule = "negoces2:auction.4" if state.bid else "negoces2:auction.2"
        draft.record(BidMade(rule=rule, seat=seat, amount=self.amount, turn=_next_bidder(state, seat)))
        _award(draft)

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer the opening bid, then each raise."""
        if state.phase == "auction" and state.turn == seat:
            amounts = [state.bid + raised for raised in RAISES] if state.bid else [OPENING_BID]
            yield from (Choice({"amount": amount}) for amount in amounts)


@chapter.action(
    summary=("leave the auction for good", "se retirer définitivement des enchères"),
    when=(
        "in the auction, on one's turn, once it is opened",
        "pendant les enchères, à son tour, après l'ouverture",
    ),
)
class Withdraw(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player whose turn it is leaves the auction instead of raising (auction.5)."""

    final: ClassVar[str | None] = "negoces2:auction.5"

    def decide(self, draft: Draft) -> None:
        """Refuse before the opening bid (auction.2). The last bidder left wins (auction.7)."""
        state = draft.state
        seat = _on_turn(draft)
        if not state.bid:
            raise Impossible(
                "negoces2:auction.2",
                "{seat:seat} opens the auction with a bid of {opening} and cannot leave it",
                "{seat:seat} débute les enchères à {opening} et ne peut pas s'en retirer",
                seat=seat,
                opening=OPENING_BID,
            )
        _leave(draft, seat)

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer the action to the player in turn."""
        return (Choice({}),) if state.phase == "auction" and state.turn == seat else ()


def _on_turn(draft: Draft) -> str:
    """Return the acting seat if the turn of the auction is its own. Raises Impossible by auction.1, .5 or .3.

    In a corrected history the seat acts in the turn in which the table has played the action.
    """
    state = draft.state
    require_phase(draft, "auction", "negoces2:auction.1")
    seat = player(draft, "negoces2:auction.3")
    if seat in state.withdrawn:
        raise Impossible(
            "negoces2:auction.5",
            "{seat:seat} has left the auction for good",
            "{seat:seat} s'est retiré définitivement des enchères",
            seat=seat,
        )
    if seat != state.turn and (seat == state.bidder or not draft.is_replayed):
        raise Impossible(
            "negoces2:auction.3",
            "it is {turn:seat}'s turn to bid, not {seat:seat}'s",
            "c'est à {turn:seat} d'annoncer, pas à {seat:seat}",
            turn=state.turn,
            seat=seat,
        )
    return seat


def close(draft: Draft) -> None:
    """End an auction that a corrected history leaves open: all but the highest bidder have withdrawn."""
    state = draft.state
    while state.phase == "auction" and state.bidder is not None and state.turn is not None:
        _leave(draft, state.turn)


def _leave(draft: Draft, seat: str) -> None:
    """Withdraw the seat. A turn of another seat in a corrected history stays."""
    turn = draft.state.turn
    following = _next_bidder(draft.state, seat) if turn in {None, seat} else turn
    draft.record(BidderWithdrew(seat=seat, turn=following))
    _award(draft)


def _next_bidder(state: Negoces2, seat: str) -> str:
    """Return the next player clockwise still in the auction: the seat itself if all others have left."""
    return seats.next_seat(state.order, seat, state.withdrawn)


def _award(draft: Draft) -> None:
    """Settle the auction after the third withdrawal. The winner pays at once (auction.7)."""
    state = draft.state
    winner = state.bidder
    if winner is None or len(state.withdrawn) < len(state.order) - 1:
        return
    if coins_of(state, winner) < state.bid:
        # The last player to leave reads the refusal and may not know the winner's hidden coins.
        raise Impossible(
            "negoces2:auction.6",
            "{winner:seat} can no longer pay the bid of {bid}",
            "{winner:seat} ne peut plus payer son enchère de {bid}",
            winner=winner,
            bid=state.bid,
        )
    awarded = draft.move(CONTRABAND, 1, SALE_CARD, hand(winner))
    draft.record(ContrabandAwarded(seat=winner, amount=state.bid, postings=awarded))
    paid, _ = lay_coins(draft, winner, state.bid, BOX, "negoces2:auction.9")
    draft.record(BidPaid(seat=winner, amount=state.bid, postings=paid))
