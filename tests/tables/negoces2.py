"""A table of Négoces 2 in memory, for scenarios: see `tests.harness.playing` for what all tables can do.

    table = Table()                                     ana has won Contraband for 1 coin and is the seller
    table.sells("ana", "good:1", "down")
    table.offering("bob", coins=3)
    table.accepts("ana", "bob")
    assert table.hand("bob")["good:1"] == 1

Ana, Bob, Cid and Dan sit clockwise; unless said otherwise they have goods 1 and 2, 3 and 4, 5 and 6, 7 and 8.
After every action each of the 33 cards and 60 coins is where it can be.
"""

from __future__ import annotations

from typing import Any

from ledger.kernel.deciding.moves import moves
from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.journal.sight import current_viewer, visible_holdings
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import CARDS, COIN
from ledger.rulebooks.negoces2.table import Negoces2
from ledger.rulebooks.negoces2.terms import hand, hidden, visible
from tests.harness.playing import Playing, say

__all__ = ["SEATS", "SERIES", "Table", "say"]

SEATS = ("ana", "bob", "cid", "dan")
SERIES = {"ana": [1, 2], "bob": [3, 4], "cid": [5, 6], "dan": [7, 8]}


class Table(Playing[Negoces2]):
    """A game of Ana, Bob, Cid and Dan; `until` is the phase it has reached.

    "laid": nothing has been dealt; "auction": ana is to open it; "sale": ana has won it for 1 coin.
    """

    def __init__(
        self,
        until: str = "sale",
        *,
        seats: tuple[str, ...] = SEATS,
        dice: str = "table",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(RULEBOOK, seats, dice=dice, settings=settings, seed=seed)
        if until == "laid":
            return
        self.banker("draw_starter", method="roll", dice=[1])
        self.banker("deal_goods", series=SERIES)
        if until == "sale":
            self.auction("ana", 1)

    # Playing ------------------------------------------------------------------------------------

    def auction(self, winner: str, bid: int) -> None:
        """Play the whole auction: the opener bids 1, then the winner goes up to the bid against the last rival."""
        self.play(self.turn, "bid", amount=1)
        while self.state.phase == "auction":
            rivals = [seat for seat in SEATS if seat != winner and seat not in self.state.withdrawn]
            if self.turn == winner and self.state.bid < bid:
                self.play(winner, "bid", amount=min(self.state.bid + 2, bid))
            elif self.turn == winner:
                raise AssertionError(f"the bid of {self.state.bid} is not {winner}'s")
            elif self.turn == rivals[0] and len(rivals) == 1 and self.state.bid + 1 < bid:
                self.play(self.turn, "bid", amount=self.state.bid + 1)
            else:
                self.play(self.turn, "withdraw")
        assert (self.state.bidder, self.state.bid) == (winner, bid)

    def sells(self, seller: str, card: str, face: str = "up") -> list[Event]:
        """The seller puts a card on the market."""
        return self.play(seller, "offer_for_sale", card=card, face=face)

    def offering(
        self, buyer: str, card: str | None = None, face: str | None = None, coins: int | None = None
    ) -> str:
        """A buyer makes an offer (a card lies face up by default); return its revision."""
        content = {"card": card, "face": face or ("up" if card else None), "coins": coins}
        self.play(buyer, "make_offer", **{name: value for name, value in content.items() if value is not None})
        return self.state.offers[buyer].revision

    def accepts(self, seller: str, buyer: str) -> list[Event]:
        """The seller accepts a buyer's offer as it stands."""
        return self.play(seller, "accept_offer", buyer=buyer, revision=self.state.offers[buyer].revision)

    def passes(self, seller: str, buyer: str, card: str, coins: int = 1, face: str = "up") -> None:
        """Play a whole sale of a card for coins: the buyer is the next seller."""
        self.sells(seller, card, face)
        self.offering(buyer, coins=coins)
        self.accepts(seller, buyer)

    def swaps(
        self, seller: str, buyer: str, card: str, other: str, face: str = "up", other_face: str = "up"
    ) -> None:
        """Play a whole sale of a card for a card: the seller stays the seller."""
        self.sells(seller, card, face)
        self.offering(buyer, other, other_face)
        self.accepts(seller, buyer)

    def deal_hands(self, hands: dict[str, list[int | str]]) -> None:
        """Set the hands: numbers of goods, or "contraband"; each player has 8 cards, the seller 9."""
        with self.arranged() as state:
            for seat in SEATS:
                for card, amount in dict(state.holdings.account(hand(seat))).items():
                    state.holdings.post(Posting(card, amount, hand(seat), BOX))
            for seat, cards in hands.items():
                for card in cards:
                    named = card if isinstance(card, str) else f"good:{card}"
                    state.holdings.post(Posting(named, 1, BOX, hand(seat)))
        self._check_pieces()

    def purses(self, **coins: int) -> None:
        """Set the coins of each player, all visible; they must add up to the coins in play."""
        with self.arranged() as state:
            for seat in SEATS:
                if held := state.holdings.of(visible(seat), COIN):
                    state.holdings.post(Posting(COIN, held, visible(seat), "aside"))
            for seat, amount in coins.items():
                if amount:
                    state.holdings.post(Posting(COIN, amount, "aside", visible(seat)))
        self._check_pieces()

    def everybody_was_seller(self) -> None:
        """Set that all four have been the seller, and that a sale has just ended."""
        with self.arranged() as state:
            state.sellers = set(SEATS)
            state.sales = max(state.sales, 4)

    def undo(self, seat: str) -> list[Event]:
        """The seat takes back the last action; raises a refusal when it may not."""
        require_may_undo(
            RULEBOOK, self.timeline(), lambda number: self.past.state_after(number - 1), seat, self.number
        )
        edits = [{"op": "drop", "action": self.number}]
        return self.play(seat, "correct", edits=edits, cascade="refuse", reason="a slip")

    # Reading ------------------------------------------------------------------------------------

    def foretold(self, seat: str, kind: str, **params: Any) -> list[Event]:
        """The events that an action of the seat would have, without performing it."""
        return list(self._decide(self._request(self._action(kind, params), seat, seat), self.state).events)

    @property
    def turn(self) -> str:
        """The next bidder of the auction."""
        assert self.state.turn is not None
        return self.state.turn

    def bankers_moves(self, kind: str) -> list[dict[str, Any]]:
        """The parameters of this kind that the banker's own moves offer."""
        found = moves(RULEBOOK, self.state, "", RULEBOOK.accounts.purse(""), BANKER, self.now)
        return [move.params for move in found if move.kind == kind]

    def kinds(self, seat: str) -> set[str]:
        """The kinds of play among the seat's moves, without disputes and undo."""
        return {move.kind for move in self.moves(seat) if not RULEBOOK.actions[move.kind].docket}

    def hand(self, seat: str) -> dict[str, int]:
        """The cards of a hand, in the order of their numbers."""
        held = self.state.holdings.account(hand(seat))
        return {card: held[card] for card in CARDS if card in held}

    def cards(self) -> dict[str, int]:
        """The number of cards in each hand."""
        return {seat: sum(self.hand(seat).values()) for seat in SEATS}

    def coins(self, seat: str) -> tuple[int, int]:
        """The visible and the hidden coins of a seat."""
        return self.holds(visible(seat), COIN), self.holds(hidden(seat), COIN)

    def holds(self, account: str, commodity: str) -> int:
        """The amount of a commodity in an account."""
        return self.state.holdings.of(account, commodity)

    def viewer(self, seat: str | None) -> Viewer:
        """A seat (None: a spectator) as a viewer of the game now."""
        return current_viewer(self.state, Viewer("player", seat) if seat else Viewer("spectator"))

    def account(self, account: str, seat: str | None) -> dict[str, int]:
        """An account as a seat (None: a spectator) sees it."""
        return dict(visible_holdings(RULEBOOK.secrets, self.state, account, self.viewer(seat)))

    def view(self, seat: str | None) -> dict[str, Any]:
        """The table as a seat (None: a spectator) sees it."""
        return RULEBOOK.screen.view(self.state, self.viewer(seat))

    # Internal -----------------------------------------------------------------------------------

    def _perform(self, action: Any, seat: str | None, by: str, override: str | None = None) -> list[Event]:
        events = super()._perform(action, seat, by, override)
        self._check_pieces()
        return events

    def _check_pieces(self) -> None:
        """Check that every card is out of the box once, that there are 60 coins, and that nobody owes anything."""
        for account, held in self.state.holdings.items():
            assert set(held) <= {*CARDS, COIN}, account
            assert account == BOX or min(held.values()) > 0, account
        issued = self.state.holdings.account(BOX)
        goods = {card.commodity: -card.copies for card in CARDS.values() if card.number}
        assert {card: issued.get(card, 0) for card in CARDS} == {
            **(goods if self.state.dealt else dict.fromkeys(goods, 0)),
            "contraband": -1,
        }
        assert -60 <= issued[COIN] <= 0
