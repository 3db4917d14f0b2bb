"""P.2, I.C.4 to I.C.6. Disputes: who may dispute what, who sees it, and that a dispute suspends nothing."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.arbitration.docket import DisputeOpened, disputes, open_disputes
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.deciding.moves import obstacles
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import Malformed, NotYours
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.turns.turns import ExpireTurn
from tests.tables.negopoly import NOON, Table


def contest(table: Table, seat: str, *actions: int, claim: str = "That is not right.", **more: Any) -> str:
    """The seat opens a dispute about these actions; return its id."""
    (event,) = table.play(seat, "open_dispute", actions=list(actions), claim=claim, **more)
    assert isinstance(event, DisputeOpened)
    return event.dispute.id


def known_to(table: Table, seat: str | None) -> list[str]:
    """The disputes that a seat (None: a spectator) may see."""
    viewer = Viewer("player", seat) if seat else Viewer("spectator")
    return [one.id for one in disputes(table.state, viewer)]


def deal(table: Table, giver: str, taker: str, amount: int) -> int:
    """Conclude a deal of money between two seats; return the number of the last consent."""
    leg = {"giver": giver, "taker": taker, "commodity": "NGD", "amount": amount}
    table.play(giver, "propose_deal", legs=[leg], clauses=["for your silence"])
    table.play(taker, "agree_deal", deal=str(table.number))
    return table.number


def rent(table: Table) -> int:
    """Ana stops on Bob's Black Arretxea and pays 4 ₦; return the number of the action."""
    table.own("bob", "black_arretxea")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    return table.number


@pytest.mark.rule("P.2")
def test_ana_contests_a_rent_and_everything_stays_as_it_is_until_the_banker_rules() -> None:
    table = Table("ana", "bob")
    paid = rent(table)
    assert (table.holds("ana"), table.holds("bob")) == (1646, 1654)
    turn, holdings = table.state.turn, table.state.holdings.as_dict()
    dispute = contest(table, "ana", paid, claim="The title was squatted.", rules=["V.A.8"])
    assert table.state.turn == turn
    assert table.state.holdings.as_dict() == holdings
    (waiting,) = open_disputes(table.state)
    assert (waiting.id, waiting.opener, waiting.actions, waiting.rules) == (dispute, "ana", (paid,), ("V.A.8",))
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[3, 4])
    assert [one.id for one in open_disputes(table.state)] == [dispute]


@pytest.mark.rule("P.2", "II.B.13")
def test_the_clock_of_a_turn_runs_on_while_it_is_contested() -> None:
    table = Table("ana", "bob")
    table.wait(300)
    contest(table, "ana", claim="I was not heard.")
    table.wait(1)
    assert RULEBOOK.progress.due(table.state, table.now) == (ExpireTurn(), "ana")
    table.refused("ana", "roll_dice", "II.B.13", dice=[1, 2])


@pytest.mark.rule("P.2")
def test_parties_and_the_banker_speak_in_a_dispute_and_its_opener_withdraws_it() -> None:
    table = Table("ana", "bob")
    dispute = contest(table, "ana", rent(table))
    table.play("bob", "add_statement", dispute=dispute, text="She lies.")
    table.banker("add_statement", dispute=dispute, text="Who saw it?")
    assert [(said.by, said.text) for said in table.state.disputes[dispute].statements] == [
        ("bob", "She lies."),
        ("banker", "Who saw it?"),
    ]
    table.refused("bob", "withdraw_dispute", "P.2", dispute=dispute)
    table.play("ana", "withdraw_dispute", dispute=dispute)
    assert open_disputes(table.state) == []
    table.refused("bob", "add_statement", "P.2", dispute=dispute, text="Ha.")
    assert known_to(table, None) == [dispute]


@pytest.mark.rule("P.2")
def test_a_dispute_cites_what_there_is() -> None:
    table = Table("ana", "bob")
    last = table.number
    refusal = table.malformed("ana", "open_dispute", actions=[last + 1], claim="No.")
    assert isinstance(refusal, Malformed)
    assert refusal.en == f"there is no action {last + 1}; the last one is {last}"
    assert "X.Z.9" in table.malformed("ana", "open_dispute", claim="No.", rules=["X.Z.9"]).en
    contest(table, "ana", claim="The rules say nothing about this.")


@pytest.mark.rule("P.2", "I.B.5")
def test_a_player_who_is_out_of_the_game_may_still_contest_that() -> None:
    table = Table("ana", "bob", "cid")
    table.take("bob", "NGD", 1651)
    table.play("bob", "declare_bankruptcy")
    dispute = contest(table, "bob", table.number, claim="I was owed rent.")
    assert table.state.disputes[dispute].opener == "bob"
    assert "bob" in table.state.eliminated


@pytest.mark.rule("I.C.5")
def test_a_private_deal_is_for_its_parties_to_dispute() -> None:
    """Cid knows that Ana paid Bob 100 ₦ for his silence, but it is no affair of his."""
    table = Table("ana", "bob", "cid")
    bargain = deal(table, "ana", "bob", 100)
    refusal = table.refused("cid", "open_dispute", "I.C.5", actions=[bargain], claim="They cheat.")
    assert refusal.en == f"action {bargain} is for its parties to dispute, and Cid is none"
    dispute = contest(table, "bob", bargain, claim="It was to be 200.")
    assert table.state.disputes[dispute].matters == (f"deal:{bargain - 1}",)


