"""Taxes: the printed amount, to the bank and nowhere else."""

from __future__ import annotations

import pytest

from ledger.rulebooks.monopoly.table.terms import POT
from tests.monopoly.table import monopolys, naruto


@pytest.mark.rule("naruto:tax.1", "naruto:bank.3")
def test_barbecue_costs_200() -> None:
    table = naruto()
    table.refused("ana", "pay_tax", "naruto:tax.1")
    before = table.bank()
    table.arrive("ana", "barbecue")
    table.refused("bob", "pay_tax", "naruto:turn.1")
    table.refused("ana", "end_turn", "naruto:turn.3")
    table.play("ana", "pay_tax")
    assert (table.cash("ana"), table.bank(), table.held(POT, "M")) == (1300, before + 200, 0)
    table.refused("ana", "pay_tax", "naruto:tax.1")
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:tax.2", "naruto:fairplay.3")
def test_ramen_ichiraku_costs_100_and_the_park_pays_nothing() -> None:
    table = naruto()
    table.arrive("ana", "ramen_ichiraku")
    table.play("ana", "pay_tax")
    assert table.cash("ana") == 1400
    table.arrive("bob", "parc_gratuit")
    assert table.cash("bob") == 1500


@pytest.mark.rule("naruto:tax.1", "naruto:debt.1")
def test_a_tax_above_the_money_is_a_debt() -> None:
    table = naruto()
    table.purse("ana", 199)
    table.arrive("ana", "barbecue", (1, 1))
    table.play("ana", "pay_tax")
    assert table.cash("ana") == 199
    table.refused("ana", "roll_and_move", "naruto:debt.1", dice=[1, 2])
    table.purse("ana", 200)
    table.play("ana", "pay_debt")
    table.roll("ana", 1, 2)


@pytest.mark.rule("monopolys:douane.1")
def test_customs_always_cost_20_000() -> None:
    table = monopolys()
    before = table.bank()
    for seat, square in (("ana", "douane_1"), ("bob", "douane_2"), ("cid", "douane_2")):
        table.arrive(seat, square, (1, 1))
        table.play(seat, "pay_tax")
        assert table.cash(seat) == 130_000
    assert (table.bank(), table.held(POT, "YRIS")) == (before + 60_000, 0)
