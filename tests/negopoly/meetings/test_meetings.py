"""IV.B and IV.C: private meetings in another room, their cost, and their disruption."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ledger.kernel.deciding.moves import Move, moves
from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.meetings.meetings import EndMeeting
from ledger.rulebooks.negopoly.table.terms import Meeting, player
from tests.tables.negopoly import NOON, Table


def meetings(table: Table) -> list[Meeting]:
    """All meetings of the game, as the collection shows them."""
    return [one for one in RULEBOOK.agreements.of(table.state, "meetings") if isinstance(one, Meeting)]


def met(minutes: int = 3, **settings: int) -> Table:
    """In Ana's turn Bob has called Cleo to a meeting, and she has come."""
    table = Table("ana", "bob", "cleo", settings=settings)
    table.play("bob", "start_meeting", participants=["cleo"], minutes=minutes)
    table.play("cleo", "join_meeting", meeting=str(table.number))
    return table


def moves_of(table: Table, seat: str, kind: str) -> list[Move]:
    """The moves of one kind that a seat is offered."""
    found = moves(RULEBOOK, table.state, seat, player(seat), Viewer("player", seat), table.now)
    return [move for move in found if move.kind == kind]


# In another player's turn ---------------------------------------------------------------------------


@pytest.mark.rule("II.D.3", "IV.B.1", "IV.B.2", "IV.B.3")
@pytest.mark.parametrize(("minutes", "price"), [(1, 20), (3, 60), (5, 100)])
def test_a_meeting_in_anothers_turn_costs_20_a_minute_at_once(minutes: int, price: int) -> None:
    """Bob calls Cleo out in Ana's turn: 20 ₦ a minute go to the bank when it starts; Cleo joins for nothing."""
    table = Table("ana", "bob", "cleo")
    bank = table.holds("bank")
    (started,) = table.play("bob", "start_meeting", participants=["cleo"], minutes=minutes)
    assert started.rule == "IV.B.1"
    assert (table.holds("bob"), table.holds("bank")) == (1650 - price, bank + price)
    (joined,) = table.play("cleo", "join_meeting", meeting=str(table.number))
    assert (joined.rule, table.holds("cleo")) == ("II.D.3", 1650)
    (meeting,) = meetings(table)
    assert (meeting.paid, meeting.minutes, meeting.own_turn) == (price, minutes, False)
    assert meeting.ends_at == NOON + timedelta(minutes=minutes)


@pytest.mark.rule("IV.B.2")
def test_no_meeting_is_booked_for_longer_than_five_minutes() -> None:
    """Six minutes are refused, even in one's own turn; the banker may waive it, at 20 ₦ a minute."""
    table = Table("ana", "bob")
    refusal = table.refused("bob", "start_meeting", "IV.B.2", participants=["ana"], minutes=6)
    assert (refusal.values["minutes"], refusal.values["longest"]) == (6, 5)
    table.refused("ana", "start_meeting", "IV.B.2", participants=["bob"], minutes=6)
    table.malformed("bob", "start_meeting", participants=["ana"], minutes=0)
    table.play("bob", "start_meeting", override="a long quarrel", participants=["ana"], minutes=6)
    assert table.holds("bob") == 1650 - 120


@pytest.mark.rule("IV.B.3")
def test_without_the_funds_no_meeting_is_launched() -> None:
    """With 59 ₦ Bob cannot pay three minutes, but two."""
    table = Table("ana", "bob")
    table.take("bob", "NGD", 1650 - 59)
    assert table.refused("bob", "start_meeting", "IV.B.3", participants=["ana"], minutes=3).values["amount"] == 60
    table.play("bob", "start_meeting", participants=["ana"], minutes=2)
    assert table.holds("bob") == 19


@pytest.mark.rule("IV.B.2")
def test_a_storm_makes_minutes_dearer() -> None:
    """In a thunderstorm a minute costs 40 ₦, and five minutes 200 ₦."""
    table = Table("ana", "bob", decks=True)
    table.weather("meteo_07")
    table.play("bob", "start_meeting", participants=["ana"], minutes=5)
    assert table.holds("bob") == 1650 - 200


