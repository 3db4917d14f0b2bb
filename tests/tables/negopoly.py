"""A table of Negopoly in memory, for scenarios: see `tests.playing` for what all tables can do.

    table = Table("ana", "bob")              joined, perk "money", started: it is ana's turn of round 1
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_doses", "VII.A.1", quantity=1)
    assert table.holds("ana", "NGD") == 1650

Money and goods of a seat are named by its id, everything else by its account.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ledger.kernel.accounts import BANK, BOX, Posting
from ledger.kernel.decision import decide
from ledger.kernel.refusals import Impossible, Malformed, NeedsDraw, RuleBroken
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.cards.vocabulary import commodity
from ledger.rulebooks.negopoly.table.pieces import CARDS
from ledger.rulebooks.negopoly.table.state import Negopoly, owner_of
from ledger.rulebooks.negopoly.table.terms import attached, deed, player
from tests.playing import NOON, Playing, say

__all__ = ["NOON", "NO_DECKS", "Table", "say"]

NO_DECKS: dict[str, Any] = {"chance": [], "kamtar": [], "meteo": []}
"""The setting of a table that plays without cards, as most scenarios do."""


class Table(Playing[Negopoly]):
    """A game in memory with these seats (named after them, capitalised); with `decks` they play with cards."""

    def __init__(
        self,
        *seats: str,
        perks: dict[str, str] | None = None,
        started: bool = True,
        dice: str = "table",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
        decks: bool = False,
    ) -> None:
        chosen = (settings or {}) if decks else {"decks": NO_DECKS, **(settings or {})}
        super().__init__(RULEBOOK, seats, dice=dice, settings=chosen, seed=seed)
        if started:
            for seat in seats:
                self.play(seat, "join_game", persona=f"Don {seat.capitalize()}")
                self.play(seat, "choose_starter_perk", perk=(perks or {}).get(seat, "money"))
            self.banker("start_game")

    # Playing ------------------------------------------------------------------------------------

    def turn(self, seat: str, *dice: int, then: tuple[tuple[str, dict[str, Any]], ...] = ()) -> None:
        """A whole plain turn of the seat: roll these dice, resolve the square, do what follows, end the turn."""
        self.play(seat, "roll_dice", dice=list(dice))
        if self.state.turn is not None and self.state.turn.seat == seat and self.state.turn.unresolved:
            self.play(seat, "resolve_square")
        for kind, params in then:
            self.play(seat, kind, **params)
        self.play(seat, "end_turn")

    def place(self, seat: str, square: int) -> None:
        """Put a token on a square before the scenario proper."""
        with self.arranged() as state:
            state.positions[seat] = square

    def give(self, seat: str, commodity: str, amount: int = 1, source: str = BANK) -> None:
        """Hand a seat something before the scenario proper."""
        with self.arranged() as state:
            state.holdings.post(Posting(commodity, amount, source, player(seat)))

    def take(self, seat: str, commodity: str, amount: int) -> None:
        """Take something from a seat before the scenario proper."""
        with self.arranged() as state:
            state.holdings.post(Posting(commodity, amount, player(seat), BANK))

    def own(self, seat: str, *titles: str, houses: int = 0, mortgaged: bool = False) -> None:
        """Give a seat titles of the bank, with houses on them, before the scenario proper."""
        with self.arranged() as state:
            for title in titles:
                state.holdings.post(Posting(deed(title), 1, BANK, player(seat)))
                if houses:
                    state.holdings.post(Posting("house", houses, BANK, attached(title)))
                if mortgaged:
                    state.holdings.post(Posting("mortgage", 1, BANK, attached(title)))

    def weather(self, *cards: str) -> None:
        """Let Météo cards of the rulebook be active before the scenario proper, also where there are no decks."""
        with self.arranged() as state:
            for card in cards:
                holder = state.holdings.holder(commodity(card)) or BOX
                state.holdings.post(Posting(commodity(card), 1, holder, "weather"))
            state.weather = (*state.weather, *cards)
            _know_the_cards(state)

    def hand(self, seat: str, *cards: str) -> None:
        """Put cards of the rulebook into a hand before the scenario proper, also where there are no decks."""
        with self.arranged() as state:
            for card in cards:
                holder = state.holdings.holder(commodity(card)) or BOX
                state.holdings.post(Posting(commodity(card), 1, holder, player(seat)))
            _know_the_cards(state)

    def refused(self, seat: str | None, kind: str, rule: str, **params: Any) -> RuleBroken:
        """The action is refused by this rule; what is not impossible, the banker may let happen all the same.

        So every refusal of every scenario is waived once, on a copy of the state: it happens then, and the journal
        keeps the rule that was waived, or nothing but the impossible, or a die nobody threw, stands in its way.
        """
        refusal = super().refused(seat, kind, rule, **params)
        action = self._action(kind, params)
        if not isinstance(refusal, Impossible) and action.mends() is None:
            request = self._request(action, seat, "banker", "by leave of the bank")
            try:
                waived = decide(self.rulebook, self.state, request, chance=Random(1) if self.chance else None)
            except (Impossible, Malformed, NeedsDraw):
                return refusal
            assert rule in {warning.rule for warning in waived.warnings}
        return refusal

    # Looking ------------------------------------------------------------------------------------

    def holds(self, account: str, commodity: str = "NGD") -> int:
        """How much a seat (by its id) or any account (by its name) holds."""
        name = player(account) if account in self.state.seats else account
        return self.state.holdings.of(name, commodity)

    def owner(self, title: str) -> str | None:
        """Who owns a title."""
        return owner_of(self.state, title)


def _know_the_cards(state: Negopoly) -> None:
    """Let a table without decks know the rulebook's cards all the same."""
    if state.cards == ():
        state.cards = CARDS
