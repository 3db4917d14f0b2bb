"""The targets of the card operations: every target that a table's own card may name, one scenario each.

Ana draws the card "own" on Chance 7; Bob and Cleo stand on Spawn. She is asked for a chosen player.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import NO_DECKS, Table

STREET = "69_rue_des_patates"  # square 8
SEATS = ("ana", "bob", "cleo")

DRAWN = [
    ("drawer", {"ana"}),
    ("chosen", {"cleo"}),
    ("each_other", {"bob", "cleo"}),
    ("all", {"ana", "bob", "cleo"}),
]
"""Each target, and the players it means when Ana draws the card and names Cleo if she is asked."""


def own_card(*effects: dict[str, Any], perks: dict[str, str] | None = None) -> Table:
    """Ana has stopped on Chance, at a table whose one card has these effects."""
    own = {"id": "own", "title": "Own", "effects": list(effects)}
    table = Table(*SEATS, settings={"decks": {**NO_DECKS, "chance": [own]}}, perks=perks)
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def draw(table: Table, *answers: str) -> None:
    """Ana draws the card and names its target if she is asked."""
    table.play("ana", "resolve_square", draws=["own"])
    for answer in answers:
        (question,) = table.state.questions
        assert (question.seat, question.rule) == ("ana", "II.B.7")
        table.play("ana", "answer", question=question.id, answer=answer)
    assert table.state.questions == []


def named(target: str) -> tuple[str, ...]:
    """Ana's answer: Cleo, if a player must be chosen."""
    return ("cleo",) if target == "chosen" else ()


def balances(table: Table) -> list[int]:
    return [table.holds(seat) for seat in SEATS]


@pytest.mark.rule("I.B.3")
@pytest.mark.parametrize(
    ("source", "to", "after"),
    [
        ("bank", "drawer", [1657, 1650, 1650]),
        ("bank", "each_other", [1650, 1657, 1657]),
        ("bank", "chosen", [1650, 1650, 1657]),
        ("drawer", "bank", [1643, 1650, 1650]),
        ("drawer", "each_other", [1636, 1657, 1657]),
        ("drawer", "chosen", [1643, 1650, 1657]),
        ("each_other", "bank", [1650, 1643, 1643]),
        ("each_other", "drawer", [1664, 1643, 1643]),
        ("chosen", "bank", [1650, 1650, 1643]),
        ("chosen", "drawer", [1657, 1650, 1643]),
    ],
)
def test_pay_from_whom_to_whom(source: str, to: str, after: list[int]) -> None:
    """7 ₦ between any two sides, one of which is the bank or Ana."""
    table = own_card({"op": "pay", "from": source, "to": to, "amount": 7})
    draw(table, *named("chosen" if "chosen" in (source, to) else ""))
    assert balances(table) == after


@pytest.mark.rule("I.B.3")
@pytest.mark.parametrize(("per", "count"), [("house", 5), ("title", 2), ("dose", 3), ("weapon", 4)])
@pytest.mark.parametrize("to", ["bank", "chosen"])
def test_pay_per_what_is_owned(per: str, count: int, to: str) -> None:
    """11 ₦ for each of Ana's five houses, two titles, three doses, or four weapons (Game Enders count)."""
    table = own_card({"op": "pay_per", "per": per, "amount": 11, "to": to}, perks={"ana": "doses"})
    table.own("ana", STREET, houses=3)
    table.own("ana", "nuketown", houses=2)
    for weapon in ("rpg7", "c4", "mortier_1", "satan2"):
        table.give("ana", weapon)
    table.give("ana", "tank")
    draw(table, *named(to))
    assert balances(table) == [1500 - 11 * count, 1650, 1650 + (11 * count if to == "chosen" else 0)]


@pytest.mark.rule("III.C.2")
@pytest.mark.parametrize(
    ("kind", "square"),
    [
        ("spawn", 0), ("prison", 10), ("hopital", 20), ("comico", 30), ("bar", 25), ("nc_custom", 15),
        ("kamtar", 35), ("chance", 17), ("checkpoint", 12),
    ],
)  # fmt: skip
def test_teleport_goes_to_the_next_square_of_each_kind(kind: str, square: int) -> None:
    """Ahead of Chance 7, her own square excepted; Spawn pays."""
    table = own_card({"op": "teleport", "to": kind})
    draw(table)
    assert (table.state.positions["ana"], table.holds("ana")) == (square, 1650 + (250 if kind == "spawn" else 0))


