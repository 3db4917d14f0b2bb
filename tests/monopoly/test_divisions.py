"""Divisions of Monopolys: the best merchant of one may change places with the worst of the one above."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Malformed
from tests.monopoly.table import Table
from tests.monopoly.test_seasons import FOUR, agreed


def closed(division: str = "absynthe") -> Table:
    """A season that Ana has won, before Bob; Cid went out first, then Dan."""
    table = agreed(*FOUR, out=("cid", "dan"), division=division)
    table.purse("ana", 180_000)
    table.banker("close_season")
    return table


@pytest.mark.rule("monopolys:division.4")
def test_the_best_merchant_alone_may_move_up() -> None:
    table = closed()
    table.refused("bob", "swap_division", "monopolys:division.4")
    table.refused("cid", "swap_division", "monopolys:division.4")
    assert table.offers("bob", "swap_division") == []
    assert table.offers("ana", "swap_division") == [{}]
    (asked,) = table.play("ana", "swap_division")
    assert table.told([asked]) == ["Ana will play the next season in Route des Epyces."]
    table.refused("ana", "swap_division", "monopolys:division.4")
    waiting = table.rulebook.screen.waiting(table.state, Viewer("spectator"), "en")
    assert [(one.seat, one.label) for one in waiting] == [("banker", "exchange the places of two divisions")]


@pytest.mark.rule("monopolys:division.1")
@pytest.mark.parametrize(("division", "most"), [("epyces", 6), ("absynthe", 20), ("opium", 20)])
def test_a_division_has_its_seats_and_the_lower_ones_those_of_a_table(division: str, most: int) -> None:
    seats = tuple(f"merchant_{number}" for number in range(1, most + 1))
    table = Table("monopolys", seats=seats, until="setup", settings={"division": division})
    assert table.state.order == seats
    with pytest.raises(Malformed, match=f"by 2 to {most} players, not {most + 1}"):
        Table("monopolys", seats=(*seats, "late"), until="setup", settings={"division": division})


@pytest.mark.rule("monopolys:division.4")
def test_nobody_moves_up_from_the_first_division_or_during_a_season() -> None:
    table = closed("epyces")
    table.refused("ana", "swap_division", "monopolys:division.4")
    table.banker("open_season")
    table.refused("ana", "swap_division", "monopolys:division.4")


@pytest.mark.rule("monopolys:division.4")
def test_equal_worth_is_decided_by_cash_and_then_by_a_throw() -> None:
    table = agreed(*FOUR, out=("cid", "dan"), division="opium")
    ports = [one.id for one in table.state.edition.pieces.squares if one.kind == "station"]
    table.give("ana", ports[0])
    table.purse("ana", 130_000)
    table.banker("close_season")
    assert table.state.ranking[:2] == ("bob", "ana")

    table = agreed(*FOUR, out=("cid", "dan"), division="opium")
    table.banker("close_season", dice=[1, 2, 2, 1, 3, 3, 6, 5])
    assert table.state.ranking[:2] == ("bob", "ana")
    assert [one.total for one in table.last_events() if type(one).__name__ == "TieThrown"] == [3, 3, 6, 11]  # type: ignore[attr-defined]

    table = agreed(*FOUR, out=("cid", "dan"), division="opium", tie_by_throw=False)
    table.banker("close_season")
    assert table.state.ranking[:2] == ("ana", "bob")


def test_the_first_who_went_out_is_the_worst() -> None:
    table = closed("epyces")
    assert table.state.ranking == ("ana", "bob", "dan", "cid")


def test_the_lowest_worth_is_the_worst_where_a_ruling_ends_the_season_before() -> None:
    table = Table("monopolys", seats=FOUR)
    table.purse("cid", 10)
    table.purse("ana", 20)
    table.purse("bob", 30)
    table.banker("close_season", override="the forum closes")
    assert table.state.ranking == ("dan", "bob", "ana", "cid")


@pytest.mark.rule("monopolys:division.5")
def test_the_next_season_waits_for_the_exchange() -> None:
    table = closed()
    table.play("ana", "swap_division")
    table.refused(None, "open_season", "monopolys:division.5")
    table.banker("open_season", override="ana stays after all")
    assert table.state.moved_up is None
