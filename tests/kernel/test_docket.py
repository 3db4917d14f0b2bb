"""The docket: who may contest what, who learns of it, and what a ruling comes to.

The journal of most tests: 1 open, 2 Ana buys a bean, 3 Bob hides the ace, 4 Ana and Bob strike a bargain in
secret, 5 Eve throws a 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
import pytest
from msgspec import Meta

from ledger.kernel.accounts import BANK
from ledger.kernel.actions import Action
from ledger.kernel.arbitration import docket, remedies, rulings
from ledger.kernel.arbitration.dispute import Dispute
from ledger.kernel.arbitration.docket import disputes, open_disputes
from ledger.kernel.arbitration.remedies import Adjust, CorrectHistory, Dismiss, Fine, Transfer
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.audience import Audience, Viewer, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event, kind_of
from ledger.kernel.history import corrections
from ledger.kernel.history.corrections import Drop, Insert, NewAction, Replace, Rewind, WouldSpread
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.moves import moves
from ledger.kernel.refusals import GameOver, Impossible, Malformed, Refusal, RuleBroken
from ledger.kernel.seeing import seen
from ledger.kernel.sentences import speak
from ledger.kernel.state import Seat
from tests.kernel import toy
from tests.kernel.toy import (
    ANA,
    BANKER,
    BOB,
    NOON,
    SPECTATOR,
    BuyBeans,
    End,
    Game,
    Hide,
    Open,
    Throw,
    Toy,
    ToyRules,
)

EVE = Viewer("player", "eve")

chapter = Chapter("The docket of the toy")
chapter.event(corrections.HistoryCorrected)
for _event in (*rulings.EVENTS, *remedies.Adjust.records, *remedies.Fine.records):
    chapter.event(_event)

HOW: Any = {"summary": ("", ""), "when": ("", "")}


@chapter.event
class Bargained(Event, frozen=True, kw_only=True):
    """Two seats agree on something; the table sees nothing of it."""

    en: ClassVar[str] = "{seat:seat} and {other:seat} agree."
    fr: ClassVar[str] = "{seat:seat} et {other:seat} s'accordent."

    rule: str = "2.1"
    seat: str
    other: str

    def audience(self) -> Audience:
        return only(self.seat, self.other)


@chapter.action(**HOW)
class Bargain(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    other: str

    def decide(self, draft: toy.Table) -> None:
        draft.record(Bargained(seat=draft.seat, other=self.other))


@chapter.action(by=("banker",), **HOW)
class Mend(corrections.Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("player", "banker"), **HOW)
class OpenDispute(docket.OpenDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("player", "banker"), **HOW)
class AddStatement(docket.AddStatement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("player", "banker"), **HOW)
class WithdrawDispute(docket.WithdrawDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("banker",), **HOW)
class Rule(rulings.GiveRuling, frozen=True, kw_only=True, forbid_unknown_fields=True):
    remedies: Annotated[tuple[Dismiss | CorrectHistory | Adjust | Fine, ...], Meta(max_length=50)] = ()


@chapter.action(by=("banker",), **HOW)
class PublishRulings(rulings.PublishRulings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class DocketRules(ToyRules):
    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        found = [frozenset({one.seat, one.other}) for one in events if isinstance(one, Bargained)]
        return {"bargain": found[0]} if found else {}


CARRIED = {"2.1": ("buy_beans", "bargain"), "2.2": ("throw",), "4.2": ("rule", "publish_rulings")}
DOCKET = DocketRules(toy.register(CARRIED), (toy.chapter, chapter))


class Docket(Game):
    """The played toy with a docket, and shorthands."""

    def __init__(self) -> None:
        super().__init__(rulebook=DOCKET)
        seats = tuple(Seat(seat, seat.title()) for seat in ("ana", "bob", "eve"))
        self.state, self.journal = DOCKET.blank(), []
        self.play(None, Open(players=seats, coins=10, dice="table"), by="system")
        self.play("ana", BuyBeans(quantity=1))
        self.play("bob", Hide(card="ace"))
        self.play("ana", Bargain(other="bob"))
        self.play("eve", Throw(face=3))

    def dispute(self, seat: str, *actions: int, claim: str = "That was wrong.") -> str:
        """The seat opens a dispute; gives its id."""
        (event,) = self.play(seat, OpenDispute(actions=actions, claim=claim)).events
        return str(event.dispute.id)

    def rule(self, *remedies: Any, **how: Any) -> list[Event]:
        """The banker rules; gives the events."""
        return list(self.play(None, Rule(finding="So be it.", remedies=remedies, **how)).events)

    def unable(self, seat: str | None, action: Action) -> Refusal:
        """The refusal of an action, of whatever kind."""
        before = DOCKET.freeze(self.state)
        with pytest.raises(Refusal) as caught:
            self.decide(seat, action)
        assert DOCKET.freeze(self.state) == before
        return caught.value

    def known_to(self, viewer: Viewer) -> list[str]:
        """The ids of the disputes that the viewer may know of."""
        return [one.id for one in disputes(self.state, viewer)]


@pytest.fixture
def game() -> Docket:
    return Docket()


def kinds(events: Sequence[Event]) -> list[str]:
    return [kind_of(event) for event in events]


def given(events: Sequence[Event]) -> RulingGiven:
    """The ruling among the events: the last of them."""
    ruling = events[-1]
    assert isinstance(ruling, RulingGiven)
    return ruling


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
    read = DOCKET.action("open_dispute", b'{"claim":"No.","actions":[2],"rules":["2.1"]}')
    assert read == OpenDispute(claim="No.", actions=(2,), relies_on=("2.1",))
    ruling = DOCKET.action(
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
        DOCKET.action("rule", params)


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
    assert refusal.en == "action 4 is for its parties to dispute, and eve is none"
    dispute = game.dispute("bob", 4)
    assert game.state.disputes[dispute].parties == ("ana", "bob")
    assert game.state.disputes[dispute].matters == ("bargain",)
    assert [game.known_to(one) for one in (ANA, BOB, BANKER)] == [[dispute]] * 3
    assert [game.known_to(one) for one in (EVE, SPECTATOR)] == [[], []]
    stored = DOCKET.event(game.journal[-1].events[0])
    assert [seen(game.state, stored, one) is stored for one in (ANA, BOB, EVE, SPECTATOR)] == [
        True,
        True,
        False,
        False,
    ]


def test_an_action_known_in_part_may_be_cited_without_telling_the_rest(game: Docket) -> None:
    """Bob's hidden card is seen by all, his whisper by nobody."""
    dispute = game.dispute("ana", 3)
    assert game.state.disputes[dispute].parties == ("ana", "bob")
    assert game.known_to(EVE) == []


