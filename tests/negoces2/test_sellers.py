"""Seller and buyers: the player with nine cards is the seller, all others are buyers."""

from __future__ import annotations

import pytest

from tests.tables.negoces2 import SEATS, Table


@pytest.mark.rule("negoces2:seller.1")
def test_the_seller_follows_from_the_hands() -> None:
    """First the winner of the auction, then the player with nine cards after each sale; no turn order, no vote."""
    table = Table("auction")
    table.auction("cid", 3)
    sellers = [table.view(None)["seller"]]
    for seller, buyer, card in (("cid", "ana", "good:5"), ("ana", "cid", "good:1"), ("cid", "bob", "good:6")):
        table.passes(seller, buyer, card)
        sellers.append(table.view(None)["seller"])
    assert sellers == ["cid", "ana", "cid", "bob"]


@pytest.mark.rule("negoces2:seller.1")
def test_cards_that_lie_on_the_table_are_still_counted_as_one_s_own() -> None:
    """While ana sells and bob offers, ana has nine cards and bob eight."""
    table = Table()
    table.sells("ana", "good:1", "down")
    table.offering("bob", "good:3", "down")
    table.play("ana", "force_sale", card="good:2")
    table.play("ana", "announce_good", good=8)
    assert {seat: table.view(None)["seats"][seat]["cards"] for seat in SEATS} == {
        "ana": 9, "bob": 8, "cid": 8, "dan": 8,
    }  # fmt: skip
    assert table.view(None)["seats"]["dan"]["laid_out"] == 4
    assert table.view(None)["seller"] == "ana"


@pytest.mark.rule("negoces2:seller.2")
def test_between_two_sales_one_player_has_nine_cards_and_the_others_eight() -> None:
    table = Table()
    assert sorted(table.cards().values()) == [8, 8, 8, 9]
    for seller, buyer in (("ana", "dan"), ("dan", "bob")):
        table.passes(seller, buyer, "contraband")
        assert sorted(table.cards().values()) == [8, 8, 8, 9]
        assert table.cards()[buyer] == 9


@pytest.mark.rule("negoces2:seller.2")
def test_a_sale_that_would_leave_another_distribution_is_refused() -> None:
    """In a set-up state one of ana's cards is in dan's hand."""
    table = Table()
    table.sells("ana", "good:1")
    revision = table.offering("bob", coins=1)
    table.deal_hands(
        {
            "ana": [1, 1, 2, 2, 2, 2, "contraband"],
            "bob": [3, 3, 3, 3, 4, 4, 4, 4],
            "cid": [5, 5, 5, 5, 6, 6, 6, 6],
            "dan": [7, 7, 7, 7, 8, 8, 8, 8, 1],
        }
    )
    table.refused("ana", "accept_offer", "negoces2:seller.2", buyer="bob", revision=revision)


@pytest.mark.rule("negoces2:seller.3")
def test_only_buyers_offer_and_only_the_seller_sells() -> None:
    table = Table()
    for buyer in ("bob", "cid", "dan"):
        refusal = table.refused(buyer, "offer_for_sale", "negoces2:seller.3", card="good:3", face="up")
        assert "the seller is Ana" in refusal.en
    table.sells("ana", "good:1")
    revision = table.offering("bob", coins=1)
    table.refused("ana", "make_offer", "negoces2:seller.3", coins=1)
    table.refused("ana", "change_offer", "negoces2:seller.3", coins=2)
    table.refused("ana", "withdraw_offer", "negoces2:seller.3")
    for kind, params in (
        ("accept_offer", {"buyer": "bob", "revision": revision}),
        ("force_sale", {"card": "good:3"}),
        ("add_coins_to_sale", {"coins": 1}),
        ("remove_coins_from_sale", {"coins": 1}),
        ("announce_good", {"good": 8}),
        ("choose_card", {"owner": "dan"}),
    ):
        table.refused("cid", kind, "negoces2:seller.3", **params)


@pytest.mark.rule("negoces2:seller.4")
def test_the_next_seller_may_be_the_same_player() -> None:
    """Ana swaps card for card and sells again, then passes the lead for coins; sales follow without limit."""
    table = Table()
    for count in range(1, 13):
        table.swaps("ana", "bob", "good:1", "good:3")
        assert table.view(None)["seller"] == "ana"
        table.swaps("ana", "bob", "good:3", "good:1")
        assert table.state.sales == 2 * count
    table.passes("ana", "bob", "good:2")
    assert table.view(None)["seller"] == "bob"
    assert table.view(None)["round"] == 27
