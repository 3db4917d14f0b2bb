"""Streets with any number of levels: houses alone, a level above the hotel, prices of their own, no group."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly.end.worth import lines
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import level
from ledger.rulebooks.monopoly.table.terms import STOCK, TOWER
from ledger.rulebooks.monopoly.turns.rents import rent_now
from tests.monopoly.own import row
from tests.monopoly.streets import changed, of, simulated
from tests.monopoly.table import Table, naruto

MEADOW = ("tansy_row", "thimble_row")
HIGH = changed(
    tansy_row={"rents": [4, 20, 60, 160, 280, 400, 600, 900], "hotel_price": 90},
    thimble_row={
        "rents": [5, 25, 75, 200, 340, 480, 700, 950],
        "building_prices": [40, 40, 40, 40, 90, 200, 250],
        "building_price": None,
    },
)
"""The town with two levels above the inns of the meadow."""
HIGH["named"]["tower"] = {"en": "belfry", "fr": "beffroi"}


def high(built: int = 5, **settings: Any) -> Table:
    """Ana owns the meadow, built so far, and has much money."""
    table = of(HIGH, **settings)
    table.give("ana", "meadow")
    table.build(tansy_row=built, thimble_row=built)
    table.purse("ana", 5000)
    return table


def rent(table: Table, title: str) -> int:
    """The rent of a stop on a title of ana's now."""
    board = table.state.edition.pieces
    return rent_now(table.state, "ana", board.titles[title])[0]


def raised(table: Table) -> list[int]:
    """The levels of the meadow."""
    return [level(table.state, title) for title in MEADOW]


def towers(table: Table) -> tuple[int, int]:
    """The towers left in the bank, and those on Tansy Row."""
    return table.held(STOCK, TOWER), table.held("property:tansy_row", TOWER)


# Levels ------------------------------------------------------------------------------------------


@pytest.mark.rule("own:build.10", "own:rent.4", "own:build.3")
def test_a_level_stands_on_the_hotel_and_raises_the_rent() -> None:
    """The inn of Tansy Row costs 90, a belfry on it 40 as its houses; each level has its rent."""
    table = high(4)
    (inn,) = table.play("ana", "build", title="tansy_row")
    assert (inn.rule, table.cash("ana"), rent(table, "tansy_row")) == ("own:build.8", 5000 - 90, 400)
    table.play("ana", "build", title="thimble_row")
    table.refused("ana", "build", "own:build.10", title="tansy_row", piece="hotel")
    (belfry,) = table.play("ana", "build", title="tansy_row")
    assert (belfry.rule, table.told([belfry])) == (
        "own:build.10",
        ["Ana builds on Tansy Row: belfry, for 40 Sh."],
    )
    assert (towers(table), table.stock(), rent(table, "tansy_row")) == ((11, 1), (20, 4), 600)
    table.play("ana", "build", title="thimble_row")
    assert table.cash("ana") == 5000 - 90 - 90 - 40 - 200
    table.arrive("bob", "tansy_row")
    table.play("ana", "claim_rent")
    assert table.cash("bob") == 1200 + 100 - 600


@pytest.mark.rule("own:build.4", "own:build.10")
def test_levels_are_built_and_sold_evenly_up_to_the_end() -> None:
    table = high()
    table.play("ana", "build", title="tansy_row")
    table.refused("ana", "build", "own:build.4", title="tansy_row")
    for title in ("thimble_row", "tansy_row", "thimble_row"):
        table.play("ana", "build", title=title)
    assert raised(table) == [7, 7]
    table.refused("ana", "build", "own:build.10", title="tansy_row")
    assert table.offers("ana", "build") == []
    table.play("ana", "sell_building", title="tansy_row")
    table.refused("ana", "sell_building", "own:sell.2", title="tansy_row")


