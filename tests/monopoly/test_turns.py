"""Turns, doubles, movement and the salary."""

from __future__ import annotations

import pytest

from tests.monopoly.table import Table, monopolys, naruto


@pytest.mark.rule("naruto:turn.1")
@pytest.mark.rule("naruto:setup.3")
def test_only_ana_throws_on_her_turn_and_with_two_dice() -> None:
    table = naruto()
    assert "Ana" in table.refused("bob", "roll_and_move", "naruto:turn.1", dice=[1, 2]).en
    table.malformed("ana", "roll_and_move", dice=[1])
    table.malformed("ana", "roll_and_move", dice=[1, 7])
    table.malformed("ana", "roll_and_move", dice=[1, 2, 3])
    table.roll("ana", 4, 6)
    table.refused("ana", "roll_and_move", "naruto:turn.1", dice=[1, 2])
    assert table.offers("ana", "roll_and_move") == []
    assert table.offers("ana", "end_turn") == [{}]


@pytest.mark.rule("naruto:turn.2")
@pytest.mark.rule("naruto:salary.1")
@pytest.mark.rule("naruto:bank.2")
def test_tokens_go_clockwise_by_the_total_and_passing_the_start_pays_once() -> None:
    table = naruto()
    table.stand("ana", "bleu_fonce_2")
    events = table.roll("ana", 5, 6)
    assert table.state.positions["ana"] == 10
    assert table.cash("ana") == 1700
    assert [one.rule for one in events if type(one).__name__ == "SalaryPaid"] == ["naruto:salary.1"]
    table.play("ana", "end_turn")
    table.stand("bob", "bleu_fonce_1")
    table.roll("bob", 1, 2)
    assert (table.state.positions["bob"], table.cash("bob")) == (0, 1700)
    table.play("bob", "end_turn")
    table.stand("cid", "depart")
    table.roll("cid", 4, 6)
    assert table.cash("cid") == 1500


@pytest.mark.rule("naruto:turn.3")
def test_the_square_is_dealt_with_before_the_turn_ends() -> None:
    table = naruto()
    table.arrive("ana", "barbecue")
    table.refused("ana", "end_turn", "naruto:turn.3")
    table.play("ana", "pay_tax")
    table.play("ana", "end_turn")
    assert table.state.turn == "bob"


@pytest.mark.rule("naruto:turn.4")
def test_after_a_double_the_player_has_to_throw_again() -> None:
    table = naruto()
    table.roll("ana", 5, 5)
    table.refused("ana", "end_turn", "naruto:turn.4")
    assert table.offers("ana", "end_turn") == []
    table.stand("ana", "parc_gratuit", before=3)
    table.roll("ana", 1, 2)
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:turn.5")
@pytest.mark.rule("naruto:gotojail.3")
def test_the_third_double_leads_to_prison_and_moves_nothing() -> None:
    table = naruto()
    table.roll("ana", 5, 5)
    table.roll("ana", 5, 5)
    before = table.cash("ana")
    events = table.roll("ana", 6, 6)
    assert table.state.positions["ana"] == 10
    assert table.state.jailed == {"ana": 0}
    assert table.cash("ana") == before
    assert table.state.turn == "bob"
    assert "naruto:turn.5" in [one.rule for one in events]


@pytest.mark.rule("naruto:turn.6")
def test_the_dice_go_to_the_left_and_pass_over_who_is_bankrupt() -> None:
    table = naruto()
    table.refused("ana", "end_turn", "naruto:turn.6")
    with table.arranged() as state:
        state.out = ("bob",)
    table.roll("ana", 4, 6)
    table.refused("bob", "end_turn", "naruto:bankruptcy.9")
    table.refused("cid", "end_turn", "naruto:turn.1")
    table.play("ana", "end_turn")
    assert (table.state.turn, table.state.round) == ("cid", 1)
    table.roll("cid", 4, 6)
    table.play("cid", "end_turn")
    assert (table.state.turn, table.state.round) == ("ana", 2)


