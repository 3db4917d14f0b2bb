"""Disputes over HTTP: opening, statements, rulings, and precedents of other games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.games.games import UnknownRulebook
from ledger.kernel.facts import texts
from ledger.kernel.facts.audience import BANKER
from ledger.service import Command, Ledger
from ledger.store.database.errors import StoreUnavailable
from tests.harness.figures import figures
from tests.tables.over_http import BASE, Caller, HttpTable, problem, version_of

SECRET = 1234
CLAIM = "The rent was taken on a squatted square"


@pytest.fixture
def three(client: FlaskClient) -> HttpTable:
    """Ana, Bob and Cid have started (version 8); Ana has given Bob 1234 ₦ (9), which only the two know of."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("transfer_money", to="bob", amount=SECRET)
    return table


@pytest.fixture
def disputed(started: HttpTable) -> HttpTable:
    """Ana has rolled (7); Bob contests it in dispute 8, which everybody may read."""
    started.ana.play("roll_dice", dice=[1, 2])
    answer = started.bob.post("disputes", {"claim": CLAIM, "actions": [7], "rules": ["II.B.4"]})
    assert answer.status_code == 201, answer.text
    return started


def rulings(caller: Caller, query: str = "", **headers: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.get(f"{BASE}/rulings{query}", **headers).json["rulings"]
    return found


# Opening a dispute ----------------------------------------------------------------------------------


@pytest.mark.rule("P.2")
def test_a_dispute_is_opened_and_suspends_nothing(disputed: HttpTable) -> None:
    answer = disputed.spectator.get("disputes/8")
    assert version_of(answer) == 8
    assert answer.json["dispute"] == {
        "id": "8",
        "status": "open",
        "opener": "bob",
        "opened_at": "2026-11-20T20:00:00Z",
        "actions": [7],
        "claim": CLAIM,
        "rules": ["II.B.4"],
        "edits": [],
        "corrected": [],
        "parties": None,
        "statements": [],
        "ruling": None,
    }
    assert disputed.ana.act("buy_property", params={"title": "black_arretxea"}).status_code == 201


def test_the_entry_is_answered_and_located(started: HttpTable) -> None:
    answer = started.ana.post("disputes", {"claim": CLAIM})
    assert (answer.json["kind"], answer.json["number"]) == ("open_dispute", 7)
    assert answer.headers["Location"] == f"{BASE}/games/{started.game}/disputes/7"
    assert started.ana.get(answer.headers["Location"]).status_code == 200


def test_the_parties_speak(disputed: HttpTable) -> None:
    assert disputed.ana.post("disputes/8/statements", {"text": "It was in order"}).status_code == 201
    assert disputed.banker.post("disputes/8/statements", {"text": "I am looking"}).status_code == 201
    spoken = disputed.banker.post("disputes/8/statements", {"text": "He is sure", "seat": "bob"})
    assert spoken.status_code == 201
    said = disputed.bob.get("disputes/8").json["dispute"]["statements"]
    assert [(one["by"], one["text"]) for one in said] == [
        ("ana", "It was in order"),
        ("banker", "I am looking"),
        ("bob", "He is sure"),
    ]


def test_only_its_opener_withdraws_a_dispute(disputed: HttpTable) -> None:
    refused = problem(disputed.ana.post("disputes/8/withdrawal", {}), 409, "rule-broken")
    assert refused["rule"] == "P.2"
    assert disputed.bob.post("disputes/8/withdrawal", {}).status_code == 201
    assert disputed.ana.get("disputes/8").json["dispute"]["status"] == "withdrawn"
    problem(disputed.bob.post("disputes/8/statements", {"text": "And yet"}), 409, "rule-broken")


def test_the_bankers_queue(disputed: HttpTable) -> None:
    for caller in (disputed.ana, disputed.bob):
        caller.post("disputes", {"claim": "Too slow"})
    disputed.bob.post("disputes/10/withdrawal", {})
    disputed.banker.post("disputes/8/rulings", {"finding": "In order", "remedies": [{"op": "dismiss"}]})

    def ids(status: str) -> list[str]:
        return [row["id"] for row in disputed.banker.get(f"disputes?status={status}").json["disputes"]]

    assert ids("open") == ["9"]
    assert ids("withdrawn") == ["10"]
    assert ids("ruled") == ["8"]
    assert ids("all") == ["8", "9", "10"]
    problem(disputed.banker.get("disputes?status=lost"), 422, "invalid-request")


# Ruling ---------------------------------------------------------------------------------------------


def test_a_ruling_ends_the_dispute(disputed: HttpTable) -> None:
    fine = {"op": "fine", "seat": "ana", "amount": 30}
    asked = {"finding": "The roll was hidden", "rules": ["II.B.4"], "remedies": [fine]}
    dry = disputed.banker.post("disputes/8/rulings", {**asked, "dry_run": True})
    assert dry.status_code == 200
    assert dry.json["correction"] is None
    assert dry.json["entry"]["balances"]["player:ana"]["NGD"] == 1620
    assert disputed.version == 8
    answer = disputed.banker.post("disputes/8/rulings", asked)
    assert (answer.status_code, answer.json["number"]) == (201, 9)
    dispute = disputed.ana.get("disputes/8").json["dispute"]
    assert (dispute["status"], dispute["ruling"]) == ("ruled", "9")
    assert disputed.ana.get("accounts/player:ana").json["holdings"]["NGD"] == 1620
    problem(disputed.banker.post("disputes/8/rulings", asked), 409, "rule-broken")


def test_a_ruling_that_corrects_shows_what_it_comes_to(disputed: HttpTable) -> None:
    """The roll is dropped; the purchase that followed would be voided."""
    disputed.ana.play("buy_property", title="black_arretxea")
    correct = {"op": "correct", "edits": [{"op": "drop", "action": 7}]}
    asked = {"finding": "The roll does not count", "remedies": [correct]}
    spread = problem(disputed.banker.post("disputes/8/rulings", asked), 409, "would-spread")
    assert [one["number"] for one in spread["preview"]["voided"]] == [9]
    correct["cascade"] = "restate"
    dry = disputed.banker.post("disputes/8/rulings", {**asked, "dry_run": True}).json
    assert dry["correction"] == spread["preview"]
    assert dry["correction"]["holdings"]["player:ana"]["NGD"] == {"before": 1590, "after": 1650}
    assert dry["entry"]["kind"] == "rule"
    assert disputed.banker.post("disputes/8/rulings", asked).status_code == 201
    shown = disputed.ana.get("actions/9").json
    assert (shown["status"], shown["corrected_by"]) == ("voided", 10)


def test_a_ruling_on_the_bankers_own_motion(disputed: HttpTable) -> None:
    asked = {"finding": "Too much noise", "remedies": [{"op": "fine", "seat": "bob", "amount": 5}]}
    dry = disputed.banker.post("rulings", {**asked, "dry_run": True})
    assert (dry.status_code, dry.json["entry"]["number"]) == (200, 9)
    assert disputed.banker.post("rulings", asked).status_code == 201
    (found,) = disputed.ana.get("rulings").json["rulings"]
    assert (found["ruling"], found["dispute"], found["finding"]) == ("9", None, "Too much noise")
    assert (found["remedies"], found["status"]) == (["fine"], "standing")


def test_an_overturned_ruling_stays_visible(disputed: HttpTable) -> None:
    fine = {"op": "fine", "seat": "ana", "amount": 30}
    disputed.banker.post("disputes/8/rulings", {"finding": "Hidden", "remedies": [fine]})
    assert disputed.banker.post("undo", {"action": 9, "reason": "new evidence"}).status_code == 201
    (found,) = disputed.ana.get("rulings").json["rulings"]
    assert (found["status"], found["overturned_by"]) == ("overturned", 10)
    assert disputed.ana.get("disputes/8").json["dispute"]["status"] == "open"
    assert disputed.banker.post("redo", {"action": 9, "reason": "no, it was forged"}).status_code == 201
    assert disputed.ana.get("rulings").json["rulings"][0]["status"] == "standing"


# Privacy --------------------------------------------------------------------------------------------


@pytest.mark.rule("I.C.5")
def test_a_private_dispute_is_its_parties_affair(three: HttpTable) -> None:
    cid = three.cid
    refused = problem(cid.post("disputes", {"claim": "Too generous", "actions": [9]}), 409, "rule-broken")
    assert refused["rule"] == "I.C.5"
    asked = {"claim": f"It was {SECRET} too much", "actions": [9]}
    assert three.ana.post("disputes", asked).status_code == 201
    three.bob.post("disputes/10/statements", {"text": f"{SECRET} is what she owed"})
    assert three.bob.get("disputes/10").json["dispute"]["parties"] == ["ana", "bob"]
    three.banker.post("disputes/10/rulings", {"finding": f"{SECRET} it is", "remedies": [{"op": "dismiss"}]})
    for insider in (three.ana, three.bob, three.banker):
        assert insider.get("disputes/10").status_code == 200
        assert len(insider.get("rulings").json["rulings"]) == len(rulings(insider)) == 1
    for outsider in (cid, three.spectator):
        hidden = problem(outsider.get("disputes/10"), 404, "not-found")
        missing = problem(outsider.get("disputes/99"), 404, "not-found")
        assert hidden["detail"].replace("10", "99") == missing["detail"]
        for path in ("disputes", "rulings", f"{BASE}/rulings", "actions/10", "actions/11", "actions/12", "state"):
            answer = outsider.get(path)
            assert answer.status_code == 200
            assert SECRET not in figures(answer.text), path
        assert rulings(outsider, f"?words={SECRET}") == []
    for act, body in (("statements", {"text": "x"}), ("withdrawal", {}), ("rulings", {"finding": "x"})):
        problem(cid.post(f"disputes/10/{act}", body), 404, "not-found")


def test_who_may_do_what(disputed: HttpTable) -> None:
    for caller in (disputed.ana, disputed.spectator):
        problem(caller.post("disputes/8/rulings", {"finding": "x"}), 403, "not-yours")
        problem(caller.post("rulings", {"finding": "x"}), 403, "not-yours")
    problem(disputed.spectator.post("disputes", {"claim": "x"}), 403, "not-yours")
    problem(disputed.spectator.post("disputes/8/statements", {"text": "x"}), 403, "not-yours")
    problem(disputed.ana.post("disputes", {"claim": "x", "seat": "bob"}), 403, "not-yours")
    problem(disputed.stranger.get("disputes"), 401, "token-missing")
    assert disputed.version == 8


# Headers and permissions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "other"),
    [
        ("disputes", {"claim": "again"}, {"claim": "anew"}),
        ("disputes/8/statements", {"text": "again"}, {"text": "anew"}),
        ("disputes/8/rulings", {"finding": "again"}, {"finding": "anew"}),
        ("rulings", {"finding": "again"}, {"finding": "anew"}),
        ("disputes/8/withdrawal", {"seat": "bob"}, {}),
    ],
)
def test_every_writing_is_safe_to_repeat_and_heeds_the_version(
    disputed: HttpTable, path: str, body: dict[str, Any], other: dict[str, Any]
) -> None:
    if path == "disputes":
        body, other = {**body, "seat": "ana"}, {**other, "seat": "ana"}
    problem(disputed.banker.post(path, body, If_Match='"7"'), 412, "stale-version")
    dry = disputed.banker.post(path, {**body, "dry_run": True})
    assert (dry.status_code, disputed.version) == (200, 8)
    first = disputed.banker.post(path, body, Idempotency_Key="k", If_Match='"8"')
    again = disputed.banker.post(path, body, Idempotency_Key="k", If_Match='"8"')
    assert (first.status_code, again.status_code) == (201, 200), first.text
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == first.json
    assert disputed.version == 9
    problem(disputed.banker.post(path, other, Idempotency_Key="k"), 422, "key-reused")


