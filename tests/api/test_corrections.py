"""Corrections over HTTP: the banker previews, chooses a cascade, corrects, and everything stays readable."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.mending import MISTAKE, drop, money, statuses
from tests.tables.over_http import HttpTable, problem, version_of


@pytest.fixture
def travelled(started: HttpTable) -> HttpTable:
    """Ana throws 1 and 2 (action 7), buys Black Arretxea on square 3 for 60 ₦ (8) and ends her turn (9)."""
    started.ana.play("roll_dice", dice=[1, 2])
    started.ana.play("buy_property", title="black_arretxea")
    started.ana.play("end_turn")
    return started


# Consequences of a correction -----------------------------------------------------------------------


def test_a_correction_is_an_entry_of_the_journal(gifts: HttpTable) -> None:
    answer = gifts.banker.post("corrections", {"edits": drop(9), "reason": MISTAKE})
    assert answer.status_code == 201
    assert answer.headers["Location"].endswith(f"/games/{gifts.game}/actions/10")
    assert version_of(answer) == 10
    assert (answer.json["number"], answer.json["kind"], answer.json["by"]) == (10, "correct", "banker")
    assert money(gifts) == (100, 1650 + 1650 - 100)
    undone = gifts.banker.get("actions/9").json
    assert (undone["status"], undone["corrected_by"]) == ("undone", 10)
    assert undone["events"][0]["postings"][0]["amount"] == 60


def test_with_refuse_a_spreading_correction_is_answered_with_its_preview(gifts: HttpTable) -> None:
    """Without the first gift Bob could still give 100, and Ana her 60. But a gift of 9000 is voided."""
    gifts.bob.play("transfer_money", to="ana", amount=2500)
    refused = gifts.banker.post("corrections", {"edits": drop(7), "reason": MISTAKE})
    found = problem(refused, 409, "would-spread")
    assert "10" in found["detail"]
    assert found["preview"]["counts"] == {
        "unchanged": 2,
        "undone": 1,
        "restored": 0,
        "restated": 0,
        "voided": 1,
        "inserted": 0,
    }
    chosen = {"edits": drop(7), "reason": MISTAKE, "cascade": "restate"}
    dry = gifts.banker.post("corrections", {**chosen, "dry_run": True})
    assert dry.status_code == 200
    assert dry.json == found["preview"]
    assert gifts.version == 10
    assert gifts.banker.post("corrections", chosen).status_code == 201
    assert statuses(gifts, "?status=voided") == {10: "voided"}
    assert gifts.banker.get("actions/10").json["reason"]["rule"] == "I.B.6"
    assert money(gifts) == (1650 + 100 - 60, 1650 - 100 + 60)


def test_the_preview_tells_who_ends_poorer(gifts: HttpTable) -> None:
    gifts.bob.play("transfer_money", to="ana", amount=2500)
    asked = {"edits": drop(7), "reason": MISTAKE, "cascade": "restate", "dry_run": True}
    preview = gifts.banker.post("corrections", asked).json
    assert preview["version"] == 10
    sentence = "Ana gives ₦1650 to Bob."
    assert preview["undone"] == [
        {"action": 7, "number": 7, "kind": "transfer_money", "seat": "ana", "sentence": sentence}
    ]
    (fallen,) = preview["voided"]
    assert (fallen["action"], fallen["kind"], fallen["seat"], fallen["why"]["rule"]) == (
        *(10, "transfer_money", "bob"),
        "I.B.6",
    )
    assert "1610" in fallen["why"]["text"]
    french = gifts.banker.post("corrections", asked, Accept_Language="fr").json
    assert "ne peut pas dépenser" in french["voided"][0]["why"]["text"]
    before, after = money(gifts), (1690, 1610)
    assert preview["holdings"] == {
        "player:ana": {"NGD": {"before": before[0], "after": after[0]}},
        "player:bob": {"NGD": {"before": before[1], "after": after[1]}},
    }
    assert preview["table"] == []


def test_misread_dice_are_replaced(travelled: HttpTable) -> None:
    """With 2 and 4 Ana stood on square 6: she cannot have bought what lies on square 3."""
    edits = [{"op": "replace", "action": 7, "params": {"dice": [2, 4]}}]
    asked = {"edits": edits, "reason": "the dice said 2 and 4", "cascade": "restate"}
    preview = travelled.banker.post("corrections", {**asked, "dry_run": True}).json
    (roll,) = [one for one in preview["restated"] if one["number"] == 7]
    assert [event["data"]["dice"] for event in roll["before"] if event["kind"] == "dice_thrown"] == [[1, 2]]
    assert [event["data"]["dice"] for event in roll["after"] if event["kind"] == "dice_thrown"] == [[2, 4]]
    assert [one["number"] for one in preview["voided"]] == [8]
    assert preview["holdings"]["player:ana"]["NGD"] == {"before": 1590, "after": 1650}
    assert preview["holdings"]["player:ana"]["title:black_arretxea"] == {"before": 1, "after": 0}
    table = {row["path"]: (row["before"], row["after"]) for row in preview["table"]}
    assert table["/positions/ana"] == (3, 6)
    assert table["/titles/black_arretxea/owner"] == ("ana", None)
    assert travelled.banker.post("corrections", asked).status_code == 201
    shown = travelled.banker.get("actions/7").json
    assert shown["status"] == "restated"
    assert shown["params"] == {"dice": [1, 2], "draws": None}
    assert any(event["data"].get("dice") == [2, 4] for event in shown["restated"])


def test_an_action_is_inserted_and_named_after_its_correction(gifts: HttpTable) -> None:
    """The table forgot to record Bob's 40 ₦ to Ana, right after action 8."""
    forgotten = {"kind": "transfer_money", "params": {"to": "ana", "amount": 40}, "seat": "bob"}
    asked = {"edits": [{"op": "insert", "after": 8, "action": forgotten}], "reason": "it was forgotten"}
    preview = gifts.banker.post("corrections", {**asked, "dry_run": True}).json
    (added,) = preview["inserted"]
    assert (added["action"], added["after"], added["kind"], added["seat"]) == ("10.1", 8, "transfer_money", "bob")
    assert added["events"][0]["postings"][0]["amount"] == 40
    assert gifts.banker.post("corrections", asked).status_code == 201
    assert money(gifts) == (40 + 40, 3300 - 80)
    lines = gifts.ana.get("accounts/player:ana/statement").json["lines"]
    assert [(line["action"], line["amount"], line["balance"]) for line in lines[-4:]] == [
        (7, -1650, 0),
        (8, 100, 100),
        ("10.1", 40, 140),
        (9, -60, 80),
    ]


