"""The auction: a lot is turned up, and every player seals a single bid, all revealed at once (lot, bid)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import payment
from ledger.rulebooks.parts.seats import player as purse
from tests.example.bazaar import pile, turns
from tests.example.bazaar.table import (
    COIN,
    DECK,
    MARKET,
    Bazaar,
    Draft,
    Drawn,
    coins_of,
    hand,
    moved,
    require_phase,
    round_order,
)

chapter = Chapter("The auction")

LOT = 2


@chapter.event
class LotTurnedUp(Event, frozen=True, kw_only=True):
    """The cards of the lot lie on the market for everybody to see (lot.1)."""

    en: ClassVar[str] = "The lot is turned up: {cards:cards}."
    fr: ClassVar[str] = "Le lot est retourné : {cards:cards}."

    rule: str = "bazaar:lot.1"
    cards: tuple[str, ...]
    until: datetime | None
    """The end of the time for bids, at a table with a clock (bid.7)."""

    def apply(self, state: Bazaar) -> None:
        """Open the bids; without a card there are none (lot.3)."""
        state.phase, state.bids_until = ("bidding" if self.cards else "turns"), self.until

    def reveals(self) -> Audience:
        """Return everybody: all learn cards of the pile."""
        return EVERYONE


@chapter.event
class BidSealed(Event, frozen=True, kw_only=True):
    """A player seals a bid."""

    en: ClassVar[str] = "{seat:seat} seals a bid{amount:bid}."
    fr: ClassVar[str] = "{seat:seat} scelle une mise{amount:bid}."

    rule: str
    seat: str
    amount: int | None

    def apply(self, state: Bazaar) -> None:
        """Store the bid until all are revealed."""
        state.bids[self.seat] = self.amount or 0

    def audience(self) -> Audience:
        """Return the bidder (bid.2)."""
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the amount."""
        return replace(self, amount=None)


@chapter.event
class BidsRevealed(Event, frozen=True, kw_only=True):
    """All bids are revealed at once (bid.4)."""

    en: ClassVar[str] = "The bids are revealed: {bids:tally}."
    fr: ClassVar[str] = "Les mises sont révélées : {bids:tally}."

    rule: str = "bazaar:bid.4"
    bids: dict[str, int] | None

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the bids in a dry run."""
        return replace(self, bids=None)

    def reveals(self) -> Audience:
        """Return everybody."""
        return EVERYONE


@chapter.event
class LotSold(Event, frozen=True, kw_only=True):
    """The highest bidder takes the lot and pays the bank (bid.5); an unsold lot is discarded (lot.4)."""

    en: ClassVar[str] = "The lot goes to {seat:or|the discards|seat} for {price:money}: {cards:cards}."
    fr: ClassVar[str] = "Le lot va à {seat:or|la défausse|seat} pour {price:money} : {cards:cards}."

    rule: str
    seat: str | None
    price: int
    cards: tuple[str, ...]

    def apply(self, state: Bazaar) -> None:
        """Close the bids; the turns follow (turn.1)."""
        state.bids, state.bids_until, state.phase = {}, None, "turns"


@chapter.event
class BiddingResumed(Event, frozen=True, kw_only=True):
    """A game taken up later gives the bidders the full time again (bid.7)."""

    en: ClassVar[str] = "The bids have the full time again."
    fr: ClassVar[str] = "Les mises ont de nouveau tout leur temps."

    rule: str = "bazaar:bid.7"
    until: datetime

    def apply(self, state: Bazaar) -> None:
        """Move the end of the time."""
        state.bids_until = self.until


@chapter.action(
    by=("banker", "system"),
    summary=("turn up the lot", "retourner le lot"),
    when=("in each round, first", "d'abord"),
)
class TurnUpLot(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two cards of the pile are turned up (lot.1): by the service where it draws, otherwise by the banker."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Turn up fewer cards from a short pile; without a card, the turns begin (lot.3)."""
        require_phase(draft, "lot", "bazaar:lot.1")
        cards = pile.draw(draft, "lot", LOT, self.drawn)
        draft.record(
            LotTurnedUp(
                rule="bazaar:lot.1" if len(cards) == LOT else "bazaar:lot.3",
                cards=cards,
                until=_until(draft),
                postings=moved(cards, decks.pile(DECK), MARKET),
            )
        )
        if not cards:
            draft.record(turns.TurnBegan(seat=round_order(draft.state)[0]))

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> tuple[Choice, ...]:
        """Offer the lot at the beginning of a round."""
        return (Choice({}),) if state.phase == "lot" else ()


