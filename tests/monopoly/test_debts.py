"""Debts: settled by a payment in full, by a trade that names them, or by a ruling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.rulebooks.monopoly.table.state import pieces
from tests.monopoly.table import Table, monopolys, naruto, town
from tests.monopoly.test_trades import things, trade


def awarded(table: Table, seat: str, to: str, amount: int) -> str:
    """A ruling makes the seat owe more than it has; returns the debt as a thing in a trade."""
    award = {"op": "award_debt", "seat": seat, "to": to, "amount": amount}
    table.banker("rule", finding="So be it.", remedies=[award])
    return f"debt:{table.state.debts[-1].id}"


def poor(play: Callable[..., Table], cash: int = 0) -> tuple[Table, str]:
    """A table where Ana has this much money and the first title of the board; returns the title, too."""
    table = play()
    title = next(iter(pieces(table.state).titles))
    table.give("ana", title)
    table.purse("ana", cash)
    return table, title


EDITIONS = [
    pytest.param(naruto, "naruto:trade.4", marks=pytest.mark.rule("naruto:trade.4")),
    pytest.param(monopolys, "monopolys:sale.1", marks=pytest.mark.rule("monopolys:sale.1")),
    pytest.param(town, "own:trade.1", marks=pytest.mark.rule("own:trade.1")),
]
WAIVERS = [
    pytest.param(naruto, "naruto:fairplay.2", marks=pytest.mark.rule("naruto:fairplay.2")),
    pytest.param(monopolys, "monopolys:rent.1", marks=pytest.mark.rule("monopolys:rent.1")),
    pytest.param(town, "own:trade.7", marks=pytest.mark.rule("own:trade.7")),
]
WHOLE = [
    pytest.param(naruto, "naruto:debt.1", marks=pytest.mark.rule("naruto:debt.1")),
    pytest.param(monopolys, "monopolys:turn.4", marks=pytest.mark.rule("monopolys:turn.4")),
    pytest.param(town, "own:debt.1", marks=pytest.mark.rule("own:debt.1")),
]


@pytest.mark.parametrize(("play", "rule"), EDITIONS)
def test_a_creditor_takes_a_title_for_a_debt(play: Callable[..., Table], rule: str) -> None:
    """Ana owes Bob 2000 and has nothing but a title, which is enough for Bob. No money moves."""
    table, title = poor(play)
    owed, cash = awarded(table, "ana", "bob", 2000), table.cash("bob")
    number = owed.removeprefix("debt:")
    (offered,) = (
        one for one in table.offers("ana", "propose_trade") if one["ask"] == [{**things(owed)[0], "amount": 1}]
    )
    table.play("ana", "propose_trade", **offered)
    deal = str(table.number)
    assert f"asks for release from debt {number}" in table.told(table.last_events())[0]
    assert f"quittance de la dette {number}" in table.told(table.last_events(), "fr")[0]
    assert table.offers("bob", "accept_trade") == [{"trade": deal}]
    _, released = table.play("bob", "accept_trade", trade=deal)
    assert (released.rule, table.told([released])[0].startswith("Ana no longer owes 2")) == (rule, True)
    assert (table.owner(title), table.state.debts) == ("bob", [])
    assert (table.cash("ana"), table.cash("bob")) == (0, cash)


@pytest.mark.parametrize(("play", "rule"), EDITIONS)
def test_mutual_debts_are_set_off_and_the_difference_is_paid(play: Callable[..., Table], rule: str) -> None:
    """Ana owes Bob 500, Bob owes Ana 380, and nobody has the whole: Ana pays 120."""
    table, _ = poor(play, 130)
    money = table.rulebook.accounts.currency
    table.purse("bob", 0)
    owed, due = awarded(table, "ana", "bob", 500), awarded(table, "bob", "ana", 380)
    deal = trade(table, "bob", "ana", things(owed), things(due, 120, money=money))
    table.play("ana", "accept_trade", trade=deal)
    assert (table.cash("ana"), table.cash("bob"), table.state.debts) == (10, 120, [])


@pytest.mark.parametrize(("play", "rule"), WAIVERS)
def test_no_trade_waives_a_part_of_a_debt(play: Callable[..., Table], rule: str) -> None:
    """Neither for nothing, nor for less money, nor for a smaller debt."""
    table, _ = poor(play, 400)
    money = table.rulebook.accounts.currency
    table.purse("bob", 0)
    owed, due = awarded(table, "ana", "bob", 500), awarded(table, "bob", "ana", 80)
    for given in ([], things(400, money=money), things(due), things(due, 399, money=money)):
        table.refused("ana", "propose_trade", rule, to="bob", give=given, ask=things(owed))
    refusal = table.refused(
        "bob", "propose_trade", rule, to="ana", give=things(owed, 1, money=money), ask=things(due)
    )
    assert "no trade waives a part of a debt" in refusal.en


@pytest.mark.parametrize(("play", "rule"), EDITIONS)
def test_only_a_debt_of_one_party_to_the_other_is_released(play: Callable[..., Table], rule: str) -> None:
    """Not one to the bank or to a third player, not one that does not exist, and none twice."""
    table, title = poor(play)
    banked, thirds, owed = (awarded(table, "ana", to, 2000) for to in ("bank", "cid", "bob"))
    for named in (banked, thirds, "debt:9999"):
        table.refused("ana", "propose_trade", rule, to="bob", give=things(title), ask=things(named))
    table.refused("ana", "propose_trade", rule, to="bob", give=things(owed), ask=things(title))
    twice = [{"commodity": owed, "amount": 2}]
    table.refused("ana", "propose_trade", pieces_rule(rule), to="bob", give=things(title), ask=twice)


@pytest.mark.parametrize(("play", "rule"), EDITIONS)
def test_a_debt_paid_meanwhile_is_not_released(play: Callable[..., Table], rule: str) -> None:
    table, title = poor(play)
    owed = awarded(table, "ana", "bob", 2000)
    deal = trade(table, "ana", "bob", things(title), things(owed))
    table.purse("ana", 2000)
    table.play("ana", "pay_debt")
    assert table.offers("bob", "accept_trade") == []
    refusal = table.refused("bob", "accept_trade", rule, trade=deal)
    assert "Ana owes Bob no such debt" in refusal.en


@pytest.mark.parametrize(
    ("play", "rule"),
    [
        pytest.param(naruto, "naruto:debt.1", marks=pytest.mark.rule("naruto:debt.1")),
        pytest.param(monopolys, "monopolys:bankruptcy.1", marks=pytest.mark.rule("monopolys:bankruptcy.1")),
        pytest.param(town, "own:debt.1", marks=pytest.mark.rule("own:debt.1")),
    ],
)
def test_a_creditor_is_not_settled_with_the_means_for_another(play: Callable[..., Table], rule: str) -> None:
    """Ana owes Bob 2000 and Cid 10: the title that would pay Cid is not for Bob alone."""
    table, title = poor(play)
    owed, _ = awarded(table, "ana", "bob", 2000), awarded(table, "ana", "cid", 10)
    refusal = table.refused("ana", "propose_trade", rule, to="bob", give=things(title), ask=things(owed))
    assert "owed to Cid (ruling)" in refusal.en
    assert refusal.values["short"] == 10
    assert "et il manquerait 10" in refusal.fr.replace("\u202f", " ").replace("\u00a0", " ")


@pytest.mark.parametrize(("play", "rule"), WHOLE)
def test_money_in_part_in_excess_or_for_the_wrong_seat_settles_nothing(
    play: Callable[..., Table], rule: str
) -> None:
    """Ana owes Bob 500. What she gives Cid or Bob besides is a gift; a ruling brings it back."""
    table, _ = poor(play, 499)
    money = table.rulebook.accounts.currency
    awarded(table, "ana", "bob", 500)
    table.refused("ana", "pay_debt", rule)
    table.purse("ana", 800)
    bob, cid = table.cash("bob"), table.cash("cid")
    for seat, amount in (("cid", 200), ("bob", 100)):
        deal = trade(table, "ana", seat, things(amount, money=money), [])
        table.play(seat, "accept_trade", trade=deal)
    assert [one.amount for one in table.state.debts] == [500]
    back = {
        "op": "adjust",
        "postings": [{"commodity": money, "amount": 200, "from": "player:cid", "to": "player:ana"}],
    }
    table.banker("rule", finding="Meant for Bob.", remedies=[back])
    table.play("ana", "pay_debt")
    assert (table.cash("ana"), table.cash("bob"), table.cash("cid")) == (200, bob + 600, cid)


def pieces_rule(trades: str) -> str:
    """The rule of the pieces of a trade."""
    return {"naruto:trade.4": "naruto:trade.3", "own:trade.1": "own:trade.2"}.get(trades, trades)


@pytest.mark.rule("monopolys:sale.1")
def test_a_corrected_history_has_the_trade_where_it_has_the_debt() -> None:
    """The ruling was about another amount: the trade stands. There was no ruling: the title stays Ana's."""
    table, title = poor(monopolys)
    owed = awarded(table, "ana", "bob", 2000)
    ruling = table.number
    table.play("bob", "accept_trade", trade=trade(table, "ana", "bob", things(title), things(owed)))
    award = {"op": "award_debt", "seat": "ana", "to": "bob", "amount": 1900}
    other = {"op": "replace", "action": ruling, "params": {"finding": "So be it.", "remedies": [award]}}
    assert not table.what_if(other).voided
    drop = {"op": "drop", "action": ruling}
    assert [one.timeline_entry.entry.kind for one in table.what_if(drop).voided] == [
        "propose_trade",
        "accept_trade",
    ]
    table.banker("correct", edits=[drop], cascade="restate", reason="no such ruling")
    assert (table.owner(title), table.state.debts) == ("ana", [])
