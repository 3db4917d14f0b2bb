"""The commonest quarrel: a roll was typed wrong. The banker corrects it, and the evening goes on."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.mending import MISTAKE
from tests.tables.over_http import HttpTable, problem


@pytest.fixture
def evening(client: FlaskClient) -> HttpTable:
    """Ana owns Black Arretxea (square 3). Bob's roll was typed as 1 and 4: he stopped at the bar (13, 14)."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("roll_dice", dice=[1, 2])
    table.ana.play("buy_property")
    table.ana.play("end_turn")
    table.bob.play("roll_dice", dice=[1, 4])
    table.bob.play("end_turn")
    table.cid.play("roll_dice", dice=[1, 5])
    table.cid.play("buy_property")
    table.cid.play("end_turn")
    return table


ROLL, ENDED, LAST = 12, 13, 16


def correction(dice: list[int], **how: Any) -> dict[str, Any]:
    """A correction of Bob's roll."""
    edits = [{"op": "replace", "action": ROLL, "params": {"dice": dice}}]
    return {"edits": edits, "reason": MISTAKE, "cascade": "restate", **how}


def test_the_rent_of_the_right_square_is_paid_and_nothing_else_falls(evening: HttpTable) -> None:
    """Bob threw 1 and 2: he owes Ana the rent of Black Arretxea, and nobody has to type it."""
    preview = evening.banker.post("corrections", correction([1, 2], dry_run=True)).json
    assert (preview["counts"]["voided"], preview["counts"]["inserted"]) == (0, 1)
    (cause,) = preview["causes"]
    assert (cause["edit"], cause["action"], cause["follows"]) == (0, ROLL, ["17.1"])
    assert cause["text"].startswith("Bob stands on Black Arretxea, not on Bar à mercenaires (ouest).")
    assert "₦4" in cause["text"]
    (step,) = preview["inserted"]
    assert (step["action"], step["after"], step["before"], step["kind"]) == (
        "17.1",
        ROLL,
        ENDED,
        "resolve_square",
    )
    assert (step["seat"], step["by"], step["cause"], step["because"]) == ("bob", "system", 1, ROLL)
    assert preview["changes"] == ["Bob stands on Black Arretxea, not on Bar à mercenaires (ouest)."]
    assert preview["turns"] == preview["needs"] == []
    done = evening.banker.post("corrections", correction([1, 2]))
    assert done.status_code == 201
    assert evening.banker.get("state").json["table"]["round"] == 2
    inserted = evening.banker.get("actions/17.1").json
    assert (inserted["by"], inserted["kind"], inserted["after"]) == ("system", "resolve_square", ROLL)
    assert {event["rule"] for event in inserted["events"]} >= {"II.B.7"}
    page = evening.banker.get("actions?status=voided").json
    assert page["actions"] == []


def test_the_preview_speaks_french(evening: HttpTable) -> None:
    preview = evening.banker.post("corrections", correction([1, 2], dry_run=True), Accept_Language="fr").json
    assert preview["changes"] == ["Bob est sur Black Arretxea, et non sur Bar à mercenaires (ouest)."]
    assert "loyer" in preview["causes"][0]["text"]


def test_the_dry_run_says_what_the_correction_does_and_a_redo_takes_it_back(evening: HttpTable) -> None:
    before = evening.banker.get("state").json
    preview = evening.banker.post("corrections", correction([1, 2], dry_run=True)).json
    evening.banker.post("corrections", correction([1, 2]))
    after = evening.banker.get("state").json
    for account, commodities in preview["holdings"].items():
        for commodity, change in commodities.items():
            assert before["accounts"][account].get(commodity, 0) == change["before"]
            assert after["accounts"][account].get(commodity, 0) == change["after"]
    assert evening.banker.post("redo", {"reason": "it was right", "cascade": "restate"}).status_code == 201
    again = evening.banker.get("state").json
    assert again["accounts"] == before["accounts"]
    assert again["table"] == before["table"]
    assert evening.banker.get("actions/17.1").json["status"] == "undone"


def test_with_refuse_the_steps_of_the_game_count_as_a_change(evening: HttpTable) -> None:
    refused = evening.banker.post("corrections", correction([1, 2], cascade="refuse"))
    found = problem(refused, 409, "would-spread")
    assert [one["by"] for one in found["preview"]["inserted"]] == ["system"]


def test_a_voided_action_names_its_cause(evening: HttpTable) -> None:
    """Ana's own roll was mistyped: she never stopped on Black Arretxea."""
    edits = [{"op": "replace", "action": 9, "params": {"dice": [1, 3]}}]
    asked = {"edits": edits, "reason": MISTAKE, "cascade": "restate", "dry_run": True}
    preview = evening.banker.post("corrections", asked).json
    (fallen,) = preview["voided"]
    assert (fallen["action"], fallen["kind"], fallen["cause"], fallen["because"]) == (10, "buy_property", 1, 9)
    assert "Black Arretxea belongs to the bank, not to Ana." in preview["changes"]


