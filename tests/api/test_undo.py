"""Undo and redo over HTTP, by the banker and by players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.acting.correcting import TOUCH
from ledger.service import Ledger
from ledger.store.store import Store
from tests.kernel.undoing import RULES
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import BASE, HttpTable, problem

OOPS = {"reason": "a slip"}


@pytest.fixture
def slips(started: HttpTable) -> HttpTable:
    """Ana gives Bob 10 ₦ (action 7), then 20 (8); he gives her 5 (9)."""
    started.ana.play("transfer_money", to="bob", amount=10)
    started.ana.play("transfer_money", to="bob", amount=20)
    started.bob.play("transfer_money", to="ana", amount=5)
    return started


def undone(table: HttpTable) -> list[int]:
    return [entry["number"] for entry in table.banker.get("actions?status=undone").json["actions"]]


def test_the_banker_undoes_the_last_action_and_then_the_one_before(slips: HttpTable, clock: Clock) -> None:
    first = slips.banker.post("undo", OOPS)
    assert first.status_code == 201
    assert first.json["params"]["edits"] == [{"op": "drop", "action": 9}]
    clock.now += TOUCH
    assert slips.banker.post("undo", OOPS).json["params"]["edits"] == [{"op": "drop", "action": 8}]
    assert undone(slips) == [8, 9]


def test_a_second_touch_reaches_no_second_action(slips: HttpTable, clock: Clock) -> None:
    """Two touches at once undo one action. Whoever means another one names it, or the version that they see."""
    assert slips.banker.post("undo", OOPS).status_code == 201
    again = problem(slips.banker.post("undo", OOPS), 409, "rule-broken")
    assert "action 9 was undone a moment ago" in again["detail"]
    assert undone(slips) == [9]
    assert slips.banker.post("undo", {**OOPS, "dry_run": True}).status_code == 200
    assert slips.banker.post("undo", OOPS, If_Match='"10"').status_code == 201
    assert slips.banker.post("undo", {**OOPS, "action": 7}).status_code == 201
    assert undone(slips) == [7, 8, 9]
    clock.now += TOUCH
    assert slips.banker.post("undo", OOPS).status_code == 201


def test_redoing_takes_the_undos_back_one_after_the_other(slips: HttpTable, clock: Clock) -> None:
    for _ in range(2):
        slips.banker.post("undo", OOPS)
        clock.now += TOUCH
    assert slips.banker.post("redo", OOPS).status_code == 201
    assert undone(slips) == [9, 11]
    assert slips.banker.post("redo", OOPS).status_code == 201
    assert undone(slips) == [10, 11]
    nothing = problem(slips.banker.post("redo", OOPS), 409, "rule-broken")
    assert nothing["rule"] == "P.4"
    assert slips.version == 13


def test_an_action_is_undone_and_redone_by_its_number(slips: HttpTable) -> None:
    assert slips.banker.post("undo", {"action": 7, **OOPS}).json["number"] == 10
    assert undone(slips) == [7]
    assert slips.banker.post("redo", {"action": 7, **OOPS}).json["params"]["edits"] == [
        {"op": "drop", "action": 10}
    ]
    assert undone(slips) == [10]
    # Redoing the redo undoes the action again.
    assert slips.banker.post("redo", {"action": 11, **OOPS}).status_code == 201
    assert undone(slips) == [7, 11]
    for wrong in (8, 99):
        found = problem(slips.banker.post("redo", {"action": wrong, **OOPS}), 409, "rule-broken")
        assert str(wrong) in found["detail"]


def test_a_redo_brings_back_the_older_correction_and_leaves_the_younger_one(slips: HttpTable) -> None:
    """Ana gave 1 instead of 10 (correction 10), and 2 instead of 20 (11). The banker takes 10 back by mistake."""
    for number, amount in ((7, 1), (8, 2)):
        edit = {"op": "replace", "action": number, "params": {"to": "bob", "amount": amount}}
        assert slips.banker.post("corrections", {"edits": [edit], **OOPS}).status_code == 201
    assert slips.banker.post("undo", {"action": 10, **OOPS}).status_code == 201
    assert undone(slips) == [10]
    assert slips.banker.post("redo", OOPS).json["params"]["edits"] == [{"op": "drop", "action": 12}]
    assert undone(slips) == [12]


def test_a_mistaken_undo_is_amended_in_one_request(slips: HttpTable) -> None:
    """The banker undid the gift of 20 (action 8). The one of 10 (7) was meant."""
    slips.banker.post("undo", {"action": 8, **OOPS})
    meant = {"action": 7, "amends": 10, **OOPS}
    preview = slips.banker.post("undo", {**meant, "dry_run": True}).json
    assert preview["holdings"]["player:ana"]["NGD"] == {"before": 1645, "after": 1635}
    amended = slips.banker.post("undo", meant)
    assert amended.json["params"]["edits"] == [{"op": "amend", "action": 10}, {"op": "drop", "action": 7}]
    assert undone(slips) == [7, 10]
    line = slips.banker.get("audit?kind=correct").json["lines"][-1]
    assert line["correction"]["edits"][0] == {"op": "amend", "action": 10}
    assert line["sentence"].endswith(
        "a slip. Correction amended: 10. Actions dropped: 7. Actions that count again (1): 8."
    )
    assert slips.banker.post("redo", {"action": 10, **OOPS}).status_code == 201
    assert undone(slips) == [8, 11]


def test_an_undo_that_amends_names_its_action_and_is_the_bankers(slips: HttpTable) -> None:
    slips.banker.post("undo", {"action": 8, **OOPS})
    unnamed = problem(slips.banker.post("undo", {"amends": 10, **OOPS}), 422, "invalid-parameters")
    assert unnamed["detail"] == "an undo that takes the place of correction 10 names its action"
    problem(slips.ana.post("undo", {"action": 7, "amends": 10, **OOPS}), 403, "not-yours")


def test_an_undo_is_previewed(slips: HttpTable) -> None:
    preview = slips.banker.post("undo", {**OOPS, "dry_run": True})
    assert preview.status_code == 200
    assert preview.json["undone"][0]["number"] == 9
    assert preview.json["holdings"]["player:ana"]["NGD"] == {"before": 1625, "after": 1620}
    assert slips.version == 9
    slips.banker.post("undo", OOPS)
    again = slips.banker.post("redo", {**OOPS, "dry_run": True}).json
    assert [one["number"] for one in again["restored"]] == [9]
    assert [one["number"] for one in again["undone"]] == [10]
    assert again["holdings"]["player:ana"]["NGD"] == {"before": 1620, "after": 1625}


def test_what_is_on_the_docket_is_not_the_last_action(slips: HttpTable) -> None:
    slips.ana.post("disputes", {"claim": "I never gave that", "actions": [8]})
    assert slips.banker.post("undo", OOPS).json["params"]["edits"] == [{"op": "drop", "action": 9}]


def test_a_repeated_undo_happens_once_though_another_action_is_the_last_by_now(slips: HttpTable) -> None:
    first = slips.banker.post("undo", OOPS, Idempotency_Key="undo-1")
    again = slips.banker.post("undo", OOPS, Idempotency_Key="undo-1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == first.json
    assert undone(slips) == [9]
    problem(slips.banker.post("undo", {"action": 8, **OOPS}, Idempotency_Key="undo-1"), 422, "key-reused")
    problem(slips.banker.post("redo", OOPS, Idempotency_Key="undo-1"), 422, "key-reused")


def test_an_undo_of_a_stale_version_is_refused(slips: HttpTable) -> None:
    for way in ("undo", "redo"):
        problem(slips.banker.post(way, OOPS, If_Match='"8"'), 412, "stale-version")
    assert slips.banker.post("undo", OOPS, If_Match='"9"').status_code == 201


def test_an_undo_that_would_spread(slips: HttpTable) -> None:
    slips.bob.play("transfer_money", to="ana", amount=1675)
    found = problem(slips.banker.post("undo", {"action": 7, **OOPS}), 409, "would-spread")
    assert [one["number"] for one in found["preview"]["voided"]] == [10]
    spread = slips.banker.post("undo", {"action": 7, "cascade": "restate", **OOPS})
    assert spread.status_code == 201


def test_nothing_to_undo(table: HttpTable) -> None:
    problem(table.banker.post("undo", OOPS), 409, "rule-broken")
    problem(table.banker.post("undo", {"action": 1, **OOPS}), 409, "rule-broken")


@pytest.mark.rule("P.4")
def test_a_player_can_only_ask_the_banker(slips: HttpTable) -> None:
    """In Negopoly a player's undo opens a dispute, by default about their own last action."""
    answer = slips.ana.post("undo", {"reason": "I meant 2, not 20"})
    assert answer.status_code == 202
    assert answer.headers["Location"].endswith(f"/games/{slips.game}/disputes/10")
    assert (answer.json["kind"], answer.json["seat"]) == ("open_dispute", "ana")
    dispute = slips.banker.get("disputes/10").json["dispute"]
    assert (dispute["opener"], dispute["actions"], dispute["claim"]) == ("ana", [8], "I meant 2, not 20")
    assert undone(slips) == []
    problem(slips.ana.post("redo", OOPS), 403, "not-yours")


