"""P.1, P.4 and I.2 to I.C.5. The banker rules: on disputes and of their own motion, with every remedy there is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ledger.kernel.arbitration.dispute import Dispute
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.events import Event, kind_of
from ledger.kernel.history.corrections import CannotKeep, HistoryCorrected, WouldSpread
from ledger.kernel.refusals import GameOver, Malformed
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.agreements.loans import DEADLINE
from ledger.rulebooks.negopoly.table.state import houses_on
from ledger.rulebooks.negopoly.table.terms import Loan
from tests.negopoly.agreements.test_bounties import opened
from tests.negopoly.agreements.test_contracts import registered
from tests.negopoly.banker.test_disputes import contest, deal, rent
from tests.tables.negopoly import NOON, Table, agreement, idle, kinds


def rule(table: Table, *remedies: dict[str, Any], finding: str = "So be it.", **how: Any) -> list[Event]:
    """The banker rules; gives the events, the ruling itself being the last."""
    return table.banker("rule", finding=finding, remedies=list(remedies), **how)


def refused(table: Table, rule_id: str, *remedies: dict[str, Any], **how: Any) -> str:
    """The ruling is refused by this rule; gives what the banker reads."""
    return table.refused(None, "rule", rule_id, finding="So be it.", remedies=list(remedies), **how).en


def given(events: list[Event]) -> RulingGiven:
    """The ruling among the events of its action."""
    ruling = events[-1]
    assert isinstance(ruling, RulingGiven)
    return ruling


def drop(*numbers: int, cascade: str = "restate") -> dict[str, Any]:
    """The remedy that takes actions out of the history."""
    return {"op": "correct", "edits": [{"op": "drop", "action": one} for one in numbers], "cascade": cascade}


# ----------------------------------------------------------------------------------------------
# What a ruling is
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.1")
def test_the_banker_settles_a_case_that_no_rule_covers() -> None:
    """A ruling without a remedy says what is so; everybody reads who said it, why, and by which rules."""
    table = Table("ana", "bob")
    holdings = table.state.holdings.as_dict()
    (ruling,) = rule(table, finding="A die on the floor counts.", rules=["II.B.4"])
    assert given([ruling]).rules == ("II.B.4",)
    assert (ruling.rule, table.journal[-1].by) == ("P.1", "banker")
    assert table.seen_by("ana") == table.seen_by(None) == [ruling]
    assert table.state.holdings.as_dict() == holdings
    assert RULEBOOK.actions["rule"].by == ("banker",)


@pytest.mark.rule("P.1", "I.C.4")
def test_the_ruling_prevails_over_what_was_posted_and_over_what_was_agreed() -> None:
    """Ana and Bob agreed on 100 ₦; the banker holds that it was 60, and 40 go back. The deal stays on record."""
    table = Table("ana", "bob")
    agreed = deal(table, "ana", "bob", 100)
    assert (table.holds("ana"), table.holds("bob")) == (1550, 1750)
    dispute = contest(table, "ana", agreed, claim="We said 60.")
    back = {"from": "player:bob", "to": "player:ana", "commodity": "NGD", "amount": 40}
    events = rule(table, {"op": "adjust", "postings": [back], "reason": "60 was meant"}, dispute=dispute)
    assert kinds(events) == ["holdings_adjusted", "ruling_given"]
    assert (table.holds("ana"), table.holds("bob")) == (1590, 1710)
    assert table.standing(agreed).status == "effective"
    settled = table.state.settled.get(dispute)
    assert isinstance(settled, Dispute)
    assert (settled.status, settled.ruling) == ("ruled", str(table.number))
    assert "closed (ruled" in refused(table, "P.2", dispute=dispute)


@pytest.mark.rule("P.2", "P.1")
def test_a_dismissed_dispute_moves_nothing_and_is_over() -> None:
    table = Table("ana", "bob")
    dispute = contest(table, "ana", rent(table))
    (ruling,) = rule(table, {"op": "dismiss"}, dispute=dispute, finding="It was not squatted.")
    assert given([ruling]).actions == (table.number - 2,)
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)
    assert table.state.disputes == {}
    also = {"op": "fine", "seat": "ana", "amount": 5}
    assert isinstance(table.malformed(None, "rule", finding="No.", remedies=[{"op": "dismiss"}, also]), Malformed)


@pytest.mark.rule("P.1")
def test_a_ruling_is_carried_out_whole_or_not_at_all() -> None:
    table = Table("ana", "bob")
    fine = {"op": "fine", "seat": "ana", "amount": 50}
    refused(table, "VI.F.6", fine, {"op": "lift_warrant", "seat": "bob"})
    assert table.holds("ana") == 1650
    rule(table, fine, {"op": "issue_warrant", "seat": "bob"})
    assert (table.holds("ana"), table.state.wanted) == (1600, {"bob"})


# ----------------------------------------------------------------------------------------------
# Precedence
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("I.2", "X.B.4")
def test_a_ruling_says_which_rule_it_prefers_and_which_it_sets_aside() -> None:
    """Cid claimed the bounty first, Bob met its conditions first: only with X.B.4 set aside does Bob win it."""
    table = Table("ana", "bob", "cid")
    bounty = opened(table, "ana", 100)
    table.play("cid", "claim_bounty", bounty=bounty, account="me")
    table.play("bob", "claim_bounty", bounty=bounty, account="me, before")
    award = {"op": "award_bounty", "bounty": bounty, "winner": "bob"}
    refused(table, "X.B.4", award, rules=["I.1"])
    events = rule(table, award, rules=["I.1"], waives=["X.B.4"])
    assert table.holds("bob") == 1750
    ruling = given(events)
    assert (ruling.rules, ruling.waives, ruling.ops) == (("I.1",), ("X.B.4",), ("award_bounty",))
    assert table.last is not None
    assert [warned.rule for warned in table.last.warnings] == ["X.B.4"]
    assert isinstance(table.malformed(None, "rule", finding="?", rules=["I.1"], waives=["I.1"]), Malformed)


@pytest.mark.rule("I.3", "I.B.3")
def test_only_the_bank_departs_from_the_principles_however_much_the_players_want_to() -> None:
    """All three agree that Ana buys Négotown with money she has not got; it takes a ruling to set I.B.3 aside."""
    table = Table("ana", "bob", "cid")
    table.own("bob", "negotown")
    legs = [
        {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 2000},
        {"giver": "bob", "taker": "ana", "commodity": "title:negotown"},
    ]
    table.play("ana", "propose_deal", legs=legs, parties=["ana", "bob", "cid"])
    agreed = str(table.number)
    table.play("cid", "agree_deal", deal=agreed)
    table.refused("bob", "agree_deal", "I.B.3", deal=agreed)
    sale = {"op": "forced_sale", "title": "negotown", "buyer": "ana", "price": 2000}
    refused(table, "I.B.3", sale)
    events = rule(table, sale, waives=["I.B.3"])
    assert kinds(events) == ["title_sold_by_ruling", "ruling_given"]
    assert (table.owner("negotown"), table.holds("ana"), table.holds("bob")) == ("ana", -350, 3650)
    assert given(events).waives == ("I.B.3",)


@pytest.mark.rule("I.C.5")
def test_the_banker_steps_into_a_private_deal_only_when_a_party_asks() -> None:
    table = Table("ana", "bob", "cid")
    agreed = deal(table, "ana", "bob", 100)
    refused(table, "I.C.5", actions=[agreed])
    refused(table, "I.C.5", drop(agreed))
    other = contest(table, "cid", claim="They cheat.")
    refused(table, "I.C.5", actions=[agreed], dispute=other)
    dispute = contest(table, "bob", agreed)
    events = rule(table, drop(agreed), dispute=dispute)
    assert kinds(events) == ["history_corrected", "ruling_given"]
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert [table.seen_by(seat)[-1:] == [events[-1]] for seat in ("ana", "bob", "cid")] == [True, True, False]


@pytest.mark.rule("I.C.5", "P.1")
def test_what_is_no_private_deal_the_banker_mends_unasked() -> None:
    """A rent booked twice, and a contract registered at the bank, need nobody's complaint."""
    table = Table("ana", "bob")
    paid = rent(table)
    contract = registered(table, "ana", "bob")
    rule(table, drop(paid), {"op": "end_contract", "contract": contract}, actions=[paid])
    assert table.holds("bob") == 1650
    assert table.state.open == {}


