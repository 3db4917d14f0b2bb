"""Cases where two rules meet: what happens when both ask for something at once."""

from __future__ import annotations

import pytest

from tests.monopoly.table import SEATS, Table, naruto

# ----------------------------------------------------------------------------------------------
# Set-up
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:setup.7")
def test_a_table_may_name_its_own_tokens() -> None:
    """The names of the six tokens are not in the document: the table chooses them."""
    table = Table("monopoly_naruto", until="setup")
    table.play("ana", "join_table", token="  Ramen bowl ")
    assert table.state.tokens["ana"] == "Ramen bowl"
    table.refused("bob", "join_table", "naruto:setup.7", token="ramen BOWL")
    table.play("bob", "join_table", token="Token 1")


# ----------------------------------------------------------------------------------------------
# Auctions
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:auction.1")
@pytest.mark.rule("naruto:shortage.2")
def test_a_title_is_not_declined_while_food_is_auctioned() -> None:
    """A second auction would take the place of the first one, whose bid would be lost."""
    table = naruto()
    table.give("bob", "light_blue")
    table.give("cid", "brown")
    table.left(houses=1)
    table.arrive("ana", "rose_3")
    table.play("bob", "request_building", piece="house")
    table.play("cid", "request_building", piece="house")
    table.banker("open_auction")
    table.play("bob", "bid", amount=100, title="bleu_clair_1")
    table.refused("ana", "decline_property", "naruto:auction.1")
    assert not table.offers("ana", "decline_property")
    assert table.offers("ana", "buy_property")
    for seat in ("ana", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert (table.escrow(), table.houses("bleu_clair_1")) == (0, [1])
    table.play("ana", "decline_property")
    assert table.state.auction is not None
    assert table.state.auction.lot.title == "rose_3"


# ----------------------------------------------------------------------------------------------
# Debts
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:turn.6")
@pytest.mark.rule("naruto:debt.1")
def test_what_another_player_owes_does_not_keep_a_turn_from_ending() -> None:
    """It is Ana's birthday, and Bob is broke: his debt blocks throws until it is paid, not the end of her turn."""
    table = naruto()
    table.give("bob", "obito")
    table.purse("bob", 5)
    table.arrive("ana", "entrainement_3")
    table.play("ana", "draw_card", card="entrainement_09")
    assert [(one.debtor, one.amount) for one in table.state.debts] == [("bob", 10)]
    table.play("ana", "end_turn")
    assert table.state.turn == "bob"
    table.refused("bob", "roll_and_move", "naruto:debt.1", dice=[1, 2])
    table.play("bob", "mortgage", title="obito")
    table.play("bob", "pay_debt")
    assert {seat: table.cash(seat) for seat in SEATS} == {"ana": 1_520, "bob": 70, "cid": 1_490}
    table.roll("bob", 1, 2)


@pytest.mark.rule("naruto:bankruptcy.1")
def test_the_bank_too_receives_what_money_is_left() -> None:
    table = naruto()
    table.purse("ana", 60)
    table.arrive("ana", "ramen_ichiraku")
    table.play("ana", "pay_tax")
    paid = next(iter(table.play("ana", "declare_bankruptcy")))
    assert (paid.rule, table.told([paid])) == ("naruto:bankruptcy.1", ["The bank receives 60 M of Ana's money."])