def test_a_player_asks_once(slips: HttpTable) -> None:
    dry = slips.ana.post("undo", {**OOPS, "dry_run": True})
    assert (dry.status_code, dry.json["kind"], slips.version) == (200, "open_dispute", 9)
    first = slips.ana.post("undo", OOPS, Idempotency_Key="ask-1")
    again = slips.ana.post("undo", OOPS, Idempotency_Key="ask-1")
    assert (first.status_code, again.status_code) == (202, 200)
    assert again.json == first.json
    assert slips.version == 10
    problem(slips.ana.post("undo", {"action": 7, **OOPS}, If_Match='"9"'), 412, "stale-version")


# Where the rulebook lets players undo ---------------------------------------------------------------


@pytest.fixture
def kind_table(store: Store, clock: Clock) -> Iterator[HttpTable]:
    """Ana and Bob play the toy, in which a player may undo their own last action."""
    ledger = Ledger(store, {RULES.id: RULES}, clock=clock, chance=chance_of_a_test())
    with create_app(ledger, Config()).test_client() as client:
        yield HttpTable.created(client, rulebook=RULES.id, settings={})


def test_a_player_takes_back_their_own_last_action(kind_table: HttpTable) -> None:
    kind_table.ana.play("buy_beans", amount=2)
    preview = kind_table.ana.post("undo", {**OOPS, "dry_run": True}).json
    assert preview["holdings"]["player:ana"] == {
        "bean": {"before": 2, "after": 0},
        "coin": {"before": 6, "after": 10},
    }
    answer = kind_table.ana.post("undo", OOPS)
    assert answer.status_code == 201
    assert (answer.json["kind"], answer.json["by"]) == ("take_back", "ana")
    assert kind_table.ana.get("actions/2").json["status"] == "undone"
    assert kind_table.ana.post("redo", OOPS).status_code == 201
    assert kind_table.ana.get("actions/2").json["status"] == "effective"