@pytest.mark.rule("I.C.5")
def test_not_even_the_part_of_a_private_deal_that_all_can_see_is_for_strangers() -> None:
    """That Négotown went to Bob is public; why it did is not."""
    table = Table("ana", "bob", "cid")
    table.own("ana", "negotown")
    leg = {"giver": "ana", "taker": "bob", "commodity": "title:negotown"}
    table.play("ana", "propose_deal", legs=[leg])
    table.play("bob", "agree_deal", deal=str(table.number))
    assert [kind_of(event) for event in table.seen_by("cid")] == ["title_transferred"]
    table.refused("cid", "open_dispute", "I.C.5", actions=[table.number], claim="They cheat.")


@pytest.mark.rule("I.C.5")
def test_goods_due_under_a_deal_belong_to_the_deal() -> None:
    """Bob owes Ana a dose and sends it in his turn: the sending is part of their deal, a free one is not."""
    table = Table("ana", "bob", "cid", perks={"bob": "doses"})
    table.play("bob", "propose_deal", legs=[{"giver": "bob", "taker": "ana", "commodity": "dose"}])
    agreed = str(table.number)
    table.play("ana", "agree_deal", deal=agreed)
    table.place("ana", 10)
    table.turn("ana", 5, 5)
    table.play("bob", "send_delivery", deal=agreed, leg=0)
    dispute = contest(table, "ana", table.number, claim="It was to be express.")
    assert table.state.disputes[dispute].matters == (f"deal:{agreed}",)
    table.refused("cid", "open_dispute", "I.C.5", actions=[table.number], claim="And mine?")
    table.play("bob", "send_delivery", to="ana", commodity="dose")
    free = contest(table, "ana", table.number, claim="I did not want it.")
    assert table.state.disputes[free].matters == ()


@pytest.mark.rule("I.C.6", "P.2")
def test_a_dispute_about_something_private_is_told_to_nobody_else() -> None:
    """Bob contests the loan that he took; only he and the banker know that there is one."""
    table = Table("ana", "bob")
    table.play("bob", "take_loan", amount=100)
    table.refused("ana", "open_dispute", "I.C.5", actions=[table.number], claim="What was that?")
    dispute = contest(table, "bob", table.number, claim="I asked for 200.")
    assert table.seen_by("ana") == table.seen_by(None) == []
    assert len(table.seen_by("bob")) == 1
    assert (known_to(table, "bob"), known_to(table, "ana"), known_to(table, None)) == ([dispute], [], [])
    hidden = table.refused("ana", "add_statement", "P.2", dispute=dispute, text="Aha.")
    absent = table.refused("ana", "add_statement", "P.2", dispute="999", text="Aha.")
    assert hidden.en.replace(dispute, "999") == absent.en
    table.banker("add_statement", dispute=dispute, text="You signed for 100.")
    assert table.seen_by("ana") == []
    table.banker("rule", dispute=dispute, finding="It was 100.", remedies=[{"op": "dismiss"}])
    assert table.seen_by("ana") == []
    assert len(table.seen_by("bob")) == 1


@pytest.mark.rule("I.C.6")
def test_what_is_private_in_a_public_action_stays_so_when_others_contest_the_action() -> None:
    """Bob's roll takes him past Spawn, which counts for a loan that nobody knows of."""
    table = Table("bob", "ana", "cid")
    table.play("bob", "take_loan", amount=100)
    table.place("bob", 39)
    table.play("bob", "roll_dice", dice=[1, 4])
    roll = table.number
    dispute = contest(table, "ana", roll, claim="That was a 3.")
    assert table.state.disputes[dispute].parties == ("ana", "bob")
    assert table.seen_by("cid") == []


@pytest.mark.rule("P.4", "IV.A.2")
def test_a_player_who_missed_something_while_talking_gets_nothing_back() -> None:
    """Ana forgot to buy Négotown. She cannot take her turn back, and her request is dismissed."""
    table = Table("ana", "bob")
    table.place("ana", 39)
    table.turn("ana", 1, 1)
    missed = table.number
    viewer = Viewer("player", "ana")
    (obstacle,) = obstacles(RULEBOOK, table.state, "ana", "player:ana", viewer, NOON, "correct")
    assert isinstance(obstacle.refusal, NotYours)
    assert all("player" not in RULEBOOK.actions[kind].by for kind in ("correct", "rule"))
    before = table.state
    dispute = contest(table, "ana", missed, claim="I was talking, and wanted to buy it.")
    finding = "What is let go by in talk stays gone."
    *_, ruling = table.banker(
        "rule", dispute=dispute, finding=finding, rules=["IV.A.2"], remedies=[{"op": "dismiss"}]
    )
    assert isinstance(ruling, RulingGiven)
    assert (ruling.rules, ruling.ops) == (("IV.A.2",), ("dismiss",))
    assert table.state.holdings == before.holdings
    assert table.state.turn == before.turn
    assert table.standing(missed).status == "effective"
