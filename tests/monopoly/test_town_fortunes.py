"""The classic game in the made-up small town: mortgages, prison, cards, trades, debts and bankruptcy."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ledger.rulebooks.monopoly.table.terms import MORTGAGE, PASS, POT, Debt
from tests.monopoly.own import TOWN, row
from tests.monopoly.table import Table
from tests.monopoly.test_town import GATE, GREEN, LOCK_UP, on_hill, town

COIN = "COIN"


def imprisoned(*, failed: int = 0, **settings: Any) -> Table:
    """Ana is in prison at the start of her turn."""
    table = town(**settings)
    table.jail("ana", failed=failed)
    table.turn("ana")
    return table


def things(*named: str | int) -> list[dict[str, Any]]:
    """Things of a trade: amounts of money, titles by their ids, other things as they are written."""
    return [
        {"commodity": COIN, "amount": one}
        if isinstance(one, int)
        else {"commodity": one if ":" in one or one == PASS else f"title:{one}"}
        for one in named
    ]


def drawn(table: Table, square: str, card: str) -> Table:
    """Ana stops on a square of cards, and draws a card of its deck."""
    table.arrive("ana", square)
    table.play("ana", "draw_card", card=card)
    return table


def on_vane(face: int, table: Table | None = None) -> Table:
    """Ana stops at the weather vane, and throws the weather die."""
    table = table or town()
    table.arrive("ana", "weather_vane")
    table.play("ana", "roll_chance_die", dice=[face])
    return table


def ruined(*titles: str, cash: int = 0, **settings: Any) -> Table:
    """Ana, with little money, owes Bob the rent of an inn: 1800."""
    table = town(**settings)
    table.give("ana", *titles)
    table.give("bob", "terrace")
    table.build(observatory_terrace=5)
    table.purse("ana", cash)
    table.arrive("ana", "observatory_terrace")
    table.play("bob", "claim_rent")
    return table


# Mortgages -----------------------------------------------------------------------------------------


@pytest.mark.rule("own:mortgage.1", "own:mortgage.2", "own:mortgage.4")
def test_a_title_is_mortgaged_at_any_time_and_lifted_with_interest() -> None:
    table = on_hill()
    table.turn("bob")
    table.play("ana", "mortgage", title="lantern_street")
    assert (table.cash("ana"), table.held("property:lantern_street", MORTGAGE)) == (1265, 1)
    table.refused("ana", "mortgage", "own:mortgage.1", title="lantern_street")
    table.play("ana", "unmortgage", title="lantern_street")
    assert (table.cash("ana"), table.held("property:lantern_street", MORTGAGE)) == (1265 - 72, 0)
    table.refused("ana", "unmortgage", "own:mortgage.4", title="lantern_street")


@pytest.mark.rule("own:mortgage.2")
def test_a_table_may_keep_mortgages_for_debts() -> None:
    table = on_hill(mortgage_needs_debt=True)
    table.refused("ana", "mortgage", "own:mortgage.2", title="lantern_street")


# Prison --------------------------------------------------------------------------------------------


@pytest.mark.rule("own:jail.1", "own:jail.2", "own:jail.3")
def test_a_square_and_a_card_send_to_prison_without_the_salary() -> None:
    table = town()
    table.arrive("ana", "constable", (2, 2))
    assert (table.state.jailed, table.state.positions["ana"], table.state.turn) == ({"ana": 0}, LOCK_UP, "bob")
    table = drawn(town(), "tide_bell", "tide_smuggler")
    assert (table.state.jailed, table.cash("ana"), table.state.turn) == ({"ana": 0}, 1200, "bob")


@pytest.mark.rule("own:jail.4")
def test_the_fine_frees_before_the_throw() -> None:
    table = imprisoned()
    table.purse("ana", 39)
    table.refused("ana", "pay_jail_fine", "own:jail.4")
    table.purse("ana", 100)
    table.play("ana", "pay_jail_fine")
    table.roll("ana", 2, 4)
    assert (table.cash("ana"), table.state.positions["ana"]) == (60, GREEN)


@pytest.mark.rule("own:jail.5", "own:card.3", "own:card.4")
def test_a_letter_that_is_kept_frees_and_goes_back_under_its_deck() -> None:
    table = drawn(town(), "letter_box_1", "letter_pardon")
    assert table.held("player:ana", "card:letter_pardon") == 1
    assert table.state.under.get("letters", ()) == ()
    table.jail("ana")
    table.turn("ana")
    table.play("ana", "use_jail_card")
    assert (table.state.jailed, table.state.under["letters"]) == ({}, ("letter_pardon",))
    table.roll("ana", 2, 4)


@pytest.mark.rule("own:jail.6", "own:jail.7")
def test_a_prisoner_waits_for_a_double() -> None:
    table = imprisoned()
    table.refused("ana", "roll_and_move", "own:jail.6", dice=[1, 2])
    table.play("ana", "roll_for_jail", dice=[1, 2])
    assert (table.state.jailed, table.state.turn) == ({"ana": 1}, "bob")
    table.turn("ana")
    table.play("ana", "roll_for_jail", dice=[3, 3])
    assert (table.state.jailed, table.state.positions["ana"], table.cash("ana")) == ({}, GREEN, 1200)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:jail.8")
def test_after_the_third_throw_the_fine_is_due() -> None:
    table = imprisoned(failed=2)
    table.play("ana", "roll_for_jail", dice=[2, 4])
    assert (table.state.positions["ana"], table.cash("ana")) == (GREEN, 1160)
    poor = imprisoned(failed=2)
    poor.purse("ana", 0)
    poor.play("ana", "roll_for_jail", dice=[2, 4])
    assert (poor.state.positions["ana"], [one.amount for one in poor.state.debts]) == (LOCK_UP, [40])
    poor.give("ana", "tansy_row", "thimble_row")
    poor.play("ana", "mortgage", title="tansy_row")
    poor.play("ana", "mortgage", title="thimble_row")
    poor.play("ana", "pay_debt")
    assert (poor.state.positions["ana"], poor.cash("ana")) == (GREEN, 25)


# Cards, the die and the pot ------------------------------------------------------------------------


@pytest.mark.rule("own:card.1", "own:card.2")
def test_a_card_is_drawn_and_carried_out() -> None:
    table = town()
    table.arrive("ana", "letter_box_2")
    table.refused("ana", "end_turn", "own:turn.4")
    table.refused("ana", "draw_card", "own:card.1", card="tide_pearl")
    table.play("ana", "draw_card", card="letter_birthday")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1230, 1185, 1185]
    assert drawn(town(), "tide_bell", "tide_feast").cash("ana") == 1180


@pytest.mark.rule("own:card.2", "own:turn.8")
def test_cards_move_tokens_forward_and_back() -> None:
    home = drawn(town(), "letter_box_2", "letter_home")
    assert (home.state.positions["ana"], home.cash("ana")) == (GATE, 1300)
    back = drawn(town(), "tide_bell", "tide_back")
    assert back.state.positions["ana"] == 7
    adrift = town()
    adrift.stand("ana", "tide_bell")
    adrift = drawn(adrift, "tide_bell", "tide_adrift")
    assert (adrift.state.positions["ana"], adrift.cash("ana")) == (13, 1200)


@pytest.mark.rule("own:pot.1", "own:pot.2")
def test_the_green_pays_out_what_cards_have_put_into_the_chest() -> None:
    table = drawn(town(), "tide_bell", "tide_dike")
    table = on_vane(2, table)
    assert table.held(POT, COIN) == 50
    table.arrive("bob", "toll_booth")
    table.play("bob", "pay_tax")
    assert table.held(POT, COIN) == 50
    table.arrive("cid", "village_green")
    assert (table.held(POT, COIN), table.cash("cid")) == (0, 1250)


@pytest.mark.rule("own:card.4")
def test_a_face_of_the_die_gives_a_pass_while_there_is_one() -> None:
    table = on_vane(5)
    assert table.held("player:ana", PASS) == 1
    on_vane(5, table)
    on_vane(5, table)
    assert table.held("player:ana", PASS) == 2
    table.jail("ana")
    table.turn("ana")
    table.play("ana", "use_jail_card")
    assert (table.held("player:ana", PASS), table.held("bank", PASS)) == (1, 1)


@pytest.mark.rule("own:rent.9")
def test_the_wind_leads_to_the_next_of_the_works_whose_rent_is_thrown_for() -> None:
    """The third face leads from the vane past the gate to the windmill. Doubles of that throw do not count."""
    table = town()
    table.give("bob", "works")
    on_vane(3, table)
    assert (table.state.positions["ana"], table.cash("ana")) == (8, 1200 + 100)
    table.play("bob", "claim_rent")
    table.refused("ana", "end_turn", "own:rent.2")
    (thrown, paid) = table.play("ana", "roll_for_rent", dice=[4, 4])
    assert (thrown.rule, paid.rule) == ("own:rent.9", "own:rent.9")
    assert (table.cash("ana"), table.cash("bob")) == (1300 - 8 * 12, 1200 + 8 * 12)
    assert not table.state.must_throw
    table.play("ana", "end_turn")
    mortgaged = town()
    mortgaged.give("bob", "works")
    mortgaged.mortgaged("windmill")
    assert on_vane(3, mortgaged).state.rents == []
    free = on_vane(3)
    assert free.offers("ana", "buy_property") == [{}]


@pytest.mark.rule("own:card.2")
def test_the_storm_costs_for_buildings_and_pushes_back() -> None:
    table = on_hill()
    table.build(kettle_street=5, ladder_street=4, lantern_street=4)
    on_vane(6, table)
    assert (table.cash("ana"), table.state.positions["ana"]) == (1200 - 40 - 80, 20)


# Trades --------------------------------------------------------------------------------------------


@pytest.mark.rule("own:trade.1", "own:trade.2", "own:trade.3")
def test_two_players_exchange_what_they_agree_on() -> None:
    table = on_hill()
    table.give("bob", "north_ferry", PASS)
    table.build(kettle_street=1)
    table.refused(
        "ana", "propose_trade", "own:trade.3", to="bob", give=things("lantern_street"), ask=things("north_ferry")
    )
    table.build(kettle_street=0)
    table.refused("ana", "propose_trade", "own:trade.2", to="bob", give=[{"commodity": "house"}], ask=things(5))
    table.play(
        "ana", "propose_trade", to="bob", give=things("lantern_street", 20), ask=things("north_ferry", PASS)
    )
    offer = str(table.number)
    table.refused("cid", "accept_trade", "own:trade.1", trade=offer)
    table.play("bob", "accept_trade", trade=offer)
    assert (table.owner("lantern_street"), table.owner("north_ferry")) == ("bob", "ana")
    assert (table.cash("ana"), table.held("player:ana", PASS)) == (1180, 1)


@pytest.mark.rule("own:trade.4", "own:trade.5", "own:trade.6")
def test_a_mortgaged_title_is_lifted_or_kept_with_interest() -> None:
    """The mortgage of the windmill is 60: 6 of interest."""
    for lift, costs, left in (([], 6, 1), (["windmill"], 66, 0)):
        table = town()
        table.give("ana", "windmill")
        table.mortgaged("windmill")
        table.play("ana", "propose_trade", to="bob", give=things("windmill"), ask=things(10))
        table.play("bob", "accept_trade", trade=str(table.number), lift=lift)
        assert (table.owner("windmill"), table.held("property:windmill", MORTGAGE)) == ("bob", left)
        assert table.cash("bob") == 1200 - 10 - costs


@pytest.mark.rule("own:trade.7")
def test_no_trade_promises_anything_for_later() -> None:
    table = town()
    table.refused(
        "ana",
        "propose_trade",
        "own:trade.7",
        to="bob",
        give=things(50),
        ask=[],
        terms=["60 next round"],
    )
    table.play("ana", "propose_trade", to="bob", give=things(50), ask=[])
    table.play("bob", "accept_trade", trade=str(table.number))
    assert table.cash("bob") == 1250


# Debts and bankruptcy ------------------------------------------------------------------------------


@pytest.mark.rule("own:debt.1", "own:bankrupt.1")
def test_a_debt_comes_first_and_is_raised_by_mortgages() -> None:
    table = ruined("hill", cash=1_700)
    table.refused("ana", "end_turn", "own:rent.2")
    table.refused("ana", "pay_debt", "own:debt.1")
    table.refused("ana", "declare_bankruptcy", "own:bankrupt.1")
    for title in ("kettle_street", "ladder_street"):
        table.play("ana", "mortgage", title=title)
    table.play("ana", "pay_debt")
    assert (table.cash("ana"), table.state.debts) == (10, [])
    table.refused("ana", "declare_bankruptcy", "own:bankrupt.1")


@pytest.mark.rule("own:bankrupt.2", "own:bankrupt.3", "own:bankrupt.4", "own:bankrupt.7")
def test_who_is_ruined_by_a_player_leaves_everything_to_them() -> None:
    """The windmill is mortgaged for 60: Bob pays 6 of interest, and may lift it for 60."""
    table = ruined("windmill", "tansy_row", "card:letter_pardon", cash=30)
    table.mortgaged("windmill")
    table.purse("bob", 100)
    events = table.play("ana", "declare_bankruptcy")
    assert {"own:bankrupt.2", "own:bankrupt.3", "own:bankrupt.4"} <= {one.rule for one in events}
    assert (table.owner("windmill"), table.owner("tansy_row")) == ("bob", "bob")
    assert table.held("player:bob", "card:letter_pardon") == 1
    assert (table.cash("ana"), table.cash("bob")) == (0, 100 + 30 - 6)
    table.play("bob", "settle_mortgage_transfer", title="windmill", lift=True)
    assert table.cash("bob") == 100 + 30 - 6 - 60
    table.refused("ana", "roll_and_move", "own:bankrupt.7", dice=[1, 2])


@pytest.mark.rule("own:debt.1", "own:bankrupt.4")
def test_interest_on_a_title_taken_over_keeps_only_its_debtor_from_throwing() -> None:
    """Bob takes over the windmill and has not the 6 of interest. Cid throws all the same, and Bob does not."""
    table = ruined("windmill", cash=0)
    table.mortgaged("windmill")
    table.purse("bob", 0)
    table.play("ana", "declare_bankruptcy")
    assert [(one.debtor, one.cause, one.amount) for one in table.state.debts] == [("bob", "interest", 6)]
    table.turn("cid")
    table.roll("cid", 1, 3)
    table.turn("bob")
    table.refused("bob", "roll_and_move", "own:debt.1", dice=[1, 2])
    table.turn("bob", thrown=True)
    table.refused("bob", "end_turn", "own:debt.1")


@pytest.mark.rule("own:debt.1", "own:turn.7")
def test_a_turn_ends_while_another_player_owes_and_the_next_one_does_not_throw() -> None:
    """Cid owes the bank 10. Ana ends her turn, and Bob cannot throw before Cid has paid."""
    table = town()
    table.turn("ana", thrown=True)
    with table.arranged() as state:
        state.debts.append(Debt(id="tax", debtor="cid", creditor="bank", amount=10, rule="own:tax.1", cause="tax"))
    table.play("ana", "end_turn")
    table.refused("bob", "roll_and_move", "own:debt.1", dice=[1, 3])
    table.play("cid", "pay_debt")
    table.roll("bob", 1, 3)


@pytest.mark.rule("own:sell.1")
def test_halves_are_rounded_down() -> None:
    """Tansy Row costs 61 and a cottage there 41: half of them is 30 and 20."""
    board = {name: value for name, value in copy.deepcopy(TOWN).items() if name != "title"}
    row(board, "squares", "tansy_row").update(price=61, building_price=41)
    table = town(board=board)
    table.give("ana", "meadow")
    table.build(tansy_row=1, thimble_row=1)
    table.play("ana", "sell_building", title="tansy_row")
    assert table.cash("ana") == 1200 + 20
    table.build(thimble_row=0)
    table.mortgaged("tansy_row")
    assert sum(one.value for one in table.rulebook.score.wealth(table.state, "ana")) == 1220 + 30 + 70


@pytest.mark.rule("own:bankrupt.5", "own:bankrupt.6")
def test_what_is_left_to_the_bank_is_auctioned_without_mortgages() -> None:
    table = town()
    table.give("ana", "windmill", "card:letter_pardon")
    table.mortgaged("windmill")
    table.purse("ana", 0)
    table.arrive("ana", "toll_booth")
    table.play("ana", "pay_tax")
    table.play("ana", "declare_bankruptcy")
    assert table.state.under["letters"] == ("letter_pardon",)
    assert table.held("property:windmill", MORTGAGE) == 0
    table.play("bob", "bid", amount=30)
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    assert (table.owner("windmill"), table.cash("bob")) == ("bob", 1170)


# The end -------------------------------------------------------------------------------------------


@pytest.mark.rule("own:end.1")
def test_the_last_player_in_the_game_wins_and_nobody_else() -> None:
    table = ruined()
    table.purse("cid", 900_000)
    table.play("ana", "declare_bankruptcy")
    assert not table.state.ended
    table.purse("cid", 0)
    table.arrive("cid", "observatory_terrace")
    table.play("bob", "claim_rent")
    table.play("cid", "declare_bankruptcy")
    assert (table.state.ended, table.state.winners) == (True, ("bob",))
    table.refused("bob", "roll_and_move", "own:end.1", dice=[1, 2])


@pytest.mark.rule("own:quick.1")
def test_the_quick_game_deals_three_titles_to_each() -> None:
    """Three cottages make an inn there, and a prisoner throws once."""
    table = town(quick=True)
    dealt = ("tansy_row", "thimble_row", "north_ferry", "kettle_street", "windmill", "ladder_street")
    assert [table.owner(title) for title in dealt] == ["ana"] * 3 + ["bob"] * 3
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1200] * 3
    table.build(tansy_row=3, thimble_row=3)
    table.play("ana", "build", title="tansy_row")
    assert table.hotels("tansy_row") == [True]


@pytest.mark.rule("own:quick.2")
def test_the_quick_game_settles_a_bankruptcy_without_interest() -> None:
    """Bob takes over the mortgaged windmill, and pays nothing for it."""
    table = ruined("windmill", cash=30, quick=True)
    table.mortgaged("windmill")
    table.purse("bob", 100)
    table.play("ana", "declare_bankruptcy")
    assert (table.owner("windmill"), table.cash("bob"), table.state.ended) == ("bob", 130, True)


@pytest.mark.rule("own:quick.2", "own:worth.1", "own:worth.2", "own:worth.3")
def test_the_quick_game_ends_at_the_first_bankruptcy_with_the_richest() -> None:
    """Cid owns Lantern Street and two wharves. Bob has six cottages of 40, and swaps three for an inn of 40."""
    table = town(quick=True)
    table.give("bob", "meadow")
    table.mortgaged("windmill")
    table.build(tansy_row=3, thimble_row=3)
    table.play("bob", "build", title="tansy_row")
    table.purse("ana", 0)
    table.arrive("ana", "toll_booth")
    table.play("ana", "pay_tax")
    table.play("ana", "mortgage", title="north_ferry")
    events = table.play("ana", "declare_bankruptcy")
    worth = {
        seat: sum(one.value for one in table.rulebook.score.wealth(table.state, seat)) for seat in ("bob", "cid")
    }
    assert worth["cid"] == 1200 + 130 + 190 + 190
    assert worth["bob"] == 1160 + 60 + 70 + 110 + 110 + 60 + (3 + 1 + 3) * 40
    assert (table.state.ended, table.state.winners) == (True, ("bob",))
    assert "own:quick.2" in [one.rule for one in events]
