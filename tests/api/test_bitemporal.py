"""Bitemporal reading: `at` is the moment of the game, `known_at` how much of the journal is known.

A correction gives four answers: the state now, the state believed before the correction, an earlier state by
today's knowledge, and the earlier state as it was believed then.
"""

from __future__ import annotations

import pytest

from tests.api.mending import MISTAKE, drop, money, statuses
from tests.harness.figures import figures
from tests.tables.over_http import HttpTable, problem, version_of


@pytest.fixture
def corrected(gifts: HttpTable) -> HttpTable:
    """The gift of 60 (action 9) was one of 50; the correction is action 10."""
    edits = [{"op": "replace", "action": 9, "params": {"to": "bob", "amount": 50}}]
    assert gifts.banker.post("corrections", {"edits": edits, "reason": MISTAKE}).status_code == 201
    return gifts


@pytest.mark.parametrize(
    ("query", "ana"),
    [
        ("", 50),  # Now, with today's knowledge.
        ("?at=9&known_at=10", 50),  # After action 9, with today's knowledge.
        ("?at=9&known_at=9", 40),  # As it was believed then.
        ("?known_at=9", 40),
        ("?at=8&known_at=9", 100),
        ("?at=8", 100),
        ("?at=8&known_at=7", 0),  # Unknown actions have not happened.
        ("?at=10&known_at=10", 50),
    ],
)
def test_reading_at_two_times(corrected: HttpTable, query: str, ana: int) -> None:
    assert money(corrected, query)[0] == ana
    assert corrected.banker.get(f"accounts/player:ana{query}").json["holdings"].get("NGD", 0) == ana
    accounts = corrected.banker.get(f"state{query}").json["accounts"]
    assert accounts.get("player:ana", {}).get("NGD", 0) == ana
    lines = corrected.ana.get(f"accounts/player:ana/statement{query}").json["lines"]
    assert lines[-1]["balance"] == ana


@pytest.mark.parametrize(
    "resource",
    [
        "state",
        "accounts",
        "accounts/player:ana",
        "accounts/player:ana/statement",
        "actions",
        "audit",
        "why?account=player:ana&commodity=NGD",
    ],
)
@pytest.mark.parametrize("parameter", ["at", "known_at"])
@pytest.mark.parametrize("beyond", ["11", str(2**63 - 1), "11.1", "10.1"])
def test_a_moment_that_has_not_come(corrected: HttpTable, resource: str, parameter: str, beyond: str) -> None:
    """The journal ends at action 10, which inserted nothing: there is nothing beyond it to be read."""
    query = f"{resource}{'&' if '?' in resource else '?'}{parameter}={beyond}"
    refused = problem(corrected.ana.get(query), 422, "invalid-request")
    assert refused["detail"] == f"{parameter}: there is no action {beyond}; the last one is 10"
    assert refused["errors"][0]["parameter"] == parameter
    french = problem(corrected.ana.get(query, Accept_Language="fr"), 422, "invalid-request")
    assert french["detail"] == f"{parameter}\u00a0: il n'y a pas d'action {beyond}\u00a0; la dernière est la 10"


def test_the_version_read_is_told(corrected: HttpTable) -> None:
    for resource in ("accounts", "accounts/player:ana", "accounts/player:ana/statement", "state"):
        assert corrected.ana.get(resource).json["version"] == 10
        answer = corrected.ana.get(f"{resource}?at=8")
        assert answer.json["version"] == 8
        assert version_of(answer) == 10
        assert corrected.ana.get(f"{resource}?at=8", If_None_Match=answer.headers["ETag"]).status_code == 304


def test_the_journal_as_it_stood_then(corrected: HttpTable) -> None:
    assert statuses(corrected)[9] == "restated"
    assert statuses(corrected, "?known_at=9")[9] == "effective"
    assert list(statuses(corrected, "?known_at=9&order=newest")) == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert list(statuses(corrected, "?at=8&order=newest&limit=3")) == [8, 7, 6]
    assert statuses(corrected, "?at=9&known_at=10&status=restated") == {9: "restated"}
    assert statuses(corrected, "?at=8&status=restated") == {}
    first = corrected.banker.get("actions?known_at=9&order=newest&limit=4").json
    assert [entry["number"] for entry in first["actions"]] == [9, 8, 7, 6]
    second = corrected.banker.get(f"actions?known_at=9&order=newest&limit=4&cursor={first['next']}").json
    assert [entry["number"] for entry in second["actions"]] == [5, 4, 3, 2]


