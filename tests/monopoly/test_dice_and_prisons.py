"""Boards with one die or three, with several prisons or none, and with fewer squares than a throw."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ledger.rulebooks.monopoly.own_edition import check, settings_of
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts.opening import stored_settings
from tests.monopoly.own import TOWN, board_of, only, row
from tests.monopoly.streets import changed, happened, of, simulated
from tests.monopoly.table import Table, town


def with_dice(count: int, **squares: dict[str, Any]) -> dict[str, Any]:
    """The town with so many dice."""
    return {**changed(**squares), "dice": count}


def free() -> dict[str, Any]:
    """The town without a prison, and without a way there."""
    board = changed(lock_up={"kind": "rest"}, constable={"kind": "rest"})
    row(board, "cards", "tide_smuggler")["effects"] = [{"op": "pay", "amount": 5}]
    return board


# Dice --------------------------------------------------------------------------------------------


@pytest.mark.rule("own:setup.9", "own:turn.5")
def test_one_die_moves_and_never_gives_another_throw() -> None:
    table = of(with_dice(1), throw_for_order=False)
    (drawing,) = [move.drawing for move in table.moves("ana") if move.kind == "roll_and_move"]
    assert drawing is not None
    assert (drawing.count, drawing.sides) == (1, 6)
    table.malformed("ana", "roll_and_move", dice=[1, 1])
    thrown = table.roll("ana", 5)[0]
    assert (thrown.rule, table.state.positions["ana"], table.state.must_throw) == ("own:setup.9", 5, False)


@pytest.mark.rule("own:jail.9", "own:jail.6")
def test_with_one_die_a_six_leads_out_of_prison() -> None:
    table = of(with_dice(1), throw_for_order=False)
    table.jail("ana")
    table.play("ana", "roll_for_jail", dice=[5])
    table.jail("bob")
    freed = table.play("bob", "roll_for_jail", dice=[6])[0]
    assert (freed.rule, table.state.positions["bob"], table.state.jailed) == ("own:jail.9", 12, {"ana": 1})
    table.play("bob", "end_turn")
    table.jail("cid", failed=2)
    table.play("cid", "roll_for_jail", dice=[1])
    assert (table.cash("cid"), table.state.positions["cid"]) == (1200 - 40, 7)


@pytest.mark.rule("own:rent.9", "own:setup.9")
def test_one_die_decides_on_the_order_and_on_a_rent() -> None:
    laid = Table("monopoly", until="setup", settings=settings_of(with_dice(1), {"tokens_chosen": False}))
    laid.banker("roll_for_order", seat="ana", dice=[3])
    table = of(with_dice(1), throw_for_order=False, utility_throws_anew=True, rents_are_claimed=False)
    table.give("bob", "windmill")
    table.stand("ana", "kettle_street")
    table.roll("ana", 1)
    table.play("ana", "roll_for_rent", dice=[4])
    assert table.cash("bob") == 1200 + 4 * 5


@pytest.mark.rule("own:setup.9", "own:turn.6")
def test_of_three_dice_the_first_two_decide_on_a_double() -> None:
    table = of(with_dice(3), throw_for_order=False, auctions=False)
    table.stand("ana", "town_gate")
    table.roll("ana", 2, 3, 3)
    assert (table.state.positions["ana"], table.state.must_throw) == (8, False)
    table.play("ana", "decline_property")
    table.turn("bob")
    for square in (6, 12):
        table.roll("bob", 1, 1, 4)
        assert (table.state.positions["bob"], table.state.must_throw) == (square, True)
    table.roll("bob", 1, 1, 4)
    assert table.state.jailed == {"bob": 0}


@pytest.mark.parametrize("count", [1, 3])
def test_a_corrected_throw_of_other_dice_moves_anew(count: int) -> None:
    table = of(with_dice(count), throw_for_order=False)
    table.stand("ana", "town_gate")
    table.roll("ana", *[2] * count)
    edit = {"op": "replace", "action": table.number, "params": {"dice": [1] * count}}
    table.banker("correct", edits=[edit], cascade="restate", reason="a mistyped throw")
    assert table.state.positions["ana"] == count


def test_there_are_one_to_three_dice() -> None:
    for count in (0, 4):
        assert only(check({**TOWN, "dice": count}))[0] == "/dice"


# Prisons -----------------------------------------------------------------------------------------


@pytest.mark.rule("own:jail.9", "own:jail.1")
def test_the_way_to_prison_leads_to_the_next_one_ahead() -> None:
    """Prisons on 6 and 22: from 18 to 22, and from 23 to 6."""
    table = of(changed(lime_tree_bench={"kind": "jail"}))
    table.arrive("ana", "constable")
    assert (table.state.positions["ana"], table.state.jailed) == (22, {"ana": 0})
    table.stand("bob", "observatory_terrace")
    remedy = {"op": "imprison", "seat": "bob"}
    table.banker("rule", finding="He hid a card", rules=["own:general.1"], remedies=[remedy])
    assert (table.state.positions["bob"], table.state.jailed) == (6, {"ana": 0, "bob": 0})
    table.turn("ana")
    table.play("ana", "pay_jail_fine")
    table.roll("ana", 1, 2)
    assert table.state.positions["ana"] == 1


@pytest.mark.rule("own:jail.9", "own:turn.6")
def test_without_a_prison_the_third_double_moves() -> None:
    table = of(free())
    table.stand("ana", "town_gate")
    for _ in range(3):
        table.roll("ana", 3, 3)
    assert table.state.positions["ana"] == 18
    remedy = {"op": "imprison", "seat": "bob"}
    refusal = table.refused(
        None, "rule", "own:banker.1", finding="He hid a card", rules=["own:general.1"], remedies=[remedy]
    )
    assert "no prison" in refusal.en


# Short boards ------------------------------------------------------------------------------------


@pytest.mark.rule("own:turn.8")
def test_each_pass_on_a_short_board_pays_the_salary() -> None:
    """Twelve squares on a ring of four: the start is passed twice, and then stopped on."""
    board = board_of(4)
    amount = row(board, "squares", "town_gate")["amount"]
    settings = settings_of(board, {"doubles_to_jail": 0})
    table = Table("monopoly", settings=settings)
    table.stand("ana", "town_gate")
    table.roll("ana", 6, 6)
    assert table.cash("ana") == 1200 + 3 * amount
    stops = Table("monopoly", settings={**settings, "salary_on_stop": 7})
    stops.stand("ana", "town_gate")
    stops.roll("ana", 6, 6)
    assert stops.cash("ana") == 1200 + 2 * amount + 7
    once = Table("monopoly", settings={**settings, "salary_each_pass": False})
    once.stand("ana", "town_gate")
    once.roll("ana", 6, 6)
    assert once.cash("ana") == 1200 + amount


def test_older_games_pay_the_salary_once_for_a_move() -> None:
    assert not stored_settings(Settings, {}).salary_each_pass
    assert town().state.settings.salary_each_pass


# Games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "board",
    [with_dice(1), with_dice(3, lime_tree_bench={"kind": "jail"}), free(), {**board_of(7), "dice": 1}],
    ids=["one", "three", "free", "short"],
)
def test_simulated_players_play_with_other_dice_and_prisons(board: dict[str, Any]) -> None:
    game = simulated(copy.deepcopy(board), seed=3)
    assert happened(game, "roll_and_move") > 20
