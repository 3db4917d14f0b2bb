"""X.B. Bounties: a deposit at the bank for the first player who meets the conditions."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.agreements.bounties import BountyPosted
from ledger.rulebooks.negopoly.table.terms import Bounty
from tests.tables.negopoly import Table, agreement, idle


def post(table: Table, seat: str, amount: int, conditions: str = "be the first on Négoplaza") -> str:
    """The seat posts a bounty; return its id."""
    event = table.play(seat, "post_bounty", amount=amount, conditions=conditions)[0]
    assert isinstance(event, BountyPosted)
    return event.bounty.id


def opened(table: Table, seat: str, amount: int) -> str:
    """A bounty of the seat that the bank has accepted."""
    bounty = post(table, seat, amount)
    table.banker("approve_bounty", bounty=bounty, accept=True)
    return bounty


@pytest.mark.rule("X.B.1")
def test_anybody_places_a_bounty_on_anything_at_any_moment_but_cannot_win_it() -> None:
    table = Table("ana", "bob")
    bounty = opened(table, "bob", 100)
    table.refused("bob", "claim_bounty", "X.B.1", bounty=bounty, statement="it was me")
    table.refused(None, "award_bounty", "X.B.1", bounty=bounty, winner="bob")
    assert table.holds("bob") == 1550


@pytest.mark.rule("X.B.2")
def test_the_deposit_leaves_its_poster_at_once_and_without_a_fee() -> None:
    table = Table("ana", "bob")
    bank = table.holds("bank")
    bounty = post(table, "ana", 1650)
    assert (table.holds("ana"), table.holds(f"escrow:bounty:{bounty}"), table.holds("bank")) == (0, 1650, bank)
    short = table.refused("ana", "post_bounty", "X.B.2", amount=1, conditions="anything")
    assert short.en == "Ana has ₦0 and cannot spend ₦1 without ₦1 more"


@pytest.mark.rule("X.B.3")
def test_a_bounty_opens_when_the_bank_accepts_its_conditions() -> None:
    table = Table("ana", "bob")
    bounty = post(table, "ana", 200)
    table.refused("bob", "claim_bounty", "X.B.3", bounty=bounty, statement="done")
    table.refused(None, "award_bounty", "X.B.3", bounty=bounty, winner="bob")
    table.banker("approve_bounty", bounty=bounty, accept=True)
    assert agreement(table, bounty, Bounty).status == "open"
    table.refused(None, "approve_bounty", "X.B.3", bounty=bounty, accept=False)
    table.play("bob", "claim_bounty", bounty=bounty, statement="done")


@pytest.mark.rule("X.B.3")
def test_a_refused_bounty_returns_in_full() -> None:
    table = Table("ana", "bob")
    bounty = post(table, "ana", 200, "whoever is the nicest")
    table.banker("approve_bounty", bounty=bounty, accept=False, reason="nobody can verify that")
    assert table.holds("ana") == 1650
    assert table.holds(f"escrow:bounty:{bounty}") == 0
    assert agreement(table, bounty, Bounty).status == "refused"
    table.refused("bob", "claim_bounty", "X.B.4", bounty=bounty, statement="me")
    table.refused(None, "approve_bounty", "X.B.3", bounty=bounty, accept=True)


@pytest.mark.rule("X.B.4")
def test_the_first_to_claim_takes_the_whole_deposit_and_later_claims_are_refused() -> None:
    """Bob claims before Cid: the banker cannot pass him over, pays him 300 ₦, and Dan comes too late."""
    table = Table("ana", "bob", "cid", "dan")
    bounty = opened(table, "ana", 300)
    table.play("bob", "claim_bounty", bounty=bounty, statement="I stood there in round 1")
    table.refused("bob", "claim_bounty", "X.B.4", bounty=bounty, statement="again")
    table.play("cid", "claim_bounty", bounty=bounty, statement="so did I")
    table.refused(None, "award_bounty", "X.B.4", bounty=bounty, winner="cid")
    table.banker("award_bounty", bounty=bounty, winner="bob")
    assert (table.holds("bob"), table.holds("cid"), table.holds(f"escrow:bounty:{bounty}")) == (1950, 1650, 0)
    assert agreement(table, bounty, Bounty).winner == "bob"
    late = table.refused("dan", "claim_bounty", "X.B.4", bounty=bounty, statement="and me")
    assert "awarded" in late.en
    table.refused(None, "award_bounty", "X.B.4", bounty=bounty, winner="dan")


@pytest.mark.rule("X.B.4")
def test_the_banker_rejects_a_claim_that_is_not_true_and_the_next_one_comes_first() -> None:
    table = Table("ana", "bob", "cid")
    bounty = opened(table, "ana", 300)
    table.play("bob", "claim_bounty", bounty=bounty, statement="I dreamt it")
    table.play("cid", "claim_bounty", bounty=bounty, statement="I did it")
    table.refused(None, "reject_claim", "X.B.4", bounty=bounty, claimant="ana", reason="…")
    table.banker("reject_claim", bounty=bounty, claimant="bob", reason="he was in Prison")
    table.banker("award_bounty", bounty=bounty, winner="cid")
    assert (table.holds("bob"), table.holds("cid")) == (1650, 1950)


@pytest.mark.rule("X.B.4")
def test_the_banker_may_award_what_everybody_saw_without_a_claim() -> None:
    table = Table("ana", "bob")
    bounty = opened(table, "ana", 40)
    table.refused(None, "award_bounty", "X.B.4", bounty=bounty, winner="zoe")
    table.banker("award_bounty", bounty=bounty, winner="bob")
    assert table.holds("bob") == 1690


@pytest.mark.rule("X.B.5")
def test_an_unclaimed_bounty_stays_in_escrow_until_the_banker_closes_it() -> None:
    """Rounds go by and Ana's 500 ₦ stay where they are; only the banker gives them back."""
    table = Table("ana", "bob")
    bounty = opened(table, "ana", 500)
    for seat in ("ana", "bob", "ana", "bob"):
        idle(table, seat)
    assert table.holds(f"escrow:bounty:{bounty}") == 500
    table.refused("ana", "withdraw_deal", "I.A.1.2", deal=bounty)
    table.banker("close_bounty", bounty=bounty, reason="Négoplaza is gone")
    assert table.holds("ana") == 1650
    assert agreement(table, bounty, Bounty).status == "refunded"
    table.refused("bob", "claim_bounty", "X.B.4", bounty=bounty, statement="me")
    table.refused(None, "close_bounty", "X.B.5", bounty=bounty, reason="twice")


