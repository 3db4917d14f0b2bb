"""A token opens one game: every operation is tried with every token of another game, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.access.tokens import Tokens
from ledger.kernel.facts.audience import Viewer
from tests.harness.attempts import GAME
from tests.harness.secrecy import Asked, Chair, Words, operations_on_a_game
from tests.tables.over_http import BASE, HttpTable, problem

NOT_IN_A_GAME = {
    *("createGame", "listGames", "listRulings", "readMe", "join", "index", "readIndex", "liveness", "readiness"),
    "readInvitedTable",
    *("readAuthority", "metrics", "listRulebooks", "readRulebook", "listActionKinds", "readActionKind"),
    *("listRules", "readRule", "readSettings", "readDemo", "layDemo", "takeDemoSeat"),
}
"""The operations that name no game in their path."""


@pytest.fixture
def client(unlimited: FlaskClient) -> FlaskClient:
    """A client that may ask as often as it wants."""
    return unlimited


def tokens_of(table: HttpTable) -> dict[str, str]:
    """The tokens of a game by role or seat."""
    return {"banker": table.tokens["banker"], "spectator": table.tokens["spectator"], **table.tokens["players"]}


def everything(table: HttpTable) -> list[Any]:
    """What a stranger could change: the journal, the tokens, the invitations, and what is promised of the dice."""
    paths = ("actions?limit=200", "tokens", "invitations", "dice", "disputes")
    return [table.banker.get(path).json for path in paths]


def requests_to(table: HttpTable, operations: dict[str, Asked]) -> dict[str, tuple[str, str, Any]]:
    """The method, the address with its query, and the content of a request to each operation on this game."""
    tokens = iter(row["id"] for row in table.banker.get("tokens").json["tokens"] if row["seat"])
    found: dict[str, tuple[str, str, Any]] = {}
    for name, asked in operations.items():
        query = "&".join(f"{key}={value}" for key, value in asked.query)
        path = asked.path.replace(GAME, table.game)
        if "/tokens/nonsense" in path:
            path = path.replace("nonsense", next(tokens))
        content = {key: value for key, value in (asked.content or {}).items() if key != "dry_run"}
        found[name] = asked.method, path + (f"?{query}" if query else ""), content or asked.content
    return found


@pytest.fixture
def operations(client: FlaskClient, gifts: HttpTable) -> dict[str, Asked]:
    """A request of the right shape to every operation on a game."""
    description = client.get("/openapi.json").json
    words = Words()
    words.learn(Chair(client, gifts.game, gifts.tokens["spectator"], gifts.tokens["banker"]))
    found = operations_on_a_game(description, words)
    listed = {
        one["operationId"]
        for item in description["paths"].values()
        for one in item.values()
        if "operationId" in one
    }
    assert listed - found.keys() == NOT_IN_A_GAME
    return found


def strangers_let_in(table: HttpTable, tokens: dict[str, str], operations: dict[str, Asked]) -> list[str]:
    """The operations that answer anything but a refusal to these tokens of another game, with who asked."""
    found: list[str] = []
    for operation, (method, address, content) in requests_to(table, operations).items():
        for role, token in tokens.items():
            headers = {"Authorization": f"Bearer {token}"}
            answer = table.client.open(
                address, method=method, headers=headers, **({} if content is None else {"json": content})
            )
            refused = answer.status_code == 403 and answer.json["type"] == "/problems/foreign-token"
            if not refused:
                found.append(f"{operation} {role} {answer.status_code}")
        answer = table.client.open(address, method=method, **({} if content is None else {"json": content}))
        if answer.status_code != 401:
            found.append(f"{operation} nobody {answer.status_code}")
    return found


def test_no_token_of_another_game_is_let_in(gifts: HttpTable, operations: dict[str, Asked]) -> None:
    """Both games have a banker, Ana, Bob and somebody who only watches."""
    other = HttpTable.created(gifts.client).start()
    before = everything(gifts)
    assert strangers_let_in(gifts, tokens_of(other), operations) == []
    assert everything(gifts) == before


def test_a_role_that_is_let_in_everywhere_is_found(
    gifts: HttpTable, operations: dict[str, Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a service that takes a spectator for one of any game, then every reading is named."""
    other = HttpTable.created(gifts.client)
    authenticate = Tokens.authenticate

    def of_any_game(self: Tokens, token: str) -> tuple[str, Viewer] | None:
        found = authenticate(self, token)
        return (gifts.game, found[1]) if found is not None and found[1].role == "spectator" else found

    monkeypatch.setattr(Tokens, "authenticate", of_any_game)
    readings = {name: asked for name, asked in operations.items() if asked.method == "GET"}
    found = [line.split() for line in strangers_let_in(gifts, tokens_of(other), readings)]
    assert {name for name, _, _ in found} == readings.keys()
    assert {role for _, role, _ in found} == {"spectator"}


def test_no_game_goes_on_from_another_one(gifts: HttpTable) -> None:
    other = HttpTable.created(gifts.client)
    for token in tokens_of(other).values():
        moment = {"game": gifts.game, "action": 7, "token": token}
        problem(gifts.client.post(f"{BASE}/games", json={"from": moment}), 403, "foreign-token")


def test_what_spans_games_tells_nothing_of_another_one(gifts: HttpTable) -> None:
    other = HttpTable.created(gifts.client)
    for token in tokens_of(other).values():
        for path in ("me", "rulings"):
            answer = gifts.client.get(f"{BASE}/{path}", headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == 200
            assert gifts.game not in answer.text
