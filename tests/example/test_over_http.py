"""Both editions of the town in one service; the service has no code for this game."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays.journal_file import JournalFile
from tests.example.town import RULEBOOKS
from tests.tables.over_http import BASE, Caller, HttpTable, problem

OWN = [
    {"id": "gate", "name": "The Gate"},
    {"id": "short_street", "name": "Short Street", "group": "all", "price": 10, "rent": 3},
    {"id": "long_street", "name": "Long Street", "group": "all", "price": 15, "rent": 5},
    {"id": "yard", "name": "The Yard"},
]
"""A board that a table brings."""


@pytest.fixture
def table(client: FlaskClient) -> HttpTable:
    """Ana and Bob in the quiet town."""
    return HttpTable.created(client, rulebook="town_quiet", settings={})


def test_both_editions_are_served(client: FlaskClient) -> None:
    listed = {one["id"]: one for one in client.get(f"{BASE}/rulebooks").json["rulebooks"]}
    assert listed.keys() == {"town_quiet", "town_harbour", "bazaar"}
    for name, first in (("town_quiet", "Green"), ("town_harbour", "The Pier")):
        described = client.get(f"{BASE}/rulebooks/{name}").json
        assert described["board"]["places"][0]["name"] == described["squares"][0]["name"] == first
        assert described["board"]["sides"] == [3, 3, 3, 3]
        actions = client.get(f"{BASE}/rulebooks/{name}/actions").json
        assert "buy_street" in str(actions)
    assert client.get("/openapi.json").status_code == 200


def test_a_game_of_each_is_played_corrected_and_disputed(client: FlaskClient) -> None:
    for name, roll, rule in (("town_quiet", [1], "q.4"), ("town_harbour", [1, 1], "harbour:dues")):
        table = HttpTable.created(client, rulebook=name, settings={})
        table.ana.play("roll", dice=roll)
        assert {move["kind"] for move in table.ana.get("moves").json["moves"]} >= {"buy_street", "end_turn"}
        table.ana.play("buy_street")
        table.ana.play("end_turn")
        paid = table.bob.play("roll", dice=roll)
        assert [event["rule"] for event in paid["events"]][-1] == rule
        refused = problem(table.ana.act("roll", params={"dice": roll}), 409, "rule-broken")
        assert refused["rule"] != rule
        table.bob.play("open_dispute", claim="That was no 1", actions=[paid["number"]])
        edits = [{"op": "drop", "action": paid["number"]}]
        content = {"edits": edits, "cascade": "restate", "reason": "not thrown yet"}
        assert table.banker.post("corrections", content).status_code == 201
        state = table.spectator.get("state").json
        assert state["table"]["turn"] == "bob"
        assert table.ana.get("agreements").json["agreements"] == [], "the town knows none"
        index = table.ana.get("replay/index").json
        assert (len(index["lines"]), len(index["corrections"])) == (index["version"], 1)
        later = table.ana.get("actions/2/touches").json["later"]
        assert [(one["action"], one["because"]) for one in later] == [(3, "turn"), (4, "turn")]
        money = {"town_quiet": "SHELL", "town_harbour": "DUCAT"}[name]
        assert state["accounts"]["player:bob"] == {money: {"town_quiet": 100, "town_harbour": 1500}[name]}


def test_it_is_forked_and_replayed(table: HttpTable) -> None:
    table.ana.play("roll", dice=[1])
    table.ana.play("buy_street")
    origin = {"game": table.game, "action": 2, "token": table.tokens["banker"]}
    answer = table.stranger.post(f"{BASE}/games", {"from": origin})
    assert answer.status_code == 201, answer.text
    other = HttpTable(table.client, answer.json["game"], answer.json["tokens"])
    other.ana.play("end_turn")
    assert other.banker.get("state").json["table"]["turn"] == "bob"
    frames = table.banker.get("replay").json["frames"]
    assert frames[-1]["corrected"]["positions"] == {"ana": 1, "bob": 0}


def journal(table: HttpTable, folder: Path) -> JournalFile:
    """The journal of a game, exported as a file."""
    answer = table.banker.get("export?format=jsonl")
    assert answer.status_code == 200
    file = folder / "town.jsonl"
    file.write_bytes(answer.data)
    return JournalFile(file)


def elsewhere(url: str) -> Ledger:
    """Another service, on another database."""
    return Ledger(Store(connect(url)), {rulebook.id: rulebook for rulebook in RULEBOOKS})


# A board of the table's own -------------------------------------------------------------------------


@pytest.fixture
def own(client: FlaskClient) -> HttpTable:
    """Ana and Bob in a town of their own, by the rules of the harbour."""
    settings: dict[str, Any] = {"own": {"squares": OWN}, "dice": 1}
    return HttpTable.created(client, rulebook="town_harbour", settings=settings)


def test_a_table_plays_on_its_own_board(own: HttpTable) -> None:
    own.ana.play("roll", dice=[1])
    bought = own.ana.play("buy_street")
    assert bought["events"][0]["text"] == "Short Street is now Ana's, for 10 DUCAT."
    assert bought["events"][0]["rule"] == "harbour:deed"
    own.ana.play("end_turn")
    assert own.bob.play("roll", dice=[5])["events"][0]["data"]["square"] == 1


def test_its_journal_stands_by_itself(own: HttpTable, tmp_path: Path, new_database: Any) -> None:
    """The journal contains the board: another service and a fork continue the game."""
    own.ana.play("roll", dice=[2])
    file = journal(own, tmp_path)
    there = elsewhere(new_database())
    tokens = there.importing.import_game(file.header.exported_game, file.entries).tokens
    with create_app(there, Config()).test_client() as client:
        banker = Caller(client, own.game, tokens.banker)
        banker.play("buy_street", seat="ana")
        assert banker.get("state").json["accounts"]["player:ana"]["title:long_street"] == 1
    origin = {"game": own.game, "action": 1, "token": own.tokens["banker"]}
    forked = own.stranger.post(f"{BASE}/games", {"from": origin}).json
    other = HttpTable(own.client, forked["game"], forked["tokens"])
    assert other.ana.play("roll", dice=[1])["events"][0]["text"].endswith("reaches Short Street.")


@pytest.mark.parametrize(
    ("squares", "wrong"),
    [
        ([*OWN[:3], OWN[0]], "two squares have the same id"),
        (OWN[:3], "at least 4 items"),
        ([*OWN, {"id": "x", "name": "X", "price": -1}], "at least 0 (got -1)"),
        ([*OWN, {"id": "x", "name": "X", "colour": "red"}], "colour"),
    ],
)
def test_a_board_that_cannot_be_played_on_is_refused(
    client: FlaskClient, squares: list[dict[str, Any]], wrong: str
) -> None:
    content = {
        "rulebook": "town_quiet",
        "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}],
        "settings": {"own": {"squares": squares}},
        "dice": "table",
    }
    answer = client.post(f"{BASE}/games", json=content)
    assert answer.status_code in {400, 422}
    assert wrong in answer.text
    assert "/settings/own" in answer.text