def test_an_account_that_only_was_believed_in(started: HttpTable) -> None:
    """A bounty that was never posted: its account exists when the belief of that time is read."""
    clauses = {"amount": 50, "conditions": "Bring Bob's hat"}
    posted = started.ana.play("post_bounty", **clauses)
    started.banker.post("corrections", {"edits": drop(posted["number"]), "reason": MISTAKE})
    account = f"accounts/escrow:bounty:{posted['number']}"
    problem(started.banker.get(account), 404, "not-found")
    assert started.banker.get(f"{account}?known_at={posted['number']}").json["holdings"] == {"NGD": 50}
    lines = started.banker.get(f"{account}/statement?known_at={posted['number']}").json["lines"]
    assert [line["amount"] for line in lines] == [50]


def test_an_account_that_was_empty_again_when_it_was_believed_in(started: HttpTable) -> None:
    """The bounty was closed, and then it turns out that it never was posted: its account was known, and empty."""
    posted = started.ana.play("post_bounty", amount=50, conditions="Bring Bob's hat")["number"]
    closed = started.banker.play("close_bounty", bounty=str(posted), reason="Bob has no hat")["number"]
    asked = {"edits": drop(posted), "cascade": "restate", "reason": MISTAKE}
    assert started.banker.post("corrections", asked).status_code == 201
    account = f"accounts/escrow:bounty:{posted}"
    problem(started.banker.get(account), 404, "not-found")
    for known_at, held in ((posted, {"NGD": 50}), (closed, {})):
        assert started.banker.get(f"{account}?known_at={known_at}").json["holdings"] == held


def test_what_was_inserted_was_not_known_before(gifts: HttpTable) -> None:
    forgotten = {"kind": "transfer_money", "params": {"to": "ana", "amount": 40}, "seat": "bob"}
    edits = [{"op": "insert", "after": 8, "action": forgotten}]
    gifts.banker.post("corrections", {"edits": edits, "reason": "it was forgotten"})

    def named(query: str) -> list[str]:
        lines = gifts.ana.get(f"accounts/player:ana/statement?{query}").json["lines"]
        return [line["action"] for line in lines if line["number"] > 6]

    assert named("at=9") == [7, 8, "10.1", 9]
    assert named("at=8") == [7, 8, "10.1"]
    assert named("at=8&known_at=9") == [7, 8]
    assert named("known_at=9") == [7, 8, 9]
    assert money(gifts, "?at=8")[0] == 140
    assert money(gifts, "?at=8&known_at=9")[0] == 100


def test_a_redo_is_known_only_once_it_is_made(gifts: HttpTable) -> None:
    """Action 9 is undone (10) and redone (11): each belief can still be read."""
    for way in ("undo", "redo"):
        assert gifts.banker.post(way, {"reason": MISTAKE}).status_code == 201
    gifts.ana.play("transfer_money", to="bob", amount=1)
    believed = {9: 40, 10: 100, 11: 40, 12: 39}
    assert {known: money(gifts, f"?known_at={known}")[0] for known in believed} == believed
    assert {known: money(gifts, f"?at=9&known_at={known}")[0] for known in believed} == {
        **believed,
        12: 40,
    }
    assert [statuses(gifts, f"?known_at={known}")[9] for known in believed] == [
        *("effective", "undone", "effective"),
        "effective",
    ]


def test_a_statement_is_paged_within_its_moment(corrected: HttpTable) -> None:
    path = "accounts/player:ana/statement?at=8&known_at=9&limit=1"
    found: list[str] = []
    cursor = ""
    while True:
        page = corrected.ana.get(path + cursor).json
        found += [line["action"] for line in page["lines"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert found[-2:] == [7, 8]
    assert 9 not in found


def test_an_earlier_belief_keeps_the_same_secrets(corrected: HttpTable) -> None:
    for query in ("?at=9", "?known_at=9", "?at=9&known_at=10"):
        for path in ("accounts", "accounts/player:ana", "state", "actions"):
            answer = corrected.spectator.get(path + query)
            assert answer.status_code == 200
            assert 1650 not in figures(answer.text), path + query
        lines = corrected.spectator.get(f"accounts/player:ana/statement{query}").json["lines"]
        assert [line["balance"] for line in lines] == [None] * len(lines)
        assert corrected.bob.get(f"accounts/player:ana{query}").json["holdings"] == {}


@pytest.mark.parametrize("name", ["at", "known_at"])
@pytest.mark.parametrize("value", ["0", "-1", "soon", "1.5", str(2**63)])
def test_a_moment_is_a_number_from_one(started: HttpTable, name: str, value: str) -> None:
    for path in ("state", "accounts", "accounts/bank", "accounts/bank/statement", "actions"):
        found = problem(started.banker.get(f"{path}?{name}={value}"), 422, "invalid-request")
        assert [row["parameter"] for row in found["errors"]] == [name]
