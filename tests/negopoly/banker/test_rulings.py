"""P.1, P.4 and I.2 to I.C.5. Rulings: with or without a dispute, on the history and the clock, and their rules."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ledger.kernel.deciding.plan import CannotKeep, CorrectionSpreads
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.rulebooks.negopoly import RULEBOOK
from tests.negopoly.agreements.test_bounties import opened
from tests.negopoly.agreements.test_contracts import registered
from tests.negopoly.banker.test_disputes import contest, deal, rent
from tests.tables.negopoly import NOON, Table, kinds, ruled, ruling_of, ruling_refused


def drop(*numbers: int, cascade: str = "restate") -> dict[str, Any]:
    """The remedy that drops actions from the history."""
    return {"op": "correct", "edits": [{"op": "drop", "action": one} for one in numbers], "cascade": cascade}


# ----------------------------------------------------------------------------------------------
# Rulings
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.1")
def test_the_banker_settles_a_case_that_no_rule_covers() -> None:
    """A ruling without a remedy says what is so; everybody reads who said it, why, and by which rules."""
    table = Table("ana", "bob")
    holdings = table.state.holdings.as_dict()
    (ruling,) = ruled(table, finding="A die on the floor counts.", rules=["II.B.4"])
    assert ruling_of([ruling]).rules == ("II.B.4",)
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
    events = ruled(table, {"op": "adjust", "postings": [back], "reason": "60 was meant"}, dispute=dispute)
    assert kinds(events) == ["holdings_adjusted", "ruling_given"]
    assert (table.holds("ana"), table.holds("bob")) == (1590, 1710)
    assert table.standing(agreed).status == "effective"
    settled = table.state.settled.get(dispute)
    assert isinstance(settled, Dispute)
    assert (settled.status, settled.ruling) == ("ruled", str(table.number))
    assert "closed (ruled" in ruling_refused(table, "P.2", dispute=dispute)


@pytest.mark.rule("P.2", "P.1")
def test_a_dismissed_dispute_moves_nothing_and_is_over() -> None:
    table = Table("ana", "bob")
    dispute = contest(table, "ana", rent(table))
    (ruling,) = ruled(table, {"op": "dismiss"}, dispute=dispute, finding="It was not squatted.")
    assert ruling_of([ruling]).actions == (table.number - 2,)
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)
    assert table.state.disputes == {}
    also = {"op": "fine", "seat": "ana", "amount": 5}
    assert isinstance(table.malformed(None, "rule", finding="No.", remedies=[{"op": "dismiss"}, also]), Malformed)


@pytest.mark.rule("P.1")
def test_a_ruling_is_carried_out_whole_or_not_at_all() -> None:
    table = Table("ana", "bob")
    fine = {"op": "fine", "seat": "ana", "amount": 50}
    ruling_refused(table, "VI.F.6", fine, {"op": "lift_warrant", "seat": "bob"})
    assert table.holds("ana") == 1650
    ruled(table, fine, {"op": "issue_warrant", "seat": "bob"})
    assert (table.holds("ana"), table.state.wanted) == (1600, {"bob"})


# ----------------------------------------------------------------------------------------------
# Precedence
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("I.2", "X.B.4")
def test_a_ruling_says_which_rule_it_prefers_and_which_it_sets_aside() -> None:
    """Cid claimed the bounty first, Bob met its conditions first: only with X.B.4 set aside does Bob win it."""
    table = Table("ana", "bob", "cid")
    bounty = opened(table, "ana", 100)
    table.play("cid", "claim_bounty", bounty=bounty, statement="me")
    table.play("bob", "claim_bounty", bounty=bounty, statement="me, before")
    award = {"op": "award_bounty", "bounty": bounty, "winner": "bob"}
    ruling_refused(table, "X.B.4", award, rules=["I.1"])
    events = ruled(table, award, rules=["I.1"], waives=["X.B.4"])
    assert table.holds("bob") == 1750
    ruling = ruling_of(events)
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
    ruling_refused(table, "I.B.3", sale)
    events = ruled(table, sale, waives=["I.B.3"])
    assert kinds(events) == ["title_sold_by_ruling", "ruling_given"]
    assert (table.owner("negotown"), table.holds("ana"), table.holds("bob")) == ("ana", -350, 3650)
    assert ruling_of(events).waives == ("I.B.3",)


@pytest.mark.rule("I.C.5")
def test_the_banker_steps_into_a_private_deal_only_when_a_party_asks() -> None:
    table = Table("ana", "bob", "cid")
    agreed = deal(table, "ana", "bob", 100)
    ruling_refused(table, "I.C.5", actions=[agreed])
    ruling_refused(table, "I.C.5", drop(agreed), {"op": "fine", "seat": "ana", "amount": 5})
    other = contest(table, "cid", claim="They cheat.")
    ruling_refused(table, "I.C.5", actions=[agreed], dispute=other)
    dispute = contest(table, "bob", agreed)
    events = ruled(table, drop(agreed), dispute=dispute)
    assert kinds(events) == ["history_corrected", "ruling_given"]
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert [table.seen_by(seat)[-1:] == [events[-1]] for seat in ("ana", "bob", "cid")] == [True, True, False]


@pytest.mark.rule("I.C.5", "P.4")
@pytest.mark.parametrize("cited", [True, False])
def test_a_correction_of_a_private_deal_is_bookkeeping_by_itself_and_by_a_ruling(cited: bool) -> None:
    """The banker misheard the price. A correction and a ruling that only corrects do the same, unasked."""
    corrected, ruled_on = Table("ana", "bob", "cid"), Table("ana", "bob", "cid")
    for table in (corrected, ruled_on):
        assert deal(table, "ana", "bob", 100) == table.number
    edits = [{"op": "drop", "action": corrected.number}]
    corrected.banker("correct", edits=edits, cascade="restate", reason="The price was misheard.")
    about = {"actions": [ruled_on.number]} if cited else {}
    *_, ruling = ruled(ruled_on, drop(ruled_on.number), **about)
    assert ruled_on.state.holdings.as_dict() == corrected.state.holdings.as_dict()
    assert ruled_on.journal[-1].warnings == ()
    assert ruling_of([ruling]).parties == ("ana", "bob")


@pytest.mark.rule("I.C.5", "P.1")
def test_what_is_no_private_deal_the_banker_mends_unasked() -> None:
    """A rent booked twice, and a contract registered at the bank, need nobody's complaint."""
    table = Table("ana", "bob")
    paid = rent(table)
    contract = registered(table, "ana", "bob")
    ruled(table, drop(paid), {"op": "end_contract", "contract": contract}, actions=[paid])
    assert table.holds("bob") == 1650
    assert table.state.open == {}


