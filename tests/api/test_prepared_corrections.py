"""A dispute carries the correction that it asks for; the banker reads its preview and accepts it with one call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.mending import money, statuses
from tests.harness.offered import actions_of
from tests.tables.over_http import HttpTable, problem

SLIP = {"reason": "I meant 2, not 20"}


@pytest.fixture
def slips(started: HttpTable) -> HttpTable:
    """Ana gives Bob 20 ₦ (action 7), though she meant 2; he gives her 5 (8)."""
    started.ana.play("transfer_money", to="bob", amount=20)
    started.bob.play("transfer_money", to="ana", amount=5)
    return started


def dispute(table: HttpTable, number: int, seat: str | None = None) -> dict[str, Any]:
    caller = table.banker if seat is None else table.players[seat]
    answer = caller.get(f"disputes/{number}")
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json
    return content


def restated(amount: int) -> dict[str, Any]:
    return {"op": "replace", "action": 7, "params": {"to": "bob", "amount": amount}}


def test_a_players_undo_carries_its_correction_and_the_banker_accepts_it(slips: HttpTable) -> None:
    asked = slips.ana.post("undo", SLIP)
    assert asked.status_code == 202
    assert asked.json["events"][0]["text"] == (
        "Ana opens dispute 9 on 7, with a correction to be made: I meant 2, not 20"
    )
    read = dispute(slips, 9)
    assert read["dispute"]["edits"] == [{"op": "drop", "action": 7}]
    preview = read["prepared"]["preview"]
    assert [one["action"] for one in preview["undone"]] == [7]
    assert preview["holdings"]["player:ana"]["NGD"] == {"before": 1635, "after": 1655}
    accepted = slips.banker.post("disputes/9/acceptance", {})
    assert accepted.status_code == 201, accepted.text
    assert [event["kind"] for event in accepted.json["events"]] == ["history_corrected", "ruling_given"]
    assert money(slips)[0] == 1655
    assert statuses(slips)[7] == "undone"
    closed = dispute(slips, 9)
    assert (closed["dispute"]["status"], closed["dispute"]["ruling"], closed["prepared"]) == ("ruled", "10", None)
    (ruling,) = slips.bob.get("rulings").json["rulings"]
    assert (ruling["finding"], ruling["remedies"], ruling["actions"]) == (SLIP["reason"], ["correct"], [7])
    again = problem(slips.banker.post("disputes/9/acceptance", {}), 409, "rule-broken")
    assert again["detail"] == "action 7 is undone already (by correction 10)"


def test_a_player_asks_for_another_correction_than_an_undo(slips: HttpTable) -> None:
    """The claim names what the correction replaces as contested, though Ana has named no action herself."""
    asked = slips.ana.post("disputes", {"claim": "It was 2", "edits": [restated(2)]})
    assert asked.status_code == 201, asked.text
    assert dispute(slips, 9)["dispute"]["actions"] == [7]
    dry = slips.banker.post("disputes/9/acceptance", {"dry_run": True}).json
    assert dry["correction"] == dispute(slips, 9)["prepared"]["preview"]
    assert slips.version == 9
    given = {"finding": "So it was", "rules": ["I.B.1"]}
    assert slips.banker.post("disputes/9/acceptance", given).status_code == 201
    assert money(slips)[0] == 1653
    (ruling,) = slips.bob.get("rulings").json["rulings"]
    assert (ruling["finding"], ruling["rules"]) == ("So it was", ["I.B.1"])


def test_an_insertion_is_asked_for_in_the_form_of_a_correction(slips: HttpTable) -> None:
    new = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 3}}
    asked = {"claim": "He paid 3 more", "edits": [{"op": "insert", "after": 8, "action": new}]}
    assert slips.ana.post("disputes", asked).status_code == 201
    assert slips.banker.post("disputes/9/acceptance", {}).status_code == 201
    assert money(slips)[0] == 1638
    assert slips.ana.get("actions/10.1").json["after"] == 8
    missing = {"claim": "And later", "edits": [{"op": "insert", "after": 99, "action": new}]}
    refused = problem(slips.ana.post("disputes", missing), 422, "invalid-parameters")
    assert refused["detail"] == "there is no action 99; the last one is 10"


def test_only_the_banker_reads_the_preview_and_accepts(slips: HttpTable) -> None:
    """What a correction would change may tell what others hold."""
    slips.ana.post("undo", SLIP)
    for seat in ("ana", "bob"):
        read = dispute(slips, 9, seat)
        assert (read["dispute"]["edits"], read["prepared"]) == ([{"op": "drop", "action": 7}], None)
        problem(slips.players[seat].post("disputes/9/acceptance", {}), 403, "not-yours")


def test_later_actions_are_decided_again_unless_the_banker_chooses(slips: HttpTable) -> None:
    """Bob has given away the 20 ₦ and all he had: without them he cannot have."""
    slips.bob.play("transfer_money", to="ana", amount=1665)
    slips.ana.post("undo", SLIP | {"action": 7})
    refusing = slips.banker.post("disputes/10/acceptance", {"cascade": "refuse"})
    spread = problem(refusing, 409, "would-spread")
    assert [one["action"] for one in spread["preview"]["voided"]] == [9]
    assert slips.banker.post("disputes/10/acceptance", {}).status_code == 201
    assert statuses(slips)[9] == "voided"


def test_a_dispute_that_asks_for_no_correction_has_none_to_accept(slips: HttpTable) -> None:
    slips.ana.post("disputes", {"claim": "That was unfair", "actions": [7]})
    assert dispute(slips, 9)["prepared"] is None
    refused = problem(slips.banker.post("disputes/9/acceptance", {}), 409, "rule-broken")
    assert refused["detail"] == "dispute 9 asks for no correction: rule on it"
    problem(slips.banker.post("disputes/10/acceptance", {}), 404, "not-found")


def test_a_correction_about_what_a_player_knows_nothing_of_cannot_be_asked_for(started: HttpTable) -> None:
    table = HttpTable.created(started.client, "ana", "bob", "cid").start()
    gift = table.ana.play("transfer_money", to="bob", amount=20)["number"]
    asked = {"claim": "Too generous", "edits": [{"op": "drop", "action": gift}]}
    assert problem(table.cid.post("disputes", asked), 409, "rule-broken")["rule"] == "I.C.5"


def test_a_dispute_whose_action_was_corrected_says_so_and_asks_to_be_closed(slips: HttpTable) -> None:
    slips.ana.post("undo", SLIP)
    assert dispute(slips, 9, "ana")["dispute"]["corrected"] == []
    assert slips.banker.post("undo", {"action": 7, "reason": "she is right"}).status_code == 201
    (corrected,) = dispute(slips, 9, "ana")["dispute"]["corrected"]
    assert corrected == {
        "action": 7,
        "by": 10,
        "status": "undone",
        "text": "Corrected by 10: line 7 is undone. Withdraw the dispute, or rule on it.",
    }
    french = slips.ana.get("disputes?status=open", Accept_Language="fr").json["disputes"][0]["corrected"][0][
        "text"
    ]
    assert french == "Corrigé par 10\u00a0: la ligne 7 est annulée. Retirez le litige, ou tranchez-le."
    prepared = dispute(slips, 9)["prepared"]
    assert prepared == {"preview": None, "refusal": "action 7 is undone already (by correction 10)"}
    assert slips.ana.post("disputes/9/withdrawal", {}).status_code == 201
    assert dispute(slips, 9)["dispute"]["corrected"] == []


def test_a_correction_that_was_taken_back_asks_for_nothing(slips: HttpTable) -> None:
    """Nor does one that was made before the dispute was opened."""
    slips.banker.post("corrections", {"edits": [restated(10)], "reason": "misheard"})
    slips.ana.post("disputes", {"claim": "It was 2", "actions": [7]})
    assert dispute(slips, 10)["dispute"]["corrected"] == []
    slips.banker.post("undo", {"action": 7, "reason": "all of it"})
    assert [one["by"] for one in dispute(slips, 10)["dispute"]["corrected"]] == [11]
    slips.banker.post("redo", {"action": 11, "reason": "not all of it"})
    assert [one["status"] for one in dispute(slips, 10)["dispute"]["corrected"]] == ["restated"]


def test_the_banker_finds_the_acceptance_among_the_moves(slips: HttpTable) -> None:
    slips.ana.post("undo", SLIP)
    moves = actions_of(slips.banker.get("moves").json["moves"])
    asked = [one["params"] for one in moves if one["kind"] == "rule" and one["params"].get("dispute") == "9"]
    remedies = [one["remedies"][0] for one in asked]
    assert {"op": "correct", "edits": [{"op": "drop", "action": 7}], "cascade": "restate"} in remedies


def test_a_ruling_that_accepted_too_much_is_amended_by_another_ruling(slips: HttpTable) -> None:
    """The dispute is open again for the new ruling, which takes the place of the first one in the same request."""
    slips.ana.post("undo", SLIP)
    slips.banker.post("disputes/9/acceptance", {})
    edits = [{"op": "amend", "action": 10}, restated(2)]
    remedies = [{"op": "correct", "edits": edits, "cascade": "restate"}]
    given = slips.banker.post("disputes/9/rulings", {"finding": "It was 2", "remedies": remedies})
    assert given.status_code == 201, given.text
    assert money(slips)[0] == 1653
    assert dispute(slips, 9)["dispute"]["ruling"] == "11"
    assert [one["status"] for one in slips.bob.get("rulings").json["rulings"]] == ["standing", "overturned"]