# ----------------------------------------------------------------------------------------------
# Rulings that correct the history
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "P.1")
def test_a_rent_that_was_not_due_is_undone_with_what_followed_from_it_and_stays_on_record() -> None:
    """Ana gave away all she had left; once the rent is undone, its 4 ₦ are hers again."""
    table = Table("ana", "bob")
    paid = rent(table)
    table.play("ana", "transfer_money", to="bob", amount=1646)
    dispute = contest(table, "ana", paid, claim="The title was mortgaged.", rules=["V.A.8"])
    events = rule(table, drop(paid), dispute=dispute, rules=["V.A.8"], finding="It was mortgaged.")
    corrected = events[0]
    assert isinstance(corrected, HistoryCorrected)
    assert (corrected.rule, corrected.earliest) == ("P.4", paid)
    assert (table.holds("ana"), table.holds("bob")) == (4, 3296)
    undone = table.standing(paid)
    assert (undone.status, undone.by) == ("undone", table.number)
    assert kinds(list(undone.recorded)) == ["rent_paid", "square_resolved"]
    assert kinds(table.seen_by("bob")) == ["history_corrected", "ruling_given"]


@pytest.mark.rule("P.4")
def test_what_would_follow_from_a_ruling_is_refused_until_the_banker_has_chosen() -> None:
    """Bob has given away the rent: without it he cannot have."""
    table = Table("ana", "bob")
    table.take("bob", "NGD", 1650)
    paid = rent(table)
    table.play("bob", "transfer_money", to="ana", amount=4)
    spent = table.number
    spread = table.malformed(None, "rule", finding="So.", remedies=[drop(paid, cascade="refuse")])
    assert isinstance(spread, WouldSpread)
    assert [fallen.standing.entry.number for fallen in spread.plan.voided] == [spent]
    rule(table, drop(paid))
    assert table.standing(spent).status == "voided"
    assert (table.holds("ana"), table.holds("bob")) == (1650, 0)