# ----------------------------------------------------------------------------------------------
# Rulings that correct the history
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "P.1")
def test_a_rent_that_was_not_due_is_undone_with_what_followed_from_it_and_stays_on_record() -> None:
    """Ana gave away all her money; once the rent is undone, its 4 ₦ are hers again."""
    table = Table("ana", "bob")
    paid = rent(table)
    table.play("ana", "transfer_money", to="bob", amount=1646)
    dispute = contest(table, "ana", paid, claim="The title was mortgaged.", rules=["V.A.8"])
    events = ruled(table, drop(paid), dispute=dispute, rules=["V.A.8"], finding="It was mortgaged.")
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
    assert isinstance(spread, CorrectionSpreads)
    assert [fallen.timeline_entry.entry.number for fallen in spread.plan.voided] == [spent]
    ruled(table, drop(paid))
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
    ruled(table, drop(last - 1, last))
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


@pytest.mark.rule("P.4", "P.1")
def test_a_ruling_is_overturned_like_any_action_and_the_dispute_waits_again() -> None:
    table = Table("ana", "bob")
    dispute = contest(table, "ana", rent(table))
    ruled(table, drop(table.number - 1), {"op": "fine", "seat": "bob", "amount": 20}, dispute=dispute)
    overturned = table.number
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1630)
    table.banker("correct", edits=[{"op": "drop", "action": overturned}], cascade="restate", reason="too hasty")
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)
    assert table.state.disputes[dispute].status == "open"
    assert len(table.state.settled) == 0
    standing = table.standing(overturned)
    assert (standing.status, standing.by) == ("undone", table.number)
    assert "ruling_given" in kinds(list(standing.recorded))
    ruled(table, {"op": "dismiss"}, dispute=dispute)
    assert table.state.disputes == {}


