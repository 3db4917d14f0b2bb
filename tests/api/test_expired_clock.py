"""An expired clock: the state, the summary, the moves and the refusals agree on what time has made due."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tables.ledgers import Clock
from tests.tables.over_http import HttpTable, problem


@pytest.fixture
def late(started: HttpTable, clock: Clock) -> HttpTable:
    """Ana has rolled, and her five minutes are over; nobody has done anything since."""
    started.ana.play("roll_dice", dice=[1, 2])
    clock.now += timedelta(minutes=6)
    return started


def test_everything_says_that_her_turn_is_over_and_that_bob_is_next(late: HttpTable) -> None:
    due = {
        "actions": [{"kind": "expire_turn", "seat": "ana", "text": "close a turn whose time is over"}],
        "then": {"round": 1, "turn": "bob", "in_play": ["ana", "bob"], "winners": []},
    }
    before = late.version
    for caller in (late.banker, late.ana, late.bob, late.spectator):
        assert caller.get("state").json["due"] == due
        assert caller.get().json["due"] == due
    assert "roll_dice" in {one["kind"] for one in late.bob.get("moves").json["moves"]}
    assert "buy_property" not in {one["kind"] for one in late.ana.get("moves").json["moves"]}
    refused = problem(late.ana.act("buy_property"), 409, "rule-broken")
    assert "it is Bob's turn" in refused["detail"]
    assert late.version == before
    late.bob.play("roll_dice", dice=[1, 2])
    assert late.banker.get("actions?kind=expire_turn").json["actions"][0]["number"] == before + 1
    assert "due" not in late.banker.get("state").json


def test_it_is_told_in_french(late: HttpTable) -> None:
    (expired,) = late.ana.get("state", Accept_Language="fr").json["due"]["actions"]
    assert expired["text"] == "clore un tour dont le temps est écoulé"


def test_a_client_that_knew_the_state_gets_it_anew_when_time_is_up(started: HttpTable, clock: Clock) -> None:
    started.ana.play("roll_dice", dice=[1, 2])
    for path in ("state", ""):
        tag = started.ana.get(path).headers["ETag"]
        assert started.ana.get(path, If_None_Match=tag).status_code == 304
    clock.now += timedelta(minutes=6)
    for path in ("state", ""):
        answer = started.ana.get(path, If_None_Match=tag)
        assert (answer.status_code, bool(answer.json["due"])) == (200, True)
        assert started.ana.get(path, If_None_Match=answer.headers["ETag"]).status_code == 304
    done = started.bob.act("roll_dice", params={"dice": [1, 2]}, headers={"If_Match": answer.headers["ETag"]})
    assert done.status_code == 201


def test_an_earlier_moment_has_nothing_due(late: HttpTable) -> None:
    assert "due" not in late.ana.get(f"state?at={late.version - 1}").json


def test_a_due_end_of_the_game_does_not_tell_how_it_ends(late: HttpTable, clock: Clock) -> None:
    late.banker.play("end_game", reason="It is late.")
    late.bob.play("roll_dice", dice=[1, 2])
    clock.now += timedelta(minutes=6)
    due = late.ana.get("state").json["due"]
    assert [one["kind"] for one in due["actions"]] == ["expire_turn"]
    assert "then" not in due


def test_a_repeated_request_writes_nothing_not_even_what_is_due(started: HttpTable, clock: Clock) -> None:
    gift = {"kind": "transfer_money", "params": {"to": "bob", "amount": 5}}
    first = started.ana.post("actions", gift, Idempotency_Key="gift-1")
    clock.now += timedelta(minutes=6)
    again = started.ana.post("actions", gift, Idempotency_Key="gift-1")
    assert (again.status_code, again.json["number"]) == (200, first.json["number"])
    assert started.version == first.json["number"]


def test_what_is_awaited_is_what_can_be_done(late: HttpTable) -> None:
    """The turn ends before anything else: Bob is awaited, and the time of his turn has not begun."""
    roll = {"seat": "bob", "label": "roll the dice", "moves": ["roll_dice"], "default": "the turn ends"}
    assert late.bob.get("state").json["awaited"] == [roll]


def test_a_dry_run_says_the_version_to_act_on(late: HttpTable) -> None:
    """Two actions are written then, so the number of the second does not tell on which version it was tried."""
    throw = {"params": {"dice": [3, 1]}, "seat": "bob"}
    tried = late.banker.act("roll_dice", **throw, dry_run=True)
    assert (tried.status_code, tried.json["number"]) == (200, late.version + 2)
    written = late.banker.act("roll_dice", **throw, headers={"If_Match": tried.headers["ETag"]})
    assert (written.status_code, written.json["number"]) == (201, tried.json["number"])


def test_a_clock_that_was_ahead_and_is_set_back_stops_no_turn(started: HttpTable, clock: Clock) -> None:
    """The machine's clock is two hours ahead when Bob rolls, and then right: his five minutes end all the same."""
    clock.now += timedelta(hours=2)
    started.bob.play("roll_dice", dice=[1, 2])
    clock.now -= timedelta(hours=2)
    state = started.banker.get("state").json
    assert state["ahead"] == 7200
    assert "due" not in state
    clock.now += timedelta(minutes=6)
    assert [one["kind"] for one in started.bob.get("state").json["due"]["actions"]] == ["expire_turn"]
    ana = started.ana.play("roll_dice", dice=[1, 2])
    clock.now += timedelta(minutes=2)
    later = started.ana.play("transfer_money", to="bob", amount=5)
    assert later["recorded_at"] > ana["recorded_at"]
    assert "ahead" not in started.banker.get(f"state?at={later['number'] - 1}").json


