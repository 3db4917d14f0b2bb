"""Prison: the ways in, and the ways out."""

from __future__ import annotations

import pytest

from ledger.rulebooks.monopoly.table.terms import PASS
from tests.monopoly.table import Table, monopolys, naruto

JAIL = 10


def imprisoned(table: Table, *, failed: int = 0) -> Table:
    """Ana is in prison at the start of her turn."""
    table.jail("ana", failed=failed)
    table.turn("ana")
    return table


def is_free(table: Table, seat: str = "ana") -> bool:
    """Whether the player is not a prisoner."""
    return seat not in table.state.jailed


# ----------------------------------------------------------------------------------------------
# Naruto: in
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:gotojail.1")
def test_the_corner_sends_to_prison() -> None:
    table = naruto()
    events = table.arrive("ana", "allez_en_prison")
    assert table.state.positions["ana"] == JAIL
    assert table.state.jailed == {"ana": 0}
    assert "Ana goes to prison." in table.told(events)


@pytest.mark.rule("naruto:gotojail.2")
def test_the_way_to_prison_pays_no_salary() -> None:
    table = naruto()
    table.arrive("ana", "mission_3")
    table.play("ana", "draw_card", card="mission_11")
    assert not is_free(table)
    assert table.cash("ana") == 1500


@pytest.mark.rule("naruto:gotojail.3")
def test_the_turn_is_over_even_after_a_double() -> None:
    table = naruto()
    table.arrive("ana", "allez_en_prison", (2, 2))
    assert table.state.turn == "bob"
    table.refused("ana", "roll_and_move", "naruto:turn.1", dice=[1, 2])
    table.refused("ana", "pay_jail_fine", "naruto:jail.2")
    table.roll("bob", 1, 2)


@pytest.mark.rule("naruto:jail.1")
def test_a_card_of_either_deck_sends_to_prison() -> None:
    table = naruto()
    table.arrive("ana", "mission_1")
    sent = table.play("ana", "draw_card", card="mission_11")
    assert "naruto:jail.1" in [event.rule for event in sent]
    table.arrive("bob", "entrainement_2")
    table.play("bob", "draw_card", card="entrainement_06")
    assert table.state.jailed == {"ana": 0, "bob": 0}
    assert table.state.turn == "cid"


@pytest.mark.rule("naruto:visit.1")
def test_a_visitor_is_no_prisoner() -> None:
    table = naruto()
    table.arrive("ana", "prison")
    assert is_free(table)
    assert table.cash("ana") == 1500
    table.refused("ana", "pay_jail_fine", "naruto:jail.2")
    table.refused("ana", "use_jail_card", "naruto:jail.3")
    table.play("ana", "end_turn")
    table.arrive("ana", "orange_1", (2, 4))


@pytest.mark.rule("naruto:park.1")
def test_the_park_does_nothing_and_business_goes_on() -> None:
    table = naruto()
    table.give("ana", "orange")
    table.give("bob", "rose_1")
    events = table.arrive("ana", "parc_gratuit")
    assert not [event for event in events if event.postings]
    assert table.state.landing is None
    table.play("ana", "build", title="orange_1")
    table.play(
        "ana",
        "propose_trade",
        to="bob",
        give=[{"commodity": "M", "amount": 10}],
        ask=[{"commodity": "title:rose_1"}],
    )
    table.play("bob", "accept_trade", trade=str(table.number))
    table.play("ana", "end_turn")


# ----------------------------------------------------------------------------------------------
# Naruto: out
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:jail.2")
def test_the_fine_is_paid_before_the_throw_which_is_a_normal_one() -> None:
    table = imprisoned(naruto())
    before = table.bank()
    table.refused("bob", "pay_jail_fine", "naruto:jail.2")
    table.refused("ana", "roll_and_move", "naruto:jail.5", dice=[3, 3])
    table.play("ana", "pay_jail_fine")
    assert (table.cash("ana"), table.bank()) == (1450, before + 50)
    table.refused("ana", "pay_jail_fine", "naruto:jail.2")
    table.roll("ana", 5, 5)
    assert table.state.positions["ana"] == 20
    assert table.state.must_throw  # an ordinary double


@pytest.mark.rule("naruto:jail.2")
def test_the_fine_is_not_for_who_lacks_the_money_or_has_thrown() -> None:
    table = imprisoned(naruto())
    table.purse("ana", 49)
    table.refused("ana", "pay_jail_fine", "naruto:jail.2")
    assert table.offers("ana", "pay_jail_fine") == []
    table.purse("ana", 1500)
    table.play("ana", "roll_for_jail", dice=[1, 2])
    table.refused("ana", "pay_jail_fine", "naruto:jail.2")
    table.turn("ana")
    table.play("ana", "pay_jail_fine")