@pytest.mark.rule("P.1")
def test_a_ruling_holds_one_correction_with_as_many_edits_as_it_takes() -> None:
    table = Table("ana", "bob")
    table.play("ana", "take_loan", amount=100)
    table.play("bob", "take_loan", amount=50)
    last = table.number
    refusal = table.malformed(None, "rule", finding="So.", remedies=[drop(last - 1), drop(last)])
    assert refusal.en == "a ruling corrects the history once: put all 2 corrections' edits into one"
    rule(table, drop(last - 1, last))
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


@pytest.mark.rule("P.4", "P.1")
def test_a_ruling_is_overturned_like_any_action_and_the_dispute_waits_again() -> None:
    table = Table("ana", "bob")
    dispute = contest(table, "ana", rent(table))
    rule(table, drop(table.number - 1), {"op": "fine", "seat": "bob", "amount": 20}, dispute=dispute)
    overturned = table.number
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1630)
    table.banker("correct", edits=[{"op": "drop", "action": overturned}], cascade="restate", reason="too hasty")
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)
    assert table.state.disputes[dispute].status == "open"
    assert len(table.state.settled) == 0
    standing = table.standing(overturned)
    assert (standing.status, standing.by) == ("undone", table.number)
    assert "ruling_given" in kinds(list(standing.recorded))
    rule(table, {"op": "dismiss"}, dispute=dispute)
    assert table.state.disputes == {}


# ----------------------------------------------------------------------------------------------
# The clock
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.13")
def test_the_banker_gives_a_turn_more_time() -> None:
    table = Table("ana", "bob")
    table.wait(290)
    rule(table, {"op": "extend_turn", "seconds": 60})
    table.wait(65)
    assert RULEBOOK.due(table.state, table.now) is None
    table.play("ana", "roll_dice", dice=[2, 2])
    table.wait(6)
    assert RULEBOOK.due(table.state, table.now) is not None
    table.refused("ana", "end_turn", "II.B.13")


