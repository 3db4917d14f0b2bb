"""Answers with tokens or codes are repeated for the first caller alone: nobody guesses the key of the request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.test_again import over
from tests.tables.keys import key_of
from tests.tables.over_http import ANA_AND_BOB, BASE, Caller, HttpTable, problem

SECRETS = {"token", "tokens", "code"}
HABITS = ("friday", "create-friday-evening-1", "11111111-2222-3333-4444-555555555555", "0123456789abcdef" * 2)


def operations(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    """Every operation that takes an Idempotency-Key, and whether its answer holds a secret."""
    for path in document["paths"].values():
        operation = path.get("post", {})
        if "Idempotency-Key" in {one.get("name") for one in operation.get("parameters", ())}:
            schema = operation["responses"]["201"]["content"]["application/json"]["schema"]
            yield operation, not SECRETS.isdisjoint(members(schema, document))


def members(schema: dict[str, Any], document: dict[str, Any]) -> set[str]:
    """The names of the members of an answer, in any of its shapes."""
    if "$ref" in schema:
        return members(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
    alternatives = (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ()))
    return set(schema.get("properties", ())).union(*(members(one, document) for one in alternatives))


def game(table: HttpTable) -> tuple[Caller, str, Any]:
    return table.stranger, f"{BASE}/games", ANA_AND_BOB


def fork(table: HttpTable) -> tuple[Caller, str, Any]:
    origin = {"game": table.game, "action": 1, "token": table.tokens["banker"]}
    return table.stranger, f"{BASE}/games", {"from": origin}


def next_game(table: HttpTable) -> tuple[Caller, str, Any]:
    return over(table).banker, f"{BASE}/games", {"again": table.game}


def place(table: HttpTable) -> tuple[Caller, str, Any]:
    assert over(table).banker.post(f"{BASE}/games", {"again": table.game}).status_code == 201
    return table.ana, "again", None


def code(table: HttpTable) -> tuple[Caller, str, Any]:
    return table.banker, "invitations", {"seat": "ana"}


def token(table: HttpTable) -> tuple[Caller, str, Any]:
    return table.stranger, f"{BASE}/join", {"code": table.banker.post("invitations", {"seat": "ana"}).json["code"]}


def replacement(table: HttpTable) -> tuple[Caller, str, Any]:
    rows = table.banker.get("tokens").json["tokens"]
    return table.banker, f"tokens/{next(row['id'] for row in rows if row['seat'] == 'ana')}/replacement", None


REQUESTS: dict[Callable[[HttpTable], tuple[Caller, str, Any]], str] = {
    game: "createGame",
    fork: "createGame",
    next_game: "createGame",
    place: "joinAgain",
    code: "invite",
    token: "join",
    replacement: "replaceToken",
}
"""A request to each operation whose answer holds a secret."""


def test_every_answer_with_a_secret_has_a_scenario(client: FlaskClient) -> None:
    """The description tells for each operation which keys it takes."""
    patterns: dict[bool, set[str]] = {True: set(), False: set()}
    secret: set[str] = set()
    for operation, holds_secret in operations(client.get("/openapi.json").json):
        (key,) = (one for one in operation["parameters"] if one["name"] == "Idempotency-Key")
        patterns[holds_secret].add(key["schema"]["pattern"])
        secret |= {operation["operationId"]} if holds_secret else set()
    assert secret == set(REQUESTS.values())
    assert patterns == {True: {"^[!-~]{22,255}$"}, False: {"^[!-~]{1,255}$"}}


@pytest.mark.parametrize("wanted", REQUESTS, ids=lambda wanted: wanted.__name__)
def test_only_a_key_that_nobody_guesses_repeats_an_answer(
    client: FlaskClient, wanted: Callable[[HttpTable], tuple[Caller, str, Any]]
) -> None:
    """Refused keys do nothing; a second caller with another key does not get the first answer."""
    caller, path, body = wanted(HttpTable.created(client, settings={"starting_balance": 2000}))
    for habit in HABITS:
        refused = problem(caller.post(path, body, Idempotency_Key=habit), 400, "bad-request")
        assert "openssl rand -hex 16" in refused["detail"]
        assert habit[8:] == "" or habit not in str(refused)
    first = caller.post(path, body, Idempotency_Key=key_of(f"first {wanted.__name__}"))
    assert first.status_code == 201, first.text
    again = caller.post(path, body, Idempotency_Key=key_of(f"first {wanted.__name__}"))
    assert (again.status_code, again.json) == (200, first.json)
    other = caller.post(path, body, Idempotency_Key=key_of(f"other {wanted.__name__}"))
    assert other.status_code >= 400 or other.json != first.json


def test_a_habit_of_the_banker_gives_a_stranger_nothing(client: FlaskClient) -> None:
    """The key of an earlier version stays refused, in the language of the caller."""
    for habit in HABITS:
        answer = client.post(
            f"{BASE}/games", json=ANA_AND_BOB, headers={"Idempotency-Key": habit, "Accept-Language": "fr"}
        )
        assert "trop facile à deviner" in problem(answer, 400, "bad-request")["detail"]


def test_an_action_keeps_short_keys(started: HttpTable) -> None:
    """The answer to an action holds no secret: the caller reads the journal anyway."""
    gift = {"kind": "transfer_money", "params": {"to": "bob", "amount": 5}}
    answers = [started.ana.post("actions", gift, Idempotency_Key="1") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
