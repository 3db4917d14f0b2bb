"""IX.C.22 and IX.C.23. The Mortier: three shots at the squares beside, in one turn or in several."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.table.terms import attached
from ledger.rulebooks.negopoly.turns import victory
from tests.tables.negopoly import Table

STREET = "420_rue_des_patates"
"""On square 9; beside it 69 rue des patates (8) and Prison (10)."""

BESIDE = "69_rue_des_patates"


def beside_the_street(*, houses: int = 1, seats: tuple[str, ...] = ("ana", "bob")) -> Table:
    """Ana has rolled to square 8, next to Bob's street, with a Mortier in hand."""
    table = Table(*seats)
    table.own("bob", STREET, houses=houses)
    table.give("ana", "mortier")
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    return table


@pytest.mark.rule("IX.C.22", "IX.C.23", "IX.C.2", "V.B.3", "V.B.8", "V.C.6", "V.C.7")
def test_three_shots_strip_mortgage_and_reset_a_title_in_one_turn() -> None:
    """Bob's street has one house: the first shot takes it, the second mortgages, the third resets; all unpaid.

    The Mortier is used up with the third; a fourth shot is refused, also with another Mortier in hand.
    """
    table = beside_the_street()
    table.give("ana", "mortier")
    assert table.offers("ana", "fire_mortar") == [{"title": STREET, "commodity": "mortier"}]
    table.play("ana", "fire_mortar", title=STREET)
    assert (table.holds(attached(STREET), "house"), table.holds(attached(STREET), "mortgage")) == (0, 0)
    assert (table.holds("ana", "mortier"), table.holds("ana", "mortier_2")) == (1, 1)
    table.play("ana", "fire_mortar", title=STREET)
    assert table.holds(attached(STREET), "mortgage") == 1
    assert table.holds("bob") == 1650
    events = table.play("ana", "fire_mortar", title=STREET)
    assert [(kind_of(event), event.rule) for event in events] == [
        ("mortar_fired", "IX.C.22"),
        ("title_reset", "IX.C.23"),
    ]
    assert table.owner(STREET) is None
    assert (table.holds("ana", "mortier"), table.holds("ana", "mortier_2"), table.holds("ana", "mortier_1")) == (
        1,
        0,
        0,
    )
    assert table.holds("used", "mortier") == 1
    table.own("bob", STREET)
    table.refused("ana", "fire_mortar", "IX.C.22", title=STREET)
    assert not table.offers("ana", "fire_mortar")


@pytest.mark.rule("IX.C.22", "VIII.D.4")
def test_shots_may_be_split_over_titles_and_turns_and_stay_with_the_copy() -> None:
    """Ana fires once and sends the rest express, an object of its own kind: Bob has two shots left."""
    table = beside_the_street(houses=2)
    table.own("ana", "17_rue_des_patates", houses=1)
    table.play("ana", "fire_mortar", title=STREET)
    table.refused("ana", "send_delivery", "VIII.D.4", to="bob", commodity="mortier")
    table.play("ana", "send_delivery", to="bob", commodity="mortier_2", express=True)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", 5)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.own("ana", BESIDE, houses=1)
    table.play("bob", "fire_mortar", title="17_rue_des_patates")
    table.play("bob", "fire_mortar", title=BESIDE)
    assert (table.holds(attached("17_rue_des_patates"), "house"), table.holds(attached(BESIDE), "house")) == (0, 0)
    assert table.holds("bob", "mortier_1") == 0
    table.refused("bob", "fire_mortar", "IX.C.22", title=BESIDE)


@pytest.mark.rule("IX.C.22", "IX.C.2")
def test_one_copy_is_one_weapon_use_and_another_copy_is_another() -> None:
    """With a fresh Mortier and one of a single shot, Ana chooses which one fires, and only that one in a turn.

    Where she does not say, it is the one with most shots.
    """
    table = beside_the_street(houses=4)
    table.give("ana", "mortier_1")
    assert [move["commodity"] for move in table.offers("ana", "fire_mortar")] == ["mortier", "mortier_1"]
    table.play("ana", "fire_mortar", title=STREET, commodity="mortier")
    table.refused("ana", "fire_mortar", "IX.C.2", title=STREET, commodity="mortier_1")
    table.play("ana", "fire_mortar", title=STREET)
    assert (table.holds("ana", "mortier_1"), table.holds("ana", "mortier")) == (2, 0)
    assert table.holds(attached(STREET), "house") == 2
    unsaid = beside_the_street(houses=4)
    unsaid.give("ana", "mortier_1")
    unsaid.play("ana", "fire_mortar", title=STREET)
    assert [unsaid.holds("ana", copy) for copy in ("mortier", "mortier_2", "mortier_1")] == [0, 1, 1]


