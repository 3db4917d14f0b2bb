"""V.A and V.B.8 to V.B.11: titles are bought on a stop, earn rent, and are reset to the bank."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.real_estate import RentPaid, TitleReset
from ledger.rulebooks.negopoly.estate.titles import PurchaseDeclined, TitleBought
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import Table

TABLE_OF_V_A = """
    Négotown               |  60 |  50 |  2 |  10 |  30 |   90 |  160 |  250 |  30
    Black Arretxea         |  60 |  50 |  4 |  20 |  60 |  180 |  320 |  450 |  30
    17 rue des patates     | 100 |  50 |  6 |  30 |  90 |  270 |  400 |  550 |  50
    69 rue des patates     | 100 |  50 |  6 |  30 |  90 |  270 |  400 |  550 |  50
    420 rue des patates    | 120 |  50 |  8 |  40 | 100 |  300 |  450 |  600 |  60
    Nuketown               | 140 | 100 | 10 |  50 | 150 |  450 |  625 |  750 |  70
    Hijacked               | 140 | 100 | 10 |  50 | 150 |  450 |  625 |  750 |  70
    Bassland               | 160 | 100 | 12 |  60 | 180 |  500 |  700 |  900 |  80
    Numera Fight Club      | 180 | 100 | 14 |  70 | 200 |  550 |  750 |  950 |  90
    Snoopy's ID            | 180 | 100 | 14 |  70 | 200 |  550 |  750 |  950 |  90
    Jahland Dispensory     | 200 | 100 | 16 |  80 | 220 |  600 |  800 | 1000 | 100
    Pink Hoodie Studio     | 220 | 150 | 18 |  90 | 250 |  700 |  875 | 1050 | 110
    MP7 Studio             | 220 | 150 | 18 |  90 | 250 |  700 |  875 | 1050 | 110
    PCT Studio             | 240 | 150 | 20 | 100 | 300 |  750 |  925 | 1100 | 120
    l'Elysée               | 260 | 150 | 22 | 110 | 330 |  800 |  975 | 1150 | 130
    Bar Freak Show         | 260 | 150 | 22 | 110 | 330 |  800 |  975 | 1150 | 130
    Garage de Benoir       | 280 | 150 | 24 | 120 | 360 |  850 | 1025 | 1200 | 140
    Rue vendredi des noirs | 300 | 200 | 26 | 130 | 390 |  900 | 1100 | 1275 | 150
    Domaine de M. P        | 300 | 200 | 26 | 130 | 390 |  900 | 1100 | 1275 | 150
    Villa du RJ            | 320 | 200 | 28 | 150 | 450 | 1000 | 1200 | 1400 | 160
    Négoplaza              | 350 | 200 | 35 | 175 | 500 | 1100 | 1300 | 1500 | 175
    LBTRD Tower            | 400 | 200 | 50 | 200 | 600 | 1400 | 1700 | 2000 | 200
"""
"""Name, price, cost of a house, rent with 0 to 5 houses, mortgage value."""


@pytest.mark.rule("V.A.1")
def test_the_22_titles_start_at_the_bank_with_the_figures_of_the_table() -> None:
    """Before anybody has joined, the bank holds one of each title, and nobody else holds any."""
    table = Table("ana", "bob", started=False)
    for title in TITLES:
        assert table.holds("bank", f"title:{title}") == 1
        assert table.owner(title) is None
    figures = [
        (title.name, title.price, title.house_cost, *title.rents, title.mortgage) for title in TITLES.values()
    ]
    rows = [[cell.strip() for cell in row.split("|")] for row in TABLE_OF_V_A.strip().splitlines()]
    assert figures == [(name, *map(int, numbers)) for name, *numbers in rows]
    assert len(RULEBOOK.screen.components()["titles"]) == 22


@pytest.mark.rule("V.A.1")
def test_no_other_title_exists() -> None:
    """Ana stops on a title of the board and asks for one that is not in the table."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[3, 3])
    refusal = table.refused("ana", "buy_property", "V.A.1", title="boardwalk")
    assert "boardwalk" in refusal.en


@pytest.mark.rule("V.A.2", "II.B.8")
def test_ana_buys_the_title_she_stops_on_at_the_price_of_the_table() -> None:
    """Ana rolls 6, stops on 17 rue des patates and buys it for 100 ₦; everybody sees it."""
    table = Table("ana", "bob")
    bank = table.holds("bank")
    table.play("ana", "roll_dice", dice=[3, 3])
    (bought,) = table.play("ana", "buy_property")
    assert isinstance(bought, TitleBought)
    assert (bought.title, bought.price) == ("17_rue_des_patates", 100)
    assert table.owner("17_rue_des_patates") == "ana"
    assert table.holds("ana") == 1650 - 100
    assert table.holds("bank") == bank + 100
    assert table.seen_by("bob") == [bought]
    assert table.seen_by(None) == [bought]