@chapter.action(
    summary=("seal a bid on the lot", "sceller une mise sur le lot"),
    when=("once the lot is turned up, once", "une fois le lot retourné, une fois"),
)
class SealBid(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player seals one bid, from nothing to all coins of the purse (bid.1)."""

    amount: Annotated[int, Meta(ge=0, le=1_000_000), of_kind("amount")]

    def decide(self, draft: Draft) -> None:
        """Refuse a second bid (bid.3). The last bid reveals all (bid.4)."""
        seat, state = draft.seat, draft.state
        require_phase(draft, "bidding", "bazaar:lot.2")
        if seat in state.bids:
            raise Impossible("bazaar:bid.3", "{seat:seat} has bid", "{seat:seat} a déjà misé", seat=seat)
        draft.require_funds(purse(seat), COIN, self.amount, "bazaar:bid.1")
        rule = "bazaar:bid.7" if draft.by == "system" else "bazaar:bid.1"
        draft.record(BidSealed(rule=rule, seat=seat, amount=self.amount))
        if len(state.bids) == len(state.order):
            _sell(draft)

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> Iterable[Choice]:
        """Offer some bids; any amount of the purse is free."""
        if state.phase == "bidding" and seat in state.seats and seat not in state.bids:
            coins = max(0, coins_of(state, seat))
            free = {"amount": Bounds(0, coins)}
            yield from (Choice({"amount": amount}, free=free) for amount in (0, 2, 5) if amount <= coins)


@chapter.action(
    by=("system",),
    summary=("give the bids the full time again", "redonner tout leur temps aux mises"),
    when=("when a game with a clock is taken up", "à la reprise d'une partie avec horloge"),
)
class ResumeBidding(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time spent away from the table does not count (bid.7)."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a clock."""
        require_phase(draft, "bidding", "bazaar:bid.7")
        until = _until(draft)
        if until is None:
            raise Impossible("bazaar:bid.7", "no clock runs", "aucune horloge ne tourne")
        draft.record(BiddingResumed(until=until))

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> tuple[Choice, ...]:
        """Offer nothing: only the service takes up a game."""
        return ()


def silent(state: Bazaar) -> list[str]:
    """Return the seats without a bid, in the order of the round."""
    return [seat for seat in round_order(state) if seat not in state.bids] if state.phase == "bidding" else []


def _until(draft: Draft) -> datetime | None:
    """Return the end of the time for bids; None without a clock (bid.7)."""
    seconds = draft.state.settings.bid_seconds
    return draft.at + timedelta(seconds=seconds) if seconds else None


def _sell(draft: Draft) -> None:
    """Reveal the bids, each at most the purse (bid.8), and sell the lot, in a tie to the earlier seat (bid.6)."""
    state, order = draft.state, round_order(draft.state)
    bids = {seat: min(state.bids[seat], max(0, coins_of(state, seat))) for seat in order}
    price = max(bids.values())
    best = [seat for seat in order if price and bids[seat] == price]
    cards = tuple(decks.held_in(state, MARKET))
    draft.record(BidsRevealed(bids=bids))
    buyer = best[0] if best else None
    rule = "bazaar:lot.4" if buyer is None else "bazaar:bid.5" if len(best) == 1 else "bazaar:bid.6"
    postings = moved(cards, MARKET, decks.discards(DECK) if buyer is None else hand(buyer))
    if buyer is not None:
        postings += payment(draft, buyer, price, rule)
    draft.record(LotSold(rule=rule, seat=buyer, price=price, cards=cards, postings=postings))
    draft.record(turns.TurnBegan(seat=order[0]))