@pytest.mark.rule("IV.B.1", "IV.A.3")
def test_the_player_whose_turn_it_is_may_be_called_and_the_clock_keeps_running() -> None:
    """Ana follows Bob into the room in her own turn; her five minutes are over at the same second as ever."""
    table = Table("ana", "bob")
    assert table.state.turn is not None
    ends_at = table.state.turn.ends_at
    table.play("bob", "start_meeting", participants=["ana"], minutes=5)
    (joined,) = table.play("ana", "join_meeting", meeting=str(table.number))
    assert joined.rule == "IV.B.1"
    assert table.state.turn.ends_at == ends_at
    table.wait(301)
    assert RULEBOOK.progress.due(table.state, table.now) == (EndMeeting(meeting=meetings(table)[0].id), None)
    table.banker("end_meeting", meeting=meetings(table)[0].id)
    table.banker("expire_turn")
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("IV.B.1")
def test_participants_share_the_cost_by_ordinary_transfers() -> None:
    """Bob pays 60 ₦ for three minutes, and Cleo gives him half of it."""
    table = met(3)
    table.play("cleo", "transfer_money", to="bob", amount=30)
    assert (table.holds("bob"), table.holds("cleo")) == (1620, 1620)


# In one's own turn ----------------------------------------------------------------------------------


@pytest.mark.rule("IV.B.4", "II.C.2")
def test_in_ones_own_turn_a_meeting_is_free_and_takes_its_time_from_the_turn() -> None:
    """Ana meets Bob for nothing; two minutes later she has three left, and the turn is over at its old time."""
    table = Table("ana", "bob")
    assert table.state.turn is not None
    ends_at = table.state.turn.ends_at
    (started,) = table.play("ana", "start_meeting", participants=["bob"], minutes=2)
    assert (started.rule, table.holds("ana")) == ("IV.B.4", 1650)
    table.wait(120)
    (ended,) = table.banker("end_meeting", meeting=meetings(table)[0].id)
    assert (ended.rule, ended.reason) == ("IV.B.2", "time")
    assert table.state.turn.ends_at == ends_at
    table.wait(181)
    table.refused("ana", "roll_dice", "II.B.13", dice=[1, 2])


@pytest.mark.rule("IV.B.4")
def test_a_free_meeting_cannot_outlast_the_turn() -> None:
    """Four minutes into her turn Ana books five: the meeting is over with the turn, one minute later."""
    table = Table("ana", "bob")
    table.wait(240)
    table.play("ana", "start_meeting", participants=["bob"], minutes=5)
    assert meetings(table)[0].ends_at == NOON + timedelta(minutes=5)


@pytest.mark.rule("IV.B.4")
def test_ending_the_turn_ends_the_free_meeting() -> None:
    """Ana ends her turn while she and Bob are still in the room: in Bob's turn she would have to pay."""
    table = Table("ana", "bob")
    table.play("ana", "start_meeting", participants=["bob"], minutes=5)
    table.play("bob", "join_meeting", meeting=str(table.number))
    table.play("ana", "roll_dice", dice=[1, 1])
    table.wait(30)
    events = table.play("ana", "end_turn")
    assert [kind_of(event) for event in events] == ["turn_ended", "turn_started", "meeting_ended"]
    assert (events[-1].rule, events[-1].reason) == ("IV.B.4", "turn")
    assert meetings(table)[0].ends_at == NOON + timedelta(seconds=30)


@pytest.mark.rule("IV.B.4")
def test_a_free_meeting_does_not_go_on_into_the_next_turn_of_its_launcher() -> None:
    """Bob misses his turn, so Ana's next one starts as hers ends: the meeting of the last one is over."""
    table = Table("ana", "bob")
    with table.arranged() as state:
        state.missed["bob"] = 1
    table.play("ana", "start_meeting", participants=["bob"], minutes=5)
    table.play("ana", "roll_dice", dice=[1, 1])
    events = table.play("ana", "end_turn")
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round) == ("ana", 2)
    assert (kind_of(events[-1]), events[-1].rule) == ("meeting_ended", "IV.B.4")


@pytest.mark.rule("IV.B.1")
def test_a_paid_meeting_goes_on_into_the_launchers_own_turn() -> None:
    """Bob has paid for five minutes in Ana's turn; his own turn starts, and the meeting lasts as booked."""
    table = met(5)
    table.turn("ana", 1, 1)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"
    assert meetings(table)[0].status == "open"


# In the other room ----------------------------------------------------------------------------------


