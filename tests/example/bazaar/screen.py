"""The views of the table, and the seats and moves that the game waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.plain import plain_once, without_nulls
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import AwaitedView
from ledger.kernel.rules.faces.screen import Screen
from ledger.rulebooks.parts import decks
from tests.example.bazaar.auction import silent
from tests.example.bazaar.table import DECK, MARKET, Bazaar, cards_of, coins_of, offer

_TASKS = {
    "hands": (Phrase("draw a hand", "piocher une main"), ("draw_hand",)),
    "bidding": (Phrase("seal a bid", "sceller une mise"), ("seal_bid",)),
    "turns": (Phrase("draw, sell, or end the turn", "piocher, vendre ou terminer"), ("draw_card", "end_turn")),
}
"""The task of an awaited seat in each phase, and the moves."""
_LOT = Phrase("turn up the lot", "retourner le lot")
_ANSWER = Phrase("answer an offer", "répondre à une offre")


class BazaarScreen(Screen[Bazaar]):
    """The views of the table."""

    def in_setup(self, state: Bazaar) -> bool:
        """Return True until every player has a hand."""
        return state.phase == "hands"

    def awaited(self, state: Bazaar) -> Sequence[str]:
        """Return the players without a hand, or without a bid, or the player in turn."""
        if state.phase == "hands":
            return [seat for seat in state.order if seat not in state.handed]
        return silent(state) or ([] if state.turn is None else [state.turn])

    def waiting(self, state: Bazaar, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the tasks of the seats, the lot for the banker, and the offers to be answered."""
        silence = Phrase("bid nothing", "ne rien miser").in_language(language)
        until, default = (state.bids_until, silence) if state.bids_until else (UNSET, UNSET)
        return [
            AwaitedView(seat=seat, label=words.in_language(language), moves=moves, until=until, default=default)
            for seat, words, moves in self._tasks(state)
        ]

    def _tasks(self, state: Bazaar) -> Iterator[tuple[str, Phrase, tuple[str, ...]]]:
        if state.phase == "lot":
            yield "banker", _LOT, ("turn_up_lot",)
        for seat in self.awaited(state):
            words, moves = _TASKS[state.phase]
            may_draw = not state.drew and decks.is_drawable(state, DECK)
            yield seat, words, tuple(move for move in moves if move != "draw_card" or may_draw)
        for trade in state.open.values():
            yield trade.to, _ANSWER, (f"close_trade:{trade.id}",)

    def public_view(self, state: Bazaar) -> dict[str, Any]:
        """Return phase, prices, lot, and the numbers of cards and coins (hand.2, hand.3)."""
        view: dict[str, Any] = {
            "phase": state.phase,
            "round": state.round,
            "turn": state.turn,
            "order": list(state.order),
            "prices": dict(state.prices),
            "lot": decks.held_in(state, MARKET),
            "sealed": [seat for seat in state.order if seat in state.bids],
            "pile": decks.left_in(state, DECK),
            "discards": decks.held_in(state, decks.discards(DECK)),
            "trades": [{"id": one.id, "by": one.by, "to": one.to} for one in state.open.values()],
            "seats": {
                seat: {"cards": len(cards_of(state, seat)), "coins": coins_of(state, seat)} for seat in state.order
            },
            "settings": plain_once(state.settings),
        }
        public: dict[str, Any] = without_nulls(view)
        return public

    def own_view(self, state: Bazaar, viewer: Viewer) -> dict[str, Any]:
        """Return the viewer's cards and bid, and the points once the viewer may know the end."""
        view: dict[str, Any] = {"scores": {}, "winners": []}
        if viewer.knows_the_end:
            view = {"scores": dict(state.scores), "winners": list(state.winners)}
        if viewer.seat in state.seats:
            own = {
                "cards": cards_of(state, viewer.seat),
                "offers": decks.held_in(state, offer(viewer.seat)),
                "bid": state.bids.get(viewer.seat),
            }
            view["you"] = without_nulls(own)
        return view
