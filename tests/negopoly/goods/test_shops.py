"""VIII.A and IX.C.3–4. The stock of the shops, the price of the last copy, and the way of used copies."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.journal.sight import redact_for_dry_run
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.table.pieces import ARSENAL, ITEMS, VEHICLES
from tests.golden import entries_of, fold
from tests.tables.negopoly import BAR, HOPITAL, JAUNE, NC_CUSTOM, Table, drives, dropping, say, touched

TIERS_OF_VEHICLES = {
    "trottinette": (0, 150, 188),
    "exosquelette": (0, 150, 188),
    "automobile": (1, 250, 313),
    "helicoptere": (2, 400, 500),
    "tank": (3, 450, 563),
    "avion_de_chasse": (4, 600, 750),
    "teleporteur": (5, 800, 1000),
}
"""Each vehicle: its tier, its price, and the price of the last copy."""
SCARCE_WEAPONS = [weapon for weapon in ARSENAL if ITEMS[weapon].stock > 0]
"""The weapons of which the bar has only so many."""


def at_the_dealer(*seats: str, money: int = 20_000, settings: dict[str, object] | None = None) -> Table:
    """Ana stops on NC Custom with plenty of money."""
    table = Table(*(seats or ("ana", "bob")), settings=settings)
    table.give("ana", "NGD", money)
    table.place("ana", NC_CUSTOM - 5)
    table.play("ana", "roll_dice", dice=[2, 3])
    return table


def at_the_bar(*, jaune: bool = False, settings: dict[str, object] | None = None) -> Table:
    """Ana stops at the western bar with plenty of money, and with the Jaune quarter if `jaune`."""
    table = Table("ana", "bob", settings=settings)
    table.give("ana", "NGD", 50_000)
    if jaune:
        table.own("ana", *JAUNE)
    table.play("ana", "roll_dice", dice=[2, 3])
    return table


def copies(table: Table, item: str) -> dict[str, int]:
    """The holders of copies of the item, without the box."""
    return {
        account: held[item] for account, held in table.state.holdings.items() if item in held and account != "box"
    }


# The stock ------------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.A.2", "IX.C.3")
def test_a_new_game_stocks_two_copies_of_each_vehicle_and_of_each_weapon_above_tier_0() -> None:
    """They come out of the box, where everybody can count them; RPG-7 and charges are in no stock."""
    table = Table("ana", "bob", started=False)
    assert table.last is not None
    assert [kind_of(event) for event in table.last.events][:2] == ["game_created", "shops_stocked"]
    for vehicle in VEHICLES:
        assert table.holds("shop:nc_custom", vehicle) == 2
    for weapon in SCARCE_WEAPONS:
        assert table.holds("shop:bar", weapon) == 2
    assert set(table.state.holdings.account("shop:bar")) == set(SCARCE_WEAPONS)
    stocked = table.last.events[1]
    speakers = RULEBOOK.language.speakers(table.state)
    assert "2 × Tank" in say(stocked, "en", speakers)
    assert "2 × Tank" in say(stocked, "fr", speakers)
    seen = RULEBOOK.screen.view(table.state, Viewer("spectator"))["shops"]
    assert {"item": "tank", "left": 2, "price": 450} in seen["nc_custom"]
    assert {"item": "rpg7", "price": 150} in seen["bar"]


@pytest.mark.rule("VIII.A.2")
def test_with_none_left_the_purchase_is_refused_whatever_the_banker_waives() -> None:
    """Two automobiles are sold; a third one does not exist, and no waiver makes one."""
    table = at_the_dealer()
    table.play("ana", "buy_vehicle", commodity="automobile")
    table.play("ana", "buy_vehicle", commodity="automobile")
    refused = table.refused("ana", "buy_vehicle", "VIII.A.2", commodity="automobile")
    assert refused.en == "NC Custom has 0 × Automobile left and cannot give 1"
    assert refused.fr == "NC Custom n'a plus que 0 × Automobile et ne peut pas en fournir 1"
    with pytest.raises(type(refused), match="cannot give 1"):
        table.play("ana", "buy_vehicle", override="one more", commodity="automobile")
    assert (table.holds("ana", "automobile"), table.holds("shop:nc_custom", "automobile")) == (2, 0)
    table.play("ana", "buy_vehicle", commodity="tank")


@pytest.mark.rule("VIII.A.2")
def test_the_two_models_of_tier_0_have_two_copies_each() -> None:
    table = at_the_dealer()
    for vehicle in ("trottinette", "trottinette", "exosquelette", "exosquelette"):
        table.play("ana", "buy_vehicle", commodity=vehicle)
    assert (table.holds("ana", "trottinette"), table.holds("ana", "exosquelette")) == (2, 2)


@pytest.mark.rule("VIII.A.2", "IX.C.3")
def test_every_copy_stays_counted_wherever_it_goes() -> None:
    """Ana buys two tanks, uses one and sells the other to the police: two left the box, two are on the table."""
    table = at_the_dealer()
    table.play("ana", "buy_vehicle", commodity="tank")
    table.play("ana", "buy_vehicle", commodity="tank")
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", 10)
    table.turn("bob", 5, 5)
    table.place("ana", 25)
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "sell_item_to_police", commodity="tank")
    assert copies(table, "tank") == {"used": 1, "police": 1}
    assert table.holds("box", "tank") == -2
    assert table.holds("bank", "tank") == 0


@pytest.mark.rule("IX.C.3")
def test_a_weapon_that_is_sold_out_is_refused() -> None:
    table = at_the_bar()
    table.play("ana", "buy_weapon", commodity="glock26", amount=2)
    refused = table.refused("ana", "buy_weapon", "IX.C.3", commodity="glock26")
    assert refused.en == "Bar à mercenaires has 0 × Glock 26 left and cannot give 1"
    table.refused("ana", "buy_weapon", "IX.C.3", commodity="ar15", amount=3)
    table.play("ana", "buy_weapon", commodity="rpg7", amount=9)
    assert (table.holds("ana", "glock26"), table.holds("ana", "rpg7")) == (2, 9)
    assert table.holds("shop:bar", "glock26") == 0


@pytest.mark.rule("IX.C.3")
def test_a_table_sets_how_many_game_enders_there_are() -> None:
    """With game_ender_stock 1 the only Satan2 is the last copy from the start; with 0 there is none to buy."""
    table = at_the_bar(settings={"game_ender_stock": 1})
    table.play("ana", "buy_weapon", commodity="satan2")
    assert table.holds("ana") == 51_650 - 6250
    table = at_the_bar(settings={"game_ender_stock": 0})
    table.refused("ana", "buy_weapon", "IX.C.3", commodity="satan2")
    table.play("ana", "buy_weapon", commodity="glock26")
    assert table.holds("shop:bar", "glock26") == 1


# Prices ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vehicle", TIERS_OF_VEHICLES)
@pytest.mark.rule("VIII.A.3")
def test_the_last_copy_of_a_vehicle_costs_a_quarter_more_rounded_up(vehicle: str) -> None:
    """The first copy at the price of the list, the second at 188, 313, 500, 563, 750 or 1000 ₦."""
    tier, first, last = TIERS_OF_VEHICLES[vehicle]
    assert VEHICLES[vehicle].tier == tier
    table = at_the_dealer()
    before = table.holds("ana")
    table.play("ana", "buy_vehicle", commodity=vehicle)
    assert table.holds("ana") == before - first
    (bought,) = table.play("ana", "buy_vehicle", commodity=vehicle)
    assert table.holds("ana") == before - first - last
    assert bought.rule == "VIII.A.3"
    assert table.seen_by("bob") == []


@pytest.mark.rule("VIII.A.3")
def test_who_cannot_pay_the_last_copy_does_not_get_it() -> None:
    """562 ₦ are one short of the last tank."""
    table = at_the_dealer()
    table.play("ana", "buy_vehicle", commodity="tank")
    table.take("ana", "NGD", table.holds("ana") - 562)
    table.refused("ana", "buy_vehicle", "VIII.A.1", commodity="tank")
    table.give("ana", "NGD", 1)
    table.play("ana", "buy_vehicle", commodity="tank")
    assert table.holds("ana") == 0


@pytest.mark.parametrize("weapon", SCARCE_WEAPONS)
@pytest.mark.rule("IX.C.4")
def test_the_last_copy_of_a_weapon_costs_a_quarter_more(weapon: str) -> None:
    """Two bought at once cost what they cost one after the other."""
    table = at_the_bar()
    before = table.holds("ana")
    (bought,) = table.play("ana", "buy_weapon", commodity=weapon, amount=2)
    price = ITEMS[weapon].price
    last = -(-price * 5 // 4)
    assert bought.unit_prices == (price, last)  # type: ignore[attr-defined]
    assert table.holds("ana") == before - price - last
    one_by_one = at_the_bar()
    one_by_one.play("ana", "buy_weapon", commodity=weapon)
    one_by_one.play("ana", "buy_weapon", commodity=weapon)
    assert one_by_one.holds("ana") == table.holds("ana")


@pytest.mark.rule("IX.C.4", "V.E.11")
def test_a_quarter_up_and_a_quarter_down_are_rounded_once() -> None:
    """The last Glock costs the owner of Jaune 200 × 1.25 × 0.75 = 187.5, so 188 ₦, not 250 then 188 by halves.

    Last copies: AR15, Mortier and IEM 375, artillery 562.5 so 563, Rods 1406.25 so 1407; an RPG-7 112.5 so 113.
    """
    table = at_the_bar(jaune=True)
    last = {
        "glock26": 188,
        "ar15": 375,
        "mortier": 375,
        "bombe_iem": 375,
        "artillerie": 563,
        "rods_from_gods": 1407,
    }
    first = {
        "glock26": 150,
        "ar15": 300,
        "mortier": 300,
        "bombe_iem": 300,
        "artillerie": 450,
        "rods_from_gods": 1125,
    }
    for weapon, price in last.items():
        before = table.holds("ana")
        table.play("ana", "buy_weapon", commodity=weapon)
        assert table.holds("ana") == before - first[weapon]
        table.play("ana", "buy_weapon", commodity=weapon)
        assert table.holds("ana") == before - first[weapon] - price
    assert shops.price_of(table.state, "ana", "rpg7") == 113
    assert shops.price_of(table.state, "bob", "rpg7") == 150
    assert shops.prices(table.state, "ana", "c4", 3) == (30, 60, 90)
    assert shops.prices(table.state, "ana", "satan2", 2) == (5000, 6250)


@pytest.mark.rule("V.E.11", "IX.C.4")
def test_a_table_sets_the_surcharge_and_the_reduction() -> None:
    """Ten percent up and half off: 200 × 1.1 × 0.5 = 110 for the last Glock, 100 for the first."""
    table = at_the_bar(jaune=True, settings={"last_copy_surcharge_percent": 10, "yellow_discount_percent": 50})
    assert shops.prices(table.state, "ana", "glock26", 2) == (100, 110)
    table.play("ana", "buy_weapon", commodity="glock26", amount=2)
    assert table.holds("ana", "glock26") == 2


@pytest.mark.rule("IX.C.10")
def test_each_charge_costs_more_than_the_one_before() -> None:
    """40, 80, 120 from an empty inventory: 240 ₦ for three, and 160 for a fourth."""
    table = at_the_bar()
    before = table.holds("ana")
    table.play("ana", "buy_weapon", commodity="c4", amount=3)
    assert table.holds("ana") == before - 240
    table.play("ana", "buy_weapon", commodity="c4")
    assert table.holds("ana") == before - 400


# Used copies ----------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.2", "VIII.A.2")
def test_used_copies_are_out_of_play_unless_the_table_restocks_them() -> None:
    """By default a used automobile is gone; with restock_used it is in the shop again, at its price of before."""
    for restock, left, price in ((False, 1, 313), (True, 2, 250)):
        table = at_the_dealer(settings={"restock_used": restock})
        table.play("ana", "buy_vehicle", commodity="automobile")
        table.play("ana", "use_vehicle", commodity="automobile")
        assert table.holds("shop:nc_custom", "automobile") == left
        assert table.holds("used", "automobile") == (0 if restock else 1)
        assert shops.price_of(table.state, "bob", "automobile") == price


@pytest.mark.rule("VIII.2")
def test_a_restocked_shop_never_has_more_than_its_two_copies() -> None:
    """A Trottinette of the starting kit finds no room in a shop that still has both of its own."""
    table = Table("ana", "bob", perks={"ana": "trottinette"}, settings={"restock_used": True})
    table.play("ana", "use_vehicle", commodity="trottinette", dice=[1])
    assert (table.holds("shop:nc_custom", "trottinette"), table.holds("used", "trottinette")) == (2, 1)


# Games without a stock ------------------------------------------------------------------------------


@pytest.mark.rule("VIII.A.1", "VIII.A.2")
def test_a_game_laid_out_before_there_was_a_stock_buys_from_the_bank_at_list_price() -> None:
    """No copy was counted when it was created: three automobiles at 250 ₦ each, and none goes back to a shop."""
    table = Table("ana", "bob", settings={"restock_used": True})
    with table.arranged() as state:
        for item in shops.STOCKED:
            held = state.holdings.account("box").get(item, 0)
            for account in (shops.account(item), "bank"):
                amount = state.holdings.of(account, item)
                if amount:
                    state.holdings.post(Posting(item, amount, account, "box"))
            assert held < 0
    assert not shops.keeps_stock(table.state)
    table.give("ana", "NGD", 2000)
    table.place("ana", NC_CUSTOM - 5)
    table.play("ana", "roll_dice", dice=[2, 3])
    before = table.holds("ana")
    for _ in range(3):
        table.play("ana", "buy_vehicle", commodity="automobile")
    assert table.holds("ana") == before - 750
    table.play("ana", "use_vehicle", commodity="automobile")
    assert (table.holds("used", "automobile"), table.holds("bank", "automobile")) == (1, -3)
    assert "left" not in RULEBOOK.screen.view(table.state, Viewer("spectator"))["shops"]["nc_custom"][2]


def test_a_stored_game_of_before_counts_no_copies() -> None:
    """The golden game was laid out without a stock: nothing is in its shops, and nothing is the last copy."""
    state = fold(RULEBOOK, entries_of("negopoly_v1"))
    assert not shops.keeps_stock(state)
    assert [shops.copies_left(state, item) for item in shops.STOCKED] == [None] * len(shops.STOCKED)
    assert shops.prices(state, "ana", "tank", 3) == (450, 450, 450)


# Buying for another player --------------------------------------------------------------------------


@pytest.mark.rule("VIII.D.6", "VIII.A.3")
def test_a_vehicle_bought_for_bob_is_his_at_once() -> None:
    """Ana stops on NC Custom and buys Bob both automobiles: 250 and 313 ₦ of hers, no transit, no fee."""
    table = at_the_dealer("ana", "bob", "cid")
    before = table.holds("ana")
    table.play("ana", "buy_for_player", to="bob", commodity="automobile", amount=2)
    assert (table.holds("ana"), table.holds("bob", "automobile")) == (before - 563, 2)
    assert [kind_of(event) for event in table.seen_by("bob")] == ["bought_for_player"]
    assert table.seen_by("cid") == []
    table.refused("ana", "buy_for_player", "VIII.A.2", to="cid", commodity="automobile")
    table.refused("ana", "buy_for_player", "IX.A.2", to="cid", commodity="glock26")
    assert not table.state.open


@pytest.mark.rule("VIII.D.6", "IX.C.10", "V.E.11")
def test_charges_bought_for_bob_are_priced_by_what_bob_holds_and_by_what_the_buyer_is() -> None:
    """Bob holds two charges: his third costs 120 ₦, and Ana, who owns Jaune, pays 90 for it."""
    table = at_the_bar(jaune=True)
    table.give("bob", "c4", 2)
    table.give("ana", "c4", 7)
    before = table.holds("ana")
    table.play("ana", "buy_for_player", to="bob", commodity="c4")
    assert (table.holds("ana"), table.holds("bob", "c4")) == (before - 90, 3)


@pytest.mark.rule("VIII.A.1")
def test_whoever_has_not_stopped_there_buys_nothing_for_others() -> None:
    table = Table("ana", "bob")
    table.place("ana", NC_CUSTOM - 3)
    table.play("ana", "roll_dice", dice=[2, 2])
    table.refused("ana", "buy_for_player", "VIII.A.1", to="bob", commodity="trottinette")
    assert table.holds("bob", "trottinette") == 0


@pytest.mark.rule("VIII.D.6", "I.C.6")
def test_what_bob_holds_is_not_told_by_asking_what_a_gift_would_cost() -> None:
    """A charge's price for Bob depends on his charges: Ana learns it by paying, not by a dry run."""
    costs = []
    for held in (0, 2):
        table = at_the_bar()
        if held:
            table.give("bob", "c4", held)
        (event,) = table.play("ana", "buy_for_player", to="bob", commodity="c4")
        told = redact_for_dry_run(event, Viewer("player", "ana"))
        assert told is not None
        costs.append((told, say(told, "en", RULEBOOK.language.speakers(table.state)), event.price))  # type: ignore[attr-defined]
        assert redact_for_dry_run(event, Viewer("spectator")) is None
    (few, said, cheap), (many, _, dear) = costs
    assert few == many
    assert said == "Ana buys 1 × C4 (charge) for Bob."
    assert (cheap, dear) == (40, 120)


