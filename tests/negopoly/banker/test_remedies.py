"""P.1. The remedies of a ruling: fines, goods and titles, agreements, positions and eliminations."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import GameOver
from ledger.rulebooks.negopoly.agreements.loans import DEADLINE
from ledger.rulebooks.negopoly.table.state import houses_on
from ledger.rulebooks.negopoly.table.terms import Loan
from tests.negopoly.agreements.test_bounties import opened
from tests.negopoly.agreements.test_contracts import registered
from tests.negopoly.banker.test_disputes import contest
from tests.tables.negopoly import Table, agreement, idle, kinds, ruled, ruling_of, ruling_refused


def drop(*numbers: int, cascade: str = "restate") -> dict[str, Any]:
    """The remedy that drops actions from the history."""
    return {"op": "correct", "edits": [{"op": "drop", "action": one} for one in numbers], "cascade": cascade}


# Money, goods and titles --------------------------------------------------------------------------------


@pytest.mark.rule("P.1", "I.B.3")
def test_a_fine_is_paid_into_debt() -> None:
    table = Table("ana", "bob")
    (fined, _) = ruled(table, {"op": "fine", "seat": "ana", "amount": 1700, "reason": "insolence"})
    assert fined.rule == "P.1"
    assert (table.holds("ana"), table.seen_by("bob")[0]) == (-50, fined)
    table.refused("ana", "transfer_money", "I.B.6", to="bob", amount=1)


@pytest.mark.rule("P.1", "I.C.6")
def test_goods_are_moved_between_accounts_for_their_owners_eyes_only() -> None:
    table = Table("ana", "bob", "cid", perks={"ana": "doses"})
    held = table.holds("ana", "dose")
    posting = {"from": "player:ana", "to": "player:bob", "commodity": "dose", "amount": 1}
    moved, ruling = ruled(table, {"op": "adjust", "postings": [posting], "reason": "it was his"})
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (held - 1, 1)
    assert table.seen_by("cid") == []
    assert table.seen_by("bob") == [moved, ruling]
    fine = {"op": "fine", "seat": "bob", "amount": 5}
    *_, fined, ruling = ruled(table, {"op": "adjust", "postings": [posting], "reason": "and one more"}, fine)
    assert table.seen_by("cid") == [fined, ruling]
    assert ruling_of([ruling]).ops == ("private", "fine")
    new = {"from": "bank", "to": "player:bob", "commodity": "rpg7", "amount": 1}
    ruled(table, {"op": "adjust", "postings": [new], "reason": "lost by the bank"})
    assert table.holds("bob", "rpg7") == 1


@pytest.mark.rule("P.1")
def test_an_adjustment_takes_nothing_out_of_an_agreement_and_moves_no_title() -> None:
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    bounty = opened(table, "bob", 100)

    def move(source: str, target: str, commodity: str) -> dict[str, Any]:
        posting = {"from": source, "to": target, "commodity": commodity, "amount": 1}
        return {"op": "adjust", "postings": [posting], "reason": "so"}

    assert "forced_sale" in ruling_refused(table, "P.1", move("player:ana", "player:bob", "title:negotown"))
    assert "agreement" in ruling_refused(table, "P.1", move(f"escrow:bounty:{bounty}", "player:ana", "NGD"))
    assert "'player:zoe'" in ruling_refused(table, "P.1", move("bank", "player:zoe", "NGD"))
    assert "'unicorn'" in ruling_refused(table, "P.1", move("bank", "player:ana", "unicorn"))
    ruling_refused(table, "conservation", move("player:ana", "player:bob", "rpg7"))


@pytest.mark.rule("V.B.8", "P.1")
def test_a_title_is_reset_or_sold_by_ruling() -> None:
    table = Table("ana", "bob")
    table.own("ana", "negotown", houses=2)
    table.own("bob", "black_arretxea", houses=1)
    ruling_refused(table, "P.1", {"op": "forced_sale", "title": "negotown", "buyer": "ana", "price": 1})
    ruled(table, {"op": "forced_sale", "title": "negotown", "buyer": "bob", "price": 90})
    assert (table.owner("negotown"), houses_on(table.state, "negotown")) == ("bob", 2)
    assert (table.holds("ana"), table.holds("bob")) == (1740, 1560)
    ruled(table, {"op": "forced_sale", "title": "black_arretxea", "buyer": "ana", "price": 0})
    assert table.owner("black_arretxea") == "ana"
    ruled(table, {"op": "forced_sale", "title": "bassland", "buyer": "ana", "price": 10})
    assert (table.owner("bassland"), table.holds("ana")) == ("ana", 1730)
    ruled(table, {"op": "reset_property", "title": "negotown"})
    assert (table.owner("negotown"), houses_on(table.state, "negotown"), table.holds("bob")) == (None, 0, 1560)
    ruling_refused(table, "V.B.8", {"op": "reset_property", "title": "negotown"})


# Agreements ---------------------------------------------------------------------------------------------


@pytest.mark.rule("X.A.7", "X.A.8")
def test_the_banker_establishes_a_breach_and_decides_its_sanction_in_a_ruling() -> None:
    """Bob reports Ana; nothing follows until the banker rules 80 ₦ to Bob, whatever Ana has."""
    table = Table("ana", "bob", "cid")
    contract = registered(table, "ana", "bob")
    table.play("bob", "report_breach", contract=contract, statement="she built")
    reported = table.number
    assert table.holds("bob") == 1650
    dispute = contest(table, "bob", reported)
    enforce = {"op": "enforce_contract", "contract": contract, "party": "ana", "amount": 1700, "to": "bob"}
    ruling_refused(table, "X.1", enforce | {"party": "cid"}, dispute=dispute)
    ruling_refused(table, "X.A.8", enforce | {"to": "ana"}, dispute=dispute)
    sanction, ruling = ruled(table, enforce, dispute=dispute, rules=["X.A.7", "X.A.8"])
    assert (sanction.rule, ruling_of([ruling]).rules) == ("X.A.8", ("X.A.7", "X.A.8"))
    assert (table.holds("ana"), table.holds("bob")) == (-80, 3350)
    assert table.seen_by("cid") == []
    assert table.seen_by("ana") == table.seen_by("bob") == [sanction, ruling]


@pytest.mark.rule("X.A.7", "P.1")
def test_a_contract_is_ended_once_and_its_price_stays_with_the_bank() -> None:
    table = Table("ana", "bob")
    contract = registered(table, "ana", "bob", rounds=3)
    ended, ruling = ruled(table, {"op": "end_contract", "contract": contract})
    assert (kind_of(ended), table.holds("ana")) == ("contract_ended", 1560)
    assert ruling_of([ruling]).ops == ("end_contract",)
    assert ruling_of([ruling]).parties == ("ana", "bob")
    assert contract not in table.state.open
    assert "ended" in ruling_refused(table, "X.A.5", {"op": "end_contract", "contract": contract})
    ruling_refused(table, "X.A.1", {"op": "end_contract", "contract": "999"})


@pytest.mark.rule("X.B.4", "X.B.5")
def test_a_bounty_is_awarded_or_refunded_by_ruling() -> None:
    table = Table("ana", "bob")
    won, lost = opened(table, "ana", 100), opened(table, "ana", 30)
    ruling_refused(table, "X.B.1", {"op": "award_bounty", "bounty": won, "winner": "ana"})
    ruled(table, {"op": "award_bounty", "bounty": won, "winner": "bob"}, {"op": "refund_bounty", "bounty": lost})
    assert (table.holds("ana"), table.holds("bob")) == (1550, 1750)
    ruling_refused(table, "X.B.5", {"op": "refund_bounty", "bounty": lost})


@pytest.mark.rule("X.C.3", "X.C.4", "P.1", "I.C.6")
def test_a_loan_is_extended_forgiven_or_collected_by_ruling() -> None:
    table = Table("ana", "bob")
    for amount in (100, 120, 140):
        table.play("bob", "take_loan", amount=amount)
    first, second, third = (str(table.number - back) for back in (2, 1, 0))
    extended, ruling = ruled(table, {"op": "extend_loan", "loan": first, "passages": 2})
    assert (kind_of(extended), agreement(table, first, Loan).extension) == ("loan_extended", 2)
    assert (ruling_of([ruling]).parties, table.seen_by("ana")) == (("bob",), [])
    ruled(table, {"op": "forgive_loan", "loan": second}, {"op": "collect_loan", "loan": third})
    assert (agreement(table, second, Loan).status, agreement(table, third, Loan).status) == (
        "forgiven",
        "collected",
    )
    assert table.holds("bob") == 1650 + 100 + 120
    ruling_refused(table, "X.C.4", {"op": "forgive_loan", "loan": second})
    ruling_refused(table, "X.C.4", {"op": "collect_loan", "loan": second})


@pytest.mark.rule("X.C.3", "X.C.4")
def test_an_extended_loan_is_collected_so_many_passages_later() -> None:
    table = Table("ana", "bob")
    table.play("ana", "take_loan", amount=100)
    loan = str(table.number)
    ruled(table, {"op": "extend_loan", "loan": loan})
    for passage in range(1, DEADLINE + 2):
        before = table.holds("ana")
        table.place("ana", 39)
        table.turn("ana", 1, 5)
        kept = agreement(table, loan, Loan)
        assert kept.passages == passage
        assert (kept.status, table.holds("ana")) == (
            ("open", before + 250) if passage <= DEADLINE else ("collected", before + 150)
        )
        idle(table, "bob")


@pytest.mark.rule("VIII.D.3", "P.1")
def test_goods_on_their_way_are_handed_over_or_sent_back_by_ruling() -> None:
    table = Table("ana", "bob", "cid", perks={"ana": "doses"})
    held = table.holds("ana", "dose")
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1)
    arrives = str(table.number)
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1)
    returns = str(table.number)
    events = ruled(
        table, {"op": "deliver_goods", "delivery": arrives}, {"op": "return_goods", "delivery": returns}
    )
    assert kinds(events) == ["delivery_arrived", "delivery_returned", "ruling_given"]
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (held - 1, 1)
    assert table.seen_by("cid") == []
    ruling_refused(table, "VIII.D.3", {"op": "deliver_goods", "delivery": returns})


# Players ------------------------------------------------------------------------------------------------


@pytest.mark.rule("P.1")
def test_a_token_put_somewhere_by_ruling_stops_there_only_if_the_ruling_says_so() -> None:
    table = Table("ana", "bob")
    ruled(table, {"op": "move_seat", "seat": "ana", "square": 1})
    assert table.state.positions["ana"] == 1
    table.refused("ana", "buy_property", "II.B.3")
    ruled(table, {"op": "move_seat", "seat": "ana", "square": 3, "stop": True})
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 1])
    table.play("ana", "buy_property")
    assert table.owner("black_arretxea") == "ana"
    ruled(table, {"op": "move_seat", "seat": "bob", "square": 20})
    assert table.state.positions["bob"] == 20
    ruling_refused(table, "II.B.6", {"op": "move_seat", "seat": "bob", "square": 3, "stop": True})
    ruling_refused(table, "P.1", {"op": "move_seat", "seat": "bob", "square": 40})


@pytest.mark.rule("V.A.7", "P.1")
def test_a_stop_by_ruling_owes_the_rent_of_its_square() -> None:
    table = Table("ana", "bob")
    table.own("bob", "black_arretxea")
    ruled(table, {"op": "move_seat", "seat": "ana", "square": 3, "stop": True})
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)


@pytest.mark.rule("VI.F.6")
def test_a_warrant_is_issued_and_lifted_by_ruling() -> None:
    table = Table("ana", "bob")
    ruled(table, {"op": "issue_warrant", "seat": "ana", "reason": "fled from a check"})
    assert table.state.wanted == {"ana"}
    ruling_refused(table, "VI.F.6", {"op": "issue_warrant", "seat": "ana"})
    ruled(table, {"op": "lift_warrant", "seat": "ana"})
    assert table.state.wanted == set()
    ruling_refused(table, "VI.F.6", {"op": "lift_warrant", "seat": "ana"})


@pytest.mark.rule("I.B.5", "II.E.3", "P.1")
def test_a_player_is_put_out_of_the_game_and_the_last_one_wins() -> None:
    table = Table("ana", "bob", "cid")
    table.own("ana", "negotown")
    ruled(table, {"op": "eliminate", "seat": "ana", "reason": "has left the room"})
    assert table.state.eliminated == {"ana": "has left the room"}
    assert (table.owner("negotown"), table.holds("ana")) == (None, 0)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"
    for remedy in ({"op": "fine", "seat": "ana", "amount": 1}, {"op": "eliminate", "seat": "ana"}):
        ruling_refused(table, "I.B.5", remedy)
    money = {"from": "bank", "to": "player:ana", "commodity": "NGD", "amount": 1}
    ruling_refused(table, "I.B.5", {"op": "adjust", "postings": [money], "reason": "pity"})
    events = ruled(table, {"op": "eliminate", "seat": "bob"})
    assert table.state.winners == ("cid",)
    assert kinds(events)[-1] == "game_ended"


@pytest.mark.rule("II.E.1", "P.1", "X.B.5")
def test_the_banker_declares_the_winners_and_nothing_is_moved_after_that() -> None:
    table = Table("ana", "bob", "cid")
    opened(table, "ana", 100)
    ruling_refused(table, "P.1", {"op": "declare_victory", "winners": ["zoe"]})
    fine = {"op": "fine", "seat": "ana", "amount": 10}
    ruling_refused(table, "II.E.1", {"op": "declare_victory", "winners": ["ana"]}, fine)
    dispute = contest(table, "cid", table.number, claim="And I?")
    ruled(table, fine, {"op": "declare_victory", "winners": ["ana", "bob"]})
    assert (table.state.winners, table.state.ended, table.holds("ana")) == (("ana", "bob"), True, 1640)
    assert "fine" in ruling_refused(table, "II.E.1", fine, dispute=dispute)
    ruled(table, {"op": "dismiss"}, dispute=dispute)
    assert table.state.winners == ("ana", "bob")


@pytest.mark.rule("II.E.1", "P.4")
def test_a_ruling_that_takes_back_the_end_opens_the_game_again() -> None:
    table = Table("ana", "bob")
    ruled(table, {"op": "declare_victory", "winners": ["ana"]})
    end = table.number
    with pytest.raises(GameOver):
        table.play("ana", "roll_dice", dice=[1, 2])
    with pytest.raises(GameOver) as refused:
        contest(table, "bob", end, claim="We were not done.")
    assert refused.value.rule == "II.E.1"
    ruled(table, drop(end), {"op": "fine", "seat": "ana", "amount": 10}, {"op": "restart_turn"})
    assert (table.state.ended, table.state.winners, table.holds("ana")) == (False, (), 1640)
    table.play("ana", "roll_dice", dice=[1, 2])


@pytest.mark.rule("II.1")
def test_nobody_is_moved_or_put_out_before_the_game_starts() -> None:
    table = Table("ana", "bob", started=False)
    for remedy in (
        {"op": "move_seat", "seat": "ana", "square": 1},
        {"op": "eliminate", "seat": "ana"},
        {"op": "declare_victory", "winners": ["ana"]},
        {"op": "forced_sale", "title": "negotown", "buyer": "ana", "price": 0},
        {"op": "issue_warrant", "seat": "ana"},
    ):
        ruling_refused(table, "II.1", remedy)
