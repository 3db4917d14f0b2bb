"""IX.C.1 to IX.C.5, IX.C.10, IX.D.1 and II.B.10. The weapons of the bar, and one weapon use a turn."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.table.pieces import ARSENAL, ITEMS
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import JAUNE, Table


def at_the_bar(*seats: str, money: int = 0, settings: dict[str, object] | None = None) -> Table:
    """Ana has rolled to the western bar (5), with so much more money."""
    table = Table(*(seats or ("ana", "bob")), settings=settings)
    if money:
        table.give("ana", "NGD", money)
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    return table


@pytest.mark.rule("IX.C.1", "IX.A.1")
def test_every_weapon_has_its_tier_and_is_sold_at_the_bar() -> None:
    """RPG-7 and C4 are of tier 0, then one weapon a tier up to the Rods; Game Enders have none."""
    assert {weapon.id: weapon.tier for weapon in ARSENAL.values()}.items() >= {
        "rpg7": 0,
        "c4": 0,
        "glock26": 1,
        "ar15": 2,
        "mortier": 3,
        "bombe_iem": 4,
        "artillerie": 5,
        "rods_from_gods": 6,
        "satan2": None,
        "la_peste": None,
    }.items()
    sold = {item.id for item in ITEMS.values() if item.sold_at == "bar" and item.category != "mercenary"}
    assert set(ARSENAL) == sold
    table = at_the_bar(money=20_000)
    offered = [move["commodity"] for move in table.offers("ana", "buy_weapon")]
    assert offered == list(ARSENAL)
    for weapon in offered:
        table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 1650 + 20_000 - sum(ITEMS[weapon].price for weapon in offered)
    assert all(table.holds("ana", weapon) == 1 for weapon in offered)


@pytest.mark.rule("IX.C.5")
def test_an_rpg_costs_150_and_never_runs_out() -> None:
    """Ten at 150 ₦ each, and the eleventh costs no more."""
    table = at_the_bar(money=1000)
    table.play("ana", "buy_weapon", commodity="rpg7", amount=10)
    assert (table.holds("ana"), table.holds("ana", "rpg7")) == (1650 + 1000 - 1500, 10)
    table.play("ana", "buy_weapon", commodity="rpg7")
    assert table.holds("ana") == 1000


@pytest.mark.rule("IX.C.3", "IX.C.4")
@pytest.mark.parametrize(
    ("weapon", "first", "last"),
    [
        pytest.param("glock26", 200, 250, marks=pytest.mark.rule("IX.C.18")),
        pytest.param("ar15", 400, 500, marks=pytest.mark.rule("IX.C.21")),
        pytest.param("mortier", 400, 500, marks=pytest.mark.rule("IX.C.22")),
        pytest.param("bombe_iem", 400, 500, marks=pytest.mark.rule("IX.C.24")),
        pytest.param("artillerie", 600, 750, marks=pytest.mark.rule("IX.C.28")),
        pytest.param("rods_from_gods", 1500, 1875, marks=pytest.mark.rule("IX.C.29")),
    ],
)
def test_two_copies_are_sold_the_last_one_at_a_quarter_more(weapon: str, first: int, last: int) -> None:
    """The first copy costs its list price, the second 25 % more, and there is no third."""
    table = at_the_bar(money=5000)
    table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 6650 - first
    table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 6650 - first - last
    table.refused("ana", "buy_weapon", "IX.C.3", commodity=weapon)
    assert table.holds("shop:bar", weapon) == 0


@pytest.mark.rule("IX.C.3", "IX.C.2")
def test_used_copies_do_not_return_to_the_stock() -> None:
    """Both Glocks are sold and one is fired: the bar still has none, until the table wants used copies back."""
    for restock, left in ((False, 0), (True, 1)):
        table = at_the_bar(settings={"restock_used": restock})
        table.place("bob", 5)
        table.play("ana", "buy_weapon", commodity="glock26", amount=2)
        table.play("ana", "use_glock", target="bob", dice=[1])
        assert table.holds("shop:bar", "glock26") == left
        assert table.holds("used", "glock26") == 1 - left


@pytest.mark.rule("IX.D.1", "IX.C.4", "IX.C.3")
@pytest.mark.parametrize(
    ("weapon", "first", "last"),
    [
        pytest.param("satan2", 5000, 6250, marks=pytest.mark.rule("IX.D.2")),
        pytest.param("la_peste", 7000, 8750, marks=pytest.mark.rule("IX.D.3")),
    ],
)
def test_game_enders_are_sold_like_weapons_but_without_the_reduction_of_jaune(
    weapon: str, first: int, last: int
) -> None:
    """Ana holds the Jaune quarter: she pays a Game Ender in full anyway, the last copy a quarter more."""
    table = at_the_bar(money=20_000)
    table.own("ana", *JAUNE)
    table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 21_650 - first
    table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 21_650 - first - last
    table.refused("ana", "buy_weapon", "IX.C.3", commodity=weapon)


@pytest.mark.rule("V.E.11", "IX.C.4", "IX.C.10")
@pytest.mark.parametrize(
    ("weapon", "first", "last"),
    [
        ("rpg7", 113, 113),
        ("c4", 30, 60),
        ("glock26", 150, 188),
        ("ar15", 300, 375),
        ("mortier", 300, 375),
        ("bombe_iem", 300, 375),
        ("artillerie", 450, 563),
        ("rods_from_gods", 1125, 1407),
    ],
)
def test_the_owner_of_jaune_pays_a_quarter_less_rounded_up_once(weapon: str, first: int, last: int) -> None:
    """The reduction meets the surcharge of the last copy: base × 1.25 × 0.75, rounded up once."""
    table = at_the_bar(money=5000)
    table.own("ana", *JAUNE)
    table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 6650 - first
    table.play("ana", "buy_weapon", commodity=weapon)
    assert table.holds("ana") == 6650 - first - last


@pytest.mark.rule("V.E.12", "IX.A.2", "IX.D.1")
def test_the_owner_of_jaune_buys_weapons_in_crossing_a_bar() -> None:
    """Ana crosses the western bar: she buys a Glock and Satan2 in passing; Bob, without Jaune, is refused."""
    table = Table("ana", "bob")
    table.own("ana", *JAUNE)
    table.give("ana", "NGD", 5000)
    table.place("ana", 2)
    table.play("ana", "roll_dice", dice=[6, 3])
    table.play("ana", "buy_weapon", commodity="glock26")
    table.play("ana", "buy_weapon", commodity="satan2")
    assert table.holds("ana") == 6650 - 150 - 5000
    table.play("ana", "resolve_square")
    table.refused("ana", "buy_weapon", "V.E.12", commodity="rpg7")
    table.play("ana", "end_turn")
    table.place("bob", 2)
    table.play("bob", "roll_dice", dice=[6, 3])
    table.refused("bob", "buy_weapon", "IX.A.2", commodity="glock26")


@pytest.mark.rule("V.E.12")
def test_crossing_a_square_beside_the_bar_is_not_enough() -> None:
    """Ana, with Jaune, starts on the bar and crosses only what lies behind it: refused."""
    table = Table("ana", "bob")
    table.own("ana", *JAUNE)
    table.place("ana", 5)
    table.play("ana", "roll_dice", dice=[4, 5])
    table.refused("ana", "buy_weapon", "V.E.12", commodity="glock26")


@pytest.mark.rule("IX.A.2", "II.B.3")
def test_weapons_are_sold_after_a_stop_at_the_bar_only() -> None:
    """Before the roll on the bar of an earlier turn, and two squares away after it, nothing is sold."""
    table = Table("ana", "bob")
    table.place("ana", 5)
    table.refused("ana", "buy_weapon", "II.B.3", commodity="rpg7")
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "buy_weapon", "IX.A.2", commodity="rpg7")
    assert not table.offers("ana", "buy_weapon")


@pytest.mark.rule("IX.A.1", "I.C.6")
def test_a_weapon_is_paid_at_once_and_in_secret() -> None:
    """Rods are beyond Ana's means; the Glock she buys nobody else sees."""
    table = at_the_bar()
    table.take("ana", "NGD", 1000)
    table.refused("ana", "buy_weapon", "IX.A.1", commodity="rods_from_gods")
    table.play("ana", "buy_weapon", commodity="glock26")
    assert table.seen_by("bob") == []
    assert [event.rule for event in table.seen_by("ana")] == ["IX.A.1"]


