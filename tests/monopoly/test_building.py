"""Building on whole groups, evenly, and selling back."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.monopoly.houses import building
from ledger.rulebooks.monopoly.own_edition import settings_of
from ledger.rulebooks.monopoly.table.state import pieces
from tests.harness.playing import Playing
from tests.monopoly.own import board_of
from tests.monopoly.table import Table, monopolys, naruto

ORANGE = ("orange_1", "orange_2", "orange_3")
REGION = ("odyssa", "ysbastopol", "phenys")


def orange(*levels: int, **settings: Any) -> Table:
    """A game in which ana owns the orange group of Naruto, built so far."""
    table = naruto(**settings)
    table.give("ana", "orange")
    table.build(**dict(zip(ORANGE, levels, strict=False)))
    return table


def region(*levels: int) -> Table:
    """A game in which ana owns the orange region of Monopolys, built so far."""
    table = monopolys()
    table.give("ana", "orange")
    table.build(**dict(zip(REGION, levels, strict=False)))
    return table


def costs(table: Playing[Any], title: str) -> tuple[int, ...]:
    """What was paid for the buildings on a title."""
    found: tuple[int, ...] = table.state.costs.get(title, ())
    return found


# Building: Naruto ----------------------------------------------------------------------------------


@pytest.mark.rule("naruto:food.1", "naruto:food.3", "naruto:bank.5")
def test_the_owner_of_a_whole_group_buys_onigiris_from_the_bank() -> None:
    table = naruto()
    table.give("ana", "orange_1", "orange_2")
    table.give("bob", "orange_3")
    table.refused("ana", "build", "naruto:food.1", title="orange_1")
    table.refused("ana", "build", "naruto:food.1", title="orange_3")
    table.refused("ana", "build", "naruto:food.1", title="nowhere")
    table.give("ana", "orange_3")
    table.purse("ana", 99)
    table.refused("ana", "build", "naruto:food.3", title="orange_1")
    assert table.offers("ana", "build") == []
    table.purse("ana", 100)
    (built,) = table.play("ana", "build", title="orange_1")
    assert built.rule == "naruto:food.3"
    assert (table.cash("ana"), table.houses(*ORANGE), table.stock()) == (0, [1, 0, 0], (31, 12))
    assert costs(table, "orange_1") == (100,)
    table.refused("ana", "propose_trade", "naruto:trade.3", to="bob", give=[{"commodity": "house", "amount": 1}])


@pytest.mark.rule("naruto:food.2")
def test_only_shinobi_are_fed() -> None:
    table = naruto()
    table.give("ana", "station", "utility")
    for title in ("kisame", "obito", "kabuto"):
        table.refused("ana", "build", "naruto:food.2", title=title)
    assert table.offers("ana", "build") == []


@pytest.mark.rule("naruto:food.4")
def test_onigiris_are_given_evenly() -> None:
    table = orange(1, 0, 1)
    table.refused("ana", "build", "naruto:food.4", title="orange_1")
    assert table.offers("ana", "build") == [{"title": "orange_2"}]
    table.play("ana", "build", title="orange_2")
    table.play("ana", "build", title="orange_1")
    assert table.houses(*ORANGE) == [2, 1, 1]


@pytest.mark.rule("naruto:food.5")
def test_there_is_no_fifth_onigiri() -> None:
    table = orange(4, 4, 4)
    table.refused("ana", "build", "naruto:food.5", title="orange_1", piece="house")


@pytest.mark.rule("naruto:food.6")
def test_four_onigiris_are_swapped_for_a_bowl() -> None:
    table = orange(4, 4, 3)
    assert table.stock() == (21, 12)
    refusal = table.refused("ana", "build", "naruto:food.6", title="orange_1")
    assert refusal.en.endswith("on each title of its group: 1 more on Shinobi orange 3")
    assert refusal.fr.endswith("sur chaque titre du groupe : encore 1 sur Shinobi orange 3")
    table.refused("ana", "build", "naruto:food.6", title="orange_3", piece="hotel")
    table.play("ana", "build", title="orange_3")
    (swapped,) = table.play("ana", "build", title="orange_1")
    assert swapped.rule == "naruto:food.6"
    assert (table.houses(*ORANGE), table.hotels(*ORANGE)) == ([0, 4, 4], [True, False, False])
    assert (table.stock(), table.cash("ana")) == ((24, 11), 1300)
    assert costs(table, "orange_1") == (100, 100, 100, 100, 100)


@pytest.mark.rule("naruto:food.7")
def test_nothing_is_added_to_a_bowl() -> None:
    table = orange(5, 4, 4)
    table.refused("ana", "build", "naruto:food.7", title="orange_1")
    table.refused("ana", "build", "naruto:food.7", title="orange_1", piece="house")
    table.refused("ana", "build", "naruto:food.7", title="orange_1", piece="hotel")
    assert table.offers("ana", "build") == [{"title": "orange_2"}, {"title": "orange_3"}]


@pytest.mark.rule("naruto:food.8")
def test_nothing_is_built_while_the_group_has_a_mortgage() -> None:
    table = orange()
    table.mortgaged("orange_3")
    table.refused("ana", "build", "naruto:food.8", title="orange_1")
    assert table.offers("ana", "build") == []
    bowls = orange(4, 4, 4)
    bowls.mortgaged("orange_3")
    bowls.refused("ana", "build", "naruto:food.8", title="orange_1")


@pytest.mark.rule("naruto:food.9")
def test_feeding_waits_neither_for_the_turn_nor_for_the_way_out_of_prison() -> None:
    table = orange()
    table.turn("bob")
    table.jail("ana")
    table.play("ana", "build", title="orange_1")
    assert table.houses("orange_1") == [1]


@pytest.mark.rule("naruto:food.9")
def test_what_is_added_after_a_stop_does_not_raise_its_rent() -> None:
    table = orange(1, 1, 1)
    table.arrive("bob", "orange_1")
    before = table.state.rents[0].amount
    table.play("ana", "build", title="orange_1")
    assert table.state.rents[0].amount == before


@pytest.mark.rule("naruto:quick.3", "naruto:quick.4")
def test_in_the_quick_game_three_onigiris_make_a_bowl() -> None:
    table = orange(3, 3, 2, quick=True)
    table.refused("ana", "build", "naruto:quick.3", title="orange_1", piece="house")
    table.refused("ana", "build", "naruto:quick.4", title="orange_1")
    table.play("ana", "build", title="orange_3")
    (swapped,) = table.play("ana", "build", title="orange_1")
    assert swapped.rule == "naruto:quick.4"
    assert (table.hotels(*ORANGE), table.stock()) == ([True, False, False], (26, 11))
    assert costs(table, "orange_1") == (100, 100, 100, 100)


# Selling: Naruto -----------------------------------------------------------------------------------


@pytest.mark.rule("naruto:sell.1", "naruto:bank.5", "naruto:bank.7")
def test_the_bank_buys_onigiris_back_at_half_price() -> None:
    table = orange(1, 1, 1)
    (sold,) = table.play("ana", "sell_building", title="orange_2")
    assert sold.rule == "naruto:sell.1"
    assert (table.cash("ana"), table.houses(*ORANGE), table.stock()) == (1550, [1, 0, 1], (30, 12))
    table.refused("ana", "sell_building", "naruto:sell.1", title="orange_2")
    table.refused("bob", "sell_building", "naruto:sell.1", title="orange_1")
    assert table.offers("bob", "sell_building") == []


@pytest.mark.rule("naruto:sell.2")
def test_onigiris_are_sold_evenly() -> None:
    table = orange(2, 1, 2)
    table.refused("ana", "sell_building", "naruto:sell.2", title="orange_2")
    assert table.offers("ana", "sell_building") == [{"title": "orange_1"}, {"title": "orange_3"}]
    table.refused("ana", "sell_building", "naruto:sell.2", title="orange_1", amount=2)
    table.play("ana", "sell_building", title="orange_3")
    table.play("ana", "sell_building", title="orange_1")
    assert table.houses(*ORANGE) == [1, 1, 1]
    bowl = orange(5, 4, 4)
    bowl.refused("ana", "sell_building", "naruto:sell.2", title="orange_2")


@pytest.mark.rule("naruto:sell.3")
def test_a_bowl_turns_back_into_four_onigiris() -> None:
    table = orange(5, 5, 5)
    (sold,) = table.play("ana", "sell_building", title="orange_1")
    assert sold.rule == "naruto:sell.3"
    assert (table.houses(*ORANGE), table.hotels(*ORANGE)) == ([4, 0, 0], [False, True, True])
    assert (table.cash("ana"), table.stock()) == (1550, (28, 10))
    assert costs(table, "orange_1") == (100, 100, 100, 100)


@pytest.mark.rule("naruto:sell.3", "naruto:sell.2")
def test_a_bowl_is_sold_with_the_onigiris_that_the_bank_lacks() -> None:
    """Two are left for a bowl beside four and four: ten onigiris lie 4, 3, 3, and ana says where the odd one."""
    table = orange(5, 4, 4)
    table.left(houses=2)
    assert table.offers("ana", "sell_building") == [{"title": "orange_1", "keep": [one]} for one in ORANGE]
    table.refused("ana", "sell_building", "naruto:sell.3", title="orange_1", keep=["orange_1", "orange_2"])
    table.refused("ana", "sell_building", "naruto:sell.3", title="orange_1", keep=["kisame"])
    (broken,) = table.play("ana", "sell_building", title="orange_1", keep=["orange_2"])
    assert broken.rule == "naruto:sell.3"
    assert (table.houses(*ORANGE), table.hotels(*ORANGE)) == ([3, 4, 3], [False, False, False])
    # The bowl and the two onigiris that lack, at 50 each.
    assert (table.cash("ana"), table.stock()) == (1650, (0, 12))
    assert [len(costs(table, one)) for one in ORANGE] == [3, 4, 3]


@pytest.mark.rule("naruto:sell.3", "naruto:sell.2")
def test_more_bowls_are_sold_along_where_the_rest_would_not_lie_evenly() -> None:
    table = orange(5, 5, 5)
    table.left(houses=3)
    table.play("ana", "sell_building", title="orange_1")
    assert (table.houses(*ORANGE), table.hotels(*ORANGE)) == ([1, 1, 1], [False, False, False])
    # Three bowls with twelve onigiris are fifteen pieces; three are left.
    assert (table.cash("ana"), table.stock()) == (1500 + 12 * 50, (0, 12))
    bare = orange(5, 5, 4)
    bare.left(houses=0)
    bare.play("ana", "sell_building", title="orange_2")
    assert bare.houses(*ORANGE) == [1, 1, 2]
    assert bare.cash("ana") == 1500 + (14 - 4) * 50


def test_not_every_legal_way_of_sharing_houses_is_offered() -> None:
    """Seven streets keep 24 houses. So three of them have one house more: 35 ways, and 30 offers."""
    table = Table("monopoly", settings={**settings_of(board_of(17), {}), "houses_stock": 24})
    group = pieces(table.state).members["meadow"]
    table.give("ana", "meadow")
    table.build(**dict(zip(group, (5, 4, 4, 4, 4, 4, 4), strict=True)))
    table.left(houses=0)
    offers, legal = table.offers("ana", "sell_building"), [*building.SellBuilding.legal(table.state, "ana")]
    assert (len(offers), len(legal)) == (30, 35)
    assert offers == legal[:30]
    table.play("ana", "sell_building", **legal[-1])
    assert table.houses(*group) == [3, 3, 3, 3, 4, 4, 4]


@pytest.mark.rule("naruto:quick.6", "naruto:quick.7")
def test_in_the_quick_game_a_bowl_turns_back_into_three_onigiris() -> None:
    table = orange(4, 3, 3, quick=True)
    table.play("ana", "sell_building", title="orange_1")
    assert (table.houses(*ORANGE), table.cash("ana")) == ([3, 3, 3], 1550)
    (sold,) = table.play("ana", "sell_building", title="orange_1")
    assert (sold.rule, table.houses(*ORANGE), table.cash("ana")) == ("naruto:quick.6", [2, 3, 3], 1600)
    assert costs(table, "orange_1") == (100, 100)


@pytest.mark.rule("naruto:sell.1")
def test_what_all_buildings_bring_back() -> None:
    table = orange(5, 4, 4)
    assert building.resale_value(table.state, "ana") == 13 * 50
    assert building.resale_value(table.state, "bob") == 0
    table.play("ana", "sell_building", title="orange_1")


# Monopolys -----------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:atelier.1")
def test_ateliers_need_the_whole_region_without_mortgages() -> None:
    table = monopolys()
    table.give("ana", "odyssa", "phenys")
    table.refused("ana", "build", "monopolys:atelier.1", title="odyssa")
    table.give("ana", "ysbastopol")
    table.mortgaged("phenys")
    table.refused("ana", "build", "monopolys:atelier.1", title="odyssa")


@pytest.mark.rule("monopolys:atelier.2", "monopolys:atelier.3", "monopolys:atelier.4", "monopolys:atelier.5")
def test_the_price_of_an_atelier_rises_around_the_board() -> None:
    table = monopolys()
    steps = {2: (5000, "brown", "light_blue"), 3: (10000, "pink", "orange")}
    steps |= {4: (15000, "red", "yellow"), 5: (20000, "green", "dark_blue")}
    for step, (price, *groups) in steps.items():
        for group in groups:
            table.give("ana", group)
            for title in table.rulebook.blank().edition.pieces.members[group]:
                table.purse("ana", price)
                (built,) = table.play("ana", "build", title=title)
                assert (built.rule, table.cash("ana")) == (f"monopolys:atelier.{step}", 0), title


@pytest.mark.rule("monopolys:atelier.6")
def test_ateliers_are_bought_on_ones_own_turn_only() -> None:
    table = region()
    table.turn("bob")
    table.refused("ana", "build", "monopolys:atelier.6", title="odyssa")
    assert table.offers("ana", "build") == []
    table.turn("ana", thrown=True)
    table.play("ana", "build", title="odyssa")
    table.jail("ana")
    table.play("ana", "build", title="phenys")


@pytest.mark.rule("monopolys:atelier.7", "monopolys:atelier.8")
def test_ateliers_are_bought_and_sold_evenly() -> None:
    table = region(1, 1, 0)
    table.refused("ana", "build", "monopolys:atelier.7", title="odyssa")
    table.refused("ana", "sell_building", "monopolys:sale.3", title="phenys")
    table.play("ana", "build", title="phenys")
    table.play("ana", "build", title="odyssa")
    table.refused("ana", "sell_building", "monopolys:atelier.8", title="phenys")
    table.play("ana", "sell_building", title="odyssa")
    table.play("ana", "sell_building", title="phenys")


@pytest.mark.rule("monopolys:manufacture.1", "monopolys:manufacture.2", "monopolys:manufacture.3")
def test_a_manufacture_takes_the_place_of_four_ateliers() -> None:
    table = region(4, 4, 3)
    table.refused("ana", "build", "monopolys:manufacture.1", title="odyssa")
    table.refused("ana", "build", "monopolys:manufacture.1", title="odyssa", piece="house")
    table.play("ana", "build", title="phenys")
    table.turn("bob")
    table.refused("ana", "build", "monopolys:atelier.6", title="odyssa")
    table.turn("ana")
    (built,) = table.play("ana", "build", title="odyssa")
    assert (built.rule, table.cash("ana")) == ("monopolys:manufacture.2", 130_000)
    assert (table.hotels("odyssa"), table.stock()) == ([True], (24, 11))
    table.refused("ana", "build", "monopolys:manufacture.3", title="odyssa")
    table.refused("ana", "build", "monopolys:manufacture.3", title="odyssa", piece="house")
    table.play("ana", "build", title="phenys")
    assert table.hotels(*REGION) == [True, False, True]


@pytest.mark.rule("monopolys:port.2")
def test_nothing_is_built_in_ports_and_on_mercenaries() -> None:
    table = monopolys()
    table.give("ana", "station", "utility")
    for title in ("tricyclades", "avarys", "charybde"):
        table.refused("ana", "build", "monopolys:port.2", title=title)
        table.refused("ana", "build", "monopolys:port.2", title=title, piece="hotel")


@pytest.mark.rule("monopolys:sale.3")
def test_ateliers_and_manufactures_go_back_to_the_bank_at_half_their_price() -> None:
    table = region(5, 4, 4)
    table.turn("bob")
    (sold,) = table.play("ana", "sell_building", title="odyssa")
    assert (sold.rule, table.cash("ana"), table.houses("odyssa")) == ("monopolys:sale.3", 155_000, [4])
    table.play("ana", "sell_building", title="phenys")
    assert (table.cash("ana"), table.houses(*REGION)) == (160_000, [4, 4, 3])
    table.refused("ana", "propose_trade", "monopolys:sale.3", to="bob", give=[{"commodity": "house", "amount": 1}])
