"""The events of auctions: lots, bids and sales."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.state import Monopoly
from ledger.rulebooks.monopoly.table.terms import Auction, Lot
from ledger.rulebooks.parts import titles

chapter = Chapter("Auctions")


def thing_of(lot: Lot) -> str:
    """Return the commodity of a lot."""
    return titles.deed(lot.title) if lot.kind == "title" else lot.kind


class _OfLot(Event, frozen=True, kw_only=True):
    """An event about a lot."""

    lot: Lot

    @property
    def thing(self) -> str:
        """The commodity auctioned."""
        return thing_of(self.lot)


@chapter.event
class LotsQueued(Event, frozen=True, kw_only=True):
    """Things are to be auctioned, one after the other."""

    en: ClassVar[str] = "To be auctioned, one by one: {things:each|goods}."
    fr: ClassVar[str] = "À mettre aux enchères, un par un : {things:each|goods}."

    lots: tuple[Lot, ...]

    @property
    def things(self) -> list[str]:
        """The commodities."""
        return [thing_of(lot) for lot in self.lots]

    def apply(self, state: Monopoly) -> None:
        """Append the lots to the queue."""
        state.lots = (*state.lots, *self.lots)


@chapter.event
class AuctionOpened(_OfLot, frozen=True, kw_only=True):
    """An auction opens."""

    en: ClassVar[str] = "The bank auctions: {thing:goods}."
    fr: ClassVar[str] = "La banque met aux enchères : {thing:goods}."

    opened_by: str = ""
    """The seat of the player who declined the title."""
    closes_at: datetime | None = None

    def apply(self, state: Monopoly) -> None:
        """Open the bids, and take the lot from the queue."""
        state.auction = Auction(lot=self.lot, opened_by=self.opened_by, closes_at=self.closes_at)
        if state.lots[:1] == (self.lot,):
            state.lots = state.lots[1:]


@chapter.event
class BidPlaced(_OfLot, frozen=True, kw_only=True):
    """A player bids; the amount lies in escrow, and the bid that was the highest goes back."""

    en: ClassVar[str] = "{seat:seat} bids {amount:money} ({thing:goods})."
    fr: ClassVar[str] = "{seat:seat} enchérit à {amount:money} ({thing:goods})."

    seat: str
    amount: int
    title: str = ""
    """The site for a house or a hotel."""

    def apply(self, state: Monopoly) -> None:
        """Store the highest bid."""
        if state.auction is not None:
            state.auction = replace(state.auction, bid=self.amount, bidder=self.seat, place=self.title)


@chapter.event
class BidPassed(_OfLot, frozen=True, kw_only=True):
    """A player withdraws from the auction."""

    en: ClassVar[str] = "{seat:seat} passes ({thing:goods})."
    fr: ClassVar[str] = "{seat:seat} passe ({thing:goods})."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Note the player as out of the auction."""
        if state.auction is not None:
            others = (seat for seat in state.auction.passed if seat != self.seat)
            state.auction = replace(state.auction, passed=(*others, self.seat))


@chapter.event
class BidReturned(_OfLot, frozen=True, kw_only=True):
    """The highest bid goes back to its bidder, and the bidding begins anew."""

    en: ClassVar[str] = "The bid of {amount:money} goes back to {seat:seat} ({thing:goods})."
    fr: ClassVar[str] = "L'enchère de {amount:money} revient à {seat:seat} ({thing:goods})."

    seat: str
    amount: int

    def apply(self, state: Monopoly) -> None:
        """Clear the highest bid and the withdrawals."""
        if state.auction is not None:
            state.auction = replace(state.auction, bid=0, bidder=None, place="", passed=())


@chapter.event
class AuctionWon(_OfLot, frozen=True, kw_only=True):
    """The highest bidder gets the lot, and the bid goes to the bank."""

    en: ClassVar[str] = "{seat:seat} wins the auction for {amount:money}: {thing:goods}."
    fr: ClassVar[str] = "{seat:seat} remporte l'enchère pour {amount:money} : {thing:goods}."

    seat: str
    amount: int

    def apply(self, state: Monopoly) -> None:
        """End the auction."""
        state.auction = None


@chapter.event
class LotUnsold(_OfLot, frozen=True, kw_only=True):
    """Nobody gets the lot, and the bank keeps it."""

    en: ClassVar[str] = "No sale: the bank keeps {thing:goods}."
    fr: ClassVar[str] = "Pas de vente : la banque garde {thing:goods}."

    def apply(self, state: Monopoly) -> None:
        """End the auction."""
        state.auction = None


@chapter.event
class SalesLapsed(Event, frozen=True, kw_only=True):
    """What was to be auctioned is not auctioned any more."""

    en: ClassVar[str] = "No more is auctioned: the bank keeps {things:each|goods}."
    fr: ClassVar[str] = "Plus rien n'est mis aux enchères : la banque garde {things:each|goods}."

    things: tuple[str, ...]

    def apply(self, state: Monopoly) -> None:
        """Clear the auction and the queue."""
        state.auction, state.lots = None, ()