@pytest.mark.rule("IV.B.5")
def test_who_met_and_when_is_kept_and_nothing_of_what_was_said() -> None:
    """The record has the launcher, who came, start and end; there is no field for words. All the table sees it."""
    table = met(3)
    table.malformed("ana", "start_meeting", participants=["bob"], minutes=1, agenda="the towers")
    table.wait(60)
    table.play("cleo", "leave_meeting", meeting=meetings(table)[0].id)
    table.wait(60)
    left, ended = table.play("bob", "leave_meeting", meeting=meetings(table)[0].id)
    assert (left.rule, ended.rule, ended.reason) == ("IV.B.5", "IV.B.5", "empty")
    (meeting,) = meetings(table)
    assert (meeting.launcher, meeting.attended, meeting.present) == ("bob", ("bob", "cleo"), ())
    assert (meeting.started_at, meeting.ends_at) == (NOON, NOON + timedelta(seconds=120))
    assert meeting.status == "ended"
    assert RULEBOOK.secrets.agreement_audience(meeting).admits(SPECTATOR)
    assert [kind_of(event) for event in table.seen_by(None)] == ["meeting_left", "meeting_ended"]


@pytest.mark.rule("IV.B.3", "IV.B.5")
def test_leaving_early_brings_nothing_back() -> None:
    """Bob has paid 100 ₦ and both are out after ten seconds: the bank keeps it."""
    table = met(5)
    table.wait(10)
    for seat in ("bob", "cleo"):
        table.play(seat, "leave_meeting", meeting=meetings(table)[0].id)
    assert (table.holds("bob"), table.holds("cleo")) == (1550, 1650)


@pytest.mark.rule("IV.B.5")
def test_nobody_is_in_two_rooms() -> None:
    """Cleo, in Bob's meeting, can neither launch one nor join Ana's, until she leaves."""
    table = met(5)
    table.play("ana", "start_meeting", participants=["cleo"], minutes=1)
    own = str(table.number)
    table.refused("cleo", "start_meeting", "IV.B.5", participants=["ana"], minutes=1)
    table.refused("cleo", "join_meeting", "IV.B.5", meeting=own)
    first = meetings(table)[0].id
    table.play("cleo", "leave_meeting", meeting=first)
    table.refused("cleo", "leave_meeting", "IV.B.5", meeting=first)
    table.play("cleo", "join_meeting", meeting=own)
    assert [one.present for one in meetings(table)] == [("bob",), ("ana", "cleo")]


@pytest.mark.rule("IV.B.1", "II.D.3")
def test_only_those_who_are_named_come_in() -> None:
    """Ana has not been called; nor is there a meeting 99; Bob, who went out, may come back."""
    table = met(5)
    (meeting,) = meetings(table)
    table.refused("ana", "join_meeting", "IV.B.1", meeting=meeting.id)
    table.refused("ana", "join_meeting", "II.D.3", meeting="99")
    table.play("bob", "leave_meeting", meeting=meeting.id)
    table.play("bob", "join_meeting", meeting=meeting.id)
    (meeting,) = meetings(table)
    assert (meeting.present, meeting.attended) == (("cleo", "bob"), ("bob", "cleo"))


@pytest.mark.rule("IV.B.1")
def test_a_meeting_needs_others_each_named_once() -> None:
    """No meeting with oneself, with nobody, with the same player twice, or with who is not at the table."""
    table = Table("ana", "bob", "cleo")
    table.malformed("bob", "start_meeting", participants=["bob"], minutes=1)
    table.malformed("bob", "start_meeting", participants=[], minutes=1)
    table.malformed("bob", "start_meeting", participants=["ana", "ana"], minutes=1)
    table.refused("bob", "start_meeting", "IV.B.1", participants=["dan"], minutes=1)


@pytest.mark.rule("IV.B.2")
def test_going_over_takes_a_new_meeting() -> None:
    """After three minutes the room is closed by itself; going on is a new meeting, paid for again."""
    table = met(3)
    (meeting,) = meetings(table)
    table.wait(179)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.wait(1)
    assert RULEBOOK.progress.due(table.state, table.now) == (EndMeeting(meeting=meeting.id), None)
    (ended,) = table.banker("end_meeting", meeting=meeting.id)
    assert (ended.rule, ended.reason) == ("IV.B.2", "time")
    table.refused("cleo", "join_meeting", "II.D.3", meeting=meeting.id)
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)
    assert table.holds("bob") == 1650 - 60 - 20


