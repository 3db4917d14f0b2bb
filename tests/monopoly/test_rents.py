"""Rents: claimed by the owner in time, or taken at once."""

from __future__ import annotations

import pytest

from ledger.rulebooks.monopoly.turns import rents
from tests.monopoly.table import Table, monopolys, naruto


def stopped(title: str, *owned: str) -> Table:
    """Ana stops on a ninja of Bob's."""
    table = naruto()
    table.give("bob", title, *owned)
    table.arrive("ana", title)
    return table


def owed(table: Table) -> list[tuple[str, int, str]]:
    """Who owes how much by which rule."""
    return [(one.debtor, one.amount, one.rule) for one in table.state.debts]


# ----------------------------------------------------------------------------------------------
# Claimed: Naruto
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:rent.1")
@pytest.mark.rule("naruto:rent.2")
@pytest.mark.rule("naruto:rent.5")
def test_bob_claims_the_rent_and_ana_pays_him() -> None:
    table = stopped("orange_1")
    table.refused("cid", "claim_rent", "naruto:rent.1", title="orange_1")
    table.refused("ana", "claim_rent", "naruto:rent.4")
    assert table.offers("bob", "claim_rent") == [{}]
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", 14, "naruto:rent.5")]
    table.refused("bob", "claim_rent", "naruto:rent.4")
    table.refused("bob", "pay_debt", "naruto:debt.1")
    (paid,) = table.play("ana", "pay_debt")
    assert "Bob" in table.told([paid])[0]
    assert (table.cash("ana"), table.cash("bob"), owed(table)) == (1486, 1514, [])


@pytest.mark.rule("naruto:rent.2")
@pytest.mark.rule("naruto:rent.4")
def test_a_claimed_rent_stops_the_next_throw_until_it_is_paid() -> None:
    table = stopped("orange_1")
    table.play("ana", "end_turn")
    table.play("bob", "claim_rent")
    table.refused("bob", "roll_and_move", "naruto:rent.2", dice=[1, 2])
    table.play("ana", "pay_debt")
    table.roll("bob", 4, 6)


@pytest.mark.rule("naruto:rent.4")
def test_a_rent_that_is_not_claimed_before_the_next_player_throws_is_lost() -> None:
    table = stopped("orange_1")
    table.play("ana", "end_turn")
    events = table.roll("bob", 4, 6)
    assert "naruto:rent.4" in [one.rule for one in events]
    table.refused("bob", "claim_rent", "naruto:rent.4")
    assert table.cash("ana") == 1500


@pytest.mark.rule("naruto:rent.4")
def test_another_throw_after_a_double_does_not_end_the_claim() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    table.arrive("ana", "orange_1", (2, 2))
    table.stand("ana", "parc_gratuit", before=3)
    table.roll("ana", 1, 2)
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", 14, "naruto:rent.5")]


@pytest.mark.rule("naruto:rent.4")
def test_a_throw_for_a_double_in_prison_ends_the_claim_too() -> None:
    table = stopped("orange_1")
    table.jail("bob")
    table.play("ana", "end_turn")
    table.play("bob", "roll_for_jail", dice=[1, 2])
    table.refused("bob", "claim_rent", "naruto:rent.4")


@pytest.mark.rule("naruto:rent.1")
@pytest.mark.rule("naruto:rent.3")
@pytest.mark.rule("naruto:food.9")
def test_the_rent_is_that_of_the_moment_of_the_stop() -> None:
    table = naruto()
    table.give("bob", "orange")
    table.arrive("ana", "orange_1")
    for title in ("orange_1", "orange_2", "orange_3"):
        table.play("bob", "build", title=title)
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", 28, "naruto:rent.6")]


@pytest.mark.rule("naruto:rent.6")
def test_a_mortgage_in_the_group_stops_the_doubling_and_food_on_another_does_not() -> None:
    table = naruto()
    table.give("bob", "orange")
    table.build(orange_2=1)
    table.arrive("ana", "orange_1")
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", 28, "naruto:rent.6")]

    table = naruto()
    table.give("bob", "orange")
    table.mortgaged("orange_2")
    table.arrive("ana", "orange_1")
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", 14, "naruto:rent.5")]


@pytest.mark.rule("naruto:rent.7")
@pytest.mark.parametrize(("built", "rent"), [(1, 70), (2, 200), (3, 550), (4, 750), (5, 950)])
def test_food_earns_what_the_deed_says(built: int, rent: int) -> None:
    table = naruto()
    table.give("bob", "orange")
    table.build(orange_1=built)
    table.arrive("ana", "orange_1")
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", rent, "naruto:rent.7")]


@pytest.mark.rule("naruto:mortgage.5")
def test_a_mortgaged_ninja_earns_nothing() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    table.mortgaged("orange_1")
    table.arrive("ana", "orange_1")
    table.refused("bob", "claim_rent", "naruto:mortgage.5", title="orange_1")
    assert table.offers("bob", "claim_rent") == []