@pytest.mark.rule("naruto:jail.3", "naruto:card.4")
def test_a_card_frees_and_goes_under_its_deck() -> None:
    table = imprisoned(naruto())
    table.refused("ana", "use_jail_card", "naruto:jail.3")
    table.give("ana", "card:mission_09", "card:entrainement_05")
    assert {one["card"] for one in table.offers("ana", "use_jail_card")} == {"mission_09", "entrainement_05"}
    table.refused("bob", "use_jail_card", "naruto:jail.3")
    table.play("ana", "use_jail_card", card="mission_09")
    assert is_free(table)
    assert table.held("deck:mission", "card:mission_09") == 1
    assert table.state.under["mission"] == ("mission_09",)
    assert table.held("player:ana", "card:entrainement_05") == 1
    table.refused("ana", "use_jail_card", "naruto:jail.3")
    table.roll("ana", 1, 2)
    assert table.state.positions["ana"] == 13


@pytest.mark.rule("naruto:jail.4")
def test_a_card_is_bought_and_used_in_the_same_turn() -> None:
    table = imprisoned(naruto())
    table.give("bob", "card:mission_09")
    table.play(
        "ana",
        "propose_trade",
        to="bob",
        give=[{"commodity": "M", "amount": 40}],
        ask=[{"commodity": "card:mission_09"}],
    )
    table.play("bob", "accept_trade", trade=str(table.number))
    assert (table.cash("ana"), table.cash("bob")) == (1460, 1540)
    table.play("ana", "use_jail_card")
    table.roll("ana", 1, 2)


@pytest.mark.rule("naruto:jail.5")
def test_without_a_double_the_turn_ends_in_prison() -> None:
    table = imprisoned(naruto())
    table.refused("ana", "end_turn", "naruto:jail.5")
    table.play("ana", "roll_for_jail", dice=[1, 2])
    assert table.state.jailed == {"ana": 1}
    assert (table.state.turn, table.state.positions["ana"], table.cash("ana")) == ("bob", JAIL, 1500)
    table.refused("ana", "roll_for_jail", "naruto:turn.1", dice=[1, 2])
    table.turn("ana")
    table.play("ana", "roll_for_jail", dice=[3, 4])
    assert table.state.jailed == {"ana": 2}
    assert table.state.turn == "bob"
    table.refused("bob", "roll_for_jail", "naruto:jail.5", dice=[1, 2])


@pytest.mark.rule("naruto:jail.6")
def test_a_double_frees_and_moves_without_another_throw() -> None:
    table = imprisoned(naruto(), failed=1)
    table.play("ana", "roll_for_jail", dice=[5, 5])
    assert is_free(table)
    assert (table.state.positions["ana"], table.cash("ana")) == (20, 1500)
    table.refused("ana", "roll_and_move", "naruto:turn.1", dice=[1, 2])
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:jail.6")
def test_a_table_may_let_that_double_throw_again() -> None:
    table = imprisoned(naruto(jail_double_rolls_again=True))
    table.play("ana", "roll_for_jail", dice=[5, 5])
    table.roll("ana", 1, 3)


@pytest.mark.rule("naruto:jail.7")
def test_the_third_failure_costs_the_fine_and_moves() -> None:
    table = imprisoned(naruto(), failed=2)
    table.play("ana", "roll_for_jail", dice=[6, 4])
    assert is_free(table)
    assert (table.state.positions["ana"], table.cash("ana")) == (20, 1450)
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:jail.7", "naruto:mortgage.1")
def test_without_the_money_the_fine_is_a_debt_before_the_move() -> None:
    table = imprisoned(naruto(), failed=2)
    table.purse("ana", 10)
    table.give("ana", "orange_1", "card:mission_09")
    table.play("ana", "roll_for_jail", dice=[6, 4])
    assert table.state.positions["ana"] == JAIL
    table.refused("ana", "use_jail_card", "naruto:jail.3")
    table.refused("ana", "pay_jail_fine", "naruto:jail.2")
    table.refused("ana", "end_turn", "naruto:debt.1")
    table.play("ana", "mortgage", title="orange_1")
    table.play("ana", "pay_debt")
    assert is_free(table)
    assert (table.state.positions["ana"], table.cash("ana")) == (20, 50)


# ----------------------------------------------------------------------------------------------
# The quick game of Naruto
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:quick.8", "naruto:quick.10")
def test_in_the_quick_game_prison_is_left_on_the_next_turn() -> None:
    table = imprisoned(naruto(quick=True))
    table.refused("ana", "end_turn", "naruto:quick.8")
    table.play("ana", "roll_for_jail", dice=[6, 4])
    assert is_free(table)
    assert (table.state.positions["ana"], table.cash("ana")) == (20, 1450)


@pytest.mark.rule("naruto:quick.9", "naruto:quick.11")
def test_in_the_quick_game_a_card_or_the_fine_frees_before_the_throw() -> None:
    table = imprisoned(naruto(quick=True))
    table.give("ana", "card:mission_09")
    used = table.play("ana", "use_jail_card")
    assert used[0].rule == "naruto:quick.9"
    imprisoned(table)
    paid = table.play("ana", "pay_jail_fine")
    assert paid[0].rule == "naruto:quick.11"
    table.roll("ana", 1, 2)


# ----------------------------------------------------------------------------------------------
# Monopolys
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:marine.1", "monopolys:jail.2")
def test_the_marine_sends_to_jail_and_ends_the_turn() -> None:
    table = monopolys()
    table.arrive("ana", "marine_imperiale", (3, 3))
    assert table.state.positions["ana"] == JAIL
    assert table.state.jailed == {"ana": 0}
    assert (table.state.turn, table.cash("ana")) == ("bob", 150_000)