@pytest.mark.rule("own:sell.1", "own:sell.3", "own:build.10")
def test_each_level_is_sold_back_at_half_its_own_price() -> None:
    """Of Thimble Row: the levels of 250 and 200, then the inn of 90, which becomes four cottages again."""
    table = high()
    for title in MEADOW * 2:
        table.play("ana", "build", title=title)
    before = table.cash("ana")
    table.play("ana", "sell_building", title="thimble_row")
    assert (table.cash("ana") - before, raised(table)) == (125, [7, 6])
    table.play("ana", "sell_building", title="tansy_row", amount=1)
    table.play("ana", "sell_building", title="thimble_row")
    table.play("ana", "sell_building", title="tansy_row")
    assert table.cash("ana") - before == 125 + 20 + 100 + 20
    table.play("ana", "sell_building", title="thimble_row")
    assert (table.cash("ana") - before, table.houses("thimble_row")) == (125 + 20 + 100 + 20 + 45, [4])
    assert towers(table) == (12, 0)


@pytest.mark.rule("own:stock.1")
def test_levels_above_a_hotel_run_out_and_are_not_asked_for() -> None:
    table = high(towers_stock=1)
    table.play("ana", "build", title="tansy_row")
    table.refused("ana", "build", "own:stock.1", title="thimble_row")
    assert table.offers("ana", "build") == []
    table.malformed("ana", "request_building", piece="tower")


@pytest.mark.rule("own:worth.3", "own:bankrupt.2")
def test_worth_and_bankruptcy_count_every_level() -> None:
    table = high()
    for title in MEADOW:
        table.play("ana", "build", title=title)
    standing = {line.title: (line.what, line.quantity, line.value) for line in lines(table.state, "ana")}
    assert standing["thimble_row"][:2] == (TOWER, 1)
    view = table.rulebook.screen.public_view(table.state)
    assert view["titles"]["tansy_row"] == {
        "owner": "ana",
        "houses": 0,
        "hotel": True,
        "towers": 1,
        "mortgaged": False,
    }
    assert view["stock"] == {"house": 20, "hotel": 4, "tower": 10}
    table.refused("ana", "mortgage", "own:mortgage.3", title="tansy_row")
    table.purse("ana", 0)
    table.give("bob", "terrace")
    table.build(orchard_terrace=4, observatory_terrace=5)
    table.arrive("ana", "observatory_terrace")
    table.play("bob", "claim_rent")
    table.play("ana", "declare_bankruptcy")
    assert (towers(table), table.owner("tansy_row")) == ((12, 0), "bob")


def test_a_corrected_purchase_takes_the_levels_along() -> None:
    """Ana never bought the first belfry: the second comes too early, and is left out."""
    table = high()
    table.play("ana", "build", title="tansy_row")
    first = table.number
    table.play("ana", "build", title="thimble_row")
    table.play("ana", "build", title="tansy_row")
    edits = [{"op": "drop", "action": first}]
    table.banker("correct", edits=edits, cascade="restate", reason="never built")
    assert (raised(table), table.cash("ana")) == ([6, 6], 5000 - 200 - 40)
    undone = high()
    undone.play("ana", "build", title="tansy_row")
    edits = [{"op": "drop", "action": undone.number}]
    undone.banker("correct", edits=edits, cascade="restate", reason="never built")
    assert (raised(undone), towers(undone)) == ([5, 5], (12, 0))


def test_the_board_names_every_level() -> None:
    table = high()
    table.play("ana", "build", title="tansy_row")
    place = table.rulebook.screen.board_drawn(table.state, "fr").places[1]
    assert [(line.label, line.amount) for line in place.deed.rents][-3:] == [
        ("1 auberge (construit pour 90 Sh)", 400),
        ("1 auberge, 1 beffroi", 600),
        ("1 auberge, 2 beffroi", 900),
    ]
    pieces = table.rulebook.screen.display(table.state, None, "en").places["square:1"].pieces
    assert [(piece.commodity, piece.amount) for piece in pieces] == [("hotel", 1), ("tower", 1)]
    words = table.rulebook.accounts.commodities(table.state)[TOWER]
    assert (words.name.en, words.plural.fr) == ("belfry", "beffroi")


# Fewer levels ------------------------------------------------------------------------------------


@pytest.mark.rule("own:build.10", "own:build.4")
def test_a_street_with_few_rents_has_few_houses_and_holds_up_nobody() -> None:
    """Tansy Row has two houses at most and no inn; Thimble Row goes on without it."""
    table = of(changed(tansy_row={"rents": [4, 20, 60]}))
    table.give("ana", "meadow")
    table.build(tansy_row=2, thimble_row=2)
    table.purse("ana", 1000)
    table.refused("ana", "build", "own:build.10", title="tansy_row")
    for _ in range(3):
        table.play("ana", "build", title="thimble_row")
    assert table.hotels("thimble_row") == [True]
    table.refused("ana", "sell_building", "own:sell.2", title="tansy_row")
    table.left(houses=2)
    table.play("ana", "sell_building", title="thimble_row")
    assert (table.houses(*MEADOW), table.stock()) == ([2, 2], (0, 6))