@pytest.mark.parametrize(
    ("path", "body", "kind", "pointer"),
    [
        ("disputes", {"actions": [7]}, "invalid-request", "/claim"),
        ("disputes", {"claim": "x", "actions": ["7"]}, "invalid-request", "/actions/0"),
        ("disputes/8/statements", {"text": ""}, "invalid-request", "/text"),
        ("disputes/8/withdrawal", {"why": "x"}, "invalid-request", "/why"),
        ("rulings", {"finding": "x", "remedies": [{"op": "beg"}]}, "invalid-parameters", "/remedies/0/op"),
        (
            "disputes/8/rulings",
            {"finding": "x", "remedies": [{"op": "fine", "seat": "ana", "amount": 0}]},
            "invalid-parameters",
            "/remedies/0/amount",
        ),
    ],
)
def test_what_is_misshapen_is_told_where(
    disputed: HttpTable, path: str, body: dict[str, Any], kind: str, pointer: str
) -> None:
    found = problem(disputed.banker.post(path, body), 422, kind)
    assert [row["pointer"] for row in found["errors"]] == [pointer]
    assert disputed.version == 8


def test_a_ruling_cannot_correct_with_misshapen_parameters(disputed: HttpTable) -> None:
    """The fault is in the action to insert, not in the ruling's own parameters."""
    action = {"kind": "transfer_money", "params": {"to": "ana", "amount": 0}, "seat": "bob"}
    correct = {"op": "correct", "edits": [{"op": "insert", "after": 7, "action": action}]}
    for path, body in (
        ("rulings", {"finding": "x", "remedies": [correct]}),
        ("actions", {"kind": "correct", "params": {"edits": correct["edits"], "reason": "x"}}),
    ):
        found = problem(disputed.banker.post(path, body), 422, "invalid-parameters")
        assert "transfer_money" in found["detail"]
        assert "errors" not in found
    assert disputed.version == 8


