"""Coins: hidden, shown, and spent."""

from __future__ import annotations

import pytest

from tests.tables.negoces2 import SEATS, Table


@pytest.mark.rule("negoces2:coins.1")
def test_a_player_hides_coins_and_shows_them_again_at_any_moment() -> None:
    """In the set-up, in the auction, while a card is negotiated; any number that lies there, and no more."""
    table = Table("laid")
    table.play("bob", "hide_coins", coins=4)
    table = Table("auction")
    table.play("dan", "hide_coins", coins=15)
    table.auction("ana", 1)
    table.sells("ana", "good:1")
    table.play("dan", "show_coins", coins=6)
    assert table.coins("dan") == (6, 9)
    refusal = table.refused("dan", "hide_coins", "negoces2:coins.1", coins=7)
    assert "6" in refusal.en
    table.refused("dan", "show_coins", "negoces2:coins.1", coins=10)
    table.malformed("dan", "hide_coins", coins=0)
    assert table.offers("dan", "hide_coins") == [{"coins": 6}]
    assert table.offers("dan", "show_coins") == [{"coins": 9}]
    assert table.offers("cid", "show_coins") == []


@pytest.mark.rule("negoces2:coins.1")
def test_hidden_coins_are_counted_for_nobody_else() -> None:
    """Others see the visible ones grow fewer when it happens, and afterwards no count of the rest."""
    table = Table()
    table.play("bob", "hide_coins", coins=6)
    for seat in (None, "ana", "cid", "dan"):
        assert table.seen_by(seat)[0].coins == 6
        assert table.account("coins_visible:bob", seat) == {"coin": 9}
        assert table.account("coins_hidden:bob", seat) == {}
        assert table.view(seat)["seats"]["bob"]["coins"] == 9
    assert table.account("coins_hidden:bob", "bob") == {"coin": 6}
    assert table.view("bob")["you"] == {
        "cards": {"good:3": 4, "good:4": 4}, "hidden_coins": 6, "coins": 15, "goods": 2,
    }  # fmt: skip


@pytest.mark.rule("negoces2:coins.2")
def test_hidden_coins_are_spent_like_any_others_and_seen_when_they_lie_on_the_market() -> None:
    """Bob hides all he has and offers 5: five coins lie in his offer, and what he is paid arrives visible."""
    table = Table()
    table.play("bob", "hide_coins", coins=15)
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=2)
    table.offering("bob", coins=5)
    assert table.account("offer_coins:bob", None) == {"coin": 5}
    table.accepts("ana", "bob")
    assert table.coins("bob") == (2, 10)
    table.play("bob", "hide_coins", coins=2)
    assert table.coins("bob") == (0, 12)


@pytest.mark.rule("negoces2:coins.2", "negoces2:end.3")
def test_hidden_coins_count_for_the_victory() -> None:
    """Cid shows 3 coins and hides 28 more."""
    table = Table()
    table.everybody_was_seller()
    table.purses(ana=10, bob=9, cid=31, dan=9)
    table.play("cid", "hide_coins", coins=28)
    (claimed,) = table.play("cid", "declare_victory", way="coins")
    assert claimed.coins == 31
    assert table.coins("cid") == (31, 0)


@pytest.mark.rule("negoces2:coins.1")
def test_hiding_may_be_taken_back_while_nobody_has_acted() -> None:
    table = Table()
    table.play("bob", "hide_coins", coins=6)
    table.undo("bob")
    assert {seat: table.coins(seat)[1] for seat in SEATS} == dict.fromkeys(SEATS, 0)


def test_a_move_costs_what_leaves_one_s_own_purses() -> None:
    """Hiding coins costs nothing, an offer its coins, be they visible or hidden."""
    table = Table()
    table.play("bob", "hide_coins", coins=15)
    table.sells("ana", "good:1")
    costs = {(move.kind, move.params.get("coins")): move.cost for move in table.moves("bob")}
    assert costs["show_coins", 15] == 0
    assert costs["make_offer", 1] == 1
    assert costs["make_offer", None] == 0