@pytest.mark.rule("own:build.10")
def test_a_title_with_one_rent_is_not_built_on() -> None:
    table = of(changed(tansy_row={"rents": [4], "building_price": None}))
    table.give("ana", "meadow")
    table.refused("ana", "build", "own:build.10", title="tansy_row")
    assert table.offers("ana", "build") == [{"title": "thimble_row"}]
    for _ in range(5):
        table.play("ana", "build", title="thimble_row")
    assert (table.hotels("thimble_row"), rent(table, "tansy_row")) == ([True], 8)
    (line, whole) = table.rulebook.screen.board_drawn(table.state, "en").places[1].deed.rents
    assert (line.amount, whole.amount) == (4, 8)


@pytest.mark.rule("own:build.10", "own:build.1")
def test_a_street_without_a_group_is_a_set_of_its_own() -> None:
    """Its owner builds on it at once; its rent without a building does not rise."""
    table = of(changed(tansy_row={"group": None}))
    table.give("ana", "tansy_row")
    assert rent(table, "tansy_row") == 4
    table.play("ana", "build", title="tansy_row")
    table.play("ana", "build", title="tansy_row")
    assert rent(table, "tansy_row") == 60
    table.refused("ana", "mortgage", "own:mortgage.3", title="tansy_row")
    assert table.state.edition.pieces.group_of("thimble_row") == ("thimble_row",)


@pytest.mark.rule("own:rent.5")
def test_rents_of_a_group_that_does_not_rise() -> None:
    board = changed()
    row(board, "groups", "meadow")["doubles"] = False
    table = of(board)
    table.give("ana", "meadow", "hill")
    assert (rent(table, "tansy_row"), rent(table, "kettle_street")) == (4, 18)
    table.arrive("bob", "kettle_street")
    table.play("ana", "claim_rent")
    assert table.cash("bob") == 1200 - 18
    labels = [line.label for line in table.rulebook.screen.board_drawn(table.state, "en").places[1].deed.rents]
    assert "whole group, without a building" not in labels


def test_the_classic_deed_is_read_as_ever() -> None:
    """Six rents, where three houses make a hotel: the fourth is not used."""
    street = Square(id="a", name="A", kind="street", rents=(1, 2, 3, 4, 5, 6), building_price=7)
    assert [street.rent_at(built, 4) for built in range(6)] == [1, 2, 3, 4, 5, 6]
    assert (street.levels(4), street.levels(3)) == (5, 4)
    assert [street.rent_at(built, 3) for built in range(5)] == [1, 2, 3, 4, 6]


def test_editions_with_a_box_keep_their_levels() -> None:
    """A table changes the rents of Naruto, and neither their number nor the dice."""
    board: dict[str, Any] = msgspec.to_builtins(naruto().state.edition.pieces)
    naruto(board=board)
    flat = copy.deepcopy(board["squares"])
    next(square for square in flat if square["kind"] == "street")["rents"] = [1]
    for change in ({"dice": 1}, {"squares": flat}):
        with pytest.raises(Malformed, match="the squares and the number of cards of its own box"):
            naruto(board={**board, **change})


# Games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_simulated_players_build_to_the_top(seed: int) -> None:
    """A rich table with streets of all sorts: over a thousand actions, with corrections and rulings."""
    board = changed(
        tansy_row={"rents": [4, 20, 60, 160, 280, 400, 600, 900], "hotel_price": 90},
        thimble_row={"group": None},
        kettle_street={"rents": [9]},
        ladder_street={"rents": [9, 45, 130]},
        copper_wharf={"rents": [16, 80, 230, 600, 820, 1020, 1500]},
    )
    row(board, "groups", "harbour")["doubles"] = False
    game = simulated(board, seed=seed, starting_cash=20_000)
    events = [event for entry in game.journal for event in map(game.rulebook.codec.event, entry.events)]
    assert any(getattr(event, "piece", "") == TOWER for event in events)