@pytest.mark.rule("V.A.2")
def test_the_bank_does_not_sell_what_it_does_not_own() -> None:
    """Bob stops on Ana's title, cannot buy it from the bank, and on Spawn there is nothing to buy at all."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates")
    table.play("bob", "roll_dice", dice=[3, 3])
    refusal = table.refused("bob", "buy_property", "V.A.2")
    assert "Ana" in refusal.en
    table.play("bob", "resolve_square")
    table.play("bob", "end_turn")
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    assert "Bar" in table.refused("ana", "buy_property", "V.A.2").en


@pytest.mark.rule("II.B.3", "II.D.4")
def test_a_square_occupied_since_an_earlier_turn_is_not_open() -> None:
    """Ana stands on 17 rue des patates: before her roll she cannot buy it, and in Bob's turn neither."""
    table = Table("ana", "bob")
    table.place("ana", 6)
    table.refused("ana", "buy_property", "II.B.3")
    table.refused("ana", "buy_property", "II.B.3", title="17_rue_des_patates")
    table.refused("ana", "decline_property", "II.B.3")
    table.place("ana", 0)
    table.refused("ana", "buy_property", "II.B.3")
    table.turn("ana", 3, 3)
    table.refused("ana", "buy_property", "II.D.4")
    assert table.owner("17_rue_des_patates") is None


@pytest.mark.rule("V.A.3")
def test_a_refused_title_stays_with_the_bank_for_whoever_stops_next() -> None:
    """Ana declines Black Arretxea, which everybody sees; Bob stops there and buys it for 60 ₦."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    (declined,) = table.play("ana", "decline_property")
    assert isinstance(declined, PurchaseDeclined)
    assert declined.title == "black_arretxea"
    assert table.seen_by("bob") == [declined]
    assert table.owner("black_arretxea") is None
    assert table.holds("ana") == 1650
    table.play("ana", "end_turn")
    table.refused("ana", "buy_property", "II.D.4", title="black_arretxea")
    table.turn("bob", 1, 2, then=(("buy_property", {}),))
    assert table.owner("black_arretxea") == "bob"
    assert table.holds("bob") == 1650 - 60
    table.play("ana", "roll_dice", dice=[3, 3])
    table.refused("ana", "decline_property", "V.D.1", title="negotown")


@pytest.mark.rule("V.A.3")
def test_a_player_who_lacks_the_funds_cannot_buy() -> None:
    """With 59 ₦ Ana cannot buy Black Arretxea at 60 ₦; with 60 ₦ Bob can, and is left with nothing."""
    table = Table("ana", "bob")
    table.take("ana", "NGD", 1650 - 59)
    table.take("bob", "NGD", 1650 - 60)
    table.play("ana", "roll_dice", dice=[1, 2])
    refusal = table.refused("ana", "buy_property", "V.A.3")
    assert "59" in refusal.en
    assert "60" in refusal.en
    assert table.owner("black_arretxea") is None
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2, then=(("buy_property", {}),))
    assert table.owner("black_arretxea") == "bob"
    assert table.holds("bob") == 0


@pytest.mark.rule("V.A.4")
def test_a_title_stays_in_front_of_its_owner_until_it_is_sold_bought_back_or_reset() -> None:
    """Ana's debt, her leaving the square and Bob's stop there do not take her title; the public table shows it."""
    table = Table("ana", "bob")
    table.turn("ana", 3, 3, then=(("buy_property", {}),))
    table.take("ana", "NGD", 3000)
    table.turn("bob", 3, 3)
    table.turn("ana", 1, 2)
    assert table.owner("17_rue_des_patates") == "ana"
    titles = RULEBOOK.screen.view(table.state, Viewer("spectator"))["titles"]
    bare = {"houses": 0, "mortgaged": False, "squatted": False, "charges": []}
    assert titles["17_rue_des_patates"] == {"owner": "ana", **bare}
    table.refused("bob", "sell_property", "V.D.3", title="17_rue_des_patates")
    table.banker("reset_property", title="17_rue_des_patates", reason="fire")
    assert table.owner("17_rue_des_patates") is None


@pytest.mark.rule("V.A.5")
def test_a_player_may_own_any_number_of_titles() -> None:
    """Ana, who owns 21 titles already, buys the 22nd."""
    table = Table("ana", "bob")
    table.own("ana", *(title for title in TITLES if title != "17_rue_des_patates"))
    table.play("ana", "roll_dice", dice=[3, 3])
    table.play("ana", "buy_property")
    assert all(table.owner(title) == "ana" for title in TITLES)


@pytest.mark.rule("V.A.6")
@pytest.mark.parametrize(("houses", "rent"), [(1, 30), (2, 90), (3, 270), (4, 400), (5, 550)])
def test_the_rent_follows_the_houses_standing(houses: int, rent: int) -> None:
    """Bob stops on Ana's 17 rue des patates and pays her the column of its houses."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates", houses=houses)
    table.play("bob", "roll_dice", dice=[3, 3])
    paid = next(event for event in table.play("bob", "resolve_square") if isinstance(event, RentPaid))
    assert (paid.rule, paid.houses, paid.amount) == ("V.A.6", houses, rent)
    assert table.holds("bob") == 1650 - rent
    assert table.holds("ana") == 1650 + rent
    assert paid in table.seen_by(None)


