"""A repeated request with the same key is performed once, and gets its first answer again."""

from base64 import b32encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.store import Store
from tests.tables.keys import key_of
from tests.tables.ledgers import Clock, a_ledger
from tests.tables.over_http import ANA_AND_BOB, BASE, HttpTable, problem

KEY = {"Idempotency_Key": "11111111-2222-3333-4444-555555555555"}
GIFT = {"to": "bob", "amount": 50}


def test_a_repeated_action_happens_once(started: HttpTable) -> None:
    first = started.ana.act("transfer_money", params=GIFT, headers=KEY)
    assert first.status_code == 201
    assert "Idempotent-Replayed" not in first.headers
    again = started.ana.act("transfer_money", params=GIFT, headers=KEY)
    assert again.status_code == 200
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert again.json == first.json
    assert started.version == 7


def test_a_repetition_is_answered_even_after_the_game_moved_on(started: HttpTable) -> None:
    headers = KEY | {"If_Match": '"6"'}
    gift = {"to": "bob", "amount": 1650}
    first = started.ana.act("transfer_money", params=gift, headers=headers)
    started.bob.play("transfer_money", to="ana", amount=1)
    again = started.ana.act("transfer_money", params=gift, headers=headers)
    assert again.status_code == 200
    assert again.json["number"] == first.json["number"] == 7
    assert started.version == 8


def test_another_request_under_the_key_is_refused(started: HttpTable) -> None:
    started.ana.act("transfer_money", params=GIFT, headers=KEY)
    other = started.ana.act("transfer_money", params={"to": "bob", "amount": 51}, headers=KEY)
    assert "the idempotency key '11111111…' was used before" in problem(other, 422, "key-reused")["detail"]
    somebody_else = started.bob.act("transfer_money", params={"to": "ana", "amount": 50}, headers=KEY)
    problem(somebody_else, 422, "key-reused")
    assert started.version == 7


def test_a_refused_request_leaves_its_key_free(started: HttpTable) -> None:
    too_much = {"to": "bob", "amount": 9000}
    problem(started.ana.act("transfer_money", params=too_much, headers=KEY), 409, "rule-broken")
    assert started.ana.act("transfer_money", params=GIFT, headers=KEY).status_code == 201


def test_a_key_belongs_to_its_game(started: HttpTable, client: FlaskClient) -> None:
    other = HttpTable.created(client).start()
    for table in (started, other):
        assert table.ana.act("transfer_money", params=GIFT, headers=KEY).status_code == 201
        assert table.version == 7


def test_a_dry_run_does_not_use_the_key_up(started: HttpTable) -> None:
    assert started.ana.act("transfer_money", params=GIFT, headers=KEY, dry_run=True).status_code == 200
    assert started.ana.act("transfer_money", params=GIFT, headers=KEY).status_code == 201


def test_a_repeated_creation_gives_the_same_game_and_tokens(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": key_of("create")}
    first = client.post(f"{BASE}/games", json=ANA_AND_BOB, headers=headers)
    assert first.status_code == 201
    again = client.post(f"{BASE}/games", json=ANA_AND_BOB, headers=headers)
    assert again.status_code == 200
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == first.json
    table = HttpTable(client, again.json["game"], again.json["tokens"])
    assert table.version == 1
    table.ana.play("join_game", persona="Don")
    other = client.post(f"{BASE}/games", json=ANA_AND_BOB | {"title": "Saturday"}, headers=headers)
    problem(other, 422, "key-reused")


def create(client: FlaskClient, key: str, **changes: Any) -> Any:
    return client.post(f"{BASE}/games", json=ANA_AND_BOB | changes, headers={"Idempotency-Key": key_of(key)})


def test_a_day_later_the_tokens_of_a_new_game_are_not_shown_again(client: FlaskClient, clock: Clock) -> None:
    first = create(client, "a-day")
    clock.pass_by(24 * 60 * 60)
    assert create(client, "a-day").json == first.json
    clock.pass_by(1)
    refused = create(client, "a-day")
    assert "choose a new key" in problem(refused, 409, "key-expired")["detail"]
    for secret in (first.json["game"], first.json["tokens"]["banker"]):
        assert secret not in refused.text
    problem(create(client, "a-day", title="Saturday"), 422, "key-reused")
    french = client.post(
        f"{BASE}/games", json=ANA_AND_BOB, headers={"Idempotency-Key": key_of("a-day"), "Accept-Language": "fr"}
    )
    assert "plus d'un jour" in problem(french, 409, "key-expired")["detail"]


def test_the_id_of_a_game_gives_no_key_away(
    client: FlaskClient, clock: Clock, new_database: Callable[..., str]
) -> None:
    """Whoever sees the id in the list of games cannot try keys against it: another installation has another id."""
    here = create(client, "friday").json["game"]
    assert here != id_of_an_earlier_version(key_of("friday"))
    url = new_database(migrated=False)
    migrate(url)
    engine = connect(url)
    try:
        elsewhere = create_app(a_ledger(Store(engine), clock), Config()).test_client()
        there = create(elsewhere, "friday").json["game"]
        assert there not in {here, id_of_an_earlier_version(key_of("friday"))}
        assert create(elsewhere, "friday").json["game"] == there
    finally:
        engine.dispose()


def test_the_key_of_a_game_of_an_earlier_version_opens_nothing(client: FlaskClient, store: Store) -> None:
    """Such a game keeps its id, which its key gives away. A repeated request makes a new game."""
    created = create(client, "like-friday").json["game"]
    old = id_of_an_earlier_version(key_of("friday-13"))
    record = store.games.get(created)
    assert record is not None
    assert store.games.create(replace(record, game_id=old), [])
    again = create(client, "friday-13")
    assert again.status_code == 201
    assert again.json["game"] != old
    assert "Idempotent-Replayed" not in again.headers


def id_of_an_earlier_version(key: str) -> str:
    return b32encode(sha256(b"mabligop game\0" + key.encode()).digest()[:10]).decode().rstrip("=").lower()
