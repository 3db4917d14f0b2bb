"""Disputes: who may contest which actions, who may add statements, and who may know of a dispute."""

from __future__ import annotations

import pytest

from ledger.kernel.arbitration import docket
from ledger.kernel.arbitration.docket import disputes, open_disputes, parties_of
from ledger.kernel.facts.audience import EVERYONE, only
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.refusals import Malformed, RuleBroken
from ledger.kernel.journal.citing import Cited
from ledger.kernel.journal.sight import view_event
from tests.kernel.arbitration.contested import (
    DOCKET,
    EVE,
    AddStatement,
    Docket,
    OpenDispute,
    Rule,
    WithdrawDispute,
)
from tests.kernel.toy import (
    ANA,
    BANKER,
    BOB,
    SPECTATOR,
)

# Opening ---------------------------------------------------------------------------------------------


def test_a_dispute_waits_with_what_it_says_and_changes_nothing_else(game: Docket) -> None:
    holdings = game.state.holdings.as_dict()
    event = game.play("bob", OpenDispute(actions=(2, 2, 5), claim="Beans cost three.", relies_on=("2.1",))).events[
        0
    ]
    assert open_disputes(game.state) == [
        Dispute(
            id="6",
            opener="bob",
            actions=(2, 5),
            claim="Beans cost three.",
            rules=("2.1",),
            opened_at=event.dispute.opened_at,
        )
    ]
    assert event.rule == "4.1"
    assert game.state.holdings.as_dict() == holdings
    assert [game.known_to(one) for one in (ANA, BOB, EVE, SPECTATOR, BANKER)] == [["6"]] * 5


def test_the_parameters_are_called_as_the_words_of_the_plan(game: Docket) -> None:
    read = DOCKET.codec.action("open_dispute", b'{"claim":"No.","actions":[2],"rules":["2.1"]}')
    assert read == OpenDispute(claim="No.", actions=(2,), relies_on=("2.1",))
    ruling = DOCKET.codec.action(
        "rule",
        b'{"finding":"So.","rules":["2.1"],"remedies":[{"op":"adjust","reason":"owed","postings":'
        b'[{"from":"bank","to":"player:ana","commodity":"coin","amount":2}]},{"op":"correct","edits":'
        b'[{"op":"drop","action":2}]}]}',
    )
    assert isinstance(ruling, Rule)
    assert ruling.applies == ("2.1",)
    assert kinds_of(ruling) == ["adjust", "correct"]


def kinds_of(ruling: Rule) -> list[str]:
    return [str(one.__struct_config__.tag) for one in ruling.remedies]


@pytest.mark.parametrize(
    "params",
    [
        b'{"finding":"So.","remedies":[{"op":"fine","seat":"ana","amount":1,"colour":"red"}]}',
        b'{"finding":"So.","remedies":[{"op":"fine","seat":"ana","amount":0}]}',
        b'{"finding":"So.","remedies":[{"op":"forgive"}]}',
        b'{"finding":""}',
        b'{"finding":"So.","remedies":[{"op":"correct","edits":[]}]}',
    ],
)
def test_a_remedy_of_another_shape_is_malformed(params: bytes) -> None:
    with pytest.raises(Malformed):
        DOCKET.codec.action("rule", params)


def test_what_does_not_exist_cannot_be_cited(game: Docket) -> None:
    refusal = game.unable("ana", OpenDispute(actions=(2, 6), claim="No."))
    assert isinstance(refusal, Malformed)
    assert refusal.en == "there is no action 6; the last one is 5"
    refusal = game.unable("ana", OpenDispute(actions=(2,), claim="No.", relies_on=("9.9",)))
    assert isinstance(refusal, Malformed)
    assert "9.9" in refusal.en


def test_a_private_bargain_is_for_its_parties_to_dispute_and_to_know(game: Docket) -> None:
    refusal = game.unable("eve", OpenDispute(actions=(4,), claim="They conspire."))
    assert isinstance(refusal, RuleBroken)
    assert refusal.rule == "4.3"
    assert refusal.en == "action 4 is for its parties to dispute, and Eve is none"
    dispute = game.dispute("bob", 4)
    assert game.state.disputes[dispute].parties == ("ana", "bob")
    assert game.state.disputes[dispute].matters == ("bargain",)
    assert [game.known_to(one) for one in (ANA, BOB, BANKER)] == [[dispute]] * 3
    assert [game.known_to(one) for one in (EVE, SPECTATOR)] == [[], []]
    stored = DOCKET.codec.event(game.journal[-1].events[0])
    assert [view_event(game.state, stored, one) is stored for one in (ANA, BOB, EVE, SPECTATOR)] == [
        True,
        True,
        False,
        False,
    ]