@pytest.mark.rule("III.C.2", "II.B.7")
def test_teleport_to_ones_own_title_asks_for_it() -> None:
    """Of Ana's two titles, the one she names; the token stops there, and she may build."""
    table = own_card({"op": "teleport", "to": "own_title"})
    table.own("ana", STREET, "nuketown")
    draw(table, "nuketown")
    assert table.state.positions["ana"] == 11
    table.play("ana", "build_house", title="nuketown")
    assert table.holds("ana") == 1550


@pytest.mark.rule("III.C.1", "II.D.4", "III.B.6")
def test_teleport_by_a_card_kept_for_any_moment_takes_the_place_of_a_roll_still_due() -> None:
    """In Ana's turn, after a dose too, it leaves her no roll; in Bob's it puts her on the bar, for nothing."""
    own = {
        "id": "own",
        "title": "Own",
        "keep": True,
        "timing": "any_time",
        "effects": [{"op": "teleport", "to": "bar"}],
    }
    table = Table(*SEATS, settings={"decks": {**NO_DECKS, "kamtar": [own]}}, perks={"ana": "doses"})
    table.give("ana", "card:own", source="deck:kamtar")
    table.play("ana", "consume_dose", dice=[5])
    table.play("ana", "play_card", card="own")
    assert table.state.positions["ana"] == 5
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
    table.play("ana", "take_service", service="kidnapping")
    table.play("ana", "end_turn")
    table.give("ana", "card:own", source="discard:kamtar")
    table.play("ana", "play_card", card="own")
    assert table.state.positions["ana"] == 25
    table.refused("ana", "take_service", "II.2", service="kidnapping")
    table.play("bob", "roll_dice", dice=[1, 2])


@pytest.mark.rule("VI.C.1")
@pytest.mark.parametrize(("target", "hit"), DRAWN)
def test_hospital_for_each_target(target: str, hit: set[str]) -> None:
    table = own_card({"op": "hospital", "target": target})
    draw(table, *named(target))
    assert {seat for seat in SEATS if table.state.positions[seat] == 20} == hit


@pytest.mark.rule("VI.D.1")
@pytest.mark.parametrize(("target", "hit"), DRAWN)
def test_arrest_for_each_target(target: str, hit: set[str]) -> None:
    """Nothing is looked for: whoever carries doses keeps them."""
    table = own_card({"op": "arrest", "target": target}, perks=dict.fromkeys(SEATS, "doses"))
    draw(table, *named(target))
    assert {seat for seat in SEATS if table.state.positions[seat] == 10} == hit
    assert [table.holds(seat, "dose") for seat in SEATS] == [3, 3, 3]


@pytest.mark.rule("VI.F.3", "VI.F.4")
@pytest.mark.parametrize(("target", "hit"), DRAWN)
def test_police_check_for_each_target(target: str, hit: set[str]) -> None:
    """Everybody carries doses: those who are checked lose them and go to Prison."""
    table = own_card({"op": "police_check", "target": target}, perks=dict.fromkeys(SEATS, "doses"))
    draw(table, *named(target))
    assert {seat for seat in SEATS if table.state.positions[seat] == 10} == hit
    assert {seat for seat in SEATS if not table.holds(seat, "dose")} == hit
    assert table.holds("police", "dose") == 3 * len(hit)


@pytest.mark.rule("VI.F.6")
@pytest.mark.parametrize(("target", "hit"), DRAWN)
def test_warrants_for_each_target(target: str, hit: set[str]) -> None:
    """Issued against them; and of three who are wanted, lifted from them."""
    table = own_card({"op": "warrant", "target": target, "on": True})
    draw(table, *named(target))
    assert table.state.wanted == hit
    table = own_card({"op": "warrant", "target": target, "on": False})
    with table.arranged() as state:
        state.wanted |= set(SEATS)
    draw(table, *named(target))
    assert table.state.wanted == set(SEATS) - hit


@pytest.mark.rule("II.B.5")
@pytest.mark.parametrize(("target", "hit"), DRAWN)
def test_roll_modifiers_for_each_target(target: str, hit: set[str]) -> None:
    """Two more on the next roll of each, Ana's of the next round included, since she has rolled in this one."""
    table = own_card({"op": "roll_modifier", "target": target, "add": 2})
    draw(table, *named(target))
    assert table.state.roll_changes == dict.fromkeys(hit, 2)
    table.play("ana", "end_turn")
    for seat in ("bob", "cleo", "ana"):
        table.place(seat, 10)
        table.turn(seat, 4, 4)
    assert {seat for seat in SEATS if table.state.positions[seat] == 20} == hit
    assert {seat for seat in SEATS if table.state.positions[seat] == 18} == set(SEATS) - hit