def test_rewinding_drops_an_action_and_all_that_followed(gifts: HttpTable) -> None:
    answer = gifts.banker.post("corrections", {"edits": [{"op": "rewind", "to": 8}], "reason": "start over"})
    assert answer.status_code == 201
    assert statuses(gifts, "?status=undone") == {8: "undone", 9: "undone"}
    assert money(gifts) == (0, 3300)


def test_what_cannot_be_kept_is_named(gifts: HttpTable) -> None:
    """A purchase is dropped, the title it brought was sold: with `keep` the sale could not stand."""
    gifts.bob.play("transfer_money", to="ana", amount=500)
    gifts.ana.play("roll_dice", dice=[1, 2])
    gifts.ana.play("buy_property", title="black_arretxea")
    gifts.ana.play("sell_property", title="black_arretxea")
    asked = {"edits": drop(12), "reason": MISTAKE, "cascade": "keep"}
    found = problem(gifts.banker.post("corrections", asked), 409, "cannot-keep")
    assert found["action"] == 13
    assert gifts.version == 13
    kept = gifts.banker.post("corrections", {"edits": drop(9), "reason": MISTAKE, "cascade": "keep"})
    assert kept.status_code == 201


def test_every_edit_happens_or_none(gifts: HttpTable) -> None:
    impossible = {"kind": "transfer_money", "params": {"to": "bob", "amount": 9000}, "seat": "ana"}
    edits = [*drop(9), {"op": "insert", "after": 8, "action": impossible}]
    refused = problem(gifts.banker.post("corrections", {"edits": edits, "reason": "x"}), 409, "rule-broken")
    assert refused["rule"] == "I.B.6"
    assert gifts.version == 9
    assert statuses(gifts, "?status=undone") == {}


