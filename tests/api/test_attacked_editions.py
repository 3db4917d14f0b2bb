"""Attempts to break the service with editions, over HTTP."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.store import Store
from tests.monopoly.own import TOWN
from tests.tables.over_http import BASE, problem


@pytest.fixture(scope="module")
def client(store: Store) -> FlaskClient:
    """A service of all games."""
    return create_app(Ledger(store, rulebooks.rulebooks_by_id()), Config()).test_client()


def refused(client: FlaskClient, french: str, **settings: Any) -> dict[str, Any]:
    """The one error of an edition with these options, after checking that it is told in French as well."""
    edition = {**copy.deepcopy(TOWN), "options": settings}
    players = [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]
    content = {"rulebook": "monopoly", "players": players, "dice": "table", "edition": edition}
    said = problem(client.post(f"{BASE}/games", json=content), 422, "invalid-request")
    told = problem(
        client.post(f"{BASE}/games", json=content, headers={"Accept-Language": "fr"}), 422, "invalid-request"
    )
    assert french in told["errors"][0]["detail"]
    row: dict[str, Any] = said["errors"][0]
    return row


def test_an_option_that_does_not_go_with_the_board_is_named_as_an_option(client: FlaskClient) -> None:
    assert refused(client, "il n'y a pas de case", names={"nowhere": "x"})["pointer"] == (
        "/edition/options/names/nowhere"
    )
    row = refused(client, "tient sur une ligne", names={"tansy_row": "Rue\nHaute"})
    assert row["pointer"] == "/edition/options/names/tansy_row"


def test_what_is_nested_too_deeply_is_told_in_the_readers_language(client: FlaskClient) -> None:
    raw = '{"edition": ' + "[" * 400 + "]" * 400 + "}"
    headers = {"Accept-Language": "fr"}
    answer = client.post(f"{BASE}/games", data=raw, content_type="application/json", headers=headers)
    assert "trop nombreux" in problem(answer, 400, "malformed-json")["detail"]
