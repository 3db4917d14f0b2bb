"""Scarce pieces: waiting for an empty stock, asking, and auctions of single pieces."""

from __future__ import annotations

from typing import Any

import pytest

from tests.monopoly.table import Table, monopolys, naruto


def scarce(*, houses: int | None = None, hotels: int | None = None, **settings: Any) -> Table:
    """Ana owns the orange group, bob the red one, cid the yellow one; the bank has few pieces left."""
    table = naruto(**settings)
    for seat, group in (("ana", "orange"), ("bob", "red"), ("cid", "yellow")):
        table.give(seat, group)
    table.left(houses=houses, hotels=hotels)
    return table


@pytest.mark.rule("naruto:shortage.1")
def test_with_an_empty_stock_one_waits() -> None:
    table = scarce(houses=1)
    table.play("ana", "build", title="orange_1")
    table.refused("bob", "build", "naruto:shortage.1", title="rouge_1")
    table.refused("bob", "request_building", "naruto:shortage.1", piece="house")
    assert table.offers("bob", "build") == table.offers("bob", "request_building") == []
    table.play("ana", "sell_building", title="orange_1")
    table.play("bob", "build", title="rouge_1")
    bowls = scarce(hotels=0)
    bowls.build(orange_1=4, orange_2=4, orange_3=4)
    bowls.refused("ana", "build", "naruto:shortage.1", title="orange_1")


@pytest.mark.rule("naruto:shortage.2")
def test_a_wish_alone_changes_nothing() -> None:
    table = scarce(houses=1)
    (wish,) = table.play("ana", "request_building", piece="house")
    assert wish.rule == "naruto:shortage.2"
    table.refused(None, "open_auction", "naruto:auction.1")
    table.refused("ana", "request_building", "naruto:shortage.2", piece="house")
    table.play("ana", "build", title="orange_1")
    assert (table.cash("ana"), table.state.wishes) == (1400, {})


@pytest.mark.rule("naruto:shortage.2")
def test_enough_for_all_is_sold_at_its_price() -> None:
    table = scarce(houses=2)
    table.play("ana", "request_building", piece="house")
    table.play("bob", "request_building", piece="house")
    table.play("bob", "build", title="rouge_1")
    assert (table.cash("bob"), table.state.wishes) == (1350, {"ana": "house"})
    table.play("ana", "build", title="orange_1")
    assert (table.cash("ana"), table.state.wishes) == (1400, {})


@pytest.mark.rule("naruto:shortage.2")
def test_the_wish_of_one_player_keeps_nobody_from_buying() -> None:
    """Ana could buy the last onigiri herself, and only asks: Cid buys it. When Cid asks, too, it is auctioned."""
    table = scarce(houses=1)
    table.play("ana", "request_building", piece="house")
    table.play("cid", "build", title="jaune_1")
    assert (table.cash("cid"), table.stock()) == (1350, (0, 12))
    table.play("cid", "sell_building", title="jaune_1")
    table.play("cid", "request_building", piece="house")
    for seat, title in (("ana", "orange_1"), ("bob", "rouge_1"), ("cid", "jaune_1")):
        table.refused(seat, "build", "naruto:shortage.2", title=title)
    (opened,) = table.banker("open_auction")
    assert opened.rule == "naruto:shortage.2"