def test_the_banker_opens_a_dispute_for_a_seat_with_the_eyes_of_that_seat(game: Docket) -> None:
    assert isinstance(game.unable(None, OpenDispute(actions=(2,), claim="No.")), Malformed)
    with pytest.raises(RuleBroken, match="eve is none"):
        game.decide("eve", OpenDispute(actions=(4,), claim="No."), by="banker")
    assert game.play("ana", OpenDispute(actions=(4,), claim="No."), by="banker").events[0].dispute.opener == "ana"


# Speaking and withdrawing ----------------------------------------------------------------------------


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


def test_its_opener_withdraws_it_and_nobody_else(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    assert "bob's" in game.refused("ana", WithdrawDispute(dispute=dispute)).en
    game.play("bob", WithdrawDispute(dispute=dispute))
    assert game.state.disputes == {}
    assert [(one.id, one.status) for one in disputes(game.state, EVE)] == [(dispute, "withdrawn")]
    for late in (WithdrawDispute(dispute=dispute), AddStatement(dispute=dispute, text="But…")):
        assert "closed (withdrawn)" in game.refused("bob", late).en


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
    assert "closed (ruled, 7)" in game.refused(None, Rule(finding="Again.", dispute=dispute)).en


def test_beans_move_in_private_and_money_for_all_to_see(game: Docket) -> None:
    """What a seat holds is its own to know; a ruling that says so is not told to the others."""
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
    assert game.refused(None, Rule(finding="It is void.", remedies=(dropped,))).rule == "4.3"
    private = game.dispute("ana", 4)
    assert given(game.rule(dispute=private)).actions == (4,)
    own = given(game.rule(actions=(3,)))
    assert own.parties == ("bob",)


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
    assert [one.status for one in Timeline(game.journal, DOCKET.event).standings()][1] == "undone"
    assert game.refolded(7).holdings == game.state.holdings
    assert game.refolded(7).settled == game.state.settled


def test_the_table_reads_why_the_history_was_corrected_and_not_what_a_private_ruling_found(game: Docket) -> None:
    dispute = game.dispute("bob", 4)
    corrected = game.rule(CorrectHistory(edits=(Drop(action=4),)), dispute=dispute)[0]
    shown = corrected.redacted(SPECTATOR)
    assert shown is not None
    assert "So be it." not in speak(shown.en, shown, "en", DOCKET.speakers(game.state))


def test_a_ruling_corrects_once(game: Docket) -> None:
    twice = (CorrectHistory(edits=(Drop(action=2),)), CorrectHistory(edits=(Drop(action=5),)))
    refusal = game.unable(None, Rule(finding="So.", remedies=twice))
    assert isinstance(refusal, Malformed)
    assert "2 corrections" in refusal.en


def test_what_would_spread_is_shown_before_it_is_ruled(game: Docket) -> None:
    """Bob has bought Ana's bean: without hers there is none to sell."""
    game.play("bob", BuyBeans(quantity=1, of="ana"))
    drop = Drop(action=2)
    refusal = game.unable(None, Rule(finding="So.", remedies=(CorrectHistory(edits=(drop,)),)))
    assert isinstance(refusal, WouldSpread)
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
    standing = Timeline(game.journal, DOCKET.event).standing(7)
    assert standing is not None
    assert (standing.status, standing.by) == ("undone", 8)
    assert kinds(standing.recorded) == ["history_corrected", "fined", "ruling_given"]
    game.play(None, Mend(edits=(Drop(action=8),), cascade="restate", reason="not so hasty"))
    assert game.holds("player:eve", "coin") == 9
    assert game.holds("player:ana", "bean") == 0
    assert game.state.settled.get(dispute) is not None
    assert game.refolded(9).holdings == game.state.holdings


def test_disputes_and_rulings_are_decided_again_to_the_same(game: Docket) -> None:
    """What is corrected later changes nothing in a dispute that cites it, nor in its ruling."""
    dispute = game.dispute("bob", 2)
    game.rule(Fine(seat="eve", amount=4), dispute=dispute)
    game.play(None, Mend(edits=(Replace(action=2, params={"quantity": 2}),), reason="two beans"))
    statuses = [one.status for one in Timeline(game.journal, DOCKET.event).standings()]
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
    assert isinstance(kept, corrections.CannotKeep)
    game.play(None, Mend(edits=dropped, cascade="restate", reason="spam"))
    standing = Timeline(game.journal, DOCKET.event).standing(7)
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


# After the end ---------------------------------------------------------------------------------------


def test_after_the_end_a_ruling_dismisses_or_corrects_and_moves_nothing(game: Docket) -> None:
    game.play(None, End())
    dispute = game.dispute("eve", 2)
    refusal = game.refused(None, Rule(finding="So.", dispute=dispute, remedies=(Fine(seat="ana", amount=1),)))
    assert refusal.rule == "3.1"
    assert "fine" in refusal.en
    game.rule(Dismiss(), dispute=dispute)
    with pytest.raises(GameOver):
        game.decide("ana", BuyBeans(quantity=1))
    game.rule(CorrectHistory(edits=(Drop(action=6),)), Fine(seat="ana", amount=1))
    assert not game.state.ended
    game.play("ana", BuyBeans(quantity=1))
    assert game.holds("player:ana", "coin") == 5


def test_after_the_end_everybody_knows_of_every_dispute_but_a_bargain_stays_its_parties(game: Docket) -> None:
    private = game.dispute("bob", 4)
    game.play(None, End())
    assert game.known_to(SPECTATOR) == [private]
    assert game.refused("eve", OpenDispute(actions=(4,), claim="Aha.")).rule == "4.3"
    game.dispute("eve", 3)


# Publishing, choosing, keeping -----------------------------------------------------------------------


def test_the_banker_publishes_the_rulings_and_takes_them_back(game: Docket) -> None:
    assert game.refused(None, PublishRulings(published=False)).rule == "4.2"
    game.play(None, PublishRulings(published=True))
    assert game.state.rulings_published
    game.refused(None, PublishRulings(published=True))
    game.play(None, PublishRulings(published=False))
    assert not game.state.rulings_published


def test_what_can_be_chosen_is_offered(game: Docket) -> None:
    dispute = game.dispute("bob", 2)

    def offered(seat: str, viewer: Viewer) -> list[tuple[str, Any]]:
        found = moves(DOCKET, game.state, seat, f"player:{seat}", viewer, NOON)
        return [(move.kind, move.params) for move in found if DOCKET.actions[move.kind].docket]

    opening, statement = ("open_dispute", {"claim": "…"}), ("add_statement", {"dispute": dispute, "text": "…"})
    assert offered("bob", BOB) == [opening, statement, ("withdraw_dispute", {"dispute": dispute})]
    assert offered("ana", ANA) == [opening, statement]
    assert ("publish_rulings", {"published": True}) in offered("ana", BANKER)
    assert [params for kind, params in offered("ana", BANKER) if kind == "rule"] == [
        {"dispute": dispute, "finding": "…", "remedies": [{"op": "dismiss"}]},
        {"finding": "…"},
    ]
    last = {"edits": [{"op": "drop", "action": int(dispute)}], "cascade": "restate", "reason": "…"}
    assert [params for kind, params in offered("ana", BANKER) if kind == "mend"] == [last]
    assert opening not in offered("", BANKER), "a dispute is opened for a seat"


def test_why_not_to_speak_in_a_private_dispute_is_not_told_to_strangers(game: Docket) -> None:
    private = game.dispute("bob", 4)

    def choices(seat: str) -> list[str]:
        return [one.params["dispute"] for one in DOCKET.actions["add_statement"].choices(game.state, seat)]

    assert choices("bob") == choices("") == [private], "a party, and the banker for themselves"
    assert choices("eve") == []


def test_disputes_survive_a_snapshot_and_every_event_its_stored_bytes(game: Docket) -> None:
    game.rule(Dismiss(), dispute=game.dispute("bob", 4))
    game.play("ana", AddStatement(dispute=game.dispute("ana", 2), text="Well."))
    assert DOCKET.thaw(DOCKET.freeze(game.state)) == game.state
    folded: Toy = DOCKET.blank()
    for stored in game.bodies():
        folded.record(DOCKET.event(stored))
    assert folded.disputes == game.state.disputes
    assert folded.settled == game.state.settled


def test_what_happens_on_the_docket_is_said_in_both_languages(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    game.play(None, AddStatement(dispute=dispute, text="Well."))
    game.rule(Fine(seat="ana", amount=1, reason="noise"), dispute=dispute)
    game.play("bob", WithdrawDispute(dispute=game.dispute("bob")))
    game.play(None, PublishRulings(published=True))
    speakers = DOCKET.speakers(game.state)
    events = [DOCKET.event(stored) for entry in game.journal[5:] for stored in entry.events]
    assert [speak(event.en, event, "en", speakers) for event in events] == [
        "Bob opens dispute 6 on 2: That was wrong.",
        "banker states in dispute 6: Well.",
        "Ana is fined 1 coins (noise).",
        "The banker rules on dispute 6: So be it.",
        "Bob opens dispute 9: That was wrong.",
        "Bob withdraws dispute 9.",
        "The rulings of this table are published.",
    ]
    for event in events:
        assert speak(event.fr, event, "fr", speakers) != speak(event.en, event, "en", speakers)


def test_a_dispute_is_plain_data_for_whoever_shows_it(game: Docket) -> None:
    dispute = game.dispute("bob", 4)
    plain = msgspec.to_builtins(game.state.disputes[dispute])
    assert plain["opener"] == "bob"
    assert list(plain["actions"]) == [4]
    assert plain["parties"] == ("ana", "bob")