@pytest.mark.rule("monopolys:jail.1", "monopolys:jail.2")
def test_the_chance_die_sends_to_jail_without_a_salary() -> None:
    table = monopolys()
    table.arrive("ana", "ocean_6", (1, 1))
    table.play("ana", "roll_chance_die", dice=[1])
    assert table.state.jailed == {"ana": 0}
    assert (table.state.turn, table.cash("ana")) == ("bob", 150_000)
    table.refused("ana", "pay_jail_fine", "monopolys:jail.3")


@pytest.mark.rule("monopolys:jail.3")
def test_a_merchant_pays_at_the_start_of_the_turn_and_throws() -> None:
    table = imprisoned(monopolys())
    before = table.bank()
    table.play("ana", "pay_jail_fine")
    assert (table.cash("ana"), table.bank()) == (145_000, before + 5_000)
    table.roll("ana", 1, 2)
    assert table.state.positions["ana"] == 13
    table.refused("ana", "pay_jail_fine", "monopolys:jail.3")


@pytest.mark.rule("monopolys:jail.3")
def test_a_merchant_may_pay_after_a_failed_throw_and_plays_the_next_turn() -> None:
    table = imprisoned(monopolys())
    table.play("ana", "roll_for_jail", dice=[1, 2])
    assert table.state.turn == "bob"
    table.purse("ana", 4_999)
    table.refused("ana", "pay_jail_fine", "monopolys:jail.3")
    table.purse("ana", 5_000)
    table.play("ana", "pay_jail_fine")
    assert is_free(table)
    assert table.state.turn == "bob"
    table.turn("ana")
    table.roll("ana", 1, 2)


@pytest.mark.rule("monopolys:jail.3")
def test_a_table_may_make_the_payer_wait_for_the_next_turn() -> None:
    table = imprisoned(monopolys(jail_fine_delays_play=True))
    table.play("ana", "pay_jail_fine")
    assert is_free(table)
    assert table.state.turn == "bob"


@pytest.mark.rule("monopolys:jail.4", "monopolys:jail.5", "monopolys:sale.1")
def test_an_immunity_is_bought_and_spent() -> None:
    table = imprisoned(monopolys())
    table.refused("ana", "use_jail_card", "monopolys:jail.5")
    table.give("bob", PASS)
    table.play(
        "ana", "propose_trade", to="bob", give=[{"commodity": "YRIS", "amount": 3_000}], ask=[{"commodity": PASS}]
    )
    table.play("bob", "accept_trade", trade=str(table.number))
    before = table.held("bank", PASS)
    table.play("ana", "use_jail_card")
    assert table.held("bank", PASS) == before + 1
    table.roll("ana", 1, 2)
    assert table.state.positions["ana"] == 13


@pytest.mark.rule("monopolys:jail.6")
def test_a_merchant_waits_up_to_three_turns() -> None:
    table = imprisoned(monopolys())
    for failed in (1, 2):
        table.play("ana", "roll_for_jail", dice=[1, 2])
        assert table.state.jailed == {"ana": failed}
        assert table.state.turn == "bob"
        table.turn("ana")


@pytest.mark.rule("monopolys:jail.7")
def test_a_merchant_leaves_by_a_double_without_a_fine() -> None:
    table = imprisoned(monopolys())
    table.play("ana", "roll_for_jail", dice=[5, 5])
    assert (table.state.positions["ana"], table.cash("ana")) == (20, 150_000)
    table.refused("ana", "roll_and_move", "monopolys:turn.1", dice=[1, 2])


@pytest.mark.rule("monopolys:jail.8")
def test_after_three_turns_a_merchant_pays_and_moves() -> None:
    table = imprisoned(monopolys(), failed=2)
    table.play("ana", "roll_for_jail", dice=[6, 4])
    assert (table.state.positions["ana"], table.cash("ana")) == (20, 145_000)
    table = imprisoned(monopolys(), failed=2)
    table.purse("ana", 0)
    table.give("ana", "phenys")
    table.play("ana", "roll_for_jail", dice=[6, 4])
    assert table.state.positions["ana"] == JAIL
    table.play("ana", "mortgage", title="phenys")
    table.play("ana", "pay_debt")
    assert table.state.positions["ana"] == 20


@pytest.mark.rule("monopolys:jail.9")
def test_a_prisoner_draws_rents() -> None:
    table = monopolys()
    table.give("bob", "phenys")
    table.jail("bob")
    table.arrive("ana", "phenys")
    assert (table.cash("ana"), table.cash("bob")) == (148_400, 151_600)


@pytest.mark.rule("monopolys:jail.10", "monopolys:turn.6")
def test_a_visitor_of_shanghays_rests() -> None:
    table = monopolys()
    table.arrive("ana", "shanghays")
    assert is_free(table)
    assert table.cash("ana") == 150_000
    table.refused("ana", "roll_for_jail", "monopolys:jail.6", dice=[1, 2])
    table.play("ana", "end_turn")
