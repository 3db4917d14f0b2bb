"""Doses and deliveries (VII, VIII.D) where prices, the Cyan quarter and the end of a player meet on the road."""

from __future__ import annotations

import pytest

from ledger.kernel.audience import Viewer
from ledger.kernel.seeing import foreseen, seen_account
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.terms import Delivery, player
from tests.tables.negopoly import Table, dropping, eliminated, kinds, quiet_turns

CYAN = QUARTERS["cyan"]
"""On squares 6, 8 and 9."""


def over_spawn(table: Table, seat: str, onto: int = 1) -> None:
    """The seat, whose turn it is, rolls a five over Spawn onto the square."""
    table.place(seat, (onto - 5) % 40)
    table.play(seat, "roll_dice", dice=[2, 3])


# Prices ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("VII.A.2", "VII.A.3", "V.E.6", "V.E.5", "II.B.6", "VII.A.1", "V.A.7")
def test_what_is_bought_at_spawn_comes_before_the_dose_of_the_street_beyond() -> None:
    """Bob, without a dose, passes Spawn and stops on Ana's complete Cyan: his first still costs 50 ₦, not 70.

    The rent of 6 ₦ and the free dose follow, and then Spawn is closed. Ana pays 40 ₦ for each of two on the same
    way, and gets hers at home.
    """
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.place("ana", 36)
    table.play("ana", "roll_dice", dice=[6, 4])
    table.play("ana", "buy_doses", quantity=2)
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650 + 220 - 80, 3)
    table.play("ana", "end_turn")
    table.place("bob", 36)
    table.play("bob", "roll_dice", dice=[6, 4])
    table.play("bob", "buy_doses")
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("bob", "dose")) == (1650 + 250 - 50 - 6, 2)
    table.refused("bob", "buy_doses", "VII.A.1")


@pytest.mark.rule("VII.A.2", "VII.A.3", "VIII.D.3", "VIII.D.5")
def test_a_dose_that_comes_express_makes_the_next_one_dearer_and_one_on_the_road_does_not() -> None:
    """Ana, who holds Cyan, sends Bob a dose; he passes Spawn in the same round and buys one.

    On the road it is nobody's, so his costs 50 ₦; express, for 50 ₦ of Ana's, it is his first, and he pays 70 ₦.
    Cyan is Ana's: it makes no dose cheaper that he buys.
    """
    for express, price in ((False, 50), (True, 70)):
        table = Table("ana", "bob")
        table.own("ana", *CYAN)
        table.give("ana", "dose")
        table.place("ana", 10)
        table.play("ana", "roll_dice", dice=[1, 2])
        table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1, express=express)
        table.play("ana", "end_turn")
        over_spawn(table, "bob")
        table.play("bob", "buy_doses")
        assert (table.holds("bob"), table.holds("ana")) == (1650 + 250 - price, 1650 - (50 if express else 0))
        table.play("bob", "end_turn")
        assert table.holds("bob", "dose") == 2