@pytest.mark.rule("naruto:own.1")
def test_ones_own_ninja_costs_and_earns_nothing() -> None:
    table = naruto()
    table.give("ana", "orange_1")
    table.arrive("ana", "orange_1")
    table.refused("ana", "claim_rent", "naruto:rent.4")
    table.play("ana", "end_turn")
    assert table.cash("ana") == 1500


@pytest.mark.rule("naruto:akatsuki.1")
@pytest.mark.parametrize(
    ("owned", "rent"),
    [((), 25), (("kisame",), 50), (("kisame", "itachi"), 100), (("kisame", "itachi", "pain"), 200)],
)
def test_akatsuki_earn_by_how_many_one_has(owned: tuple[str, ...], rent: int) -> None:
    table = naruto()
    table.give("bob", "deidara", *owned)
    table.mortgaged(*owned)
    table.arrive("ana", "deidara")
    table.play("bob", "claim_rent")
    assert owed(table) == [("ana", rent, "naruto:akatsuki.1")]


@pytest.mark.rule("naruto:utility.1")
@pytest.mark.rule("naruto:utility.3")
def test_the_rent_of_obito_is_thrown_for_once_it_is_claimed() -> None:
    table = stopped("obito")
    table.refused("ana", "roll_for_rent", "naruto:utility.3", dice=[3, 3])
    table.play("bob", "claim_rent")
    assert owed(table) == []
    table.refused("ana", "end_turn", "naruto:rent.2")
    table.play("ana", "roll_for_rent", dice=[3, 3])
    assert owed(table) == [("ana", 24, "naruto:utility.1")]
    assert table.state.positions["ana"] == 12
    table.refused("ana", "end_turn", "naruto:rent.2")
    table.play("ana", "pay_debt")


@pytest.mark.rule("naruto:rent.2")
@pytest.mark.rule("naruto:utility.3")
def test_a_rent_claimed_after_the_turn_is_thrown_for_before_the_next_player_throws() -> None:
    table = stopped("obito")
    table.play("ana", "end_turn")
    table.play("bob", "claim_rent")
    table.refused("bob", "roll_and_move", "naruto:rent.2", dice=[1, 2])
    table.play("ana", "roll_for_rent", dice=[3, 3])
    table.play("ana", "pay_debt")
    table.roll("bob", 4, 6)


@pytest.mark.rule("naruto:utility.2")
def test_both_earn_ten_times_the_throw() -> None:
    table = stopped("obito", "kabuto")
    table.mortgaged("kabuto")
    table.play("bob", "claim_rent")
    table.play("ana", "roll_for_rent", dice=[3, 4])
    assert owed(table) == [("ana", 70, "naruto:utility.2")]


def test_the_only_utility_of_a_board_is_one_and_not_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has it has its whole group; the rent is still that of one."""
    monkeypatch.setattr(rents, "group_of", lambda _, title: (title,))
    table = stopped("obito")
    table.play("bob", "claim_rent")
    table.play("ana", "roll_for_rent", dice=[3, 4])
    assert owed(table) == [("ana", 28, "naruto:utility.1")]


@pytest.mark.rule("naruto:offturn.1")
@pytest.mark.rule("naruto:offturn.2")
def test_six_operations_wait_neither_for_the_turn_nor_for_the_end_of_prison() -> None:
    """Bob, in prison on Ana's turn, claims, builds, sells, lifts a mortgage, trades and bids."""
    table = naruto()
    table.give("bob", "orange", "deidara")
    table.mortgaged("deidara")
    table.jail("bob")
    table.arrive("ana", "orange_1")
    table.play("bob", "claim_rent")
    table.play("bob", "build", title="orange_1")
    table.play("bob", "sell_building", title="orange_1")
    table.play("bob", "unmortgage", title="deidara")
    table.play("bob", "propose_trade", to="cid", give=[{"commodity": "title:deidara", "amount": 1}])
    table.play("ana", "pay_debt")
    table.arrive("ana", "rose_1")
    table.play("ana", "decline_property")
    table.play("bob", "bid", amount=5)
    assert table.state.jailed == {"bob": 0}


# ----------------------------------------------------------------------------------------------
# Taken at once: Monopolys
# ----------------------------------------------------------------------------------------------