@pytest.mark.rule("II.B.13", "P.4")
def test_the_banker_takes_back_the_end_of_a_turn_and_starts_its_clock_again() -> None:
    """Ana's turn expired while the banker was away; without the second remedy it would expire again at once."""
    table = Table("ana", "bob")
    table.wait(400)
    table.play("ana", "expire_turn")
    expired = table.number
    table.wait(30)
    rule(table, drop(expired), {"op": "restart_turn"})
    turn = table.state.turn
    assert turn is not None
    assert (turn.seat, turn.ends_at) == ("ana", table.now + timedelta(seconds=300))
    table.play("ana", "roll_dice", dice=[2, 2])


@pytest.mark.rule("IV.A.3", "II.B.13")
def test_talk_never_stops_the_clock_but_a_ruling_does() -> None:
    """Ana has 100 seconds left when the clock stops for an hour, and 100 when it runs again."""
    table = Table("ana", "bob")
    table.wait(150)
    table.play("bob", "propose_deal", legs=[], clauses=["let us talk"], parties=["ana"])
    assert table.state.turn is not None
    assert table.state.turn.ends_at == NOON + timedelta(seconds=300)
    table.wait(50)
    (paused, _) = rule(table, {"op": "pause_turn"})
    assert paused.rule == "IV.A.3"
    refused(table, "IV.A.3", {"op": "pause_turn"})
    table.wait(3600)
    assert RULEBOOK.due(table.state, table.now) is None
    table.refused(None, "expire_turn", "II.B.13")
    table.play("ana", "roll_dice", dice=[2, 2])
    rule(table, {"op": "resume_turn"})
    refused(table, "IV.A.3", {"op": "resume_turn"})
    table.wait(100)
    assert RULEBOOK.due(table.state, table.now) is None
    table.wait(1)
    assert RULEBOOK.due(table.state, table.now) is not None


@pytest.mark.rule("II.B.13")
def test_a_stopped_clock_that_is_started_again_has_its_whole_time() -> None:
    table = Table("ana", "bob")
    rule(table, {"op": "pause_turn"})
    table.wait(1000)
    rule(table, {"op": "restart_turn"})
    table.wait(300)
    assert RULEBOOK.due(table.state, table.now) is None
    table.wait(1)
    assert RULEBOOK.due(table.state, table.now) is not None


@pytest.mark.rule("II.B.13")
def test_there_is_no_clock_before_the_game() -> None:
    table = Table("ana", "bob", started=False)
    for op in ("pause_turn", "resume_turn", "restart_turn"):
        refused(table, "II.B.13", {"op": op})


# ----------------------------------------------------------------------------------------------
# Money, goods and titles
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.1", "I.B.3")
def test_a_fine_is_paid_into_debt() -> None:
    table = Table("ana", "bob")
    (fined, _) = rule(table, {"op": "fine", "seat": "ana", "amount": 1700, "reason": "insolence"})
    assert fined.rule == "P.1"
    assert (table.holds("ana"), table.seen_by("bob")[0]) == (-50, fined)
    table.refused("ana", "transfer_money", "I.B.6", to="bob", amount=1)


@pytest.mark.rule("P.1", "I.C.6")
def test_goods_are_moved_between_accounts_for_their_owners_eyes_only() -> None:
    table = Table("ana", "bob", "cid", perks={"ana": "doses"})
    held = table.holds("ana", "dose")
    posting = {"from": "player:ana", "to": "player:bob", "commodity": "dose", "amount": 1}
    moved, ruling = rule(table, {"op": "adjust", "postings": [posting], "reason": "it was his"})
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (held - 1, 1)
    assert table.seen_by("cid") == []
    assert table.seen_by("bob") == [moved, ruling]
    fine = {"op": "fine", "seat": "bob", "amount": 5}
    *_, fined, ruling = rule(table, {"op": "adjust", "postings": [posting], "reason": "and one more"}, fine)
    assert table.seen_by("cid") == [fined, ruling]
    assert given([ruling]).ops == ("private", "fine")
    new = {"from": "bank", "to": "player:bob", "commodity": "rpg7", "amount": 1}
    rule(table, {"op": "adjust", "postings": [new], "reason": "lost by the bank"})
    assert table.holds("bob", "rpg7") == 1