@pytest.mark.rule("VIII.D.6", "IX.C.10")
def test_charges_bought_for_another_player_are_priced_by_their_inventory() -> None:
    """Bob holds two charges: the one that Ana, who has none, buys for him costs 120 ₦."""
    table = at_the_bar()
    table.give("bob", "c4", 2)
    table.play("ana", "buy_for_player", to="bob", commodity="c4")
    assert (table.holds("ana"), table.holds("bob", "c4")) == (1650 - 120, 3)


@pytest.mark.rule("IX.C.2", "II.B.10", "V.C.5")
def test_one_weapon_a_turn_and_the_next_turn_another() -> None:
    """Ana fires artillery at one title; her second piece waits for her next turn."""
    table = Table("ana", "bob")
    table.own("bob", "negoplaza", "lbtrd_tower", houses=2)
    table.give("ana", "artillerie", 2)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "fire_artillery", title="negoplaza")
    refusal = table.refused("ana", "fire_artillery", "IX.C.2", title="lbtrd_tower")
    assert "1" in refusal.en
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "fire_artillery", title="lbtrd_tower")
    assert table.holds(attached("lbtrd_tower"), "house") == 0


@pytest.mark.rule("II.B.11")
@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("fire_rpg", {"title": "negotown", "dice": [1]}),
        ("use_glock", {"target": "bob", "dice": [1]}),
        ("use_ar15", {}),
        ("fire_mortar", {"title": "negotown"}),
        ("use_emp", {}),
        ("fire_artillery", {"title": "negotown"}),
        ("fire_rods", {"quarter": "marron"}),
        ("use_game_ender", {"commodity": "satan2"}),
        ("use_game_ender", {"commodity": "la_peste", "survivors": ["ana", "bob"]}),
    ],
)
def test_nobody_uses_a_weapon_they_do_not_hold(kind: str, params: dict[str, object]) -> None:
    """Beside Bob and his house Ana has everything but the weapon, which Bob holds."""
    table = Table("ana", "bob")
    table.own("bob", "negotown", houses=1)
    for weapon in ARSENAL:
        table.give("bob", weapon)
    table.place("bob", 2)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 1])
    refusal = table.refused("ana", kind, "II.B.11", **params)
    assert refusal.en.startswith("Ana has 0 × ")
    assert not table.offers("ana", kind)


@pytest.mark.rule("II.B.10")
def test_the_banker_may_waive_the_one_weapon_rule() -> None:
    """With a reason the second weapon is fired anyway, and the waiver is kept with it."""
    table = Table("ana", "bob")
    table.own("bob", "negoplaza", "lbtrd_tower", houses=2)
    table.give("ana", "artillerie", 2)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "fire_artillery", title="negoplaza")
    table.play("ana", "fire_artillery", override="a bet", title="lbtrd_tower")
    assert table.last is not None
    assert [warning.rule for warning in table.last.warnings] == ["IX.C.2"]
