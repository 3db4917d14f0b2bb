"""A table of the Bazaar in memory: Ana, Bob and Cid with known hands, up to a phase."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.rulebooks.parts import decks
from tests.example.bazaar import RULEBOOK
from tests.example.bazaar.table import Bazaar, hand
from tests.harness.playing import Playing, say

SEATS = ("ana", "bob", "cid")
HANDS = {
    "ana": ("silk_8", "silk_7", "silk_1", "amber_3", "salt_2"),
    "bob": ("amber_8", "amber_1", "pepper_5", "wool_4", "salt_6"),
    "cid": ("pepper_8", "pepper_7", "pepper_1", "wool_8", "salt_8"),
}


class Table(Playing[Bazaar]):
    """Ana, Bob and Cid with the hands above, up to a phase: the lot, the bids, or Ana's turn."""

    def __init__(self, until: str = "turns", *, dice: str = "table", **settings: Any) -> None:
        super().__init__(RULEBOOK, SEATS, dice=dice, settings=settings)
        for seat in SEATS if until != "hands" else ():
            self.play(seat, "draw_hand", **({} if dice == "service" else {"drawn": HANDS[seat]}))
        if until in {"bidding", "turns"} and dice == "table":
            self.banker("turn_up_lot", drawn=["silk_2", "wool_1"])
        if until == "turns":
            self.bids()

    def bids(self, ana: int = 0, bob: int = 0, cid: int = 0) -> list[str]:
        """All players bid; what the last bid tells."""
        self.play("ana", "seal_bid", amount=ana)
        self.play("bob", "seal_bid", amount=bob)
        return self.told("cid", "seal_bid", amount=cid)

    def told(self, seat: str, kind: str, **params: Any) -> list[str]:
        """The English sentences of an action."""
        speakers = RULEBOOK.language.speakers(self.state)
        return [say(event, "en", speakers) for event in self.play(seat, kind, **params)]

    def foretold(self, seat: str, kind: str, **params: Any) -> tuple[Any, ...]:
        """The events that an action would have; nothing happens."""
        request = self._request(self._action(kind, params), seat, seat)
        return self._decide(request, self.state).events

    def shown(self, seat: str | None) -> list[str]:
        """The French sentences of the last action, as a seat (None: a spectator) reads them."""
        speakers = RULEBOOK.language.speakers(self.state)
        return [say(event, "fr", speakers) for event in self.seen_by(seat)]

    def ends(self, *seats: str) -> None:
        """These players end their turns."""
        for seat in seats:
            self.play(seat, "end_turn")

    def cards(self, seat: str) -> list[str]:
        return decks.held_in(self.state, hand(seat))

    def coins(self, *seats: str) -> tuple[int, ...]:
        return tuple(self.state.holdings.of(f"player:{seat}", "coin") for seat in seats or SEATS)

    def view(self, seat: str | None) -> dict[str, Any]:
        return RULEBOOK.screen.view(self.state, Viewer("player", seat) if seat else SPECTATOR)


def moved(state: Bazaar, cards: Iterable[str], source: str, target: str) -> None:
    """Lay out a position: these cards lie elsewhere."""
    for card in cards:
        state.holdings.post(Posting(decks.commodity(card), 1, source, target))