@pytest.mark.rule("V.A.6", "II.B.7")
def test_rent_is_due_before_the_turn_can_end_and_once_only() -> None:
    """Bob cannot leave Ana's title without paying, and pays once."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates", houses=1)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.refused("bob", "end_turn", "II.B.7")
    table.play("bob", "resolve_square")
    table.refused("bob", "resolve_square", "II.B.6")
    table.play("bob", "end_turn")
    assert table.holds("bob") == 1650 - 30


@pytest.mark.rule("V.A.6")
def test_rent_is_not_due_for_crossing_and_a_complete_quarter_does_not_double_it() -> None:
    """Bob crosses Ana's two Marron titles for nothing; stopping on Black Arretxea costs him 4 ₦, not 8."""
    table = Table("bob", "ana")
    table.own("ana", "negotown", "black_arretxea")
    table.play("bob", "roll_dice", dice=[2, 3])
    table.play("bob", "resolve_square")
    assert table.holds("bob") == 1650
    table.play("bob", "end_turn")
    table.turn("ana", 2, 3)
    table.place("bob", 1)
    table.turn("bob", 1, 1)
    assert table.holds("bob") == 1650 - 4


@pytest.mark.rule("V.A.6")
def test_an_owner_in_prison_or_wanted_still_collects() -> None:
    """Ana sits in Prison under a warrant; Bob owes her the rent anyway."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates")
    table.place("ana", 10)
    with table.arranged() as state:
        state.wanted.add("ana")
    table.turn("bob", 3, 3)
    assert table.holds("ana") == 1650 + 6


@pytest.mark.rule("V.A.7")
def test_without_a_house_the_base_rent_is_due() -> None:
    """Bob stops on Ana's bare 17 rue des patates and pays her 6 ₦; Ana pays nobody for her own title."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates")
    table.play("bob", "roll_dice", dice=[3, 3])
    paid = next(event for event in table.play("bob", "resolve_square") if isinstance(event, RentPaid))
    assert (paid.rule, paid.houses, paid.amount) == ("V.A.7", 0, 6)
    table.play("bob", "end_turn")
    table.turn("ana", 3, 3)
    assert table.holds("bob") == 1650 - 6
    assert table.holds("ana") == 1650 + 6


@pytest.mark.rule("I.B.3", "V.A.6")
def test_rent_is_posted_in_full_into_debt() -> None:
    """Bob has 100 ₦ and owes 550: Ana gets 550 and Bob's balance is -450; he cannot spend what he has not."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates", houses=5)
    table.own("bob", "black_arretxea")
    table.take("bob", "NGD", 1550)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.play("bob", "resolve_square")
    assert table.holds("bob") == -450
    assert table.holds("ana") == 1650 + 550
    table.refused("bob", "build_house", "V.C.1", title="black_arretxea")


@pytest.mark.rule("V.A.8")
@pytest.mark.parametrize("marker", ["mortgage", "squat"])
def test_an_inert_title_earns_no_rent_from_anybody(marker: str) -> None:
    """Bob stops on Ana's mortgaged or squatted title: he pays nobody, and may end his turn without resolving."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates", houses=2)
    with table.arranged() as state:
        state.holdings.post(Posting(marker, 1, "bank", attached("17_rue_des_patates")))
    table.play("bob", "roll_dice", dice=[3, 3])
    events = table.play("bob", "resolve_square")
    assert not any(isinstance(event, RentPaid) for event in events)
    assert table.holds("bob") == table.holds("ana") == 1650


@pytest.mark.rule("V.A.8", "V.B.8")
def test_a_title_reset_under_the_visitor_earns_no_rent() -> None:
    """Bob has stopped on Ana's title when a ruling resets it: nothing is due any more."""
    table = Table("bob", "ana")
    table.own("ana", "17_rue_des_patates", houses=5)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.banker("reset_property", title="17_rue_des_patates", reason="the roof fell in")
    table.play("bob", "resolve_square")
    assert table.holds("bob") == table.holds("ana") == 1650