# What is missing ------------------------------------------------------------------------------------


@pytest.fixture
def with_cards(client: FlaskClient) -> HttpTable:
    """A table with cards, which it draws itself. Ana's roll was typed as 2 and 4 (7); Bob has played since."""
    table = HttpTable.created(client, "ana", "bob", settings={}).start()
    table.ana.play("roll_dice", dice=[2, 4])
    table.ana.play("end_turn")
    table.bob.play("roll_dice", dice=[1, 4])
    return table


def on_chance(**how: Any) -> dict[str, Any]:
    """A correction of Ana's roll: she stopped on Chance."""
    return {
        "edits": [{"op": "replace", "action": 7, "params": {"dice": [3, 4]}}],
        "reason": MISTAKE,
        "cascade": "restate",
        **how,
    }


def test_a_card_that_nobody_drew_is_asked_for_and_the_same_correction_takes_it(with_cards: HttpTable) -> None:
    preview = with_cards.banker.post("corrections", on_chance(dry_run=True)).json
    assert preview["counts"]["voided"] == 0
    (need,) = preview["needs"]
    assert (need["after"], need["kind"], need["draw"], need["deck"], need["count"], need["seat"]) == (
        *(7, "draw", "cards"),
        *("chance", 1, "ana"),
    )
    assert need["why"].startswith("Ana")
    assert need["edit"] == {
        "op": "insert",
        "after": 7,
        "action": {"kind": "resolve_square", "seat": "ana", "params": {"draws": [None]}},
    }
    assert need["values_at"] == "/action/params/draws/0"
    need["edit"]["action"]["params"]["draws"] = ["chance_01"]
    filled = on_chance(dry_run=True)
    filled["edits"].append(need["edit"])
    preview = with_cards.banker.post("corrections", filled).json
    assert preview["needs"] == []
    assert [one["by"] for one in preview["inserted"]] == ["banker"]


def test_an_edit_that_lacks_its_die_is_refused_with_its_place(evening: HttpTable) -> None:
    """Ana rolled next, says the banker, and does not say what she threw."""
    roll = {"kind": "roll_dice", "seat": "ana", "params": {}}
    asked = {"edits": [{"op": "insert", "after": LAST, "action": roll}], "reason": MISTAKE, "cascade": "restate"}
    found = problem(evening.banker.post("corrections", asked), 422, "draw-needed")
    (need,) = found["needs"]
    assert (need["draw"], need["count"], need["after"]) == ("dice", 2, LAST)
    assert need["edit"] == {"op": "insert", "after": LAST, "action": {**roll, "params": {"draws": [None, None]}}}
    assert need["values_at"] == "/action/params/draws/0"


def test_without_the_card_the_game_goes_on_without_it(with_cards: HttpTable) -> None:
    done = with_cards.banker.post("corrections", on_chance())
    assert done.status_code == 201
    texts = [event["text"] for event in with_cards.banker.get("actions/10.1").json["events"]]
    assert any("Nobody has drawn the chance card" in text for text in texts)
    assert with_cards.banker.get("state").json["table"]["turn"]["seat"] == "bob"


# Settling in play -----------------------------------------------------------------------------------


def test_the_banker_types_only_the_rolls(client: FlaskClient) -> None:
    """Bob owes rent and has not ended his turn. Cid's roll settles both."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("roll_dice", dice=[1, 2])
    table.ana.play("buy_property")
    roll = {"kind": "roll_dice", "settle": True}
    done = table.banker.post("actions", {**roll, "seat": "bob", "params": {"dice": [1, 2]}})
    assert [one["kind"] for one in done.json["settled"]] == ["end_turn"]
    asked = {**roll, "seat": "cid", "params": {"dice": [2, 3]}}
    before = table.version
    dry = table.banker.post("actions", {**asked, "dry_run": True}).json
    assert table.version == before
    done = table.banker.post("actions", asked, Idempotency_Key="cid-1")
    assert done.status_code == 201
    assert [(one["kind"], one["seat"], one["by"]) for one in done.json["settled"]] == [
        ("resolve_square", "bob", "system"),
        ("end_turn", "bob", "system"),
    ]
    assert [one["kind"] for one in dry["settled"]] == [one["kind"] for one in done.json["settled"]]
    assert (dry["number"], done.json["number"]) == (before + 3, before + 3)
    assert table.banker.get("state").json["accounts"]["player:bob"]["NGD"] == 1650 - 4
    again = table.banker.post("actions", asked, Idempotency_Key="cid-1")
    assert (again.status_code, again.json["number"], table.version) == (200, before + 3, before + 3)
    next_round = {**roll, "seat": "ana", "params": {"dice": [1, 1]}}
    done = table.banker.post("actions", next_round)
    assert [(one["kind"], one["seat"]) for one in done.json["settled"]] == [("end_turn", "cid")]
    state = table.banker.get("state").json
    assert (state["round"], state["turn"]["seat"], state["phase"]["id"]) == (2, "ana", "after_roll")


@pytest.fixture
def settled(client: FlaskClient) -> HttpTable:
    """Ana buys; Bob's roll (12) ends her turn (11); Cid's roll (15) resolves Bob's stop and ends his turn."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("roll_dice", dice=[1, 2])
    table.ana.play("buy_property")
    for seat, dice in (("bob", [1, 2]), ("cid", [2, 3])):
        asked = {"kind": "roll_dice", "seat": seat, "params": {"dice": dice}, "settle": True}
        assert table.banker.post("actions", asked).status_code == 201
    return table


