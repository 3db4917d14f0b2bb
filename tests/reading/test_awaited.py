"""What the game waits for, in its state, and what is due among the moves: they say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.overdue import late
from ledger.reading.moves.awaiting import awaited
from ledger.reading.moves.offered import combine_moves
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.negoces2.cards import COIN
from replays import simulation
from tests.example import RULEBOOKS as EXAMPLES
from tests.tables import negoces2, negopoly

RULEBOOKS = {**rulebooks_by_id(), **{one.id: one for one in EXAMPLES}}
STEP = 7


def moments(rulebook: Rulebook[Any]) -> Iterator[State]:
    """States of a game of bots, from the set-up on."""
    seats = tuple(Seat(one, one.capitalize()) for one in ("ana", "bob", "cleo", "dan"))
    opening = Opening(players=seats, settings=rulebook.settings(), dice="service")
    game = simulation.play(rulebook, opening, seed=5, actions=150).game
    for number in (*range(1, 16), *range(16, game.state.version, STEP), game.state.version):
        state = game.past.state_after(number)
        assert state.last_at is not None
        if late(rulebook, state, state.last_at) is None:
            yield state


def due_of(rulebook: Rulebook[Any], state: State, seat: str) -> set[str]:
    """The ids of the due moves of a seat, "" for the banker."""
    viewer = Viewer("player", seat) if seat else BANKER
    assert state.last_at is not None
    legal = moves(rulebook, state, seat, rulebook.accounts.purse(seat), viewer, state.last_at)
    return {one.id for one in combine_moves(rulebook, state, seat, legal, "en") if one.rank == "due"}


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_the_game_waits_for_the_moves_that_are_due(rulebook: Rulebook[Any]) -> None:
    """At any moment: whoever is awaited has each of the moves named, and they are due.

    Nothing else is due, but consents of which only trying tells whether they are possible. A seat reads the same
    of itself as the banker does. A spectator reads nothing else, but that moves are left out.
    """
    for state in moments(rulebook):
        named: dict[str, set[str]] = {}
        for one in awaited(rulebook, state, BANKER, "en"):
            assert one.moves, (state.version, one)
            named.setdefault(one.seat, set()).update(one.moves)
        for seat in (*state.seats, ""):
            who = seat or "banker"
            due = due_of(rulebook, state, seat)
            assert named.get(who, set()) <= due, (state.version, who)
            assert all(one.startswith("agree_") for one in due - named.get(who, set())), (state.version, who)
            viewer = Viewer("player", seat) if seat else BANKER
            seen = [one for one in awaited(rulebook, state, viewer, "en") if one.seat == who]
            assert {move for one in seen for move in one.moves} == named.get(who, set())
        for one in awaited(rulebook, state, SPECTATOR, "en"):
            assert one.moves
            assert set(one.moves) <= named[one.seat]


def waits(rulebook: Rulebook[Any], state: State, viewer: Viewer = BANKER) -> dict[str, tuple[str, ...]]:
    """The moves that the game waits for, by seat."""
    return {one.seat: one.moves for one in awaited(rulebook, state, viewer, "en")}


def test_on_a_title_of_the_bank_the_player_buys_it_or_not_and_ends_the_turn() -> None:
    """Ana stops on Nuketown. Whether she can pay is her secret. Nothing is to be applied there."""
    table = negopoly.Table("ana", "bob")
    negopoly.stop_on(table, "ana", 11)
    assert waits(table.rulebook, table.state) == {"ana": ("buy_property", "decline_property", "end_turn")}
    assert due_of(table.rulebook, table.state, "ana") == {"buy_property", "decline_property", "end_turn"}
    assert waits(table.rulebook, table.state, SPECTATOR) == {"ana": ("decline_property", "end_turn")}
    table.play("ana", "buy_property")
    assert waits(table.rulebook, table.state) == {"ana": ("end_turn",)}


def test_each_deal_is_answered_by_moves_of_its_own() -> None:
    """Ana makes Bob two offers; he cannot agree to the second one, for which she has no title."""
    table = negopoly.Table("ana", "bob")
    gifts = [{"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 50}]
    title = {"giver": "ana", "taker": "bob", "commodity": "title:nuketown", "amount": 1}
    table.own("ana", "nuketown")
    table.play("ana", "propose_deal", legs=gifts)
    first = table.number
    table.play("ana", "propose_deal", legs=[title])
    second = table.number
    table.play("ana", "sell_property", title="nuketown")
    found = [one.moves for one in awaited(table.rulebook, table.state, BANKER, "en") if one.seat == "bob"]
    assert found == [(f"agree_deal:{first}", f"withdraw_deal:{first}"), (f"withdraw_deal:{second}",)]
    table.play("bob", "open_dispute", claim="It was hers.", actions=[second])
    assert waits(table.rulebook, table.state)["banker"] == (f"rule:{table.number}",)


def test_who_opens_the_auction_may_only_bid() -> None:
    table = negoces2.Table("auction")
    assert waits(table.rulebook, table.state) == {"ana": ("bid",)}
    table.play("ana", "bid", amount=1)
    assert waits(table.rulebook, table.state) == {"bob": ("bid", "withdraw")}


def test_buyers_are_waited_for_until_they_offer() -> None:
    """Ana sells; of a buyer's hidden coins only the buyer and the banker know."""
    table = negoces2.Table()
    table.sells("ana", "good:1", "down")
    found = waits(table.rulebook, table.state)
    assert found["ana"] == ("force_sale",)
    assert found.keys() == {"ana", "bob", "cid", "dan"}
    table.play("bob", "hide_coins", coins=table.state.holdings.of("coins_visible:bob", COIN))
    assert "make_offer:coins" in waits(table.rulebook, table.state, Viewer("player", "bob"))["bob"]
    assert waits(table.rulebook, table.state, SPECTATOR)["bob"] == ("make_offer:up",)
    table.play("bob", "make_offer", coins=1)
    found = waits(table.rulebook, table.state)
    assert found["ana"] == ("accept_offer", "force_sale")
    assert "bob" not in found