@pytest.mark.rule("V.A.8", "V.B.5")
def test_unmortgaging_after_the_stop_does_not_make_its_rent_due() -> None:
    """Bob, Ana's delegate, stops on her mortgaged title and frees it: this stop is free, his next one costs 90."""
    table = Table("ana", "bob")
    table.own("ana", "17_rue_des_patates", houses=2, mortgaged=True)
    table.play("ana", "delegate_unmortgage", title="17_rue_des_patates", to="bob")
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.play("bob", "unmortgage_property", title="17_rue_des_patates")
    table.play("bob", "resolve_square")
    assert table.holds("bob") == 1650 - 50
    table.play("bob", "end_turn")
    table.turn("ana", 1, 2)
    table.place("bob", 0)
    table.turn("bob", 3, 3)
    assert table.holds("bob") == 1650 - 50 - 90


@pytest.mark.rule("V.B.8", "V.B.9", "V.B.10")
def test_a_reset_returns_the_title_and_all_that_is_on_it_without_compensation() -> None:
    """A ruling resets Ana's title: houses, mortgage, squat and defence return to the bank, the charge is lost."""
    table = Table("ana", "bob")
    place = attached("17_rue_des_patates")
    table.own("ana", "17_rue_des_patates", houses=3, mortgaged=True)
    with table.arranged() as state:
        state.holdings.post(Posting("squat", 1, "bank", place))
        state.holdings.post(Posting("defence", 1, "bank", place))
        state.holdings.post(Posting("c4", 2, "bank", place))
    money = table.holds("ana")
    (reset,) = table.banker("reset_property", title="17_rue_des_patates", reason="earthquake")
    assert isinstance(reset, TitleReset)
    assert (reset.rule, reset.owner, reset.cause, reset.houses) == ("V.B.8", "ana", "ruling", 3)
    assert table.owner("17_rue_des_patates") is None
    assert table.holds("bank", "title:17_rue_des_patates") == 1
    assert table.state.holdings.account(place) == {}
    assert table.holds("used", "c4") == 2
    assert table.holds("bank", "house") == 0
    assert table.holds("ana") == money


@pytest.mark.rule("V.B.8")
def test_nothing_but_a_stated_effect_resets_a_title() -> None:
    """The bank's own title cannot be reset, and a title emptied of its houses stays its owner's."""
    table = Table("ana", "bob")
    table.refused(None, "reset_property", "V.B.8", title="17_rue_des_patates", reason="fire")
    table.own("ana", "17_rue_des_patates", houses=1)
    table.play("ana", "destroy_house", title="17_rue_des_patates")
    table.play("ana", "mortgage_property", title="17_rue_des_patates")
    assert table.owner("17_rue_des_patates") == "ana"


@pytest.mark.rule("V.B.11")
def test_a_reset_title_is_on_sale_again_at_its_table_price() -> None:
    """Ana's title with three houses is reset; Bob stops there and buys it bare for 100 ₦."""
    table = Table("ana", "bob")
    table.own("ana", "17_rue_des_patates", houses=3)
    table.banker("reset_property", title="17_rue_des_patates", reason="fire")
    table.turn("ana", 1, 2)
    table.turn("bob", 3, 3, then=(("buy_property", {}),))
    assert table.owner("17_rue_des_patates") == "bob"
    assert table.holds("bob") == 1650 - 100
    assert table.holds(attached("17_rue_des_patates"), "house") == 0


def test_a_price_asked_of_the_bank_is_not_understood() -> None:
    """The bank has its own price, and a player must be asked one."""
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    assert isinstance(table.malformed("ana", "sell_property", title="negotown", price=1000), Malformed)
    assert isinstance(table.malformed("ana", "sell_property", title="negotown", to="bob"), Malformed)
    assert isinstance(table.malformed("ana", "sell_property", title="negotown", to="bob", price=-1), Malformed)


def test_a_title_may_be_named_by_its_commodity_as_boards_and_names_do() -> None:
    """Ana sells "title:black_arretxea", the ruling resets "title:nuketown": the journal has the ids alone."""
    table = Table("ana", "bob")
    table.own("ana", "black_arretxea")
    table.own("bob", "nuketown")
    table.play("ana", "sell_property", title="title:black_arretxea")
    assert table.owner("black_arretxea") is None
    assert stored(table)["title"] == "black_arretxea"
    table.banker("reset_property", title="title:nuketown", reason="by mistake")
    assert stored(table)["title"] == "nuketown"


def stored(table: Table) -> dict[str, Any]:
    """The parameters of the last action, as the journal has them."""
    return dict(msgspec.json.decode(table.journal[-1].params))
