"""V.D: actions on a title from anywhere, and actions that need its square."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.negopoly.estate.houses import HouseBuilt
from ledger.rulebooks.negopoly.estate.real_estate import TitleReset
from ledger.rulebooks.negopoly.estate.titles import TitleSold
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import STREET, Table


@pytest.mark.rule("V.D.1", "II.B.8")
def test_buying_unmortgaging_and_buying_back_need_the_square() -> None:
    """From Black Arretxea Ana can neither buy Nuketown, nor unmortgage her tower, nor take Bob's street."""
    table = Table("ana", "bob")
    table.own("ana", "lbtrd_tower", mortgaged=True)
    table.own("bob", STREET, mortgaged=True)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert "Nuketown" in table.refused("ana", "buy_property", "V.D.1", title="nuketown").en
    table.refused("ana", "unmortgage_property", "V.D.1", title="lbtrd_tower")
    table.refused("ana", "force_buyback", "V.D.1", title=STREET)
    table.play("ana", "buy_property", title="black_arretxea")
    assert table.owner("black_arretxea") == "ana"


@pytest.mark.rule("V.D.1", "II.B.8")
def test_a_title_that_was_only_crossed_is_not_for_sale() -> None:
    """Ana crosses 17 rue des patates on her way to the next street: only where she stops can she buy."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[4, 4])
    table.refused("ana", "buy_property", "V.D.1", title=STREET)
    table.play("ana", "buy_property")
    assert table.owner("69_rue_des_patates") == "ana"
    assert table.owner(STREET) is None


@pytest.mark.rule("V.D.1", "V.D.2", "V.D.3", "V.D.4", "V.D.5")
def test_the_four_remote_actions_need_no_square() -> None:
    """Far away on Spawn, Ana builds and destroys on her tower, mortgages her street and sells Nuketown."""
    table = Table("ana", "bob")
    table.own("ana", "lbtrd_tower", STREET, "nuketown")
    table.play("ana", "build_house", title="lbtrd_tower")
    table.play("ana", "destroy_house", title="lbtrd_tower")
    table.play("ana", "mortgage_property", title=STREET)
    table.play("ana", "sell_property", title="nuketown")
    assert table.state.positions["ana"] == 0
    assert table.holds("ana") == 1650 - 200 + 50 + 70
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_property", "V.D.1", title="nuketown")


@pytest.mark.rule("V.D.2")
def test_an_owner_mortgages_a_free_title_for_its_mortgage_value() -> None:
    """Ana gets 50 ₦ for her street, keeping its two houses; a second mortgage of it is refused."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=2)
    table.play("ana", "mortgage_property", title=STREET)
    assert table.holds("ana") == 1650 + 50
    assert table.holds(attached(STREET), "house") == 2
    table.refused("ana", "mortgage_property", "V.D.2", title=STREET)
    assert table.holds("ana") == 1650 + 50


@pytest.mark.rule("V.D.2")
def test_nobody_mortgages_out_of_turn_or_what_is_not_theirs() -> None:
    """Bob cannot mortgage in Ana's turn, and Ana cannot mortgage Bob's street or the bank's Nuketown."""
    table = Table("ana", "bob")
    table.own("bob", STREET)
    table.refused("bob", "mortgage_property", "V.D.2", title=STREET)
    table.refused("ana", "mortgage_property", "V.D.2", title=STREET)
    table.refused("ana", "mortgage_property", "V.D.2", title="nuketown")


@pytest.mark.rule("V.D.2")
def test_a_table_may_pay_nothing_for_a_mortgage() -> None:
    """With the setting off, Ana's street is mortgaged and her balance has not moved."""
    table = Table("ana", "bob", settings={"voluntary_mortgage_pays": False})
    table.own("ana", STREET)
    table.play("ana", "mortgage_property", title=STREET)
    assert table.holds(attached(STREET), "mortgage") == 1
    assert table.holds("ana") == 1650


@pytest.mark.rule("V.D.3")
def test_the_bank_pays_half_the_price_and_half_the_houses_and_resets_the_title() -> None:
    """Ana sells her street with three houses to the bank for (100 + 150) / 2 = 125 ₦; nothing is left on it."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=3)
    sold, reset = table.play("ana", "sell_property", title=STREET)
    assert isinstance(sold, TitleSold)
    assert isinstance(reset, TitleReset)
    assert (sold.price, sold.houses, sold.mortgaged) == (125, 3, False)
    assert (reset.cause, reset.rule) == ("sale", "V.D.3")
    assert table.holds("ana") == 1650 + 125
    assert table.owner(STREET) is None
    assert dict(table.state.holdings.account(attached(STREET))) == {}


@pytest.mark.rule("V.D.3")
def test_a_mortgaged_title_counts_for_nothing_but_its_houses() -> None:
    """Mortgaged, the street with one house is worth half of 50 = 25 ₦ to the bank; without a house, 0 ₦."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=1, mortgaged=True)
    table.own("ana", "nuketown", mortgaged=True)
    table.play("ana", "sell_property", title=STREET)
    assert table.holds("ana") == 1650 + 25
    table.play("ana", "sell_property", title="nuketown")
    assert table.holds("ana") == 1650 + 25
    assert table.owner("nuketown") is None
    assert table.holds(attached("nuketown"), "mortgage") == 0


