"""The banker: the remedies of rulings. Disputes and corrections work as in every game (banker.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.rulebooks.negoces2 import auction, ends
from ledger.rulebooks.negoces2.cards import CARDS, COIN, COINS
from ledger.rulebooks.negoces2.showing.speaking import ACCOUNT_NAMES, commodities_of
from ledger.rulebooks.negoces2.table import Draft, Negoces2, cards_of, coins_of, require_phase
from ledger.rulebooks.negoces2.terms import hand, hidden, visible
from ledger.rulebooks.parts.seats import seat_named


def movable(state: Negoces2) -> Mapping[str, tuple[str, ...]]:
    """Return the commodities that `adjust` moves, each with the possible accounts."""
    hands = tuple(hand(seat) for seat in state.order)
    purses = tuple(purse for seat in state.order for purse in (visible(seat), hidden(seat)))
    return {**dict.fromkeys(CARDS, hands), COIN: (*purses, BOX)}


class Adjust(remedies.Adjust, frozen=True, kw_only=True):
    """Move cards between hands, or coins between players' accounts or to the box (banker.2).

    Cards and coins of the market or of an offer move only with their sale. Coins come back from the box only when
    the ruling waives auction.9. Afterwards players have 8 or 9 cards as before: the ninth card may change hands
    between two sales, and is the seller's during a sale.
    """

    after_end: ClassVar[bool] = True

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Move everything or nothing. The sums of 33 cards and 60 coins do not change."""
        state = draft.state
        counts = {seat: cards_of(state, seat) for seat in state.order}
        places = movable(state)
        for posting in self.postings:
            for account in (posting.source, posting.target):
                if account not in places.get(posting.commodity, ()):
                    raise Impossible(
                        "negoces2:banker.2",
                        "{commodity:goods} is not moved by adjust from or to {account:account}",
                        "{commodity:goods} ne se déplace pas par adjust ({account:account})",
                        commodity=posting.commodity,
                        account=account,
                    )
            if posting.source == BOX:
                self._require_in_the_box(draft, posting.amount)
        super().carry_out(draft, ruling)
        self._require_sound(draft, counts)

    def _require_in_the_box(self, draft: Draft, amount: int) -> None:
        """Refuse coins from the box by auction.9, and more coins than the box has."""
        available = COINS + draft.state.holdings.of(BOX, COIN)
        draft.require(
            False,
            "negoces2:auction.9",
            "coins in the box are out of the game for good",
            "les pièces dans la boîte ont définitivement quitté la partie",
        )
        if amount > available:
            raise Impossible(
                "negoces2:setup.4",
                "the box has {there} coins, not {amount}",
                "la boîte contient {there} pièces, pas {amount}",
                there=available,
                amount=amount,
            )

    def _require_sound(self, draft: Draft, counts: dict[str, int]) -> None:
        """Raise Impossible when a second player would have nine cards, or when a bid would exceed the coins.

        Between two sales the nine cards may change hands; during a sale they are the seller's. Hands left unsound
        by a correction may be set right.
        """
        state, sale = draft.state, draft.state.sale
        new_counts = {seat: cards_of(state, seat) for seat in state.order}
        is_right = sorted(new_counts.values()) == [8, 8, 8, 9] and (sale is None or new_counts[sale.seller] == 9)
        if not is_right and (
            sorted(new_counts.values()) != sorted(counts.values()) or (sale is not None and new_counts != counts)
        ):
            raise Impossible(
                "negoces2:seller.2",
                "the players would have {now:tally} cards instead of {counts:tally}: order the "
                "counterpart as well",
                "les joueurs auraient {now:tally} cartes au lieu de {counts:tally} : ordonnez aussi "
                "la contrepartie",
                now=new_counts,
                counts=counts,
            )
        if state.phase == "auction" and state.bidder is not None and coins_of(state, state.bidder) < state.bid:
            raise Impossible(
                "negoces2:auction.6",
                "{bidder:seat} could not pay the bid of {bid} any more",
                "{bidder:seat} ne pourrait plus payer son enchère de {bid}",
                bidder=state.bidder,
                bid=state.bid,
            )


class DeclareVictory(remedies.Remedy, frozen=True, kw_only=True):
    """End the game with these winners, or change the winners; also for a tie that the text leaves open (end.9)."""

    after_end: ClassVar[bool] = True

    winners: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=4)]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse winners who are not players, and a game still in set-up."""
        if draft.state.phase == "setup":
            require_phase(draft, "between", "negoces2:end.1")
        winners = tuple(dict.fromkeys(seat_named(draft.state, seat, "negoces2:banker.2") for seat in self.winners))
        ends.proclaim(draft, winners, "negoces2:banker.2")


class SetTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Make it a player's turn in the auction (auction.3). Later the hands tell who the seller is (seller.1)."""

    seat: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse outside the auction, and a player who has left the auction or holds the highest bid."""
        auction.set_turn(draft, seat_named(draft.state, self.seat, "negoces2:banker.2"))


Remedy = remedies.Dismiss | remedies.CorrectHistory | Adjust | DeclareVictory | SetTurn
"""The remedies of rulings in Négoces 2."""


chapter = arbitration(
    "The banker",
    remedies=Remedy,
    player_undo=True,
)


class Negoces2Accounts(Accounts[Negoces2]):
    """The accounts of the game."""

    account_names: Mapping[str, AccountName] = ACCOUNT_NAMES

    def purse(self, seat: str) -> str:
        """Return the account of the seat's visible coins."""
        return visible(seat)

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return the seat's accounts: hand, visible coins, hidden coins."""
        return hand(seat), visible(seat), hidden(seat)

    def commodities(self, state: Negoces2) -> Glossary:
        """Return the cards, the coin, and the veiled card."""
        return commodities_of(state)

    def movable(self, state: Negoces2) -> Mapping[str, Sequence[str]]:
        """Return the cards with the hands, and the coins with the players' accounts and the box.

        Everybody knows the pieces.
        """
        return movable(state)
