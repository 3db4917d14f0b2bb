"""Set-up and hands: the table is laid out, and each player draws a hand (setup, deal)."""

from __future__ import annotations

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks, opening
from ledger.rulebooks.parts.seats import player as purse
from tests.example.bazaar import pile, turns
from tests.example.bazaar.cards import CARDS, GOODS
from tests.example.bazaar.table import (
    COIN,
    DECK,
    Bazaar,
    Draft,
    Drawn,
    Settings,
    require_phase,
)

chapter = Chapter("Set-up and hands")

FIRST_PRICE, HAND = 3, 5


@chapter.event
class BazaarLaidOut(opening.LaidOut, frozen=True, kw_only=True):
    """All cards lie in the pile (setup.2), every purse has its coins (setup.3), every good its price (setup.5)."""

    rule: str = "bazaar:setup.1"

    def apply(self, state: Bazaar) -> None:
        """Seat the players (setup.4)."""
        super().apply(state)
        state.prices = dict.fromkeys(GOODS, FIRST_PRICE)


@chapter.action(by=("system",), summary=("lay out a game", "installer une partie"), when=("first", "d'abord"))
class LayOutBazaar(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service lays out the table."""

    def decide(self, draft: Draft) -> None:
        """Put all cards into the pile, and give each player the coins of the table."""
        opening.require_no_table(draft, "bazaar:setup.1")
        coins = opening.stored_settings(Settings, self.settings).coins
        postings = decks.laid_out((card, DECK) for card in CARDS)
        for one in self.players:
            postings += draft.move(COIN, coins, BANK, purse(one.seat))
        draft.record(BazaarLaidOut(postings=postings, **self.event_fields))


@chapter.action(
    summary=("draw one's hand", "piocher sa main"), when=("before round 1, once", "avant le tour 1, une fois")
)
class DrawHand(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player draws five cards (deal.1)."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second hand (deal.2). With the last hand, round 1 begins (deal.3)."""
        seat, state = draft.seat, draft.state
        require_phase(draft, "hands", "bazaar:deal.3")
        if seat in state.handed:
            raise Impossible("bazaar:deal.2", "{seat:seat} has a hand", "{seat:seat} a une main", seat=seat)
        pile.take(draft, "hand", HAND, self.drawn, "bazaar:deal.1")
        if len(state.handed) == len(state.order):
            turns.begin_round(draft)

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> tuple[Choice, ...]:
        """Offer a hand to a player without one."""
        return (Choice({}),) if state.phase == "hands" and seat not in state.handed else ()