@pytest.mark.rule("I.B.5")
def test_whoever_is_out_of_the_game_leaves_the_room() -> None:
    """Cleo is bankrupt and out of Bob's meeting; he stays alone until he leaves or its time is over."""
    table = met(5)
    table.take("cleo", "NGD", 1651)
    events = table.play("cleo", "declare_bankruptcy")
    assert [kind_of(event) for event in events].count("meeting_left") == 1
    assert meetings(table)[0].present == ("bob",)
    table.refused("bob", "start_meeting", "IV.B.5", participants=["ana"], minutes=1)


@pytest.mark.rule("IV.B.5", "II.E.1")
def test_the_end_of_the_game_empties_the_rooms() -> None:
    """Ana is the last one left while Bob sits in his own meeting: it has ended with the game."""
    table = Table("ana", "bob")
    table.play("ana", "start_meeting", participants=["bob"], minutes=5)
    table.play("bob", "join_meeting", meeting=str(table.number))
    table.take("bob", "NGD", 1651)
    table.play("bob", "declare_bankruptcy")
    assert table.state.ended
    assert meetings(table)[0].status == "ended"


# Disruptions ----------------------------------------------------------------------------------------


@pytest.mark.rule("IV.C.1", "IV.C.2", "IX.C.26")
def test_an_emp_ends_meetings_at_once_and_forbids_new_ones() -> None:
    """Ana sets off her bomb: Bob, on 3, and Cleo, on Spawn, are thrown out without a refund, and meet no more.

    Ana and Cleo stand on different squares too; Cleo and Dan share Spawn and may meet.
    """
    table = Table("ana", "bob", "cleo", "dan")
    table.give("ana", "bombe_iem")
    table.place("bob", 3)
    table.play("bob", "start_meeting", participants=["cleo"], minutes=5)
    table.play("cleo", "join_meeting", meeting=str(table.number))
    table.play("ana", "roll_dice", dice=[3, 4])
    _, ended = table.play("ana", "use_emp")
    assert (kind_of(ended), ended.rule, ended.reason) == ("meeting_ended", "IX.C.26", "disrupted")
    assert (table.holds("bob"), meetings(table)[0].status) == (1550, "ended")
    table.refused("bob", "start_meeting", "IX.C.26", participants=["cleo"], minutes=1)
    table.refused("ana", "start_meeting", "IX.C.26", participants=["cleo"], minutes=1)
    table.play("dan", "start_meeting", participants=["cleo"], minutes=5)
    table.play("cleo", "join_meeting", meeting=str(table.number))
    table.play("ana", "end_turn")
    assert meetings(table)[1].status == "open"


@pytest.mark.rule("IX.C.26", "IV.C.2")
def test_under_an_emp_a_meeting_ends_when_one_of_those_in_it_walks_away() -> None:
    """Bob and Cleo meet on Spawn under the bomb; Bob's own roll takes him away, and the meeting is over."""
    table = Table("ana", "bob", "cleo")
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    table.play("bob", "start_meeting", participants=["cleo"], minutes=5)
    table.play("cleo", "join_meeting", meeting=str(table.number))
    events = table.play("bob", "roll_dice", dice=[1, 1])
    assert (kind_of(events[-1]), events[-1].rule) == ("meeting_ended", "IX.C.26")


@pytest.mark.rule("IV.C.1", "IV.C.2")
def test_the_banker_may_forbid_meetings_to_some_or_to_everybody() -> None:
    """Forbidden to Cleo, her meeting with Bob ends and Bob meets Ana; forbidden to all, nobody meets."""
    table = met(5)
    disrupted, ended = table.banker("disrupt_communication", reason="they whisper", seats=["cleo"])
    cause = str(table.number)
    assert (disrupted.rule, disrupted.disruption.source, disrupted.disruption.seats) == (
        "IV.C.1",
        "banker",
        ("cleo",),
    )
    assert (ended.rule, ended.reason) == ("IV.C.2", "disrupted")
    table.refused("bob", "start_meeting", "IV.C.2", participants=["ana", "cleo"], minutes=1)
    table.play("bob", "start_meeting", participants=["ana"], minutes=1)
    table.banker("disrupt_communication", reason="silence")
    table.refused("bob", "start_meeting", "IV.C.2", participants=["ana"], minutes=1)
    assert table.state.turn is not None
    table.play("bob", "transfer_money", to="ana", amount=1)
    table.banker("restore_communication", disruption=str(table.number - 1))
    table.play("bob", "start_meeting", participants=["ana"], minutes=1)
    (restored,) = table.banker("restore_communication", disruption=cause)
    assert restored.rule == "IV.C.2"
    table.refused(None, "restore_communication", "IV.C.2", disruption=cause)