def test_what_is_not_there(disputed: HttpTable) -> None:
    for act, body in (("statements", {"text": "x"}), ("withdrawal", {}), ("rulings", {"finding": "x"})):
        problem(disputed.banker.post(f"disputes/99/{act}", body), 404, "not-found")
    for wrong in ({"actions": [99]}, {"rules": ["Z.9"]}):
        found = problem(disputed.bob.post("disputes", {"claim": "x", **wrong}), 422, "invalid-parameters")
        assert str(next(iter(wrong.values()))[0]) in found["detail"]


# Precedents -----------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(client: FlaskClient) -> HttpTable:
    """Another table with two rulings: one applies VI.F.2, the other waives I.B.6."""
    table = HttpTable.created(client).start()
    given = [
        {"finding": "Doses hidden in the hat count as held", "rules": ["VI.F.2"]},
        {"finding": "The gift stands though it was not covered", "waives": ["I.B.6"]},
    ]
    for ruling in given:
        assert table.banker.post("rulings", ruling).status_code == 201
    return table


def test_precedents_are_those_of_the_own_game_and_the_published_ones(
    elsewhere: HttpTable, disputed: HttpTable
) -> None:
    disputed.banker.post("rulings", {"finding": "Ours"})
    assert [one["finding"] for one in rulings(disputed.ana) if one["game"] == disputed.game] == ["Ours"]
    assert elsewhere.game not in {one["game"] for one in rulings(disputed.ana)}
    elsewhere.banker.play("publish_rulings", published=True)
    found = [one for one in rulings(disputed.ana) if one["game"] == elsewhere.game]
    assert [one["rules"] for one in found][1:] == [["VI.F.2"]]
    assert {one["rulebook"] for one in found} == {"negopoly"}
    problem(disputed.ana.get(f"{BASE}/games/{elsewhere.game}/rulings"), 403, "foreign-token")
    elsewhere.banker.play("publish_rulings", published=False)
    assert elsewhere.game not in {one["game"] for one in rulings(disputed.ana)}
    # Undoing the withdrawal publishes them again.
    elsewhere.banker.post("undo", {"action": elsewhere.version, "reason": "a slip"})
    assert elsewhere.game in {one["game"] for one in rulings(disputed.ana)}


