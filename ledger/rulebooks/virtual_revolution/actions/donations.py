"""Make a Donation: pay to discard Corruption cards, to gain an Immunity token, or both (vr:donation.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Annotated, Any

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks import corruption
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table.operations import PayToDiscardCorruption
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, amounts, cash
from ledger.rulebooks.virtual_revolution.table.terms import (
    IMMUNITY,
    Bonuses,
    CorruptionId,
    Donate,
    Drawn,
    hand,
)
from ledger.rulebooks.virtual_revolution.turn import bonuses, performing
from ledger.rulebooks.virtual_revolution.turn.performing import Performing

chapter = Chapter("Donations")


def discard_price(state: VirtualRevolution, seat: str, cards: int) -> int:
    """Return the price of discarding 1 or 2 Corruption cards in this round (vr:donation.1)."""
    many = amounts(state)
    if cards == 1:
        return performing.figure(state, seat, "make_donation", "price_1", many.donation_1)
    return performing.figure(state, seat, "make_donation", "price_2", many.donation_2)


def immunity_price(state: VirtualRevolution, seat: str) -> int:
    """Return the price of an Immunity token in this round (vr:donation.2)."""
    return performing.figure(state, seat, "make_donation", "price_immunity", amounts(state).donation_immunity)


@performing.performs(Donate)
def _donate(draft: Draft, donate: Donate, under_way: Performing) -> None:
    """Pay for each part. At least one part is required; the extra discard of a Boost also counts (vr:boost.5)."""
    seat, many = under_way.seat, amounts(draft.state)
    if not donate.discard and not donate.immunity and not _has_extra(draft.state, donate):
        raise Impossible(
            "vr:donation.2",
            "a Donation discards Corruption, or brings an Immunity token",
            "un Don défausse de la Corruption, ou procure un jeton Immunité",
        ).citing("vr:donation.1")
    if donate.discard:
        corruption.require_in_hand(draft, seat, donate.discard, "vr:donation.1")
        is_single = len(donate.discard) == 1
        name: performing.Figure = "price_1" if is_single else "price_2"
        usual = many.donation_1 if is_single else many.donation_2
        cost = performing.tell_figure(draft, seat, "make_donation", name, usual)
        gaining.pay(draft, seat, cost, "vr:donation.1")
        corruption.discard(draft, seat, donate.discard, rule="vr:donation.1")
    if donate.immunity:
        gaining.require_supply(draft, IMMUNITY, 1, "vr:donation.2")
        cost = performing.tell_figure(draft, seat, "make_donation", "price_immunity", many.donation_immunity)
        gaining.pay(draft, seat, cost, "vr:donation.2")
        gaining.gain(draft, seat, IMMUNITY, 1, rule="vr:donation.2")


def _has_extra(state: VirtualRevolution, donate: Donate) -> bool:
    """Return True if a declared Boost discards a card."""
    return any(bonus.card is not None for bonus in donate.bonuses or ())


@chapter.action(
    summary=("make a Donation", "faire un Don"),
    when=("as the Action of one's own turn", "comme Action de son tour"),
)
class MakeDonation(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay to discard 1 or 2 Corruption cards, to gain an Immunity token, or both (vr:donation.1, donation.2)."""

    discard: Annotated[tuple[CorruptionId, ...], Meta(max_length=2)] = ()
    immunity: bool = False
    bonuses: Bonuses = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Perform the Donation, with at least one part."""
        donation = Donate(discard=self.discard, immunity=self.immunity, bonuses=self.bonuses)
        performing.act(draft, donation, self.drawn)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the discards, which lie face down."""
        return {"immunity": self.immunity, **bonuses.redact_bonuses(self.bonuses)}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each card and each pair of the hand, an Immunity token, and the extra discard of a Boost."""
        if not performing.may_act(state, seat):
            return
        hand_cards, money = decks.held_in(state, hand(seat)), cash(state, seat)
        free = ("discard", "immunity", "bonuses")
        for cards in (1, 2):
            cost = discard_price(state, seat, cards)
            if money >= cost:
                for some in combinations(hand_cards, cards):
                    yield Choice({"discard": list(some)}, free=free, alike=cards, cost=cost)
        cost = immunity_price(state, seat)
        if money >= cost and state.holdings.of(BANK, IMMUNITY) > 0:
            yield Choice({"immunity": True}, free=free, cost=cost)
        extra = next(iter(_extras(state, seat)), None)
        if extra is not None and money >= extra[1]:
            for card in hand_cards:
                declared = [{"source": extra[0], "card": card}]
                yield Choice({"bonuses": declared}, free=free, alike="extra", cost=extra[1])


def _extras(state: VirtualRevolution, seat: str) -> Iterable[tuple[str, int]]:
    """Yield the Boosts with an extra discard, and the prices."""
    for source in bonuses.sources(state, seat, "make_donation"):
        for effect in bonuses.effects_of(state, source, "make_donation"):
            if isinstance(effect, PayToDiscardCorruption):
                yield source, effect.price