def test_an_action_known_in_part_may_be_cited_without_telling_the_rest(game: Docket) -> None:
    """Everybody sees that Bob hid a card; nobody sees his whisper."""
    dispute = game.dispute("ana", 3)
    assert game.state.disputes[dispute].parties == ("ana", "bob")
    assert game.known_to(EVE) == []


def test_an_opener_who_knows_a_part_reads_of_no_other_seat_that_knows_all() -> None:
    """Bob acts before everybody, and whispers to Cid."""
    whispered = Cited(whole=only("bob", "cid"), part=EVERYONE, seat="bob")
    assert parties_of("ana", [whispered]) == ("ana", "bob")
    assert parties_of("cid", [whispered]) == ("bob", "cid")


def test_the_banker_opens_a_dispute_for_a_seat_with_the_eyes_of_that_seat(game: Docket) -> None:
    assert isinstance(game.unable(None, OpenDispute(actions=(2,), claim="No.")), Malformed)
    with pytest.raises(RuleBroken, match="Eve is none"):
        game.decide("eve", OpenDispute(actions=(4,), claim="No."), by="banker")
    assert game.play("ana", OpenDispute(actions=(4,), claim="No."), by="banker").events[0].dispute.opener == "ana"


# Statements and withdrawals --------------------------------------------------------------------------


def test_parties_and_the_banker_speak_and_strangers_meet_nothing(game: Docket) -> None:
    dispute = game.dispute("bob", 4)
    game.play("ana", AddStatement(dispute=dispute, text="He agreed."))
    game.play(None, AddStatement(dispute=dispute, text="Show me."))
    assert [(said.by, said.text) for said in game.state.disputes[dispute].statements] == [
        ("ana", "He agreed."),
        ("banker", "Show me."),
    ]
    hidden = game.unable("eve", AddStatement(dispute=dispute, text="Me too."))
    absent = game.unable("eve", AddStatement(dispute="99", text="Me too."))
    assert hidden.en.replace(dispute, "99") == absent.en == "there is no dispute '99'"


def test_statements_are_bounded(game: Docket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docket, "MOST_STATEMENTS", 1)
    dispute = game.dispute("bob", 2)
    game.play("ana", AddStatement(dispute=dispute, text="One."))
    assert game.refused("ana", AddStatement(dispute=dispute, text="Two.")).rule == "4.1"


def test_a_seat_leaves_places_to_the_others(game: Docket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docket, "MOST_OF_A_SEAT", 2)
    dispute = game.dispute("bob", 2)
    for text in ("One.", "Two."):
        game.play("ana", AddStatement(dispute=dispute, text=text))
    refused = game.refused("ana", AddStatement(dispute=dispute, text="Three."))
    assert refused.en == f"Ana has made 2 statements in dispute {dispute}, and can make no more"
    game.play("bob", AddStatement(dispute=dispute, text="Enough."))
    for text in ("Order.", "Order!", "Order?"):  # The banker is not bound.
        game.play(None, AddStatement(dispute=dispute, text=text))


def test_a_seat_opens_only_so_many_disputes(game: Docket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob may have two open, and open three in all. Ana has places of her own."""
    monkeypatch.setattr(docket, "MOST_OPEN", 2)
    monkeypatch.setattr(docket, "MOST_OPENED", 3)
    first = game.dispute("bob", 2)
    game.dispute("bob", 2)
    assert "Bob has 2 open disputes" in game.refused("bob", OpenDispute(actions=(2,), claim="No.")).en
    game.play("bob", WithdrawDispute(dispute=first))
    third = game.dispute("bob", 2)
    game.play("bob", WithdrawDispute(dispute=third))
    refused = game.refused("bob", OpenDispute(actions=(2,), claim="No."))
    assert refused.fr == "Bob a ouvert 3 litiges et ne peut plus en ouvrir dans cette partie"
    game.dispute("ana", 2)


def test_its_opener_withdraws_it_and_nobody_else(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    assert "Bob's" in game.refused("ana", WithdrawDispute(dispute=dispute)).en
    game.play("bob", WithdrawDispute(dispute=dispute))
    assert game.state.disputes == {}
    assert [(one.id, one.status) for one in disputes(game.state, EVE)] == [(dispute, "withdrawn")]
    for late in (WithdrawDispute(dispute=dispute), AddStatement(dispute=dispute, text="But…")):
        assert "closed (withdrawn)" in game.refused("bob", late).en