def test_precedents_by_rule_and_words(elsewhere: HttpTable) -> None:
    def numbers(query: str) -> list[int]:
        return [one["number"] for one in rulings(elsewhere.ana, query) if one["game"] == elsewhere.game]

    assert numbers("") == [8, 7]
    assert numbers("?rule=VI.F.2") == [7]
    assert numbers("?rule=I.B.6") == [8]
    assert numbers("?rule=VI.F") == []
    assert numbers("?words=HAT%20doses") == [7]
    assert numbers("?words=hat%20gift") == []
    assert numbers("?words=100%25") == []
    assert numbers("?rulebook=negopoly&words=the") == [8, 7]
    assert numbers("?rulebook=chess") == []
    assert [one["number"] for one in elsewhere.ana.get("rulings?rule=I.B.6").json["rulings"]] == [8]


def test_a_ruling_of_an_earlier_version_hides_no_precedents(
    elsewhere: HttpTable, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier versions took a finding with NUL, which is still found. A rulebook may be missing, too."""
    with monkeypatch.context() as earlier:
        earlier.setattr(texts, "encoded", msgspec.json.encode)
        given = Command(kind="rule", params={"finding": "an old\0 one", "rules": ["VI.F.2"]})
        old = ledger.perform(elsewhere.game, BANKER, given).entry.number
    found = rulings(elsewhere.ana, "?rule=VI.F.2")
    assert [(one["number"], one["finding"]) for one in found if one["game"] == elsewhere.game] == [
        (old, "an old\0 one"),
        (7, "Doses hidden in the hat count as held"),
    ]
    assert [one["number"] for one in rulings(elsewhere.ana, "?words=hat") if one["game"] == elsewhere.game] == [7]


def test_precedents_of_a_rulebook_that_is_missing_are_left_out(
    elsewhere: HttpTable, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    unknown = HttpTable.created(elsewhere.client).start()
    unknown.banker.play("publish_rulings", published=True)
    number = unknown.banker.post("rulings", {"finding": "In a game that nobody knows here"}).json["number"]
    games = ledger.games
    opening = games.open

    def open_known(game_id: str) -> Any:
        if game_id == unknown.game:
            raise UnknownRulebook("there is no such rulebook")
        return opening(game_id)

    monkeypatch.setattr(games, "open", open_known)
    found = {(one["game"], one["number"]) for one in rulings(elsewhere.ana)}
    assert {(elsewhere.game, 7), (elsewhere.game, 8)} <= found
    assert (unknown.game, number) not in found
    assert (unknown.game, number, "UnknownRulebook") in {record.args for record in caplog.records}


def test_a_database_that_fails_is_not_a_search_without_precedents(
    elsewhere: HttpTable, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game_id: str) -> Any:
        raise StoreUnavailable("the connection broke")

    elsewhere.banker.play("publish_rulings", published=True)
    monkeypatch.setattr(ledger.games, "open", fail)
    problem(elsewhere.ana.get(f"{BASE}/rulings"), 503, "unavailable")


def test_precedents_come_a_page_at_a_time(elsewhere: HttpTable, clock: Any) -> None:
    for number in range(5):
        clock.pass_by(60)
        elsewhere.banker.post("rulings", {"finding": f"Number {number}"})
    for path in ("rulings", f"{BASE}/rulings"):
        found: list[int] = []
        cursor = ""
        while True:
            page = elsewhere.ana.get(f"{path}?limit=3{cursor}").json
            found += [one["number"] for one in page["rulings"] if one["game"] == elsewhere.game]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
        assert found == [13, 12, 11, 10, 9, 8, 7]
    problem(elsewhere.ana.get(f"{BASE}/rulings?cursor=nonsense"), 422, "bad-cursor")


def test_private_rulings_are_never_precedents(three: HttpTable, disputed: HttpTable) -> None:
    three.ana.post("disputes", {"claim": "Too much", "actions": [9]})
    three.banker.post("disputes/10/rulings", {"finding": "Just right", "remedies": [{"op": "dismiss"}]})
    three.banker.post("rulings", {"finding": "Everybody knows this"})
    three.banker.play("publish_rulings", published=True)
    found = [one["finding"] for one in rulings(disputed.banker) if one["game"] == three.game]
    assert found == ["Everybody knows this"]


def test_with_the_services_key_all_games_are_read(elsewhere: HttpTable, new_app: Callable[..., Flask]) -> None:
    with new_app(creation_key="the key").test_client() as client:
        keeper = Caller(client, elsewhere.game, "the key")
        assert len([one for one in rulings(keeper) if one["game"] == elsewhere.game]) == 2
        member = Caller(client, elsewhere.game, elsewhere.ana.token)
        assert len([one for one in rulings(member) if one["game"] == elsewhere.game]) == 2
        problem(Caller(client, elsewhere.game, None).get(f"{BASE}/rulings"), 401, "token-missing")
        problem(Caller(client, elsewhere.game, "wrong").get(f"{BASE}/rulings"), 401, "token-unknown")


def test_on_a_private_machine_anybody_reads_what_is_published(elsewhere: HttpTable) -> None:
    assert elsewhere.game not in {one["game"] for one in rulings(elsewhere.stranger)}
    elsewhere.banker.play("publish_rulings", published=True)
    assert elsewhere.game in {one["game"] for one in rulings(elsewhere.stranger)}