# ----------------------------------------------------------------------------------------------
# The clock
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.13")
def test_the_banker_gives_a_turn_more_time() -> None:
    table = Table("ana", "bob")
    table.wait(290)
    ruled(table, {"op": "extend_turn", "seconds": 60})
    table.wait(65)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.play("ana", "roll_dice", dice=[2, 2])
    table.wait(6)
    assert RULEBOOK.progress.due(table.state, table.now) is not None
    table.refused("ana", "end_turn", "II.B.13")


@pytest.mark.rule("II.B.13", "P.4")
def test_the_banker_takes_back_the_end_of_a_turn_and_starts_its_clock_again() -> None:
    """Ana's turn expired while the banker was away; without the second remedy it would expire again at once."""
    table = Table("ana", "bob")
    table.wait(400)
    table.play("ana", "expire_turn")
    expired = table.number
    table.wait(30)
    ruled(table, drop(expired), {"op": "restart_turn"})
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
    (paused, _) = ruled(table, {"op": "pause_turn"})
    assert paused.rule == "IV.A.3"
    ruling_refused(table, "IV.A.3", {"op": "pause_turn"})
    table.wait(3600)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.refused(None, "expire_turn", "II.B.13")
    table.play("ana", "roll_dice", dice=[2, 2])
    ruled(table, {"op": "resume_turn"})
    ruling_refused(table, "IV.A.3", {"op": "resume_turn"})
    table.wait(100)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.wait(1)
    assert RULEBOOK.progress.due(table.state, table.now) is not None


@pytest.mark.rule("II.B.13")
def test_a_stopped_clock_that_is_started_again_has_its_whole_time() -> None:
    table = Table("ana", "bob")
    ruled(table, {"op": "pause_turn"})
    table.wait(1000)
    ruled(table, {"op": "restart_turn"})
    table.wait(300)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.wait(1)
    assert RULEBOOK.progress.due(table.state, table.now) is not None


@pytest.mark.rule("II.B.13")
def test_there_is_no_clock_before_the_game() -> None:
    table = Table("ana", "bob", started=False)
    for op in ("pause_turn", "resume_turn", "restart_turn"):
        ruling_refused(table, "II.B.13", {"op": op})


# ----------------------------------------------------------------------------------------------
# Published and undone
# ----------------------------------------------------------------------------------------------


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
    """The ruling took back Bob's gift of 40 ₦ and awarded him Ana's bounty of 100 ₦: both or neither.

    Dropping the bounty alone would leave an award without a bounty, while the gift stayed undone. That is refused,
    and accepted once the ruling is dropped too.
    """
    table = Table("ana", "bob")
    bounty = opened(table, "ana", 100)
    table.play("bob", "transfer_money", to="ana", amount=40)
    gift = table.state.version
    ruled(table, drop(gift), {"op": "award_bounty", "bounty": bounty, "winner": "bob"})
    ruling = table.state.version
    assert (table.holds("ana"), table.holds("bob")) == (1550, 1750)
    without = [{"op": "drop", "action": int(bounty)}]
    refusal = table.malformed(None, "correct", edits=without, cascade="restate", reason="never posted")
    assert isinstance(refusal, CannotKeep)
    assert refusal.timeline_entry.entry.number == ruling
    both = [*without, {"op": "drop", "action": ruling}]
    table.banker("correct", edits=both, cascade="restate", reason="never posted")
    assert (table.holds("ana"), table.holds("bob")) == (1690, 1610)