@pytest.mark.rule("P.1")
def test_an_adjustment_takes_nothing_out_of_an_agreement_and_moves_no_title() -> None:
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    bounty = opened(table, "bob", 100)

    def move(source: str, target: str, commodity: str) -> dict[str, Any]:
        posting = {"from": source, "to": target, "commodity": commodity, "amount": 1}
        return {"op": "adjust", "postings": [posting], "reason": "so"}

    assert "forced_sale" in refused(table, "P.1", move("player:ana", "player:bob", "title:negotown"))
    assert "agreement" in refused(table, "P.1", move(f"escrow:bounty:{bounty}", "player:ana", "NGD"))
    assert "'player:zoe'" in refused(table, "P.1", move("bank", "player:zoe", "NGD"))
    assert "'unicorn'" in refused(table, "P.1", move("bank", "player:ana", "unicorn"))
    refused(table, "conservation", move("player:ana", "player:bob", "rpg7"))


@pytest.mark.rule("V.B.8", "P.1")
def test_a_title_is_reset_or_sold_by_ruling() -> None:
    table = Table("ana", "bob")
    table.own("ana", "negotown", houses=2)
    table.own("bob", "black_arretxea", houses=1)
    refused(table, "P.1", {"op": "forced_sale", "title": "negotown", "buyer": "ana", "price": 1})
    rule(table, {"op": "forced_sale", "title": "negotown", "buyer": "bob", "price": 90})
    assert (table.owner("negotown"), houses_on(table.state, "negotown")) == ("bob", 2)
    assert (table.holds("ana"), table.holds("bob")) == (1740, 1560)
    rule(table, {"op": "forced_sale", "title": "black_arretxea", "buyer": "ana", "price": 0})
    assert table.owner("black_arretxea") == "ana"
    rule(table, {"op": "forced_sale", "title": "bassland", "buyer": "ana", "price": 10})
    assert (table.owner("bassland"), table.holds("ana")) == ("ana", 1730)
    rule(table, {"op": "reset_property", "title": "negotown"})
    assert (table.owner("negotown"), houses_on(table.state, "negotown"), table.holds("bob")) == (None, 0, 1560)
    refused(table, "V.B.8", {"op": "reset_property", "title": "negotown"})


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("X.A.7", "X.A.8")
def test_the_banker_establishes_a_breach_and_decides_its_sanction_in_a_ruling() -> None:
    """Bob reports Ana; nothing follows until the banker rules 80 ₦ to Bob, whatever Ana has."""
    table = Table("ana", "bob", "cid")
    contract = registered(table, "ana", "bob")
    table.play("bob", "report_breach", contract=contract, account="she built")
    reported = table.number
    assert table.holds("bob") == 1650
    dispute = contest(table, "bob", reported)
    enforce = {"op": "enforce_contract", "contract": contract, "party": "ana", "amount": 1700, "to": "bob"}
    refused(table, "X.1", enforce | {"party": "cid"}, dispute=dispute)
    refused(table, "X.A.8", enforce | {"to": "ana"}, dispute=dispute)
    sanction, ruling = rule(table, enforce, dispute=dispute, rules=["X.A.7", "X.A.8"])
    assert (sanction.rule, given([ruling]).rules) == ("X.A.8", ("X.A.7", "X.A.8"))
    assert (table.holds("ana"), table.holds("bob")) == (-80, 3350)
    assert table.seen_by("cid") == []
    assert table.seen_by("ana") == table.seen_by("bob") == [sanction, ruling]


@pytest.mark.rule("X.A.7", "P.1")
def test_a_contract_is_ended_once_and_its_price_stays_with_the_bank() -> None:
    table = Table("ana", "bob")
    contract = registered(table, "ana", "bob", rounds=3)
    ended, ruling = rule(table, {"op": "end_contract", "contract": contract})
    assert (kind_of(ended), table.holds("ana")) == ("contract_ended", 1560)
    assert given([ruling]).ops == ("end_contract",)
    assert given([ruling]).parties == ("ana", "bob")
    assert contract not in table.state.open
    assert "ended" in refused(table, "X.A.5", {"op": "end_contract", "contract": contract})
    refused(table, "X.A.1", {"op": "end_contract", "contract": "999"})