@pytest.mark.parametrize("status", ["effective", "undone", "restated", "voided"])
def test_the_journal_by_status(gifts: HttpTable, status: str) -> None:
    """Action 8 becomes a gift of 10, so the 60 that Ana gives on fall; then action 7 is undone, so they do not."""
    gifts.ana.play("transfer_money", to="bob", amount=1)
    edits = [{"op": "replace", "action": 8, "params": {"to": "ana", "amount": 10}}, *drop(10)]
    answer = gifts.banker.post("corrections", {"edits": edits, "reason": MISTAKE, "cascade": "restate"})
    assert answer.status_code == 201
    expected = {1: "effective", 7: "effective", 8: "restated", 9: "voided", 10: "undone", 11: "effective"}
    found = statuses(gifts, f"?status={status}")
    assert set(found.values()) == {status}
    for number, so in expected.items():
        assert (number in found) == (so == status)


# Headers and permissions ----------------------------------------------------------------------------


def test_only_the_banker_corrects(gifts: HttpTable) -> None:
    asked = {"edits": drop(9), "reason": MISTAKE}
    for caller in (gifts.ana, gifts.bob, gifts.spectator):
        problem(caller.post("corrections", asked), 403, "not-yours")
        problem(caller.post("corrections", {**asked, "dry_run": True}), 403, "not-yours")
        problem(caller.post("redo", {"reason": MISTAKE}), 403, "not-yours")
    problem(gifts.spectator.post("undo", {"reason": MISTAKE}), 403, "not-yours")
    problem(gifts.stranger.post("corrections", asked), 401, "token-missing")
    assert gifts.version == 9


