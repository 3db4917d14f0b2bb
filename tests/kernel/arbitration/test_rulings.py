"""Rulings: their remedies, and the corrections that they order."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.arbitration.docket import disputes
from ledger.kernel.arbitration.remedies import Adjust, CorrectHistory, Dismiss, Fine, Transfer
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.deciding import plan as plans
from ledger.kernel.deciding.plan import CorrectionSpreads
from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.edits import Drop, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.language.sentences import speak
from tests.kernel.arbitration.contested import (
    DOCKET,
    EVE,
    AddStatement,
    Docket,
    Mend,
    Rule,
    given,
    kinds,
)
from tests.kernel.toy import (
    ANA,
    BOB,
    SPECTATOR,
    BuyBeans,
)

# Ruling ----------------------------------------------------------------------------------------------


def test_a_ruling_carries_out_its_remedies_in_order_and_ends_the_dispute(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    paid = Adjust(
        postings=(
            Transfer(source="player:ana", target="player:bob", commodity="bean", amount=1),
            Transfer(source=BANK, target="player:ana", commodity="coin", amount=2),
        ),
        reason="the bean was Bob's",
    )
    events = game.rule(paid, Fine(seat="eve", amount=15, reason="lying"), dispute=dispute, applies=("2.1",))
    assert kinds(events) == ["holdings_adjusted", "holdings_adjusted", "fined", "ruling_given"]
    assert {event.rule for event in events} == {"4.2"}
    assert [game.holds(f"player:{seat}", "coin") for seat in ("ana", "bob", "eve")] == [10, 10, -2]
    assert [game.holds(f"player:{seat}", "bean") for seat in ("ana", "bob")] == [0, 1]
    ruling = given(events)
    assert ruling == RulingGiven(
        rule="4.2",
        ruling="7",
        dispute=dispute,
        finding="So be it.",
        actions=(2,),
        rules=("2.1",),
        waives=(),
        ops=("private", "fine"),
        parties=None,
    )
    assert [(one.status, one.ruling) for one in disputes(game.state, EVE)] == [("ruled", "7")]
    assert "closed (ruled on, 7)" in game.refused(None, Rule(finding="Again.", dispute=dispute)).en


def test_beans_move_in_private_and_money_for_all_to_see(game: Docket) -> None:
    """Beans are private, so others do not see the remedy that moves them; coins are public."""
    beans = Adjust(
        postings=(Transfer(source="player:ana", target=BANK, commodity="bean", amount=1),), reason="lost"
    )
    coins = Adjust(
        postings=(Transfer(source="player:ana", target="player:bob", commodity="coin", amount=1),), reason="owed"
    )
    moved, paid, ruling = game.rule(beans, coins)
    assert [moved.audience().admits(one) for one in (ANA, BOB, SPECTATOR)] == [True, False, False]
    assert paid.audience().admits(SPECTATOR)
    assert ruling.audience().admits(SPECTATOR)
    assert given([ruling]).ops == ("private", "adjust")


def test_on_a_private_dispute_nobody_else_learns_of_the_ruling_but_who_pays(game: Docket) -> None:
    dispute = game.dispute("bob", 4)
    fined, ruling = game.rule(Fine(seat="eve", amount=1), dispute=dispute)
    assert [fined.audience().admits(one) for one in (ANA, BOB, EVE, SPECTATOR)] == [True, True, True, False]
    assert [ruling.audience().admits(one) for one in (ANA, BOB, EVE, SPECTATOR)] == [True, True, False, False]


def test_a_ruling_happens_as_a_whole_or_not_at_all(game: Docket) -> None:
    too_much = Adjust(
        postings=(Transfer(source="player:bob", target="player:ana", commodity="bean", amount=1),), reason="owed"
    )
    assert (
        game.refused(None, Rule(finding="So.", remedies=(Fine(seat="ana", amount=1), too_much))).rule
        == "conservation"
    )
    assert game.holds("player:ana", "coin") == 8


@pytest.mark.parametrize(
    ("remedy", "named"),
    [
        (Fine(seat="zoe", amount=1), "zoe"),
        (
            Adjust(postings=(Transfer(source=BANK, target="player:zoe", commodity="coin", amount=1),), reason="x"),
            "zoe",
        ),
        (Adjust(postings=(Transfer(source=BANK, target="bnak", commodity="coin", amount=1),), reason="x"), "bnak"),
        (
            Adjust(postings=(Transfer(source=BANK, target="player:ana", commodity="bena", amount=1),), reason="x"),
            "bena",
        ),
    ],
)
def test_a_typing_mistake_opens_no_account_and_makes_no_thing(game: Docket, remedy: Any, named: str) -> None:
    refusal = game.refused(None, Rule(finding="So.", remedies=(remedy,)))
    assert isinstance(refusal, Impossible)
    assert named in refusal.en


def test_a_dismissal_leaves_all_as_it_is_and_comes_alone(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    holdings = game.state.holdings.as_dict()
    for wrong in (
        Rule(finding="No.", remedies=(Dismiss(),)),
        Rule(finding="No.", dispute=dispute, remedies=(Dismiss(), Fine(seat="ana", amount=1))),
    ):
        assert isinstance(game.unable(None, wrong), Malformed)
    events = game.rule(Dismiss(), dispute=dispute)
    assert kinds(events) == ["ruling_given"]
    assert given(events).ops == ("dismiss",)
    assert game.state.holdings.as_dict() == holdings
    assert game.state.disputes == {}


def test_of_their_own_motion_the_banker_rules_on_anything_but_a_private_bargain(game: Docket) -> None:
    refusal = game.refused(None, Rule(finding="It is void.", actions=(4,)))
    assert refusal.rule == "4.3"
    assert "bargain" in refusal.en
    public = game.dispute("eve", 5)
    assert game.refused(None, Rule(finding="It is void.", actions=(4,), dispute=public)).rule == "4.3"
    dropped = CorrectHistory(edits=(Drop(action=4),))
    punished = (dropped, Fine(seat="ana", amount=1))
    assert game.refused(None, Rule(finding="It is void.", remedies=punished)).rule == "4.3"
    private = game.dispute("ana", 4)
    assert given(game.rule(dispute=private)).actions == (4,)
    own = given(game.rule(actions=(3,)))
    assert own.parties == ("bob",)


def test_a_ruling_that_only_corrects_is_bookkeeping_and_needs_nobody_to_ask(game: Docket) -> None:
    dropped = CorrectHistory(edits=(Drop(action=4),))
    assert kinds(game.rule(dropped, actions=(4,))) == ["history_corrected", "ruling_given"]


def test_a_rule_is_applied_or_set_aside_but_not_both(game: Docket) -> None:
    assert isinstance(game.unable(None, Rule(finding="So.", applies=("2.1",), waives=("2.1",))), Malformed)
    assert isinstance(game.unable(None, Rule(finding="So.", waives=("9.9",))), Malformed)
    ruling = given(game.rule(applies=("2.2",), waives=("2.1",)))
    assert (ruling.rules, ruling.waives) == (("2.2",), ("2.1",))
    assert given(game.rule()).rules == ("4.2",)


# Rulings that correct the history --------------------------------------------------------------------


def test_a_ruling_corrects_first_and_then_orders_the_rest(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    events = game.rule(
        Fine(seat="ana", amount=1), CorrectHistory(edits=(Drop(action=2),), reason="no bean"), dispute=dispute
    )
    assert kinds(events) == ["history_corrected", "fined", "ruling_given"]
    assert given(events).ops == ("fine", "correct")
    assert game.holds("player:ana", "coin") == 9
    assert game.holds("player:ana", "bean") == 0
    assert [one.status for one in Timeline(game.journal, DOCKET.codec.event).entries()][1] == "undone"
    assert game.refolded(7).holdings == game.state.holdings
    assert game.refolded(7).settled == game.state.settled


def test_the_table_reads_why_the_history_was_corrected_and_not_what_a_private_ruling_found(game: Docket) -> None:
    dispute = game.dispute("bob", 4)
    corrected = game.rule(CorrectHistory(edits=(Drop(action=4),)), dispute=dispute)[0]
    shown = corrected.redacted(SPECTATOR)
    assert shown is not None
    assert "So be it." not in speak(shown.en, shown, "en", DOCKET.language.speakers(game.state))


def test_a_ruling_corrects_once(game: Docket) -> None:
    twice = (CorrectHistory(edits=(Drop(action=2),)), CorrectHistory(edits=(Drop(action=5),)))
    refusal = game.unable(None, Rule(finding="So.", remedies=twice))
    assert isinstance(refusal, Malformed)
    assert "2 corrections" in refusal.en


def test_what_would_spread_is_shown_before_it_is_ruled(game: Docket) -> None:
    """Bob has bought Ana's bean: without her purchase there is none to sell."""
    game.play("bob", BuyBeans(amount=1, of="ana"))
    drop = Drop(action=2)
    refusal = game.unable(None, Rule(finding="So.", remedies=(CorrectHistory(edits=(drop,)),)))
    assert isinstance(refusal, CorrectionSpreads)
    game.rule(CorrectHistory(edits=(drop,), cascade="restate"))
    assert game.holds("player:bob", "bean") == 0
    assert game.holds("player:bob", "coin") == 10


