"""An action that a correction inserted has a name, "9.1", and is cited by it wherever an action is named."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.mending import money
from tests.tables.over_http import HttpTable, problem

FORGOTTEN = "two payments were forgotten"


def gift(giver: str, to: str, amount: int) -> dict[str, Any]:
    return {"kind": "transfer_money", "seat": giver, "params": {"to": to, "amount": amount}}


@pytest.fixture
def mended(started: HttpTable) -> HttpTable:
    """Bob gives Ana 100 (action 7), Ana gives Bob 10 (8). Two gifts are inserted after action 7: 9.1 and 9.2."""
    started.bob.play("transfer_money", to="ana", amount=100)
    started.ana.play("transfer_money", to="bob", amount=10)
    edits = [
        {"op": "insert", "after": 7, "action": gift("ana", "bob", 5)},
        {"op": "insert", "after": 7, "action": gift("bob", "ana", 20)},
    ]
    correct(started, *edits)
    return started


def correct(table: HttpTable, *edits: dict[str, Any], cascade: str = "restate") -> dict[str, Any]:
    wanted = {"edits": edits, "reason": FORGOTTEN, "cascade": cascade}
    answer = table.banker.post("corrections", wanted)
    assert answer.status_code == 201, answer.text
    entry: dict[str, Any] = answer.json
    return entry


def history(table: HttpTable, query: str = "?limit=200") -> list[str]:
    """The names of the actions from number 7 on that count, in the order of the history."""
    lines = table.banker.get(f"audit{query}").json["lines"]
    return [line["action"] for line in lines if line["status"] != "undone" and line["kind"] == "transfer_money"]


def test_an_inserted_action_has_a_page(mended: HttpTable) -> None:
    page = mended.ana.get("actions/9.1").json
    assert (page["action"], page["number"], page["after"], page["corrected_by"]) == ("9.1", 9, 7, 9)
    assert (page["kind"], page["status"]) == ("transfer_money", "effective")
    assert (page["seat"], page["by"]) == ("ana", "banker")
    assert page["events"][0]["postings"][0]["amount"] == 5
    assert page["balances"]["player:ana"] == {"NGD": money(mended, "?at=6")[0] + 100 - 5}
    assert page["receipt"] == mended.ana.get("actions/9").json["receipt"]
    assert mended.ana.get("actions/8").json["action"] == 8


@pytest.mark.parametrize("name", ["9.3", "8.1", "10.1"])
def test_the_page_of_an_action_that_was_never_inserted(mended: HttpTable, name: str) -> None:
    missing = problem(mended.ana.get(f"actions/{name}"), 404, "not-found")
    assert missing["detail"] == f"the journal has no action {name}; the last one is 9"


def test_an_inserted_action_of_which_a_player_knows_nothing_has_no_page(started: HttpTable) -> None:
    """Ana's secret deal with Bob, inserted afterwards, is not there for Cid, nor at its moment."""
    table = HttpTable.created(started.client, "ana", "bob", "cid").start()
    rolled = table.ana.play("roll_dice", dice=[1, 2])["number"]
    params = {"parties": ["bob"], "clauses": ["Bob leaves Negotown alone"]}
    deal = {"kind": "propose_deal", "seat": "ana", "params": params}
    name = f"{correct(table, {'op': 'insert', 'after': rolled, 'action': deal})['number']}.1"
    assert table.bob.get(f"actions/{name}").status_code == 200
    problem(table.cid.get(f"actions/{name}"), 404, "not-found")
    problem(table.cid.get(f"state?at={name}"), 422, "invalid-request")


def test_the_moment_right_after_an_inserted_action(mended: HttpTable) -> None:
    """Action 7 stands with everything inserted after it, as always."""
    ana, bob = money(mended, "?at=6")
    assert money(mended, "?at=9.1") == (ana + 100 - 5, bob - 100 + 5)
    assert money(mended, "?at=9.2") == money(mended, "?at=7")
    assert history(mended, "?at=9.1") == [7, "9.1"]
    assert history(mended, "?at=8") == [7, "9.1", "9.2", 8]
    lines = mended.ana.get("accounts/player:ana/statement?at=9.1").json["lines"]
    assert [line["action"] for line in lines][-2:] == [7, "9.1"]
    why = mended.ana.get("why?account=player:ana&commodity=NGD&at=9.1").json
    assert (why["at"], why["postings"][0]["action"], why["amount"]) == ("9.1", "9.1", lines[-1]["balance"])
    assert sum(one["change"] for one in why["corrections"]) == -5


def test_an_inserted_action_is_dropped_and_restored(mended: HttpTable) -> None:
    before = money(mended)
    correct(mended, {"op": "drop", "action": "9.1"})
    assert money(mended) == (before[0] + 5, before[1] - 5)
    page = mended.ana.get("actions/9.1").json
    assert (page["status"], page["corrected_by"]) == ("undone", 10)
    assert history(mended) == [7, "9.2", 8]
    again = {"edits": [{"op": "drop", "action": "9.1"}], "reason": FORGOTTEN}
    refused = problem(mended.banker.post("corrections", again), 409, "rule-broken")
    assert refused["detail"] == "action 9.1 is undone already (by correction 10)"
    redone = mended.banker.post("redo", {"action": "9.1", "reason": "it did happen"})
    assert redone.status_code == 201, redone.text
    assert money(mended) == before