# The last copy ------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.4", "IX.C.3", "VIII.D.6", "V.E.11", "P.4")
def test_the_last_copy_as_a_gift_with_a_quarter_up_and_one_down() -> None:
    """Ana, who holds Jaune, buys Bob both Glocks: 150 and 188 ₦. Cleo finds none, and nobody learns who has them.

    Without Ana's purchase the shop would have both again; Cleo's first, at 200 ₦, takes no quarter off.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *QUARTERS["jaune"])
    for seat in ("ana", "cleo"):
        table.place(seat, BAR - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_for_player", to="bob", commodity="glock26", amount=2)
    bought = table.number
    assert (table.holds("ana"), table.holds("bob", "glock26")) == (1650 - 150 - 188, 2)
    assert (table.seen_by("cleo"), len(table.seen_by("bob"))) == ([], 1)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.refused("cleo", "buy_weapon", "IX.C.3", commodity="glock26")
    table.banker("correct", edits=[dropping(bought)], cascade="refuse", reason="a word misheard")
    table.play("cleo", "buy_weapon", commodity="glock26")
    assert (table.holds("ana"), table.holds("cleo")) == (1650, 1650 - 200)
    assert shops.copies_left(table.state, "glock26") == 1


@pytest.mark.rule("P.4", "IX.C.4", "IX.C.18", "IX.C.19")
def test_without_the_first_copy_the_last_one_was_no_last_one_and_no_duel_was_fought_over_it() -> None:
    """Ana buys a Glock for 200 ₦, Bob beside her the last one for 250 ₦; he draws it and wins the duel with a 5.

    The dry run without her purchase: his cost 200 ₦, and she, unarmed, pays the same 300 ₦ but is not sent to
    Hôpital. Without his: his racket is voided, her 300 ₦ come back, and the last copy is in the shop at 250 ₦.
    """
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "buy_weapon", commodity="glock26")
    hers = table.number
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[2, 3])
    table.play("bob", "buy_weapon", commodity="glock26")
    his = table.number
    table.play("bob", "use_glock", target="ana", dice=[5])
    racket = table.number
    assert [table.holds(seat) for seat in ("ana", "bob")] == [1650 - 200 - 300, 1650 - 250 + 300]
    assert table.state.positions["ana"] == HOPITAL
    plan = table.what_if(dropping(his))
    assert (touched(plan.voided), plan.restated) == ([str(racket)], ())
    assert plan.new_state.holdings.of("player:ana", "NGD") == 1650 - 200
    assert shops.price_of(plan.new_state, "bob", "glock26") == 250
    plan = table.what_if(dropping(hers))
    assert (plan.voided, touched(plan.restated)) == ((), [str(his), str(racket)])
    table.banker("correct", edits=[dropping(hers)], cascade="restate", reason="she never paid")
    assert [table.holds(seat) for seat in ("ana", "bob")] == [1650 - 300, 1650 - 200 + 300]
    assert table.state.positions["ana"] == BAR
    assert shops.copies_left(table.state, "glock26") == 1


@pytest.mark.rule("VIII.A.3", "VIII.A.2", "VIII.2", "V.E.8", "V.E.2")
def test_a_used_copy_that_comes_back_takes_the_surcharge_away_again() -> None:
    """Where used copies return, Ana with Vert buys both automobiles from afar, at 250 and 313 ₦, and drives one.

    It is in the shop again as its only copy: the next costs 313 ₦. Once Bob has driven the other, 250 ₦.
    """
    table = Table("ana", "bob", settings={"restock_used": True})
    table.own("ana", *QUARTERS["vert"])
    table.play("ana", "buy_vehicle", commodity="automobile")
    table.play("ana", "buy_vehicle", commodity="automobile")
    assert table.holds("ana") == 1650 - 250 - 313
    table.play("ana", "send_delivery", to="bob", commodity="automobile", amount=1, express=True)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_vehicle", commodity="automobile")
    assert shops.price_of(table.state, "ana", "automobile") == 313
    table.play("ana", "mortgage_property", title=QUARTERS["vert"][0])
    table.refused("ana", "buy_vehicle", "VIII.A.1", commodity="automobile")
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_vehicle", commodity="automobile")
    assert (shops.copies_left(table.state, "automobile"), shops.price_of(table.state, "bob", "automobile")) == (
        2,
        250,
    )


@pytest.mark.rule("VIII.A.2", "VIII.A.3", "VIII.2", "VIII.B.5")
@pytest.mark.parametrize("restocked", [False, True])
def test_the_last_tank_costs_563_and_a_used_one_comes_back_where_the_table_has_set_it(restocked: bool) -> None:
    """Ana, who holds Jaune, buys both tanks at NC Custom: 450 and 563 ₦, for vehicles are no weapons.

    She drives one off in that very turn. Bob finds none, or (where used goods come back) one, the last: 563 ₦.
    """
    table = Table("ana", "bob", settings={"restock_used": restocked})
    table.own("ana", *QUARTERS["jaune"])
    table.place("ana", NC_CUSTOM - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_vehicle", commodity="tank")
    table.play("ana", "buy_vehicle", commodity="tank")
    assert (table.holds("ana"), table.holds("shop:nc_custom", "tank")) == (1650 - 450 - 563, 0)
    drives(table)
    table.play("ana", "end_turn")
    table.place("bob", NC_CUSTOM - 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    if restocked:
        table.play("bob", "buy_vehicle", commodity="tank")
        assert (table.holds("bob"), table.holds("bob", "tank")) == (1650 - 563, 1)
    else:
        table.refused("bob", "buy_vehicle", "VIII.A.2", commodity="tank")