@pytest.mark.rule("X.B.4", "X.B.5")
def test_a_bounty_is_awarded_or_refunded_by_ruling() -> None:
    table = Table("ana", "bob")
    won, lost = opened(table, "ana", 100), opened(table, "ana", 30)
    refused(table, "X.B.1", {"op": "award_bounty", "bounty": won, "winner": "ana"})
    rule(table, {"op": "award_bounty", "bounty": won, "winner": "bob"}, {"op": "refund_bounty", "bounty": lost})
    assert (table.holds("ana"), table.holds("bob")) == (1550, 1750)
    refused(table, "X.B.5", {"op": "refund_bounty", "bounty": lost})


@pytest.mark.rule("X.C.3", "X.C.4", "P.1", "I.C.6")
def test_a_loan_is_extended_forgiven_or_collected_by_ruling() -> None:
    table = Table("ana", "bob")
    for amount in (100, 120, 140):
        table.play("bob", "take_loan", amount=amount)
    first, second, third = (str(table.number - back) for back in (2, 1, 0))
    extended, ruling = rule(table, {"op": "extend_loan", "loan": first, "passages": 2})
    assert (kind_of(extended), agreement(table, first, Loan).extension) == ("loan_extended", 2)
    assert (given([ruling]).parties, table.seen_by("ana")) == (("bob",), [])
    rule(table, {"op": "forgive_loan", "loan": second}, {"op": "collect_loan", "loan": third})
    assert (agreement(table, second, Loan).status, agreement(table, third, Loan).status) == (
        "forgiven",
        "collected",
    )
    assert table.holds("bob") == 1650 + 100 + 120
    refused(table, "X.C.4", {"op": "forgive_loan", "loan": second})
    refused(table, "X.C.4", {"op": "collect_loan", "loan": second})


@pytest.mark.rule("X.C.3", "X.C.4")
def test_an_extended_loan_is_collected_so_many_passages_later() -> None:
    table = Table("ana", "bob")
    table.play("ana", "take_loan", amount=100)
    loan = str(table.number)
    rule(table, {"op": "extend_loan", "loan": loan})
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
    events = rule(table, {"op": "deliver_goods", "delivery": arrives}, {"op": "return_goods", "delivery": returns})
    assert kinds(events) == ["delivery_arrived", "delivery_returned", "ruling_given"]
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (held - 1, 1)
    assert table.seen_by("cid") == []
    refused(table, "VIII.D.3", {"op": "deliver_goods", "delivery": returns})


# ----------------------------------------------------------------------------------------------
# Players
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.1")
def test_a_token_put_somewhere_by_ruling_stops_there_only_if_the_ruling_says_so() -> None:
    table = Table("ana", "bob")
    rule(table, {"op": "move_seat", "seat": "ana", "square": 1})
    assert table.state.positions["ana"] == 1
    table.refused("ana", "buy_property", "II.B.3")
    rule(table, {"op": "move_seat", "seat": "ana", "square": 3, "stop": True})
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 1])
    table.play("ana", "buy_property")
    assert table.owner("black_arretxea") == "ana"
    rule(table, {"op": "move_seat", "seat": "bob", "square": 20})
    assert table.state.positions["bob"] == 20
    refused(table, "II.B.6", {"op": "move_seat", "seat": "bob", "square": 3, "stop": True})
    refused(table, "P.1", {"op": "move_seat", "seat": "bob", "square": 40})


@pytest.mark.rule("V.A.7", "P.1")
def test_a_stop_by_ruling_owes_the_rent_of_its_square() -> None:
    table = Table("ana", "bob")
    table.own("bob", "black_arretxea")
    rule(table, {"op": "move_seat", "seat": "ana", "square": 3, "stop": True})
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)


@pytest.mark.rule("VI.F.6")
def test_a_warrant_is_issued_and_lifted_by_ruling() -> None:
    table = Table("ana", "bob")
    rule(table, {"op": "issue_warrant", "seat": "ana", "reason": "fled from a check"})
    assert table.state.wanted == {"ana"}
    refused(table, "VI.F.6", {"op": "issue_warrant", "seat": "ana"})
    rule(table, {"op": "lift_warrant", "seat": "ana"})
    assert table.state.wanted == set()
    refused(table, "VI.F.6", {"op": "lift_warrant", "seat": "ana"})


