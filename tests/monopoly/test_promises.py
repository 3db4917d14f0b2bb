"""Promises in trades, at tables that allow them: payments in a later round, free stays, and words."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.language.sentences import speak
from ledger.rulebooks.monopoly.table.terms import Trade
from tests.monopoly.table import Table, town
from tests.monopoly.test_corrections import ruled
from tests.monopoly.test_debts import awarded
from tests.monopoly.test_trades import trade


def give(**amounts: int) -> list[dict[str, Any]]:
    """Things of a trade, by names with an underscore for the colon; `money` is money."""
    return [
        {"commodity": "COIN" if name == "money" else name.replace("__", ":"), "amount": amount}
        for name, amount in amounts.items()
    ]


def pass_round(table: Table, *seats: str) -> None:
    """Each seat throws onto a square that asks nothing, and ends the turn."""
    for seat in seats:
        table.arrive(seat, "town_gate")
        table.play(seat, "end_turn")


def lent() -> Table:
    """Bob lends Ana 200 in round 1, for 250 in round 3."""
    table = town(promises=True)
    deal = trade(table, "ana", "bob", give(note__3=250), give(money=200))
    table.play("bob", "accept_trade", trade=deal)
    return table


# Loans --------------------------------------------------------------------------------------------


@pytest.mark.rule("own:trade.8")
def test_a_loan_is_paid_back_when_the_turn_of_its_round_begins() -> None:
    """Nothing is due in round 2; in round 3 Ana pays before she throws."""
    table = lent()
    assert (table.cash("ana"), table.cash("bob")) == (1400, 1000)
    assert table.held("player:bob", "note:ana:3") == 250
    pass_round(table, "ana", "bob", "cid", "ana", "bob", "cid")
    assert table.told(table.last_events())[-2:] == [
        "Ana has promised Bob 250 Sh for round 3.",
        "Ana pays 250 Sh to Bob, as promised.",
    ]
    assert table.told(table.last_events(), "fr")[-1] == "Ana paie 250 Sh à Bob, comme promis."
    assert table.held("player:bob", "note:ana:3") == 0


@pytest.mark.rule("own:trade.8")
def test_a_loan_stands_among_the_obligations_until_it_is_due() -> None:
    table = lent()
    (loan,) = table.rulebook.agreements.obligations(table.state)
    assert (loan.debtor, loan.creditor, loan.amount, loan.about) == ("ana", "player:bob", 250, "note:ana:3")
    assert not loan.awaited
    pass_round(table, "ana", "bob", "cid", "ana", "bob", "cid")
    assert [*table.rulebook.agreements.obligations(table.state)] == []


@pytest.mark.rule("own:trade.8", "own:debt.1")
def test_who_cannot_pay_a_loan_back_owes_it_like_a_rent() -> None:
    table = lent()
    pass_round(table, "ana", "bob", "cid", "ana", "bob")
    table.purse("ana", 100)
    pass_round(table, "cid")
    (debt,) = table.state.debts
    assert (debt.debtor, debt.creditor, debt.amount, debt.cause) == ("ana", "player:bob", 250, "promise")
    table.refused("ana", "roll_and_move", "own:debt.1", dice=[1, 2])
    table.purse("ana", 300)
    table.play("ana", "pay_debt")
    assert (table.cash("ana"), table.state.debts) == (50, [])


@pytest.mark.rule("own:trade.8")
def test_a_promised_payment_is_sold_on_and_bought_back() -> None:
    """Bob sells Ana's note to Cid; Ana buys it back before its time, and owes nothing more."""
    table = lent()
    deal = trade(table, "bob", "cid", give(note__ana__3=250), give(money=220))
    table.play("cid", "accept_trade", trade=deal)
    deal = trade(table, "ana", "cid", give(money=240), give(note__ana__3=250))
    table.play("cid", "accept_trade", trade=deal)
    assert [table.held(f"player:{seat}", "note:ana:3") for seat in table.seats] == [0, 0, 0]
    assert table.held("bank", "note:ana:3") == 0
    assert [table.cash(seat) for seat in table.seats] == [1160, 1220, 1220]