def test_who_takes_back_a_throw_after_the_time_is_told_what_comes(late: HttpTable) -> None:
    """Ana's throw was misread, and her five minutes are over: undone, her turn would end unthrown."""
    undone = late.banker.post("undo", {"reason": "a four was read as a one", "dry_run": True}).json
    (warning,) = undone["warnings"]
    assert warning["text"] == (
        "time is over, so the next action brings first: close a turn whose time is over;"
        " more time is given by a ruling"
    )
    assert warning["rule"] == "II.2"
    ruled = {"finding": "The throw was misread.", "remedies": [{"op": "extend_turn", "seconds": 600}]}
    assert late.banker.post("rulings", ruled).status_code == 201
    number = late.banker.get("actions?kind=roll_dice").json["actions"][0]["number"]
    wanted = {"action": number, "reason": "a four was read as a one"}
    assert late.banker.post("undo", wanted | {"dry_run": True}).json["warnings"] == []
    assert late.banker.post("undo", wanted).status_code == 201
    assert late.ana.act("roll_dice", params={"dice": [4, 2]}).status_code == 201


def test_what_a_wrong_clock_has_ended_a_ruling_gives_back(started: HttpTable, clock: Clock) -> None:
    """The machine's clock jumps two hours ahead while Ana plays. It is set right; Bob has rolled meanwhile."""
    started.ana.play("roll_dice", dice=[1, 2])
    clock.now += timedelta(hours=2)
    started.bob.play("roll_dice", dice=[1, 2])
    (expired,) = started.banker.get("actions?kind=expire_turn").json["actions"]
    (rolled,) = (
        one for one in started.banker.get("actions?kind=roll_dice").json["actions"] if one["seat"] == "bob"
    )
    clock.now -= timedelta(hours=2) - timedelta(minutes=1)
    edits = [{"op": "drop", "action": one["number"]} for one in (expired, rolled)]
    ruling = {
        "finding": "The clock of the machine was two hours fast.",
        "remedies": [
            {"op": "correct", "cascade": "restate", "reason": "a wrong clock", "edits": edits},
            {"op": "restart_turn"},
        ],
    }
    given = started.banker.post("rulings", ruling)
    assert given.status_code == 201, given.text
    state = started.banker.get("state").json
    assert (state["turn"]["seat"], "due" in state) == ("ana", False)
    clock.now += timedelta(minutes=4)
    started.ana.play("buy_property")
