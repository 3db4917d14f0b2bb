"""II.B.13 and II.C. The five minutes of a turn: what ends with them, and what waits."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from msgspec import UNSET

from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.kernel.rules.display import ClockView
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.turns import clock, turns
from tests.tables.negopoly import NOON, PRISON, Table, answer, at_the_bar, kinds, say, turn


def on_bobs_title() -> Table:
    """Ana has just stopped on Bob's Négotown with two houses: 30 ₦."""
    table = Table("ana", "bob")
    table.own("bob", "negotown", houses=2)
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


@pytest.mark.rule("II.B.13")
def test_a_turn_is_open_for_five_minutes_to_the_second() -> None:
    """At 300 seconds Ana still rolls; at 301 she would not."""
    table = Table("ana", "bob")
    assert (turn(table).started_at, turn(table).ends_at) == (NOON, NOON + timedelta(minutes=5))
    table.wait(300)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.refused(None, "expire_turn", "II.B.13")
    table.play("ana", "roll_dice", dice=[1, 2])


@pytest.mark.rule("II.B.13")
def test_after_five_minutes_every_optional_action_is_refused() -> None:
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.wait(301)
    refusal = table.refused("ana", "roll_dice", "II.B.13", dice=[1, 2])
    assert refusal.values["seconds"] == 300
    table.refused("ana", "consume_dose", "II.B.13", dice=[5])
    table.refused("ana", "end_turn", "II.B.13")
    rolled = Table("ana", "bob")
    rolled.play("ana", "roll_dice", dice=[1, 2])
    rolled.wait(301)
    rolled.refused("ana", "buy_property", "II.B.13", title="black_arretxea")
    rolled.refused("ana", "resolve_square", "II.B.13")
    assert rolled.owner("black_arretxea") is None


@pytest.mark.rule("II.B.13")
def test_time_alone_makes_the_closing_of_the_turn_due() -> None:
    """One second past the five minutes the service is to close Ana's turn before anything else."""
    table = Table("ana", "bob")
    table.wait(301)
    due = RULEBOOK.progress.due(table.state, table.now)
    assert due == (turns.ExpireTurn(), "ana")
    assert turns.ExpireTurn.by == ("system", "banker")
    table.banker("expire_turn")
    assert RULEBOOK.progress.due(table.state, table.now) is None


@pytest.mark.rule("II.B.13")
def test_an_expired_turn_loses_its_move_and_the_next_has_five_minutes_of_its_own() -> None:
    """Nobody did anything for seven minutes: Ana stays on Spawn, and Bob's five minutes begin now."""
    table = Table("ana", "bob")
    table.wait(420)
    ended, started = table.banker("expire_turn")
    assert (ended.rule, ended.reason) == ("II.B.13", "expired")  # type: ignore[attr-defined]
    assert table.state.positions["ana"] == 0
    assert (turn(table).seat, turn(table).started_at) == ("bob", NOON + timedelta(seconds=420))
    assert turn(table).ends_at == NOON + timedelta(seconds=720)
    assert started in table.seen_by(None)
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(ended, "en", speakers) == "Ana's turn ends: time is over."


@pytest.mark.rule("II.B.13", "II.B.7", "V.A.6")
def test_what_was_mandatory_is_posted_before_an_expired_turn_closes() -> None:
    """Ana stops on Bob's Négotown and lets her time run out: Bob gets his 30 ₦ anyway."""
    table = on_bobs_title()
    before = table.holds("bob")
    table.wait(301)
    events = table.banker("expire_turn")
    assert kinds(events) == ["rent_paid", "square_resolved", "turn_ended", "turn_started"]
    assert table.holds("bob") == before + 30