@pytest.mark.rule("naruto:shortage.2", "naruto:auction.2")
def test_the_last_onigiri_is_auctioned_when_two_want_it() -> None:
    table = scarce(houses=1)
    table.play("ana", "request_building", piece="house")
    table.play("bob", "request_building", piece="house")
    for seat, title in (("ana", "orange_1"), ("bob", "rouge_1"), ("cid", "jaune_1")):
        table.refused(seat, "build", "naruto:shortage.2", title=title)
    (opened,) = table.banker("open_auction")
    assert opened.rule == "naruto:shortage.2"
    assert table.offers("ana", "bid") == [{"amount": 1, "title": f"orange_{n}"} for n in (1, 2, 3)]
    table.refused("ana", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    table.refused("ana", "bid", "naruto:shortage.2", amount=5)
    table.refused("ana", "bid", "naruto:food.1", amount=5, title="rouge_1")
    table.refused("ana", "bid", "naruto:food.2", amount=5, title="kisame")
    table.play("ana", "bid", amount=5, title="orange_1")
    table.play("bob", "bid", amount=160, title="rouge_2")
    table.refused(None, "close_auction", "naruto:auction.5")
    table.play("ana", "pass_bid")
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    assert (table.houses("rouge_1", "rouge_2"), table.stock()) == ([0, 1], (0, 12))
    assert (table.cash("ana"), table.cash("bob"), table.escrow()) == (1500, 1340, 0)
    assert table.state.costs == {"rouge_2": (160,)}
    assert table.state.wishes == {"ana": "house"}


@pytest.mark.rule("naruto:shortage.2", "naruto:sell.1")
def test_a_piece_won_in_an_auction_sells_back_at_half_of_the_printed_price() -> None:
    table = scarce(houses=1)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.banker("open_auction")
    table.play("ana", "bid", amount=300, title="orange_2")
    for seat in ("bob", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    table.play("ana", "sell_building", title="orange_2")
    assert (table.cash("ana"), table.state.costs) == (1250, {})


@pytest.mark.rule("naruto:shortage.2")
def test_pieces_are_auctioned_one_by_one_while_more_want_them_than_there_are() -> None:
    table = scarce(houses=2)
    for seat in ("ana", "bob", "cid"):
        table.play(seat, "request_building", piece="house")
    table.banker("open_auction")
    table.play("ana", "bid", amount=3, title="orange_1")
    for seat in ("bob", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    table.refused("bob", "build", "naruto:shortage.2", title="rouge_1")
    table.banker("open_auction")
    table.play("cid", "bid", amount=4, title="jaune_1")
    for seat in ("ana", "bob"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert (table.houses("orange_1", "rouge_1", "jaune_1"), table.stock()) == ([1, 0, 1], (0, 12))


@pytest.mark.rule("naruto:shortage.2")
def test_only_who_has_a_place_asks_and_bids() -> None:
    table = scarce(houses=1)
    table.give("bob", "jaune_1")
    table.refused("cid", "request_building", "naruto:shortage.2", piece="house")
    table.refused("ana", "request_building", "naruto:shortage.2", piece="hotel")
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.banker("open_auction")
    table.refused("cid", "bid", "naruto:shortage.2", amount=5)
    table.play("ana", "bid", amount=2, title="orange_1")
    table.play("bob", "pass_bid")
    table.banker("close_auction")
    assert table.houses("orange_1") == [1]


@pytest.mark.rule("naruto:shortage.2")
def test_the_last_bowl_is_auctioned_too() -> None:
    table = scarce(hotels=1)
    table.build(orange_1=4, orange_2=4, orange_3=4, rouge_1=4, rouge_2=4, rouge_3=4)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="hotel")
    table.refused("ana", "build", "naruto:shortage.2", title="orange_1")
    table.banker("open_auction")
    table.play("bob", "bid", amount=30, title="rouge_3")
    table.play("ana", "pass_bid")
    table.banker("close_auction")
    assert (table.hotels("rouge_3"), table.houses("rouge_3"), table.stock()) == ([True], [0], (12, 0))
    assert table.state.costs["rouge_3"] == (150, 150, 150, 150, 30)


@pytest.mark.rule("naruto:shortage.2")
def test_wishes_lapse_when_the_next_player_throws() -> None:
    table = scarce(houses=1)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.turn("bob")
    table.roll("bob", 4, 6)
    assert table.state.wishes == {}
    table.play("ana", "build", title="orange_1")


@pytest.mark.rule("naruto:shortage.2")
def test_a_piece_that_nobody_bids_for_is_for_sale_again() -> None:
    table = scarce(houses=1)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.banker("open_auction")
    for seat in ("ana", "bob", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert (table.stock(), table.state.wishes) == ((1, 12), {})
    table.play("cid", "build", title="jaune_1")


@pytest.mark.rule("naruto:shortage.2")
def test_a_winner_whose_place_is_gone_puts_the_piece_elsewhere_or_gets_the_bid_back() -> None:
    table = scarce(houses=1)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.banker("open_auction")
    table.play("ana", "bid", amount=30, title="orange_1")
    for seat in ("bob", "cid"):
        table.play(seat, "pass_bid")
    table.mortgaged("orange_2")
    table.banker("close_auction")
    assert (table.cash("ana"), table.escrow(), table.stock()) == (1500, 0, (1, 12))


@pytest.mark.rule("monopolys:general.1")
def test_the_last_atelier_is_auctioned_off_turn_too() -> None:
    """The document is silent, so the classic rule holds."""
    table = monopolys()
    table.give("ana", "orange")
    table.give("bob", "red")
    table.left(houses=0)
    table.refused("ana", "build", "monopolys:general.1", title="odyssa")
    table.left(houses=1)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.refused("ana", "build", "monopolys:general.1", title="odyssa")
    table.banker("open_auction")
    table.play("bob", "bid", amount=20_000, title="la_syotat")
    table.play("ana", "pass_bid")
    table.banker("close_auction")
    assert (table.houses("la_syotat"), table.cash("bob")) == ([1], 130_000)


@pytest.mark.rule("naruto:shortage.2")
def test_wishes_of_a_turn_outlive_its_own_throw_and_end_with_that_of_the_next_player() -> None:
    table = naruto()
    table.give("ana", "orange")
    table.give("bob", "red")
    table.left(houses=1)
    table.turn("ana")
    table.play("ana", "request_building", piece="house")
    table.stand("ana", "parc_gratuit", before=3)
    table.roll("ana", 1, 2)
    assert table.state.wishes == {"ana": "house"}
    table.play("bob", "request_building", piece="house")
    table.play("ana", "end_turn")
    assert table.state.wishes == {"ana": "house", "bob": "house"}
    table.refused("bob", "build", "naruto:shortage.2", title="rouge_1")
    table.roll("bob", 4, 6)
    assert table.state.wishes == {}