@pytest.mark.rule("V.D.3")
def test_the_bank_rounds_down_once() -> None:
    """At 33 % Négotown with a house comes to 36.3, so 36 ₦; rounding 19.8 and 16.5 apart would give 35 ₦."""
    table = Table("ana", "bob", settings={"bank_resale_percent": 33})
    table.own("ana", "negotown", houses=1)
    table.play("ana", "sell_property", title="negotown")
    assert table.holds("ana") == 1650 + 36


@pytest.mark.rule("V.D.3", "II.D.5")
def test_one_sells_to_the_bank_in_the_own_turn_and_only_what_is_ones_own() -> None:
    """Bob cannot sell to the bank in Ana's turn, and Ana cannot sell Bob's street to anybody."""
    table = Table("ana", "bob", "zoe")
    table.own("bob", STREET)
    table.own("ana", "negotown")
    table.refused("bob", "sell_property", "V.D.3", title=STREET)
    table.refused("ana", "sell_property", "V.D.3", title=STREET)
    table.refused("ana", "sell_property", "V.D.3", title=STREET, to="zoe", price=5)
    table.refused("ana", "sell_property", "V.D.3", title="negotown", to="ana", price=5)
    table.refused("ana", "sell_property", "V.D.3", title="negotown", to="nobody", price=5)
    table.play("ana", "sell_property", title="negotown")
    assert table.owner("negotown") is None


@pytest.mark.rule("V.D.3", "V.A.4")
@pytest.mark.parametrize("price", [0, 1, 900])
def test_between_players_any_price_holds_at_any_moment_with_all_that_is_attached(price: int) -> None:
    """In Ana's turn Bob offers her his mortgaged street as it stands; nothing moves until she agrees."""
    table = Table("ana", "bob", "zoe")
    place = attached(STREET)
    table.own("bob", STREET, houses=2, mortgaged=True)
    with table.arranged() as state:
        state.holdings.post(Posting("squat", 1, "bank", place))
        state.holdings.post(Posting("defence", 1, "bank", place))
    events = table.play("bob", "sell_property", title=STREET, to="ana", price=price)
    assert {event.rule for event in events} == {"V.D.3"}
    assert table.seen_by("ana")
    assert table.seen_by("zoe") == []
    assert table.owner(STREET) == "bob"
    assert table.holds("ana") == 1650
    (deal,) = table.state.open
    table.play("ana", "agree_deal", deal=deal)
    assert table.owner(STREET) == "ana"
    assert (table.holds("ana"), table.holds("bob")) == (1650 - price, 1650 + price)
    assert dict(table.state.holdings.account(place)) == {"house": 2, "mortgage": 1, "squat": 1, "defence": 1}


@pytest.mark.rule("V.D.4")
def test_building_from_anywhere_is_tied_to_the_own_turn_and_the_own_title() -> None:
    """On Spawn Ana builds on her tower for 200 ₦; Bob, in her turn, cannot on his street."""
    table = Table("ana", "bob")
    table.own("ana", "lbtrd_tower")
    table.own("bob", STREET)
    (built,) = table.play("ana", "build_house", title="lbtrd_tower")
    assert isinstance(built, HouseBuilt)
    assert table.state.positions["ana"] == 0
    assert table.holds("ana") == 1650 - 200
    table.refused("bob", "build_house", "V.C.4", title=STREET)
    table.refused("ana", "build_house", "V.C.1", title=STREET)


@pytest.mark.rule("V.D.5")
def test_destroying_from_anywhere_is_tied_to_the_own_turn_and_the_own_houses() -> None:
    """On Spawn Ana takes down a house of her tower for nothing; she cannot touch Bob's, nor he his in her turn."""
    table = Table("ana", "bob")
    table.own("ana", "lbtrd_tower", houses=2)
    table.own("bob", STREET, houses=2)
    table.play("ana", "destroy_house", title="lbtrd_tower")
    assert table.holds(attached("lbtrd_tower"), "house") == 1
    assert table.holds("ana") == 1650
    table.refused("ana", "destroy_house", "V.D.5", title=STREET)
    table.refused("bob", "destroy_house", "V.D.5", title=STREET)
    assert table.holds(attached(STREET), "house") == 2