@pytest.mark.rule("IV.C.1", "IV.C.2")
def test_a_card_forbids_meetings_until_its_users_next_turn() -> None:
    """Ana plays "Silence radio": Bob and Cleo are thrown out, and nobody meets until Ana's next turn starts."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.give("ana", "card:kamtar_11", source="deck:kamtar")
    table.play("bob", "start_meeting", participants=["cleo"], minutes=5)
    table.play("cleo", "join_meeting", meeting=str(table.number))
    table.play("ana", "roll_dice", dice=[5, 5])
    _, disrupted, ended = table.play("ana", "play_card", card="kamtar_11")
    assert (disrupted.rule, disrupted.disruption.source) == ("IV.C.1", "card:kamtar_11")
    assert (ended.rule, ended.reason) == ("IV.C.2", "disrupted")
    for seat in ("ana", "bob", "cleo"):
        others = [other for other in ("ana", "bob", "cleo") if other != seat]
        table.refused(seat, "start_meeting", "IV.C.2", participants=others, minutes=1)
        if seat != "ana":
            table.play(seat, "roll_dice", dice=[5, 5])
        events = table.play(seat, "end_turn")
    assert [kind_of(event) for event in events].count("communication_restored") == 1
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)


@pytest.mark.rule("IV.C.2")
def test_the_banker_may_let_one_meeting_be_held_all_the_same() -> None:
    """Meetings are forbidden; by the banker's waiver Bob calls Cleo, she joins, and they are not thrown out."""
    table = Table("ana", "bob", "cleo")
    table.banker("disrupt_communication", reason="hush")
    table.play("bob", "start_meeting", override="a settlement", participants=["cleo"], minutes=2)
    table.play("cleo", "join_meeting", override="a settlement", meeting=str(table.number))
    assert meetings(table)[0].present == ("bob", "cleo")


@pytest.mark.rule("IV.C.2")
def test_whom_the_banker_lets_in_is_not_thrown_out() -> None:
    """Cleo has been called before she was forbidden to meet; by the banker's waiver she comes in, and may stay."""
    table = Table("ana", "bob", "cleo")
    table.play("bob", "start_meeting", participants=["cleo"], minutes=2)
    meeting = str(table.number)
    table.banker("disrupt_communication", reason="she whispers", seats=["cleo"])
    table.refused("cleo", "join_meeting", "IV.C.2", meeting=meeting)
    table.play("cleo", "join_meeting", override="a settlement", meeting=meeting)
    assert meetings(table)[0].present == ("bob", "cleo")


@pytest.mark.rule("IV.C.1")
def test_the_banker_ends_one_meeting() -> None:
    """One minute into three, the banker sends them out; new ones may be held."""
    table = met(3)
    table.wait(60)
    (ended,) = table.banker("end_meeting", meeting=meetings(table)[0].id)
    assert (ended.rule, ended.reason) == ("IV.C.1", "banker")
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)


@pytest.mark.rule("IV.C.2")
def test_a_correction_brings_a_meeting_back_or_takes_it_out() -> None:
    """Without Bob's launch Cleo cannot have joined, and the 60 ₦ are his again."""
    table = met(3)
    launch = table.number - 1
    table.banker("disrupt_communication", reason="hush")
    table.banker("correct", edits=[{"op": "drop", "action": launch}], cascade="restate", reason="they never met")
    assert (table.holds("bob"), meetings(table)) == (1650, [])
    assert table.standing(launch + 1).status == "voided"


def test_moves_offer_meetings_to_whoever_may_hold_them() -> None:
    """Bob is offered each other player and all of them; Cleo, once called, to join; in the room, to leave."""
    table = Table("ana", "bob", "cleo")
    assert [move.params["participants"] for move in moves_of(table, "bob", "start_meeting")] == [
        ["ana"],
        ["cleo"],
        ["ana", "cleo"],
    ]
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)
    meeting = str(table.number)
    assert [move.params for move in moves_of(table, "cleo", "join_meeting")] == [{"meeting": meeting}]
    assert moves_of(table, "ana", "join_meeting") == []
    table.play("cleo", "join_meeting", meeting=meeting)
    assert [move.params for move in moves_of(table, "cleo", "leave_meeting")] == [{"meeting": meeting}]