@pytest.mark.rule("own:trade.8")
def test_nobody_gives_a_note_of_another_without_holding_it() -> None:
    table = lent()
    deal = trade(table, "cid", "ana", give(note__bob__4=50), give(money=10))
    table.refused("ana", "accept_trade", "own:trade.1", trade=deal)
    deal = trade(table, "bob", "cid", give(note__ana__3=251), give(money=10))
    table.refused("cid", "accept_trade", "own:trade.1", trade=deal)


@pytest.mark.rule("own:trade.8", "own:trade.2")
def test_rounds_and_sums_of_payments_have_bounds() -> None:
    table = town(promises=True, rounds=10)
    for thing, rule in (
        (give(note__0=10), "own:trade.8"),
        (give(note__11=10), "own:trade.8"),
        (give(note__4=1_000_000_001), "own:trade.8"),
        (give(stay__tansy_row=101), "own:trade.8"),
        (give(note__x=10), "own:trade.2"),
        (give(note__zoe__4=10), "own:trade.2"),
        (give(stay__town_gate=1), "own:trade.2"),
    ):
        table.refused("ana", "propose_trade", rule, to="bob", give=thing, ask=give(money=10))


# Free stays ---------------------------------------------------------------------------------------


@pytest.mark.rule("own:trade.8")
def test_a_free_stay_spares_one_rent_each_whoever_owns_the_title() -> None:
    """Ana gives Bob two stays on Tansy Row, and sells the title to Cid; Bob stays twice, and then pays."""
    table = town(promises=True, rents_are_claimed=False)
    table.give("ana", "tansy_row")
    deal = trade(table, "ana", "bob", give(stay__tansy_row=2), give(money=60))
    table.play("bob", "accept_trade", trade=deal)
    deal = trade(table, "ana", "cid", [{"commodity": "title:tansy_row"}], give(money=60))
    table.play("cid", "accept_trade", trade=deal)
    money = table.cash("cid")
    for left in (1, 0):
        table.arrive("bob", "tansy_row")
        assert table.told(table.last_events())[-1] == "Bob stays on Tansy Row for nothing, as promised."
        assert (table.held("player:bob", "stay:tansy_row"), table.cash("cid")) == (left, money)
    table.arrive("bob", "tansy_row")
    assert table.cash("cid") > money


@pytest.mark.rule("own:trade.8")
def test_a_free_stay_is_given_by_the_owner_and_ends_with_the_owner() -> None:
    table = town(promises=True)
    table.give("ana", "tansy_row")
    deal = trade(table, "cid", "bob", give(stay__tansy_row=1), give(money=60))
    table.refused("bob", "accept_trade", "own:trade.1", trade=deal)
    deal = trade(table, "ana", "bob", give(stay__tansy_row=1), give(money=60))
    table.play("bob", "accept_trade", trade=deal)
    deal = trade(table, "bob", "ana", give(stay__tansy_row=1), give(money=70))
    table.play("ana", "accept_trade", trade=deal)
    assert [table.held(account, "stay:tansy_row") for account in ("player:ana", "player:bob", "bank")] == [0, 0, 0]


@pytest.mark.rule("own:trade.8")
def test_no_stay_is_used_where_no_rent_is_due() -> None:
    table = town(promises=True)
    table.give("ana", "tansy_row")
    deal = trade(table, "ana", "bob", give(stay__tansy_row=1), give(money=60))
    table.play("bob", "accept_trade", trade=deal)
    table.mortgaged("tansy_row")
    table.arrive("bob", "tansy_row")
    assert table.held("player:bob", "stay:tansy_row") == 1


# Words --------------------------------------------------------------------------------------------