@pytest.mark.rule("I.B.5", "II.E.3", "P.1")
def test_a_player_is_put_out_of_the_game_and_the_last_one_wins() -> None:
    table = Table("ana", "bob", "cid")
    table.own("ana", "negotown")
    rule(table, {"op": "eliminate", "seat": "ana", "reason": "has left the room"})
    assert table.state.eliminated == {"ana": "has left the room"}
    assert (table.owner("negotown"), table.holds("ana")) == (None, 0)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"
    for remedy in ({"op": "fine", "seat": "ana", "amount": 1}, {"op": "eliminate", "seat": "ana"}):
        refused(table, "I.B.5", remedy)
    money = {"from": "bank", "to": "player:ana", "commodity": "NGD", "amount": 1}
    refused(table, "I.B.5", {"op": "adjust", "postings": [money], "reason": "pity"})
    events = rule(table, {"op": "eliminate", "seat": "bob"})
    assert table.state.winners == ("cid",)
    assert kinds(events)[-1] == "game_ended"


@pytest.mark.rule("II.E.1", "P.1", "X.B.5")
def test_the_banker_declares_the_winners_and_nothing_is_moved_after_that() -> None:
    table = Table("ana", "bob", "cid")
    opened(table, "ana", 100)
    refused(table, "P.1", {"op": "declare_victory", "winners": ["zoe"]})
    fine = {"op": "fine", "seat": "ana", "amount": 10}
    refused(table, "II.E.1", {"op": "declare_victory", "winners": ["ana"]}, fine)
    rule(table, fine, {"op": "declare_victory", "winners": ["ana", "bob"]})
    assert (table.state.winners, table.state.ended, table.holds("ana")) == (("ana", "bob"), True, 1640)
    dispute = contest(table, "cid", table.number, claim="And I?")
    assert "fine" in refused(table, "II.E.1", fine, dispute=dispute)
    rule(table, {"op": "dismiss"}, dispute=dispute)
    assert table.state.winners == ("ana", "bob")


@pytest.mark.rule("II.E.1", "P.4")
def test_a_ruling_that_takes_back_the_end_opens_the_game_again() -> None:
    table = Table("ana", "bob")
    rule(table, {"op": "declare_victory", "winners": ["ana"]})
    end = table.number
    with pytest.raises(GameOver):
        table.play("ana", "roll_dice", dice=[1, 2])
    dispute = contest(table, "bob", end, claim="We were not done.")
    rule(table, drop(end), {"op": "fine", "seat": "ana", "amount": 10}, {"op": "restart_turn"}, dispute=dispute)
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
        refused(table, "II.1", remedy)


@pytest.mark.rule("P.1")
def test_the_rulings_of_a_table_are_published_by_its_banker() -> None:
    table = Table("ana", "bob")
    (event,) = table.banker("publish_rulings", published=True)
    assert (event.rule, table.state.rulings_published) == ("P.1", True)
    table.refused(None, "publish_rulings", "P.1", published=True)
    table.banker("publish_rulings", published=False)
    assert not table.state.rulings_published


@pytest.mark.rule("P.1", "P.4")
def test_half_a_ruling_is_none() -> None:
    """The ruling took back Bob's gift of 40 ₦ and awarded him Ana's bounty of 100 ₦, both or neither.

    Taking the bounty itself back would leave the award without its object, while the gift stayed undone: that is
    refused, and accepted once the ruling goes with it.
    """
    table = Table("ana", "bob")
    bounty = opened(table, "ana", 100)
    table.play("bob", "transfer_money", to="ana", amount=40)
    gift = table.state.version
    rule(table, drop(gift), {"op": "award_bounty", "bounty": bounty, "winner": "bob"})
    ruling = table.state.version
    assert (table.holds("ana"), table.holds("bob")) == (1550, 1750)
    without = [{"op": "drop", "action": int(bounty)}]
    refusal = table.malformed(None, "correct", edits=without, cascade="restate", reason="never posted")
    assert isinstance(refusal, CannotKeep)
    assert refusal.standing.entry.number == ruling
    both = [*without, {"op": "drop", "action": ruling}]
    table.banker("correct", edits=both, cascade="restate", reason="never posted")
    assert (table.holds("ana"), table.holds("bob")) == (1690, 1610)