def test_a_repeated_correction_happens_once(gifts: HttpTable) -> None:
    asked = {"edits": drop(9), "reason": MISTAKE}
    first = gifts.banker.post("corrections", asked, Idempotency_Key="mend-1")
    again = gifts.banker.post("corrections", asked, Idempotency_Key="mend-1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == first.json
    assert gifts.version == 10
    other = {"edits": drop(8), "reason": MISTAKE}
    problem(gifts.banker.post("corrections", other, Idempotency_Key="mend-1"), 422, "key-reused")


def test_a_correction_of_a_stale_version_is_refused(gifts: HttpTable) -> None:
    asked = {"edits": drop(9), "reason": MISTAKE}
    for dry in (False, True):
        stale = gifts.banker.post("corrections", {**asked, "dry_run": dry}, If_Match='"8"')
        problem(stale, 412, "stale-version")
    assert gifts.banker.post("corrections", asked, If_Match='"9"').status_code == 201


@pytest.mark.parametrize(
    ("asked", "kind", "pointer"),
    [
        ({"edits": [], "reason": "x"}, "invalid-request", "/edits"),
        ({"edits": drop(9)}, "invalid-request", "/reason"),
        ({"edits": drop(9), "reason": ""}, "invalid-request", "/reason"),
        ({"edits": drop(0), "reason": "x"}, "invalid-request", "/edits/0/action"),
        ({"edits": [{"op": "forget", "action": 9}], "reason": "x"}, "invalid-request", "/edits/0/op"),
        ({"edits": drop(9), "reason": "x", "cascade": "hope"}, "invalid-request", "/cascade"),
        (
            {"edits": [{"op": "replace", "action": 9, "params": {"to": "bob", "amount": 0}}], "reason": "x"},
            "invalid-parameters",
            "/edits/0/params/amount",
        ),
        (
            {
                "edits": [
                    *drop(9),
                    {"op": "insert", "after": 8, "action": {"kind": "transfer_money", "params": {"amount": 1}}},
                ],
                "reason": "x",
            },
            "invalid-parameters",
            "/edits/1/action/params/to",
        ),
    ],
)
def test_a_misshapen_correction_is_told_where(
    gifts: HttpTable, asked: dict[str, Any], kind: str, pointer: str
) -> None:
    found = problem(gifts.banker.post("corrections", asked), 422, kind)
    assert [row["pointer"] for row in found["errors"]] == [pointer]
    assert gifts.version == 9


def test_edits_that_name_nothing(gifts: HttpTable) -> None:
    found = problem(
        gifts.banker.post("corrections", {"edits": drop(99), "reason": "x"}), 422, "invalid-parameters"
    )
    assert "99" in found["detail"]
    assert "9" in found["detail"]
    first = problem(gifts.banker.post("corrections", {"edits": drop(1), "reason": "x"}), 409, "rule-broken")
    assert first["rule"] == "P.4"
    fly = {"op": "insert", "after": 8, "action": {"kind": "fly"}}
    problem(gifts.banker.post("corrections", {"edits": [fly], "reason": "x"}), 422, "unknown-kind")


def test_a_waiver_comes_with_an_inserted_action(gifts: HttpTable) -> None:
    late = {"kind": "transfer_money", "params": {"to": "bob", "amount": 200}, "seat": "ana"}
    insert = {"op": "insert", "after": 9, "action": late}
    asked = {"edits": [insert], "reason": "x"}
    problem(gifts.banker.post("corrections", asked), 409, "rule-broken")
    insert["action"] = {**late, "override": {"reason": "she may owe it"}}
    preview = gifts.banker.post("corrections", {**asked, "dry_run": True}).json
    assert [warning["rule"] for warning in preview["inserted"][0]["warnings"]] == ["I.B.6"]
    assert gifts.banker.post("corrections", asked).status_code == 201
    assert money(gifts)[0] == 40 - 200


def test_others_learn_that_it_happened_but_not_what_is_private(gifts: HttpTable) -> None:
    """A spectator sees only a private entry, before and after the gift is undone."""
    gifts.banker.post("corrections", {"edits": drop(9), "reason": MISTAKE})
    entry = gifts.spectator.get("actions/10").json
    assert MISTAKE in entry["events"][0]["text"]
    assert entry["events"][0]["data"]["edits"] == []
    undone = gifts.spectator.get("actions/9").json
    assert (undone["kind"], undone["status"], undone["corrected_by"]) == ("private", "effective", None)
    assert undone["events"] == []
    assert (entry["events"][0]["data"]["amendments"], entry["events"][0]["data"]["earliest"]) == ([], 0)
    for party in (gifts.ana, gifts.bob):
        told = party.get("actions/10").json["events"][0]["data"]
        assert [(one["number"], one["status"]) for one in told["amendments"]] == [(9, "undone")]
        assert told["earliest"] == 9
        assert party.get("actions/9").json["corrected_by"] == 10


def test_corrections_over_the_plain_action_too(gifts: HttpTable) -> None:
    """The catalogue's `correct` is the same correction, and answers with the same problems."""
    gifts.bob.play("transfer_money", to="ana", amount=2500)
    params = {"edits": drop(7), "reason": MISTAKE}
    found = problem(gifts.banker.act("correct", params=params), 409, "would-spread")
    assert found["preview"]["counts"]["voided"] == 1
    assert gifts.banker.act("correct", params={**params, "cascade": "restate"}).status_code == 201


def test_a_game_that_is_over_can_be_corrected(started: HttpTable) -> None:
    started.banker.act("declare_bankruptcy", seat="bob", override={"reason": "Bob has left the table"})
    over = started.version
    assert started.ana.get().json["status"] == "ended"
    answer = started.banker.post("corrections", {"edits": drop(over), "reason": "Bob is back"})
    assert answer.status_code == 201
    assert started.ana.get().json["status"] == "play"
