"""The end of a game over HTTP: what only the end tells is in no dry run, and hidden again after its undo."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.harness.comparable import comparable
from tests.harness.secrecy import Chair, assert_alike
from tests.tables.over_http import BASE, HttpTable

Ending = Callable[[HttpTable], tuple[str, dict[str, Any]]]
"""Brings a table to where one action of Ana's ends the game, and gives that action."""


def last_turn(table: HttpTable) -> tuple[str, dict[str, Any]]:
    """The banker has declared the game too long, Bob has played, and Ana ends the last turn."""
    table.banker.play("end_game", reason="it is late")
    table.bob.play("roll_dice", dice=[1, 2])
    table.bob.play("end_turn")
    table.ana.play("roll_dice", dice=[1, 2])
    return "end_turn", {}


def game_ender(table: HttpTable) -> tuple[str, dict[str, Any]]:
    """Ana has a Satan2 in hand."""
    owed = {"from": "bank", "to": "player:ana", "commodity": "satan2", "amount": 1}
    order = [{"op": "adjust", "postings": [owed], "reason": "bought before the game was recorded"}]
    table.banker.post("rulings", {"finding": "It is hers", "remedies": order})
    table.bob.play("roll_dice", dice=[1, 2])
    table.bob.play("end_turn")
    table.ana.play("roll_dice", dice=[1, 2])
    return "use_game_ender", {"commodity": "satan2"}


def bankruptcy(table: HttpTable) -> tuple[str, dict[str, Any]]:
    """Ana owes the bank more than she has, and has nothing to sell."""
    fined = [{"op": "fine", "seat": "ana", "amount": 2000}]
    table.banker.post("rulings", {"finding": "She burned the board", "remedies": fined})
    return "declare_bankruptcy", {}


EACH = None if os.environ.get("MABLIGOP_SOAK") else 1
"""How many requests are made of every operation; all of them take minutes."""
ENDINGS: list[Ending] = [last_turn, game_ender, bankruptcy]


@pytest.fixture
def client(unlimited: FlaskClient) -> FlaskClient:
    """A client that may ask as often as it wants."""
    return unlimited


@pytest.fixture
def twins(client: FlaskClient) -> tuple[HttpTable, HttpTable]:
    """Two tables that differ in Bob's secret perk: the money at one, the doses at the other."""
    settings = {"decks": {"chance": [], "kamtar": [], "meteo": []}}
    one, other = (HttpTable.created(client, "bob", "ana", settings=settings) for _ in range(2))
    return one.start(bob="money"), other.start(bob="doses")


def told(table: HttpTable, answer: Any) -> str:
    """What an answer tells, whatever the table's own id and hashes are."""
    return comparable(answer, [(table.game, "{game}")], frozenset({"date", "content-length"}))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_dry_run_of_the_end_tells_what_every_dry_run_tells(
    twins: tuple[HttpTable, HttpTable], ending: Ending
) -> None:
    """Ana asks what her last action would do: she learns neither what Bob holds, nor who would win by it."""
    asked = [(table, *ending(table)) for table in twins]
    answers = [table.ana.act(kind, params=params, dry_run=True) for table, kind, params in asked]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert told(twins[0], answers[0]) == told(twins[1], answers[1])
    (foretold,) = (event for event in answers[0].json["events"] if event["kind"] == "game_ended")
    assert (foretold["data"]["winners"], foretold["data"]["statements"]) == ([], [])
    table, kind, params = asked[0]
    (ended,) = (event for event in table.ana.play(kind, **params)["events"] if event["kind"] == "game_ended")
    assert {one["seat"] for one in ended["data"]["statements"]} >= {"bob"}
    assert ended["data"]["winners"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_end_that_is_undone_is_hidden_again(twins: tuple[HttpTable, HttpTable], ending: Ending) -> None:
    """The banker undoes the end: every reading, of every moment, tells both tables' Anas the same again."""
    for table in twins:
        kind, params = ending(table)
        number = table.ana.play(kind, **params)["number"]
        assert table.ana.get(f"actions/{number}").json["events"][-1]["data"]["statements"]
        undone = table.banker.post("undo", {"action": number, "reason": "a slip"})
        assert undone.status_code == 201, undone.text
        shown = table.ana.get(f"actions/{number}").json["events"]
        assert [one["data"]["statements"] for one in shown if one["kind"] == "game_ended"] == [[]]
        assert table.banker.get(f"actions/{number}").json["events"][-1]["data"]["statements"]
    one, other = (
        Chair(table.client, table.game, table.tokens["players"]["ana"], table.tokens["banker"]) for table in twins
    )
    assert_alike(one, other, each=EACH, chance=Random(ending.__name__))


def test_a_table_may_keep_its_end_closed(client: FlaskClient) -> None:
    """Who wins and what each is worth is told; who held what is not, and no player goes on from the game."""
    settings = {"decks": {"chance": [], "kamtar": [], "meteo": []}, "reveal_at_end": False}
    twins = [HttpTable.created(client, "bob", "ana", settings=settings) for _ in range(2)]
    for table, perk in zip(twins, ("money", "doses"), strict=True):
        kind, params = last_turn(table.start(bob=perk))
        table.ana.play(kind, **params)
    one, other = (
        Chair(table.client, table.game, table.tokens["players"]["ana"], table.tokens["banker"]) for table in twins
    )
    assert_alike(one, other, each=EACH, chance=Random("a closed end"))
    shown = one.ask("GET", f"{BASE}/games/{one.game}/state").json
    assert shown["table"]["winners"] == ["bob", "ana"]
    assert [(line["total"], line["assets"]) for line in shown["table"]["statements"]] == [(1650, []), (1650, [])]
    assert "player:bob" not in shown["accounts"]
    report = one.ask("GET", f"{BASE}/games/{one.game}/export?format=html")
    assert (report.status_code, "Bob" in report.text) == (200, True)
    assert one.ask("GET", f"{BASE}/games/{one.game}/statistics").json["winners"] == ["bob", "ana"]
    for token, status in ((one.token, 403), (one.banker, 201)):
        content = {"from": {"game": one.game, "action": 6, "token": token}}
        answer = client.post(f"{BASE}/games", json=content)
        assert answer.status_code == status, answer.text