@pytest.mark.rule("naruto:turn.6")
def test_who_owes_something_keeps_the_dice() -> None:
    table = naruto()
    table.give("bob", "bleu_fonce_2")
    table.arrive("ana", "bleu_fonce_2")
    table.play("bob", "claim_rent")
    table.refused("ana", "end_turn", "naruto:rent.2")
    table.play("ana", "pay_debt")
    table.play("ana", "end_turn")


@pytest.mark.rule("monopolys:turn.1")
@pytest.mark.rule("monopolys:turn.3")
@pytest.mark.rule("monopolys:turn.5")
def test_merchants_play_in_turn_and_may_share_a_square() -> None:
    table = monopolys()
    table.refused("bob", "roll_and_move", "monopolys:turn.1", dice=[1, 2])
    table.roll("ana", 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    assert table.state.positions == {"ana": 10, "bob": 10, "cid": 0}
    assert table.state.jailed == {}


@pytest.mark.rule("monopolys:turn.2")
def test_a_throw_may_name_the_post_where_it_was_made() -> None:
    table = monopolys()
    events = table.play("ana", "roll_and_move", dice=[4, 6], post="sujet-princypal#1204")
    cited = [one for one in events if type(one).__name__ == "PostCited"]
    assert [(one.rule, one.post) for one in cited] == [("monopolys:turn.2", "sujet-princypal#1204")]
    assert "sujet-princypal#1204" in table.told(cited)[0]
    assert table.seen_by(None) == table.last_events()


@pytest.mark.rule("monopolys:turn.4")
def test_what_the_square_asks_comes_before_the_next_throw() -> None:
    table = monopolys()
    table.arrive("ana", "douane_1", (2, 2))
    table.refused("ana", "roll_and_move", "monopolys:turn.4", dice=[1, 2])
    table.play("ana", "pay_tax")
    table.roll("ana", 3, 5)
    assert table.state.positions["ana"] == 10


@pytest.mark.rule("monopolys:double.1")
@pytest.mark.rule("monopolys:double.2")
def test_doubles_throw_again_and_the_third_leads_to_the_prison_of_shanghays() -> None:
    table = monopolys()
    table.roll("ana", 5, 5)
    table.refused("ana", "end_turn", "monopolys:double.1")
    table.roll("ana", 5, 5)
    events = table.roll("ana", 1, 1)
    assert table.state.jailed == {"ana": 0}
    assert "monopolys:double.2" in [one.rule for one in events]
    assert table.state.turn == "bob"


@pytest.mark.rule("monopolys:venys.1")
def test_passing_venys_pays_twenty_thousand() -> None:
    table = monopolys()
    table.stand("ana", "bryst")
    table.roll("ana", 5, 6)
    assert table.cash("ana") == 170_000


def _on_venys(*dice: int) -> Table:
    table = monopolys()
    table.stand("ana", "venys", before=sum(dice))
    table.roll("ana", *dice)
    return table


@pytest.mark.rule("monopolys:venys.1")
@pytest.mark.rule("monopolys:venys.2")
def test_a_turn_that_ends_on_venys_makes_it_forty_thousand() -> None:
    table = _on_venys(1, 2)
    assert table.cash("ana") == 170_000
    events = table.play("ana", "end_turn")
    assert table.cash("ana") == 190_000
    assert "monopolys:venys.2" in [one.rule for one in events]


@pytest.mark.rule("monopolys:venys.2")
def test_a_double_that_leads_on_leaves_the_single_salary() -> None:
    table = _on_venys(2, 2)
    table.roll("ana", 4, 6)
    table.play("ana", "end_turn")
    assert table.cash("ana") == 170_000


def test_the_summary_says_whose_turn_it_is_once_there_is_one() -> None:
    table = Table("monopoly_naruto", until="setup")
    assert "turn" not in table.rulebook.screen.summary(table.state)
    table = naruto()
    assert table.rulebook.screen.summary(table.state)["turn"] == "ana"
