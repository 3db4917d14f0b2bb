"""A new game draws the id of a game that is there: nothing is written, and the answer names that game.

Ids are random. Two services with the same chance stand for the rare case.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import Clock
from tests.tables.over_http import ANA_AND_BOB, BASE, HttpTable, problem

Service = Callable[[], FlaskClient]


@pytest.fixture
def alike(store: Store, clock: Clock, request: pytest.FixtureRequest) -> Service:
    """A function that starts a service. All of a scenario draw the same ids, in the same order."""

    def start() -> FlaskClient:
        ledger = Ledger(store, {RULEBOOK.id: RULEBOOK}, clock=clock, chance=Random(request.node.name))
        return create_app(ledger, Config()).test_client()

    return start


def create(client: FlaskClient, language: str = "en") -> Any:
    return client.post(f"{BASE}/games", json=ANA_AND_BOB, headers={"Accept-Language": language})


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "game {} exists already"), ("fr", "la partie {} existe déjà")]
)
def test_a_new_game_with_the_id_of_another(alike: Service, store: Store, language: str, sentence: str) -> None:
    """Given a game, when another one draws its id, then its id is named, and it stays as it is.

    When the request is sent again, then there is a new game.
    """
    first = create(alike()).json
    game = first["game"]
    stored, tokens, others = store.games.get(game), store.games.credentials(game), alike()
    refused = create(others, language)
    assert sentence.format(game) in problem(refused, 503, "unavailable")["detail"]
    assert "''" not in refused.text
    assert int(refused.headers["Retry-After"]) > 0
    assert (store.games.get(game), store.games.credentials(game), store.journal.head(game)) == (stored, tokens, 1)
    again = create(others, language)
    assert again.status_code == 201, again.text
    assert again.json["game"] != game


def test_a_fork_with_the_id_of_another_game(alike: Service, started: HttpTable, store: Store) -> None:
    """Given a fork, when another fork draws its id, then its id is named. Sent again, the request makes a game."""
    origin = {"game": started.game, "action": 6, "token": started.tokens["banker"]}
    first = alike().post(f"{BASE}/games", json={"from": origin}).json["game"]
    head, others = store.journal.head(first), alike()
    refused = others.post(f"{BASE}/games", json={"from": origin})
    assert f"game {first} exists already" in problem(refused, 503, "unavailable")["detail"]
    assert store.journal.head(first) == head
    again = others.post(f"{BASE}/games", json={"from": origin})
    assert again.status_code == 201, again.text
    assert again.json["game"] != first


def test_an_invitation_with_the_id_of_another(alike: Service, started: HttpTable) -> None:
    """Given an invitation, when another one draws its id, then it gets an id and a code of its own."""
    headers = {"Authorization": f"Bearer {started.tokens['banker']}"}
    path = f"{BASE}/games/{started.game}/invitations"
    invited = [alike().post(path, json={"seat": "ana"}, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in invited] == [201, 201]
    assert invited[0].json["code"] != invited[1].json["code"]
    listed = started.banker.get("invitations").json["invitations"]
    assert len({row["id"] for row in listed}) == len(listed) == 2


def test_a_code_whose_token_draws_the_id_of_another(alike: Service, started: HttpTable) -> None:
    """Given a token, when another one draws its id, then it gets an id of its own, and opens the game."""
    codes = [started.banker.post("invitations", {"seat": seat}).json["code"] for seat in ("ana", "bob")]
    joined = [alike().post(f"{BASE}/join", json={"code": code}) for code in codes]
    assert [answer.status_code for answer in joined] == [201, 201]
    for answer, seat in zip(joined, ("ana", "bob"), strict=True):
        me = started.client.get(f"{BASE}/me", headers={"Authorization": f"Bearer {answer.json['token']}"})
        assert me.json["seat"] == seat, me.text