@pytest.mark.rule("V.E.5", "V.E.2", "VIII.D.6", "VII.A.3", "I.C.6")
def test_a_gift_of_doses_is_cheap_as_long_as_its_buyer_holds_cyan_and_its_price_is_told_by_paying() -> None:
    """At Spawn Ana buys Bob, who holds one, a dose for 40 ₦; she mortgages a street, and the next costs 70 ₦.

    Her moves name no price before she pays, and a hundred are refused without one. Cleo learns of the mortgage
    and of nothing else.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *CYAN)
    table.give("bob", "dose")
    over_spawn(table, "ana")
    (gift,) = table.play("ana", "buy_for_player", to="bob", item="dose")
    assert table.holds("ana") == 1650 + 220 - 40
    assert table.seen_by("cleo") == []
    table.play("ana", "mortgage_property", title=CYAN[0])
    assert kinds(table.seen_by("cleo"))[0] == "title_mortgaged"
    costs = [
        one.cost for one in table.moves("ana") if one.kind == "buy_for_player" and one.params["item"] == "dose"
    ]
    assert costs == [None, None]
    refusal = table.refused("ana", "buy_for_player", "VIII.D.6", to="bob", item="dose", quantity=100)
    assert refusal.en == "ana has not got what 100 × Dose for bob would cost"
    (dearer,) = table.play("ana", "buy_for_player", to="bob", item="dose")
    assert table.holds("ana") == 1650 + 220 - 40 + 50 - 70
    asked = [foreseen(one, Viewer("player", "ana")) for one in (gift, dearer)]
    assert asked[0] == asked[1]
    assert seen_account(RULEBOOK, table.state, player("bob"), Viewer("player", "ana")) == {}
    assert table.holds("bob", "dose") == 3


# Whoever sent it, or was to have it, is gone --------------------------------------------------------------


@pytest.mark.rule("I.B.5", "VIII.D.3", "VII.A.3", "VII.A.2", "P.4")
def test_doses_that_come_home_from_a_player_who_is_out_make_their_senders_next_one_dearer() -> None:
    """Ana's three doses are on their way when Bob is ruled out: they are hers again, and one more costs her 70 ₦.

    The dry run without the ruling: the doses reach Bob with her next turn, her purchase was a first one at 50 ₦,
    and nothing falls.
    """
    table = Table("ana", "bob", "cleo", perks={"ana": "doses"})
    table.place("ana", 32)
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=3)
    sent = str(table.number)
    table.play("ana", "roll_dice", dice=[1, 3])
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    eliminated(table, "bob")
    ruled = table.number
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (3, 0)
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "end_turn")
    opened = str(table.number)
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "buy_doses")
    bought = str(table.number)
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1500 + 250 - 70, 4)
    plan = table.what_if(dropping(ruled))
    assert plan.voided == ()
    assert [one.standing.name for one in plan.restated] == [opened, bought]
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1500 + 250 - 50, 1)
    assert table.holds("bob", "dose") == 3
    arrived = table.state.past.get(sent)
    assert isinstance(arrived, Delivery)
    assert arrived.status == "arrived"


@pytest.mark.rule("I.B.5", "VIII.D.3", "VI.A.7", "VIII.D.7")
def test_in_snow_goods_outlive_their_sender_and_go_to_the_bank_with_their_recipient() -> None:
    """In the snow Bob sends Cleo two doses and Dan one, and is ruled out: nothing comes at his next turn to be.

    Cleo goes before the second one: her doses are the bank's, as there is nobody to send them back to. Dan has his
    as Bob's turn of round 3 would start.
    """
    table = Table("ana", "bob", "cleo", "dan")
    table.give("bob", "dose", 3)
    table.weather("meteo_06")
    quiet_turns(table, "ana")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "send_delivery", to="cleo", commodity="dose", amount=2)
    first = table.number
    table.play("bob", "send_delivery", to="dan", commodity="dose", amount=1)
    table.play("bob", "end_turn")
    eliminated(table, "bob")
    quiet_turns(table, "cleo", "dan", "ana")
    assert (table.state.round, table.state.turn.seat if table.state.turn else None) == (2, "cleo")
    assert (table.holds("cleo", "dose"), table.holds("dan", "dose")) == (0, 0)
    bank = table.holds("bank", "dose")
    eliminated(table, "cleo")
    assert (table.holds("bank", "dose") - bank, table.holds(f"transit:{first}", "dose")) == (2, 0)
    quiet_turns(table, "dan", "ana")
    assert (table.state.round, table.holds("dan", "dose")) == (3, 1)
    assert not [one for one in table.state.open.values() if isinstance(one, Delivery)]


@pytest.mark.rule("I.B.5", "II.D.1", "P.5", "VII.C.2", "P.4")
def test_doses_paid_for_and_not_yet_sent_are_lost_with_their_seller() -> None:
    """Ana has paid Bob 90 ₦ for two doses, due in his turn; he is ruled out first. The bank makes nothing good.

    She calls the deal broken, which changes nothing. Taking the ruling back makes the doses due again; that she
    called it broken stands.
    """
    table = Table("ana", "bob", "cleo", perks={"bob": "doses"})
    legs = [
        {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 90},
        {"giver": "bob", "taker": "ana", "commodity": "dose", "amount": 2},
    ]
    table.play("ana", "propose_deal", legs=legs)
    deal = str(table.number)
    table.play("bob", "agree_deal", deal=deal)
    assert (table.holds("ana"), table.holds("bob")) == (1560, 1590)
    eliminated(table, "bob")
    ruled = table.number
    assert [kinds(table.seen_by(seat)) for seat in ("ana", "cleo")] == [
        ["player_eliminated", "estate_settled", "ruling_given"],
        ["player_eliminated", "ruling_given"],
    ]
    assert deal not in table.state.open
    table.play("ana", "break_deal", deal=deal, account="he never sent them")
    assert (table.holds("ana"), table.holds("ana", "dose"), table.holds("used", "dose")) == (1560, 0, 3)
    plan = table.what_if(dropping(ruled))
    assert plan.voided == ()
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "end_turn")
    table.play("bob", "send_delivery", deal=deal, leg=1)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("ana", 2, 4)
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (2, 1)


@pytest.mark.rule("II.E.3", "I.B.5", "VIII.D.3", "I.B.3")
def test_of_two_ruined_players_the_one_who_goes_first_decides_whether_the_other_may() -> None:
    """Ana and Bob owe money and own nothing but two doses of hers on their way to him.

    Should Bob go first they come home, and Ana, with something to sell, may not go. He may not himself, though,
    while they are on their way to him: it is Ana who may, and then they reach him and keep him in the game.
    """
    table = Table("ana", "bob", "cleo")
    table.give("ana", "dose", 2)
    for seat in ("ana", "bob"):
        table.take(seat, "NGD", 1700)
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=2)
    sent = table.number
    table.refused("bob", "declare_bankruptcy", "II.E.3")
    eliminated(table, "bob")
    assert table.holds("ana", "dose") == 2
    table.refused("ana", "declare_bankruptcy", "II.E.3")
    table.banker("correct", edits=[dropping(table.number)], cascade="refuse", reason="not yet")
    table.play("ana", "declare_bankruptcy")
    assert table.holds(f"transit:{sent}", "dose") == 2
    table.turn("bob", 1, 2)
    table.turn("cleo", 1, 2)
    assert table.holds("bob", "dose") == 2
    table.refused("bob", "declare_bankruptcy", "II.E.3")
    assert (table.holds("bob"), table.state.eliminated) == (-50, {"ana": "bankruptcy"})