def rent_paid(title: str, *owned: str, built: int = 0, mortgaged: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    """The rents that Ana pays for stopping on a comptoir of Bob's: the amounts and their rules."""
    table = monopolys()
    table.give("bob", title, *owned)
    table.mortgaged(*mortgaged)
    if built:
        table.build(**{title: built})
    events = table.arrive("ana", title)
    found = [(one.amount, one.rule) for one in events if type(one).__name__ == "RentPaid"]
    lost = 150_000 - table.cash("ana")
    assert table.cash("bob") == 150_000 + lost
    assert lost == sum(amount for amount, _ in found)
    return found


@pytest.mark.rule("monopolys:own.1")
@pytest.mark.rule("monopolys:rent.1")
@pytest.mark.rule("monopolys:rent.2")
@pytest.mark.rule("monopolys:rent.3")
def test_a_rent_is_taken_from_the_capital_in_the_same_action() -> None:
    assert rent_paid("yzlands") == [(2200, "monopolys:rent.3")]
    table = monopolys()
    table.give("bob", "yzlands")
    table.arrive("bob", "yzlands")
    assert table.cash("bob") == 150_000
    table.refused("bob", "claim_rent", "monopolys:rent.1")


@pytest.mark.rule("monopolys:rent.2")
def test_what_the_capital_does_not_cover_is_a_debt_that_blocks() -> None:
    table = monopolys()
    table.give("bob", "bryst")
    table.purse("ana", 4_999)
    table.arrive("ana", "bryst")
    assert owed(table) == [("ana", 5_000, "monopolys:rent.3")]
    assert (table.cash("ana"), table.cash("bob")) == (4_999, 150_000)
    table.refused("ana", "end_turn", "monopolys:rent.2")
    table.refused("ana", "pay_debt", "monopolys:rent.3")
    table.purse("ana", 5_001)
    table.play("ana", "pay_debt")
    assert (table.cash("ana"), table.cash("bob")) == (1, 155_000)


@pytest.mark.rule("monopolys:rent.4")
@pytest.mark.rule("monopolys:rent.5")
@pytest.mark.rule("monopolys:rent.6")
@pytest.mark.rule("monopolys:rent.7")
def test_a_whole_region_doubles_what_has_no_atelier_unless_one_is_mortgaged() -> None:
    assert rent_paid("papenchayse", "bryst") == [(7_000, "monopolys:rent.4")]
    assert rent_paid("papenchayse", "bryst", mortgaged=("bryst",)) == [(3_500, "monopolys:rent.3")]
    assert rent_paid("papenchayse", "bryst", mortgaged=("papenchayse",)) == []
    assert rent_paid("papenchayse", "bryst", built=1) == [(17_500, "monopolys:rent.6")]
    assert rent_paid("papenchayse", "bryst", built=5) == [(150_000, "monopolys:rent.6")]


@pytest.mark.rule("monopolys:port.5")
def test_ports_earn_by_how_many_one_holds() -> None:
    ports = ("avarys", "krasstadt")
    assert rent_paid("saint_pietrebourg") == [(2_500, "monopolys:port.5")]
    assert rent_paid("saint_pietrebourg", *ports, mortgaged=ports) == [(10_000, "monopolys:port.5")]


@pytest.mark.rule("monopolys:guetapens.2")
@pytest.mark.rule("monopolys:guetapens.3")
def test_mercenaries_take_a_multiple_of_the_throw_that_brought_one_there() -> None:
    assert rent_paid("charybde") == [(1_200, "monopolys:guetapens.2")]
    assert rent_paid("charybde", "zcygulla", mortgaged=("zcygulla",)) == [(3_000, "monopolys:guetapens.3")]


@pytest.mark.rule("monopolys:guetapens.4")
def test_who_is_sent_there_by_a_chance_die_throws_again() -> None:
    table = monopolys()
    table.give("bob", "zcygulla")
    table.arrive("ana", "ocean_3")
    table.play("ana", "roll_chance_die", dice=[2])
    assert table.state.positions["ana"] == 28
    table.refused("ana", "end_turn", "monopolys:turn.4")
    table.play("ana", "roll_for_rent", dice=[4, 4])
    assert table.cash("ana") == 150_000 - 8 * 400
    table.play("ana", "end_turn")


@pytest.mark.rule("monopolys:guetapens.4")
def test_the_throw_is_for_whoever_owned_the_title_at_the_stop() -> None:
    table = monopolys()
    table.give("bob", "zcygulla")
    table.arrive("ana", "ocean_3")
    table.play("ana", "roll_chance_die", dice=[2])
    ask = [{"commodity": "title:zcygulla", "amount": 1}]
    table.play("ana", "propose_trade", to="bob", give=[{"commodity": "YRIS", "amount": 10_000}], ask=ask)
    (trade,) = table.state.open
    table.play("bob", "accept_trade", trade=trade)
    table.play("ana", "roll_for_rent", dice=[1, 2])
    assert table.cash("bob") == 150_000 + 10_000 + 3 * 400


@pytest.mark.rule("monopolys:jail.9")
def test_a_prisoner_draws_rents() -> None:
    table = monopolys()
    table.give("bob", "bryst")
    table.jail("bob")
    table.arrive("ana", "bryst")
    assert table.cash("bob") == 155_000