@pytest.mark.rule("own:trade.8")
def test_words_are_kept_with_the_trade() -> None:
    table = town(promises=True)
    words = ["I shall not build on Tansy Row.", "You get the next station."]
    deal = trade(table, "ana", "bob", give(money=10), [], terms=words)
    assert table.told(table.last_events()) == [
        f"Ana proposes trade {deal} to Bob: gives 10 Sh, asks for nothing.",
        f"Trade {deal} promises in words: {words[0]}; {words[1]}",
    ]
    table.play("bob", "accept_trade", trade=deal)
    (kept,) = table.state.past
    assert isinstance(kept, Trade)
    speakers = table.rulebook.language.speakers(table.state)
    told = table.rulebook.agreements.terms(table.state, kept, "fr")
    assert told.terms == tuple(words)
    assert told.title.split("\N{NO-BREAK SPACE}; ") == [
        "Ana donne 10 Sh",
        *(f"« {promise} »" for promise in words),
    ]
    assert speak("{thing:goods}", {"thing": "note:ana:4"}, "fr", speakers) == "Sh par Ana au tour de table 4"


@pytest.mark.rule("own:trade.7")
def test_without_the_setting_nothing_is_promised() -> None:
    table = town()
    table.give("ana", "tansy_row")
    for things, terms in ((give(note__3=10), []), (give(stay__tansy_row=1), []), (give(money=1), ["Later."])):
        table.refused("ana", "propose_trade", "own:trade.7", to="bob", give=things, ask=[], terms=terms)
    assert "stay:tansy_row" not in table.rulebook.accounts.commodities(table.state)


# Bankruptcy, corrections, rulings -----------------------------------------------------------------


@pytest.mark.rule("own:trade.8", "own:bankrupt.3")
def test_a_bankrupt_s_promises_are_void_and_those_to_the_bankrupt_go_to_the_creditor() -> None:
    """Ana owes Bob and Cid by notes, and holds a stay and notes of Bob and Cid when Bob ruins her."""
    table = town(promises=True)
    table.give("cid", "tansy_row")
    for partner, things in (("bob", give(note__bob__9=30)), ("cid", give(stay__tansy_row=1, note__cid__9=40))):
        deal = trade(table, "ana", partner, give(note__9=100), things)
        table.play(partner, "accept_trade", trade=deal)
    table.purse("ana", 0)
    awarded(table, "ana", "bob", 900)
    table.play("ana", "declare_bankruptcy")
    held = {
        (seat, thing): amount
        for seat in table.seats
        for thing, amount in table.state.holdings.account(f"player:{seat}").items()
        if thing.startswith(("note:", "stay:")) and amount
    }
    assert held == {("bob", "stay:tansy_row"): 1, ("bob", "note:cid:9"): 40}
    assert not list(table.rulebook.play.inconsistencies(table.state))


@pytest.mark.rule("own:trade.8")
def test_a_loan_that_is_undone_is_not_paid_back() -> None:
    """Cid pays Bob when his turn begins; then the acceptance is dropped, and the payment goes with the loan."""
    table = town(promises=True, seats=("ana", "cid", "bob"))
    deal = trade(table, "cid", "bob", give(note__1=250), give(money=200))
    table.play("bob", "accept_trade", trade=deal)
    accepted = table.number
    table.roll("ana", 1, 3)
    table.play("ana", "pay_tax")
    table.play("ana", "end_turn")
    assert (table.cash("cid"), table.cash("bob")) == (1150, 1250)
    edits = [{"op": "drop", "action": accepted}]
    table.banker("correct", edits=edits, cascade="restate", reason="never agreed")
    assert (table.cash("cid"), table.cash("bob")) == (1200, 1200)
    assert table.held("bank", "note:cid:1") == 0


@pytest.mark.rule("own:trade.8")
def test_a_ruling_takes_a_promise_back() -> None:
    table = lent()
    taken = {"commodity": "note:ana:3", "amount": 250, "from": "player:bob", "to": "bank"}
    ruled(table, "adjust", postings=[taken])
    pass_round(table, "ana", "bob", "cid", "ana", "bob", "cid")
    assert table.cash("ana") - table.cash("bob") == 400
    assert table.held("bank", "note:ana:3") == 0