def counting(table: HttpTable) -> list[int]:
    return [line["number"] for line in table.banker.get("actions?status=effective").json["actions"]]


def test_an_undo_takes_the_settled_steps_along_and_a_redo_gives_them_back(settled: HttpTable) -> None:
    first = counting(settled)
    drops = [{"op": "drop", "action": number} for number in (13, 14, 15)]
    for language, sentence in (
        ("en", "Action 15 is dropped, and the steps taken for it: 13, 14."),
        ("fr", "L'action 15 est retirée, ainsi que les étapes faites pour elle\u00a0: 13, 14."),
    ):
        dry = settled.banker.post("undo", {"reason": MISTAKE, "dry_run": True}, Accept_Language=language).json
        assert [cause["text"] for cause in dry["causes"] if sentence in cause["text"]] != []
        assert [action["number"] for action in dry["undone"]] == [13, 14, 15]
    done = settled.banker.post("undo", {"reason": MISTAKE})
    assert (done.status_code, done.json["params"]["edits"]) == (201, drops)
    again = problem(settled.banker.post("undo", {"reason": MISTAKE}), 409, "rule-broken")
    assert "action 15 was undone a moment ago" in again["detail"]
    state = settled.banker.get("state").json
    assert (counting(settled), state["turn"]["seat"], state["phase"]["id"]) == (
        [*first[:-3], 16],
        "bob",
        "to_resolve",
    )
    assert settled.banker.post("redo", {"reason": MISTAKE}).status_code == 201
    assert counting(settled) == [*first, 17]
    assert settled.banker.get("state").json["turn"]["seat"] == "cid"


def test_settled_steps_stay_where_a_later_action_rests_on_them(settled: HttpTable) -> None:
    """Cid's roll rests on the end of Ana's turn as well as Bob's own roll does."""
    dropped = {"reason": MISTAKE, "action": 12, "cascade": "keep"}
    done = settled.banker.post("undo", dropped).json
    assert done["params"]["edits"] == [{"op": "drop", "action": 12}]


def test_what_is_not_needed_is_not_settled(evening: HttpTable) -> None:
    """It is Ana's turn. Bob cannot roll even when her turn is settled: she has not rolled."""
    asked = {"kind": "roll_dice", "seat": "bob", "params": {"dice": [1, 2]}, "settle": True}
    before = evening.version
    refused = evening.banker.post("actions", asked)
    assert problem(refused, 409, "rule-broken")["rule"] == "II.D.4"
    assert evening.version == before


def test_only_the_banker_settles_and_only_in_play(evening: HttpTable) -> None:
    asked = {"kind": "end_turn", "settle": True}
    problem(evening.ana.post("actions", asked), 403, "not-yours")
    asked = {"kind": "publish_rulings", "params": {"published": True}, "settle": True}
    assert evening.banker.post("actions", asked).status_code == 422


def test_a_card_that_a_step_needs_is_asked_for(with_cards: HttpTable) -> None:
    """Bob stops on Chance; Ana's roll would settle his turn, but only the table draws its cards."""
    with_cards.banker.post("undo", {"reason": MISTAKE})
    with_cards.bob.play("roll_dice", dice=[3, 4])
    asked = {"kind": "roll_dice", "seat": "ana", "params": {"dice": [1, 1]}, "settle": True}
    found = problem(with_cards.banker.post("actions", asked), 422, "draw-needed")
    (need,) = found["needs"]
    assert (need["deck"], need["seat"], need["after"]) == ("chance", "bob", None)
    assert need["edit"] == {"kind": "resolve_square", "seat": "bob", "params": {"draws": [None]}}
    assert need["values_at"] == "/params/draws/0"
