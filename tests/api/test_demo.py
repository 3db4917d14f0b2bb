"""The demo over the API: everybody takes a seat of its games, and of no other game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.rest.application import Config, create_app
from ledger.service import Ledger
from tests.tables.ledgers import Clock
from tests.tables.over_http import BASE, HttpTable, problem

YEAR = 365 * 24 * 60 * 60


@pytest.fixture(scope="module")
def app(ledger: Ledger) -> Flask:
    """A service with a demo, which is laid."""
    app = create_app(ledger, Config(demo=True))
    assert app.test_client().post(f"{BASE}/demo", json={}).status_code == 200
    return app


def games(client: FlaskClient) -> dict[str, str]:
    return {game["name"]: game["game"] for game in client.get(f"{BASE}/demo").json["games"]}


def take(client: FlaskClient, name: str, role: str, **seat: str) -> TestResponse:
    return client.post(f"{BASE}/demo/seats", json={"name": name, "role": role, **seat})


def read(client: FlaskClient, taken: TestResponse, path: str = "state") -> Any:
    answer = client.get(
        f"{BASE}/games/{taken.json['game']}/{path}", headers={"Authorization": f"Bearer {taken.json['token']}"}
    )
    assert answer.status_code == 200, answer.text
    return answer.json


def test_an_evening_is_under_way_and_one_is_finished(client: FlaskClient) -> None:
    demo = client.get(f"{BASE}/demo")
    assert demo.headers["Cache-Control"] == "no-store"
    assert [game["name"] for game in demo.json["games"]] == ["evening", "finished"]
    assert demo.json["again"] is True
    evening = read(client, take(client, "evening", "banker"))
    assert (evening["status"], evening["round"]) == ("play", 9)
    awaited = {(one["seat"], *one["moves"]) for one in evening["awaited"]}
    assert awaited == {
        ("driss", "resolve_square"),
        ("chloe", "agree_deal:175", "withdraw_deal:175"),
        ("banker", "rule:180"),
    }
    assert read(client, take(client, "finished", "spectator"))["status"] == "ended"


def test_bruno_is_right(client: FlaskClient) -> None:
    """His prepared correction can be accepted as it is: Chloé owes him the rent that Ana had less of."""
    banker = take(client, "evening", "banker")
    (dispute,) = read(client, banker, "disputes")["disputes"]
    prepared = read(client, banker, f"disputes/{dispute['id']}")["prepared"]
    assert prepared["refusal"] is None
    holdings = prepared["preview"]["holdings"]
    changes = {account: of["NGD"]["after"] - of["NGD"]["before"] for account, of in holdings.items()}
    assert changes == {"player:chloe": -166, "player:bruno": 180, "player:ana": -14}


def test_everybody_takes_a_seat_as_often_as_they_like(client: FlaskClient) -> None:
    """Each gets a token of their own, and earlier ones stay in force."""
    taken = [take(client, "evening", "player", seat="ana") for _ in range(3)]
    assert [one.status_code for one in taken] == [201, 201, 201]
    assert len({one.json["token"] for one in taken}) == 3
    assert {(one.json["role"], one.json["seat"], one.json["name"]) for one in taken} == {("player", "ana", "Ana")}
    for one in taken:
        assert read(client, one)["round"] == 9


@pytest.mark.parametrize(
    "wanted",
    [
        {"name": "evening", "role": "player"},
        {"name": "evening", "role": "player", "seat": "zoe"},
        {"name": "evening", "role": "banker", "seat": "ana"},
        {"name": "another", "role": "banker"},
        {"name": "evening", "role": "host"},
        {"game": "x", "role": "banker"},
    ],
)
def test_there_is_no_such_seat(client: FlaskClient, wanted: dict[str, str]) -> None:
    assert client.post(f"{BASE}/demo/seats", json=wanted).status_code == 422


def test_it_is_playable_after_a_year(client: FlaskClient, clock: Clock) -> None:
    """No clock runs out while nobody plays."""
    banker = take(client, "evening", "banker")
    before = read(client, banker)
    clock.pass_by(YEAR)
    assert read(client, take(client, "evening", "banker"))["awaited"] == before["awaited"]
    resolved = client.post(
        f"{BASE}/games/{banker.json['game']}/actions",
        json={"kind": "resolve_square", "seat": "driss", "dry_run": True},
        headers={"Authorization": f"Bearer {banker.json['token']}"},
    )
    assert resolved.json["sentence"].startswith("Driss pays Ana ₦22 of rent")


def test_the_evening_begins_again(client: FlaskClient) -> None:
    """Once, however many ask for it at the same time. Who played in the other one plays on."""
    first = take(client, "evening", "banker")
    old = games(client)["evening"]

    def again(_: int) -> Any:
        return client.application.test_client().post(f"{BASE}/demo", json={"again": old}).json["games"]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(again, range(4)))
    new = games(client)
    assert new["evening"] not in (old, new["finished"])
    assert {game["game"] for game in answers[0]} == set(new.values())
    assert client.post(f"{BASE}/demo", json={"again": old}).json["games"][0]["game"] == new["evening"]
    assert read(client, first)["round"] == 9
    assert read(client, take(client, "evening", "banker"))["version"] == 182


def test_each_language_has_its_steps(client: FlaskClient) -> None:
    told = {
        language: client.get(f"{BASE}/demo", headers={"Accept-Language": language}).json["steps"]
        for language in ("en", "fr")
    }
    for screen, seat, count in (("desk", None, 6), ("phone", "ana", 3), ("phone", "chloe", 3), ("wall", None, 1)):
        for steps in told.values():
            mine = [
                step for step in steps if step["screen"] == screen and seat in (None, *(step["seats"] or [seat]))
            ]
            assert len(mine) == count
    assert not {step["ask"] for step in told["en"]} & {step["ask"] for step in told["fr"]}
    assert "negopoly" not in str(told)


def test_another_game_gives_no_seats(table: HttpTable) -> None:
    """Neither by its id, nor because it continues the demo."""
    named = table.client.post(f"{BASE}/demo/seats", json={"name": table.game, "role": "banker"})
    assert problem(named, 422, "invalid-request")
    banker = take(table.client, "evening", "banker").json
    origin = {"game": banker["game"], "action": 100, "token": banker["token"]}
    forked = table.client.post(f"{BASE}/games", json={"from": origin}).json["game"]
    assert forked not in games(table.client).values()


def test_a_service_without_a_demo_has_nothing_here(new_app: Callable[..., Flask]) -> None:
    client = new_app().test_client()
    assert client.get(f"{BASE}/demo").json == {"games": [], "steps": [], "again": False}
    for path, body in (("demo", {}), ("demo/seats", {"name": "evening", "role": "banker"})):
        assert client.post(f"{BASE}/{path}", json=body).status_code == 404


def test_where_creating_games_needs_a_key_so_does_laying_the_demo(new_app: Callable[..., Flask]) -> None:
    """Its seats are everybody's all the same."""
    client = new_app(demo=True, creation_key="the key of the house").test_client()
    evening = games(client)["evening"]
    assert client.post(f"{BASE}/demo", json={"again": evening}).status_code == 401
    assert client.get(f"{BASE}/demo").json["again"] is False
    assert take(client, "evening", "banker").status_code == 201
    key = {"Authorization": "Bearer the key of the house"}
    assert client.post(f"{BASE}/demo", json={}, headers=key).status_code == 200