def test_an_inserted_action_is_undone_by_its_name(mended: HttpTable) -> None:
    before = money(mended)
    undone = mended.banker.post("undo", {"action": "9.2", "reason": "Bob gave nothing"})
    assert undone.status_code == 201, undone.text
    assert money(mended) == (before[0] - 20, before[1] + 20)


def test_an_inserted_action_is_replaced(mended: HttpTable) -> None:
    before = money(mended)
    correct(mended, {"op": "replace", "action": "9.2", "params": {"to": "ana", "amount": 25}})
    assert money(mended) == (before[0] + 5, before[1] - 5)
    page = mended.ana.get("actions/9.2").json
    assert (page["status"], page["restated"][0]["postings"][0]["amount"]) == ("restated", 25)
    wrong = {"edits": [{"op": "replace", "action": "9.2", "params": {"to": "ana"}}], "reason": FORGOTTEN}
    refused = problem(mended.banker.post("corrections", wrong), 422, "invalid-parameters")
    assert refused["errors"][0]["pointer"] == "/edits/0/params/amount"


def test_an_action_is_inserted_right_after_an_inserted_one(mended: HttpTable) -> None:
    """Between 9.1 and 9.2, where no number stands; and once more right after it."""
    correct(mended, {"op": "insert", "after": "9.1", "action": gift("ana", "bob", 1)})
    correct(mended, {"op": "insert", "after": "10.1", "action": gift("ana", "bob", 2)})
    correct(mended, {"op": "insert", "after": 7, "action": gift("ana", "bob", 3)})
    order = [7, "9.1", "10.1", "11.1", "9.2", "12.1", 8]
    assert history(mended) == order
    assert mended.ana.get("actions/11.1").json["after"] == "10.1"
    assert history(mended, "?at=10.1") == order[:3]
    paged = [mended.banker.get(f"audit?kind=transfer_money&limit={limit}") for limit in (1, 2, 3, 4, 5, 6)]
    for limit, page in enumerate(paged, start=1):
        following = mended.banker.get(f"audit?kind=transfer_money&limit=99&cursor={page.json['next']}").json
        assert [line["action"] for line in (*page.json["lines"], *following["lines"])] == order, limit
    frames = mended.banker.get("replay?from=9.1&to=11.1").json["frames"]
    assert [frame["action"] for frame in frames] == ["9.1", "10.1", "11.1"]
    back = mended.banker.get(f"replay?limit=2&cursor={mended.banker.get('replay?limit=9').json['next']}").json
    assert [frame["action"] for frame in back["frames"]] == ["11.1", "9.2"]
    backwards = mended.banker.get(f"replay?limit=9&cursor={back['previous']}").json
    assert [frame["action"] for frame in backwards["frames"]][-3:] == [7, "9.1", "10.1"]


def test_going_back_to_an_inserted_action(mended: HttpTable) -> None:
    correct(mended, {"op": "rewind", "to": "9.2"})
    assert history(mended) == [7, "9.1"]
    assert money(mended) == money(mended, "?at=9.1")


def test_an_inserted_action_is_disputed_and_ruled_on(mended: HttpTable) -> None:
    opened = mended.ana.post("disputes", {"claim": "I gave Bob nothing", "actions": ["9.1", 8]})
    assert opened.status_code == 201, opened.text
    assert opened.json["events"][0]["text"] == "Ana opens dispute 10 on 9.1, 8: I gave Bob nothing"
    assert mended.bob.get("disputes/10").json["dispute"]["actions"] == ["9.1", 8]
    remedy = {"op": "correct", "edits": [{"op": "drop", "action": "9.1"}], "cascade": "restate"}
    given = {"finding": "She gave nothing", "actions": ["9.1"], "remedies": [remedy]}
    assert mended.banker.post("disputes/10/rulings", given).status_code == 201
    line = next(one for one in mended.bob.get("audit").json["lines"] if one["action"] == "9.1")
    assert [one["dispute"] for one in line["touched_by"]["disputes"]] == ["10"]
    assert [one["ruling"] for one in line["touched_by"]["rulings"]] == ["11"]
    assert mended.bob.get("rulings").json["rulings"][0]["actions"] == ["9.1"]
    missing = mended.ana.post("disputes", {"claim": "And this", "actions": ["9.7"]})
    refused = problem(missing, 422, "invalid-parameters")
    assert refused["detail"] == "there is no action 9.7; the last one is 11"


@pytest.mark.parametrize("name", ["9", "9.", ".1", "9.0", "0.1", "9.1.1", "x", ""])
def test_what_is_not_the_name_of_an_action(mended: HttpTable, name: str) -> None:
    """A number of the journal is an integer of JSON, an inserted action a text like "9.1"."""
    wanted = {"edits": [{"op": "drop", "action": name}], "reason": FORGOTTEN}
    refused = problem(mended.banker.post("corrections", wanted), 422, "invalid-request")
    assert refused["errors"][0]["pointer"] == "/edits/0/action"


def test_the_preview_names_the_inserted_action_that_another_one_follows(mended: HttpTable) -> None:
    edits = [{"op": "insert", "after": "9.1", "action": gift("ana", "bob", 1)}]
    dry = mended.banker.post("corrections", {"edits": edits, "reason": FORGOTTEN, "dry_run": True}).json
    assert [(one["action"], one["after"]) for one in dry["inserted"]] == [("10.1", "9.1")]