@pytest.mark.rule("X.B.5")
def test_the_deposit_of_a_poster_who_has_left_goes_to_the_bank() -> None:
    table = Table("ana", "bob", "cid")
    bounty = opened(table, "ana", 500)
    idle(table, "ana")
    with table.arranged() as state:
        state.eliminated["ana"] = "bankruptcy"
    bank = table.holds("bank")
    table.banker("close_bounty", bounty=bounty, reason="impossible now")
    assert table.holds("bank") == bank + 500
    assert table.holds("ana") == 1150


@pytest.mark.rule("X.B.5")
def test_open_deposits_go_back_to_their_posters_when_the_game_ends() -> None:
    """Ana's 500 ₦, accepted, and Bob's 70 ₦, still waiting for the bank, count for their fortunes again."""
    table = Table("ana", "bob", settings={"max_rounds": 1})
    first = opened(table, "ana", 500)
    second = post(table, "bob", 70)
    idle(table, "ana")
    idle(table, "bob")
    assert table.state.ended
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert (agreement(table, first, Bounty).status, agreement(table, second, Bounty).status) == (
        "refunded",
        "refunded",
    )


@pytest.mark.rule("X.B.2", "X.B.3", "X.B.4")
def test_a_bounty_is_for_everybody_to_see() -> None:
    table = Table("ana", "bob")
    bounty = post(table, "ana", 200)
    assert [kind_of(event) for event in table.seen_by(None)] == ["bounty_posted"]
    table.banker("approve_bounty", bounty=bounty, accept=True)
    assert len(table.seen_by(None)) == 1
    table.banker("award_bounty", bounty=bounty, winner="bob")
    assert len(table.seen_by(None)) == 1