@pytest.mark.rule("IX.C.22")
def test_it_reaches_the_two_squares_beside_and_not_ones_own() -> None:
    """On square 8 Ana hits 9, not 8 itself and not 6; a title of the bank is no target."""
    table = beside_the_street()
    table.own("bob", BESIDE, "17_rue_des_patates", houses=1)
    table.play("ana", "resolve_square")
    table.refused("ana", "fire_mortar", "IX.C.22", title=BESIDE)
    table.refused("ana", "fire_mortar", "IX.C.22", title="17_rue_des_patates")
    table.refused("ana", "fire_mortar", "IX.C.22", title="nuketown")
    assert table.holds("ana", "mortier") == 1


@pytest.mark.rule("IX.C.23")
def test_a_mortgaged_title_is_reset_even_with_houses() -> None:
    """Bob's mortgaged street with three houses goes back to the bank with the first shot."""
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=3, mortgaged=True)
    table.give("ana", "mortier")
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "fire_mortar", title=STREET)
    assert table.owner(STREET) is None
    assert table.holds(attached(STREET), "house") == 0


@pytest.mark.rule("IX.C.2", "II.B.10")
def test_a_shot_is_a_weapon_use() -> None:
    """After a shot Ana may fire no RPG-7, and before her roll no shot."""
    table = beside_the_street(houses=2)
    table.give("ana", "rpg7")
    table.play("ana", "fire_mortar", title=STREET)
    table.refused("ana", "fire_rpg", "IX.C.2", title=STREET, dice=[1])
    table.play("ana", "end_turn")
    table.refused("ana", "fire_mortar", "II.B.10", title=STREET)
    table.turn("bob", 1, 2)
    table.refused("ana", "fire_mortar", "II.B.10", title=STREET)


@pytest.mark.rule("IX.B.14", "IX.C.22")
def test_a_security_team_stops_one_shot() -> None:
    """Bob stops the first shot with his only team; the second takes his house."""
    table = beside_the_street()
    table.give("bob", "security_team")
    table.play("ana", "fire_mortar", title=STREET)
    (question,) = table.state.questions
    table.play("bob", "answer", question=question.id, answer="use")
    assert table.holds(attached(STREET), "house") == 1
    table.play("ana", "fire_mortar", title=STREET)
    while table.state.questions:
        table.play("bob", "answer", question=table.state.questions[0].id, answer="no")
    assert table.holds(attached(STREET), "house") == 0
    assert table.holds("ana", "mortier_1") == 1


@pytest.mark.rule("IX.C.22", "VI.E.1")
def test_a_partly_fired_copy_is_worth_its_shots() -> None:
    """In the net worth two shots count 266 ₦ of the 400, one 133; the police give half of that."""
    table = beside_the_street(houses=2)
    table.play("ana", "fire_mortar", title=STREET)
    lines = {asset.what: asset.value for asset in victory.net_worth(table.state, "ana")}
    assert lines["mortier_2"] == 266
    table.play("ana", "fire_mortar", title=STREET)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.place("ana", 28)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "sell_item_to_police", commodity="mortier_1")
    assert table.holds("ana") == 1650 + 66


@pytest.mark.rule("IX.C.22", "IX.C.3")
def test_a_spent_copy_goes_back_to_a_shop_that_restocks() -> None:
    """Where used copies return (restock_used), the bar has its second Mortier back after the third shot."""
    table = Table("ana", "bob", settings={"restock_used": True})
    table.own("bob", STREET, houses=3)
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "buy_weapon", commodity="mortier")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    for left in (1, 1, 2):
        table.play("ana", "fire_mortar", title=STREET)
        assert table.holds("shop:bar", "mortier") == left
    assert table.holds("used", "mortier") == 0


@pytest.mark.rule("IX.C.22", "IX.C.3")
def test_a_copy_that_was_never_sold_does_not_go_to_the_shop() -> None:
    """A card gave Ana a Mortier with one shot left: it is gone with it, and the bar keeps its one Mortier."""
    table = Table("ana", "bob", settings={"restock_used": True})
    table.own("bob", STREET, houses=1)
    table.give("bob", "mortier", source="shop:bar")
    table.give("ana", "mortier_1")
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "fire_mortar", title=STREET)
    assert table.holds(attached(STREET), "house") == 0
    assert [table.holds(holder, "mortier") for holder in ("shop:bar", "bob", "used")] == [1, 1, 0]
    assert table.holds("ana", "mortier_1") == 0


@pytest.mark.rule("IX.C.22", "VI.F.4")
def test_a_partly_fired_copy_is_an_illicit_weapon_at_a_check() -> None:
    """Without a licence Ana's Mortier of two shots is confiscated on a checkpoint."""
    table = beside_the_street(houses=2)
    table.play("ana", "fire_mortar", title=STREET)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.place("ana", 2)
    table.turn("ana", 1, 1)
    assert (table.holds("ana", "mortier_2"), table.holds("police", "mortier_2")) == (0, 1)
