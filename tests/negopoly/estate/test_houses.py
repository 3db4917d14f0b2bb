"""V.C: houses are built one by one by the owner in their own turn, and each destruction takes one."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.negopoly.estate.houses import HouseBuilt, HouseDestroyed
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import STREET, Table


@pytest.mark.rule("V.C.1")
def test_the_owner_builds_at_the_cost_of_the_table() -> None:
    """Ana owns one street of three: that is enough to build for 50 ₦ to the bank; at l'Elysée it is 150 ₦."""
    table = Table("ana", "bob")
    table.own("ana", STREET, "elysee")
    bank = table.holds("bank")
    (built,) = table.play("ana", "build_house", title=STREET)
    assert isinstance(built, HouseBuilt)
    assert (built.cost, built.houses) == (50, 1)
    assert table.holds(attached(STREET), "house") == 1
    assert table.seen_by("bob") == [built]
    table.play("ana", "build_house", title="elysee")
    assert table.holds("ana") == 1650 - 50 - 150
    assert table.holds("bank") == bank + 200


@pytest.mark.rule("V.C.1")
def test_nobody_builds_on_a_title_of_another_or_of_the_bank_or_without_the_money() -> None:
    """Bob's street and the bank's Nuketown are not Ana's to build on; with 49 ₦ she cannot build on her own."""
    table = Table("ana", "bob")
    table.own("bob", STREET)
    table.own("ana", "420_rue_des_patates")
    assert "Bob" in table.refused("ana", "build_house", "V.C.1", title=STREET).en
    assert "bank" in table.refused("ana", "build_house", "V.C.1", title="nuketown").en
    table.take("ana", "NGD", 1650 - 49)
    table.refused("ana", "build_house", "V.C.1", title="420_rue_des_patates")
    table.give("ana", "NGD", 1)
    table.play("ana", "build_house", title="420_rue_des_patates")
    assert table.holds("ana") == 0


@pytest.mark.rule("V.C.1")
def test_nothing_is_built_on_a_squatted_title() -> None:
    """Squatters sit on Ana's street: she cannot build until they are gone."""
    table = Table("ana", "bob")
    table.own("ana", STREET)
    table.attach(STREET, "squat")
    table.refused("ana", "build_house", "IX.B.7", title=STREET)
    with table.arranged() as state:
        state.holdings.post(Posting("squat", 1, attached(STREET), "bank"))
    table.play("ana", "build_house", title=STREET)
    assert table.holds(attached(STREET), "house") == 1


@pytest.mark.rule("V.C.2", "V.C.3")
def test_houses_come_one_at_a_time_up_to_five() -> None:
    """Ana builds five houses one after the other in the same turn; the sixth is refused."""
    table = Table("ana", "bob")
    table.own("ana", STREET)
    for number in range(1, 6):
        (built,) = table.play("ana", "build_house", title=STREET)
        assert isinstance(built, HouseBuilt)
        assert built.houses == number
        assert table.holds(attached(STREET), "house") == number
    table.refused("ana", "build_house", "V.C.2", title=STREET)
    assert table.holds("ana") == 1650 - 5 * 50


@pytest.mark.rule("V.C.3")
def test_an_action_builds_one_house_and_no_more() -> None:
    """There is no way to ask for three houses at once."""
    table = Table("ana", "bob")
    table.own("ana", STREET)
    table.malformed("ana", "build_house", title=STREET, quantity=3)
    table.play("ana", "build_house", title=STREET)
    assert table.holds(attached(STREET), "house") == 1


@pytest.mark.rule("V.C.1", "V.C.3")
def test_building_need_not_be_even() -> None:
    """Ana has three houses on one street and none on its neighbour: she may add a fourth to the first."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=3)
    table.own("ana", "69_rue_des_patates")
    table.play("ana", "build_house", title=STREET)
    assert table.holds(attached(STREET), "house") == 4


@pytest.mark.rule("V.C.4", "II.B.2")
def test_an_owner_builds_in_their_own_turn_only_before_or_after_the_roll() -> None:
    """Bob cannot build in Ana's turn; in his own he builds before his roll and after it."""
    table = Table("ana", "bob")
    table.own("bob", STREET)
    table.refused("bob", "build_house", "V.C.4", title=STREET)
    table.turn("ana", 1, 2)
    table.play("bob", "build_house", title=STREET)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "build_house", title=STREET)
    table.play("bob", "end_turn")
    table.refused("bob", "build_house", "V.C.4", title=STREET)
    assert table.holds(attached(STREET), "house") == 2


@pytest.mark.rule("V.C.5", "V.C.6")
def test_an_owner_takes_down_one_house_at_a_time_without_refund() -> None:
    """Ana destroys one of her three houses: two stand, the house is the bank's, her balance has not moved."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=3)
    (destroyed,) = table.play("ana", "destroy_house", title=STREET)
    assert isinstance(destroyed, HouseDestroyed)
    assert (destroyed.cause, destroyed.count, destroyed.houses) == ("owner", 1, 2)
    assert table.holds(attached(STREET), "house") == 2
    assert table.holds("bank", "house") == -2
    assert table.holds("ana") == 1650
    assert table.seen_by(None) == [destroyed]


@pytest.mark.rule("V.C.5", "V.C.6")
def test_no_other_player_destroys_a_house_and_an_empty_title_has_none_to_lose() -> None:
    """Bob has no way to touch Ana's house; once she has taken it down, a further destruction is refused."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=1)
    table.turn("ana", 1, 2)
    table.refused("bob", "destroy_house", "V.D.5", title=STREET)
    assert table.holds(attached(STREET), "house") == 1
    table.turn("bob", 1, 2)
    table.play("ana", "destroy_house", title=STREET)
    table.refused("ana", "destroy_house", "V.D.5", title=STREET)
    assert table.holds(attached(STREET), "house") == 0
    assert table.holds(attached(STREET), "mortgage") == 0
    assert table.owner(STREET) == "ana"
