"""Failures of the service: a problem that reveals nothing, and a log without secrets."""

import logging
from collections.abc import Callable

import psycopg
import pytest
from flask import Flask

from api.rest.application import Config, create_app
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from tests.tables.over_http import BASE, HttpTable, problem


def test_what_nobody_foresaw(new_app: Callable[..., Flask], caplog: pytest.LogCaptureFixture) -> None:
    app = new_app()

    @app.get("/broken/<secret>")
    def broken(secret: str) -> str:
        raise LookupError(f"the secret is {secret}")

    with app.test_client() as client, caplog.at_level(logging.DEBUG):
        answer = client.get("/broken/hunter2", headers={"Authorization": "Bearer mytoken"})
    refused = problem(answer, 500, "internal-error")
    assert refused["incident"] in caplog.text
    assert "LookupError" in caplog.text
    assert "/broken/<secret>" in caplog.text
    assert "hunter2" not in answer.text
    assert "LookupError" not in answer.text
    assert "hunter2" not in caplog.text
    assert "mytoken" not in caplog.text


def test_a_database_that_does_not_answer(caplog: pytest.LogCaptureFixture) -> None:
    engine = connect("postgresql://nobody:sesame@127.0.0.1:1/none", patience=1)
    client = create_app(Ledger(Store(engine), {RULEBOOK.id: RULEBOOK}), Config()).test_client()
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    problem(answer, 503, "unavailable")
    assert answer.headers["Retry-After"] == "1"
    answer = client.get(f"{BASE}/games/some", headers={"Authorization": "Bearer some.token"})
    problem(answer, 503, "unavailable")
    for said in (answer.text, caplog.text):
        assert "sesame" not in said
        assert "127.0.0.1" not in said


def test_a_database_without_its_tables(new_database: Callable[..., str]) -> None:
    engine = connect(new_database(migrated=False))
    try:
        client = create_app(Ledger(Store(engine), {RULEBOOK.id: RULEBOOK}), Config()).test_client()
        assert "mabligop migrate" in problem(client.get("/readyz"), 503, "unavailable")["detail"]
    finally:
        engine.dispose()


def test_refused_actions_leave_nothing_in_the_log(started: HttpTable, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        started.ana.act("transfer_money", params={"to": "bob", "amount": 123_456_789})
        started.ana.act("transfer_money", params={"to": "bob", "amount": -123_456_789})
    assert "123456789" not in caplog.text
    assert str(started.ana.token) not in caplog.text


def test_an_action_that_never_gets_its_turn(started: HttpTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other actions always come first: nothing was written, and the caller may try again."""
    for attempts in ("_HASTY_ATTEMPTS", "_ATTEMPTS"):
        monkeypatch.setattr(f"ledger.acting.performing.{attempts}", 0)
    answer = started.ana.act("transfer_money", params={"to": "bob", "amount": 1})
    assert "nothing was written" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "1"
    monkeypatch.undo()
    assert started.ana.act("transfer_money", params={"to": "bob", "amount": 1}).status_code == 201


def test_a_disk_that_is_full(new_database: Callable[..., str], caplog: pytest.LogCaptureFixture) -> None:
    """Players hear why nothing is written, and may try again; whoever balances the load hears it by /readyz."""
    url = new_database()
    engine = connect(url)
    client = create_app(Ledger(Store(engine), {RULEBOOK.id: RULEBOOK}), Config()).test_client()
    table = HttpTable.created(client).start()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN RAISE 'could not extend file \"base/1/2\"' USING ERRCODE = 'disk_full'; END$$"
        )
        for written in ("actions", "snapshots"):
            owner.execute(f"CREATE TRIGGER full_disk BEFORE INSERT ON {written} EXECUTE FUNCTION full_disk()")
    french = client.get("/readyz", headers={"Accept-Language": "fr"})
    for answer in (client.get("/readyz"), table.ana.act("transfer_money", params={"to": "bob", "amount": 1})):
        refused = problem(answer, 503, "unavailable")
        assert refused["reason"] == "disk-full"
        assert refused["detail"] == "nothing can be written: the disk of the database is full"
        assert answer.headers["Retry-After"] == "1"
    assert "le disque de la base de données est plein" in french.json["detail"]
    assert "base/1/2" not in french.text + caplog.text
    assert client.get("/healthz").status_code == 200
    engine.dispose()
