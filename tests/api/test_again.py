"""A table plays again: the same seats in a new order, one next game, and each device takes its own place there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.front.front import Front
from tests.api.following import Following, aside, following
from tests.tables.keys import key_of
from tests.tables.over_http import BASE, Caller, HttpTable, problem

SEATS = ("ana", "bob", "cid")


@pytest.fixture
def ended(client: FlaskClient) -> HttpTable:
    """A table of three whose game is over."""
    return over(HttpTable.created(client, *SEATS, settings={"starting_balance": 2000}))


def over(table: HttpTable) -> HttpTable:
    """Play a game to its end: all but Ana burn the board, and are bankrupt."""
    table.start()
    for seat in set(table.players) - {"ana"}:
        fine = {"op": "fine", "seat": seat, "amount": 9000}
        assert (
            table.banker.post("rulings", {"finding": "The board burned.", "remedies": [fine]}).status_code == 201
        )
        table.players[seat].play("declare_bankruptcy")
    assert table.banker.get().json["status"] == "ended"
    return table


def again(table: HttpTable, caller: Caller | None = None, **headers: str) -> Any:
    return (caller or table.banker).post(f"{BASE}/games", {"again": table.game}, **headers)


def next_table(table: HttpTable) -> HttpTable:
    answer = again(table)
    assert answer.status_code == 201, answer.text
    return HttpTable(table.client, answer.json["game"], answer.json["tokens"])


def place(table: HttpTable, caller: Caller, **headers: str) -> Caller:
    """Take the place of a caller in the next game."""
    answer = caller.post("again", **headers)
    assert answer.status_code == 201, answer.text
    return Caller(table.client, answer.json["game"], answer.json["token"])


class TestTheNextGame:
    def test_everything_but_the_order_is_as_before(self, ended: HttpTable) -> None:
        other = next_table(ended)
        before, now = (table.banker.get("state").json for table in (ended, other))
        by_seat = [{seat["seat"]: seat for seat in state["seats"]} for state in (before, now)]
        assert by_seat[0] == by_seat[1], "names, letters and colours"
        assert (now["rulebook"], now["status"]) == (before["rulebook"], "setup")
        assert now["table"]["settings"] == before["table"]["settings"]
        assert other.banker.get().json["title"] == ended.banker.get().json["title"]

    def test_the_order_is_drawn(self, ended: HttpTable) -> None:
        """Among ten evenings of three, one order ten times would be no chance (one in sixty million)."""
        orders = set()
        table = ended
        for _ in range(10):
            table = next_table(table)
            orders.add(tuple(seat["seat"] for seat in table.banker.get("state").json["seats"]))
            over(table)
        assert len(orders) > 1
        assert {frozenset(order) for order in orders} == {frozenset(SEATS)}

    def test_the_ended_game_names_it(self, ended: HttpTable) -> None:
        first = ended.ana.get("state")
        tag = first.headers["ETag"]
        assert "continued" not in first.json
        assert ended.ana.get("state", If_None_Match=tag).status_code == 304
        other = next_table(ended)
        second = ended.ana.get("state", If_None_Match=tag)
        assert second.json["continued"] == other.game
        assert first.json == {name: value for name, value in second.json.items() if name != "continued"}
        assert "continued" not in other.ana.get("state").json

    def test_an_end_that_is_taken_back_continues_nothing(self, ended: HttpTable) -> None:
        next_table(ended)
        assert ended.banker.post("undo", {"reason": "one more round"}).status_code == 201
        assert "continued" not in ended.banker.get("state").json
        assert ended.ana.post("again").status_code == 404

    def test_a_table_plays_again_once(self, ended: HttpTable) -> None:
        first = again(ended, Idempotency_Key=key_of("once"))
        repeated = again(ended, Idempotency_Key=key_of("once"))
        assert (first.status_code, repeated.status_code) == (201, 200)
        assert repeated.json == first.json
        for key in ({}, {"Idempotency_Key": key_of("twice")}):
            assert first.json["game"] in problem(again(ended, **key), 409, "game-continued")["detail"]

    def test_a_game_under_way_is_played_to_its_end(self, started: HttpTable) -> None:
        problem(again(started), 409, "game-not-over")

    def test_only_the_banker_asks(self, ended: HttpTable) -> None:
        for caller in (ended.ana, ended.spectator):
            problem(again(ended, caller), 403, "not-yours")
        problem(again(ended, ended.stranger), 401, "token-missing")
        problem(again(ended, HttpTable.created(ended.client).banker), 403, "foreign-token")

    def test_beside_the_key_of_the_service_the_token_comes_in_the_body(
        self, ended: HttpTable, new_app: Callable[..., Flask]
    ) -> None:
        client = new_app(creation_key="secret").test_client()
        content = {"again": ended.game, "token": ended.tokens["banker"]}
        keyless = {"Authorization": f"Bearer {ended.tokens['banker']}"}
        problem(client.post(f"{BASE}/games", json={"again": ended.game}, headers=keyless), 401, "token-unknown")
        answer = client.post(f"{BASE}/games", json=content, headers={"Authorization": "Bearer secret"})
        assert answer.status_code == 201


class TestThePlaces:
    def test_everybody_keeps_the_own_place(self, ended: HttpTable) -> None:
        other = next_table(ended)
        for seat, caller in ended.players.items():
            me = place(ended, caller).get(f"{BASE}/me").json
            assert (me["game"], me["role"], me["seat"]) == (other.game, "player", seat)
        for role in ("banker", "spectator"):
            me = place(ended, getattr(ended, role)).get(f"{BASE}/me").json
            assert (me["game"], me["role"]) == (other.game, role)

    def test_a_place_is_given_once(self, ended: HttpTable) -> None:
        other = next_table(ended)
        place(ended, ended.ana)
        place(ended, ended.spectator)
        for caller in (ended.ana, ended.spectator):
            problem(caller.post("again"), 409, "place-taken")
        problem(other.ana.get("state"), 401, "token-unknown")

    def test_a_lost_answer_is_given_again(self, ended: HttpTable) -> None:
        next_table(ended)
        first = ended.ana.post("again", Idempotency_Key=key_of("phone"))
        repeated = ended.ana.post("again", Idempotency_Key=key_of("phone"))
        assert (first.status_code, repeated.status_code) == (201, 200)
        assert repeated.json == first.json

    def test_nobody_loses_the_place_to_an_earlier_player(self, ended: HttpTable) -> None:
        """Dora joined for Ana's seat by a code of the next game. Ana's phone of the last game asks too late."""
        other = next_table(ended)
        code = other.banker.post("invitations", {"seat": "ana"}).json["code"]
        dora = Caller(ended.client, other.game, ended.stranger.post(f"{BASE}/join", {"code": code}).json["token"])
        problem(ended.ana.post("again"), 409, "place-taken")
        assert dora.get("state").status_code == 200

    def test_a_revoked_token_takes_no_place(self, ended: HttpTable) -> None:
        next_table(ended)
        code = ended.banker.post("invitations", {"seat": "ana"}).json["code"]
        joined = ended.stranger.post(f"{BASE}/join", {"code": code}).json["token"]
        problem(ended.ana.post("again"), 401, "token-unknown")
        place(ended, Caller(ended.client, ended.game, joined))

    def test_there_is_none_before_the_table_plays_again(self, ended: HttpTable) -> None:
        problem(ended.ana.post("again"), 404, "not-found")


@pytest.fixture
def live(app: Flask) -> Iterator[FlaskClient]:
    """A client that several threads may use."""
    return app.test_client()


def test_the_stream_says_it_at_once_and_later(ended: HttpTable, app: Flask, new_app: Callable[..., Flask]) -> None:
    """Ana's phone shows the end when the banker asks for another game. Bob's phone comes back afterwards."""
    table = HttpTable(app.test_client(), ended.game, ended.tokens)

    async def scenario() -> None:
        ana, bob = Following(table.ana, "?with=state"), Following(table.bob)
        async with following(Front(new_app(), 1), ana):
            await ana.heard("ended")
            other = await aside(next_table, table)
            assert (await ana.heard("continued")).data["game"] == other.game
            assert (await ana.heard("state", 2)).data["patch"] == {"continued": other.game}
            async with following(Front(new_app(), 1), bob):
                assert (await bob.heard("continued")).data["game"] == other.game

    asyncio.run(asyncio.wait_for(scenario(), 60))