@pytest.mark.parametrize("way", ["undo", "actions"])
def test_a_player_reaches_no_further(kind_table: HttpTable, way: str) -> None:
    """A player cannot undo past another's action, a die, or something revealed, and not by a correction either."""

    def refused(number: int) -> None:
        asked: dict[str, Any] = {"action": number, **OOPS}
        if way == "actions":
            edits = [{"op": "drop", "action": number}]
            asked = {"kind": "take_back", "params": {"edits": edits, **OOPS}}
        version = kind_table.version
        problem(kind_table.ana.post(way, asked), 403, "not-yours")
        assert kind_table.version == version

    bought = kind_table.ana.play("buy_beans", amount=2)["number"]
    kind_table.bob.play("buy_beans", amount=1)
    refused(bought)
    refused(bought + 1)
    refused(kind_table.ana.play("throw", face=3)["number"])
    refused(kind_table.ana.play("hide", card="ace")["number"])
    assert kind_table.banker.post("undo", OOPS).status_code == 201


def test_a_player_corrects_nothing_else(kind_table: HttpTable) -> None:
    bought = kind_table.ana.play("buy_beans", amount=2)["number"]
    edits = [{"op": "replace", "action": bought, "params": {"amount": 1}}]
    problem(kind_table.ana.post("corrections", {"edits": edits, **OOPS}), 403, "not-yours")
    two = [{"op": "drop", "action": bought}, {"op": "drop", "action": bought}]
    problem(kind_table.ana.post("corrections", {"edits": two, **OOPS}), 403, "not-yours")
    problem(kind_table.spectator.post("undo", OOPS), 403, "not-yours")


def test_a_game_without_disputes_has_no_docket(kind_table: HttpTable, client: FlaskClient) -> None:
    problem(kind_table.ana.post("disputes", {"claim": "unfair"}), 404, "not-found")
    problem(kind_table.banker.post("rulings", {"finding": "so be it"}), 404, "not-found")
    assert kind_table.ana.get("disputes").json["disputes"] == []
    assert client.get(f"{BASE}/games/{kind_table.game}/disputes").status_code == 401