@pytest.mark.rule("VII.1")
@pytest.mark.parametrize("item", ["dose", "c4", "mortier", "satan2", "tank", "ordonnance"])
def test_gain_of_goods_of_every_sort(item: str) -> None:
    """Two from the bank, which leaves the stock of the shops alone."""
    table = own_card({"op": "gain", "item": item, "qty": 2})
    shops = [table.holds(shop, item) for shop in ("shop:bar", "shop:nc_custom")]
    bank = table.holds("bank", item)
    draw(table)
    assert (table.holds("ana", item), table.holds("bank", item)) == (2, bank - 2)
    assert [table.holds(shop, item) for shop in ("shop:bar", "shop:nc_custom")] == shops


@pytest.mark.rule("V.C.5", "V.B.3")
@pytest.mark.parametrize(("target", "title"), [("own_choice", "nuketown"), ("other_choice", "hijacked")])
def test_houses_fall_and_titles_are_mortgaged_on_either_side(target: str, title: str) -> None:
    """Of two titles on that side the one named: two of its three houses fall, as many as stand at most."""
    for qty, left in ((2, 1), (9, 0)):
        table = own_card({"op": "destroy_house", "target": target, "qty": qty})
        table.own("ana", STREET, "nuketown", houses=3)
        table.own("bob", "hijacked", houses=3)
        table.own("cleo", "bassland", houses=3)
        draw(table, title)
        assert table.holds(attached(title), "house") == left
        assert sum(
            table.holds(attached(one), "house") for one in (STREET, "nuketown", "hijacked", "bassland")
        ) == (9 + left)
    table = own_card({"op": "mortgage", "target": target})
    table.own("ana", STREET, "nuketown")
    table.own("bob", "hijacked")
    table.own("cleo", "bassland")
    draw(table, title)
    mortgaged = [
        one for one in (STREET, "nuketown", "hijacked", "bassland") if table.holds(attached(one), "mortgage")
    ]
    assert (mortgaged, balances(table)) == ([title], [1650, 1650, 1650])


@pytest.mark.rule("V.C.3", "II.B.7")
def test_free_houses_are_built_one_by_one_on_the_title_named() -> None:
    """Three for nothing on Nuketown, whose houses cost 100 ₦ each."""
    table = own_card({"op": "build", "target": "own_choice", "qty": 3})
    table.own("ana", STREET, "nuketown", houses=1)
    draw(table, "nuketown")
    assert (table.holds(attached("nuketown"), "house"), table.holds(attached(STREET), "house")) == (4, 1)
    assert table.holds("ana") == 1650


@pytest.mark.rule("VIII.D.7")
def test_nobody_intercepts_what_is_for_them_anyway() -> None:
    """Bob's first delivery is for Ana, his second for Cleo: Ana takes the second; the first comes later."""
    table = Table("bob", "ana", "cleo", decks=True)
    table.hand("ana", "kamtar_06")
    table.give("bob", "dose", 5)
    table.play("bob", "send_delivery", to="ana", commodity="dose", amount=1)
    table.play("bob", "send_delivery", to="cleo", commodity="dose", amount=4)
    table.play("ana", "play_card", card="kamtar_06", target="bob")
    assert table.holds("ana", "dose") == 4
    for seat in ("bob", "ana", "cleo"):
        table.turn(seat, 1, 2)
    assert (table.holds("ana", "dose"), table.holds("cleo", "dose")) == (5, 0)


@pytest.mark.rule("VIII.D.7", "II.B.7")
def test_a_drawn_card_may_take_a_delivery_off_the_road() -> None:
    """Cleo's doses for Bob go to Ana, who names Cleo; Bob's for Ana would reach her anyway."""
    table = own_card({"op": "intercept", "what": "delivery"}, perks={"bob": "doses", "cleo": "doses"})
    table.play("ana", "resolve_square", draws=["own"])
    (question,) = table.state.questions
    table.play("ana", "answer", question=question.id, answer="bob")
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (0, 3)
    table.play("ana", "end_turn")
    table.play("bob", "send_delivery", to="ana", commodity="dose", amount=1)
    table.turn("bob", 1, 2)
    table.play("cleo", "send_delivery", to="bob", commodity="dose", amount=2)
    table.turn("cleo", 1, 2)
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    draw(table, "cleo")
    assert table.holds("ana", "dose") == 2
    table.play("ana", "end_turn")
    assert (table.holds("ana", "dose"), table.holds("cleo", "dose")) == (3, 1)