def test_a_dropped_ruling_leaves_the_dispute_open_again_and_stays_visible(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    before = game.state
    game.rule(CorrectHistory(edits=(Drop(action=2),)), Fine(seat="eve", amount=4), dispute=dispute)
    game.play(None, Mend(edits=(Drop(action=7),), cascade="restate", reason="hasty"))
    assert game.state.holdings == before.holdings
    assert game.state.disputes == before.disputes
    assert len(game.state.settled) == 0
    standing = Timeline(game.journal, DOCKET.codec.event).entry(7)
    assert standing is not None
    assert (standing.status, standing.by) == ("undone", 8)
    assert kinds(standing.recorded) == ["history_corrected", "fined", "ruling_given"]
    game.play(None, Mend(edits=(Drop(action=8),), cascade="restate", reason="not so hasty"))
    assert game.holds("player:eve", "coin") == 9
    assert game.holds("player:ana", "bean") == 0
    assert game.state.settled.get(dispute) is not None
    assert game.refolded(9).holdings == game.state.holdings


def test_disputes_and_rulings_are_decided_again_to_the_same(game: Docket) -> None:
    """A later correction of a cited action changes neither the dispute nor its ruling."""
    dispute = game.dispute("bob", 2)
    game.rule(Fine(seat="eve", amount=4), dispute=dispute)
    game.play(None, Mend(edits=(Replace(action=2, params={"amount": 2}),), reason="two beans"))
    statuses = [one.status for one in Timeline(game.journal, DOCKET.codec.event).entries()]
    assert statuses == ["effective", "restated", *["effective"] * 6]
    assert game.holds("player:eve", "coin") == 9


def test_a_rewind_leaves_the_docket_alone(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    game.rule(CorrectHistory(edits=(Rewind(to=2),)), dispute=dispute)
    assert game.holds("player:ana", "coin") == 10
    settled = game.state.settled.get(dispute)
    assert settled is not None
    assert settled.status == "ruled"


def test_dropping_a_dispute_voids_what_was_said_in_it_and_keeping_that_is_impossible(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    game.play("ana", AddStatement(dispute=dispute, text="No."))
    dropped = (Drop(action=int(dispute)),)
    kept = game.unable(None, Mend(edits=dropped, cascade="keep", reason="spam"))
    assert isinstance(kept, plans.CannotKeep)
    game.play(None, Mend(edits=dropped, cascade="restate", reason="spam"))
    standing = Timeline(game.journal, DOCKET.codec.event).entry(7)
    assert standing is not None
    assert standing.status == "voided"
    assert game.state.disputes == {}


def test_a_correction_holds_no_other_correction(game: Docket) -> None:
    within = {"finding": "So.", "remedies": [{"op": "correct", "edits": [{"op": "drop", "action": 3}]}]}
    inserted = Insert(after=2, action=NewAction(kind="rule", params=within))
    assert isinstance(game.unable(None, Mend(edits=(inserted,), reason="both")), Malformed)
    game.rule()
    replaced = Replace(action=6, params=within)
    assert isinstance(game.unable(None, Mend(edits=(replaced,), reason="both")), Malformed)


def test_a_dispute_may_be_inserted_and_is_named_after_its_correction(game: Docket) -> None:
    inserted = Insert(
        after=4, action=NewAction(kind="open_dispute", seat="eve", params={"claim": "No.", "actions": [2]})
    )
    game.play(None, Mend(edits=(inserted,), reason="said aloud"))
    assert list(game.state.disputes) == ["6-1"]
    later = Insert(
        after=1, action=NewAction(kind="open_dispute", seat="eve", params={"claim": "No.", "actions": [4]})
    )
    assert isinstance(game.unable(None, Mend(edits=(later,), reason="too early")), Malformed)