@pytest.mark.rule("II.B.13", "VI.F.1")
def test_a_check_is_not_escaped_by_letting_time_run_out() -> None:
    """Ana stands on a checkpoint with doses in her inventory and waits: she is checked and arrested first."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "roll_dice", dice=[1, 3])
    table.wait(301)
    table.banker("expire_turn")
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (PRISON, 0)
    assert (turn(table).seat, table.state.round) == ("bob", 1)


@pytest.mark.rule("II.B.13")
def test_what_was_resolved_is_not_posted_again_when_time_runs_out() -> None:
    table = on_bobs_title()
    table.play("ana", "resolve_square")
    money = table.holds("ana")
    table.wait(301)
    assert kinds(table.banker("expire_turn")) == ["turn_ended", "turn_started"]
    assert table.holds("ana") == money


@pytest.mark.rule("II.B.13")
def test_the_banker_may_close_a_turn_early_by_a_waiver_only() -> None:
    table = Table("ana", "bob")
    table.refused(None, "expire_turn", "II.B.13")
    table.banker("expire_turn", override="Ana has gone home")
    assert turn(table).seat == "bob"
    assert table.last is not None
    assert [warning.rule for warning in table.last.warnings] == ["II.B.13"]


@pytest.mark.rule("II.B.13")
def test_a_table_may_play_with_longer_or_shorter_turns() -> None:
    table = Table("ana", "bob", settings={"turn_seconds": 60})
    table.wait(60)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.wait(1)
    assert table.refused("ana", "end_turn", "II.B.13").values["seconds"] == 60


@pytest.mark.rule("II.C.2", "II.B.13")
def test_negotiating_in_one_s_own_turn_takes_from_the_five_minutes() -> None:
    """Ana haggles for four minutes, pays Bob and proposes a deal: she has a minute left, and no more."""
    table = Table("ana", "bob")
    ends_at = turn(table).ends_at
    table.wait(120)
    table.play("ana", "transfer_money", to="bob", amount=10)
    table.wait(120)
    table.play("bob", "propose_deal", clauses=["Ana never buys red."], parties=["bob", "ana"])
    table.play("ana", "agree_deal", deal=str(table.state.version))
    assert turn(table).ends_at == ends_at
    table.wait(61)
    table.refused("ana", "roll_dice", "II.B.13", dice=[1, 2])
    table.banker("expire_turn")
    assert turn(table).seat == "bob"


@pytest.mark.rule("II.B.13", "IV.A.3")
def test_a_turn_that_another_table_goes_on_with_waits_for_its_players() -> None:
    """A week after the pieces were put down Ana has her five minutes again, once the banker lets the clock run."""
    table = Table("ana", "bob")
    table.wait(200)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.wait(7 * 86_400)
    first = RULEBOOK.progress.resume_action(table.state)
    assert first == (clock.TakeUpTurn(), "ana")
    assert clock.TakeUpTurn.by == ("system",)
    extended, paused = table.play("ana", "take_up_turn")
    assert (extended.rule, paused.rule) == ("II.B.13", "IV.A.3")
    assert turn(table).ends_at == table.now + timedelta(seconds=300)
    table.wait(3600)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.play("ana", "resolve_square")
    table.banker("rule", finding="Everybody is here.", remedies=[{"op": "resume_turn"}])
    table.wait(301)
    assert RULEBOOK.progress.due(table.state, table.now) == (turns.ExpireTurn(), "ana")


# The banker's pause -----------------------------------------------------------------------------------


@pytest.mark.rule("IV.A.3")
def test_the_banker_pauses_the_clock_and_lets_it_run_again() -> None:
    """Ana has 200 of her 300 seconds left when the pizza comes. An hour later she has 200 seconds still."""
    table = Table("ana", "bob")
    table.wait(100)
    (paused,) = table.banker("pause_clock")
    assert (kinds([paused]), paused.rule) == (["clock_paused"], "IV.A.3")
    assert clock.PauseClock.by == clock.ResumeClock.by == ("banker",)
    shown = RULEBOOK.screen.clock(table.state)
    assert shown == ClockView(running=False, paused_at=table.now, seconds=200)
    table.refused(None, "pause_clock", "IV.A.3")
    table.wait(3600)
    assert RULEBOOK.progress.deadlines(table.state) == ()
    assert RULEBOOK.progress.due(table.state, table.now) is None
    assert "until" not in msgspec.to_builtins(RULEBOOK.screen.waiting(table.state, SPECTATOR, "en")[0])
    table.play("ana", "roll_dice", dice=[1, 2])
    table.banker("resume_clock")
    ends_at = table.now + timedelta(seconds=200)
    assert RULEBOOK.screen.clock(table.state) == ClockView(running=True, until=ends_at)
    assert RULEBOOK.progress.deadlines(table.state) == (ends_at,)
    table.refused(None, "resume_clock", "IV.A.3")
    table.wait(201)
    assert RULEBOOK.progress.due(table.state, table.now) == (turns.ExpireTurn(), "ana")


@pytest.mark.rule("IV.A.3", "IX.B.15")
def test_the_clock_is_paused_while_a_player_thinks_about_an_answer() -> None:
    """Ana attacks Bob, who is asked about his security team: the banker stops the clock until he has answered."""
    table = Table("ana", "bob")
    table.own("bob", "nuketown", houses=2)
    table.serve("bob", "security_team")
    at_the_bar(table, "ana")
    table.play("ana", "attack_property", title="nuketown")
    (asked,) = RULEBOOK.screen.waiting(table.state, Viewer("player", "bob"), "en")
    assert (asked.seat, asked.moves, asked.default) == ("bob", (f"answer:{table.state.questions[0].id}",), "no")
    table.banker("pause_clock")
    asked, clock = RULEBOOK.screen.waiting(table.state, Viewer("player", "bob"), "en")
    assert (asked.until, asked.default) == (UNSET, UNSET)
    assert (clock.seat, clock.moves) == ("banker", ("resume_clock",))
    table.wait(3600)
    answer(table, "bob", "use")
    table.banker("resume_clock")
    assert table.state.turn is not None
    assert table.state.turn.seat == "ana"


def test_only_a_turn_has_a_clock() -> None:
    table = Table("ana", "bob", started=False)
    table.refused(None, "pause_clock", "II.B.13")
    assert RULEBOOK.screen.clock(table.state) is None


def test_where_no_turn_is_under_way_there_is_nothing_to_wait_for() -> None:
    assert RULEBOOK.progress.resume_action(Table("ana", "bob", started=False).state) is None
