"""A database that is busy: everybody is answered, nothing is half-written, and all is well afterwards."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.rest.application import Config, create_app
from ledger.store.database.connection import connect
from ledger.store.database.limits import Limits
from ledger.store.store import Store
from tests.tables.ledgers import a_ledger
from tests.tables.over_http import BASE, HttpTable, problem

CLIENTS = 40
TABLES = 8


@pytest.fixture
def calling(database_url: str) -> Iterator[FlaskClient]:
    """A client of a service with few connections and short limits."""
    engine = connect(database_url, pool_size=2, overflow=2, patience=1, limits=Limits(lock=0.1))
    app = create_app(a_ledger(Store(engine)), Config(requests_per_minute=None))
    with app.test_client() as client:
        yield client
    engine.dispose()


def ask(table: HttpTable, what: str) -> TestResponse:
    """One request, by a client of its own as every thread needs it."""
    headers = {"Authorization": f"Bearer {table.ana.token}", "Idempotency-Key": "once"}
    with table.client.application.test_client() as client:
        match what:
            case "act":
                given = {"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}
                return client.post(f"{BASE}/games/{table.game}/actions", json=given, headers=headers)
            case "read":
                return client.get(f"{BASE}/games/{table.game}", headers=headers)
            case "journal":
                return client.get(f"{BASE}/games/{table.game}/actions", headers=headers)
            case "list":
                return client.get(f"{BASE}/games")
            case _:
                return client.get(f"/{what}")


def ask_until_answered(table: HttpTable, what: str) -> TestResponse:
    """The same request as long as the service asks to come back: forty clients share four connections."""
    while (answer := ask(table, what)).status_code == 503:
        assert answer.headers["Retry-After"] == "1"
    return answer


def test_a_table_that_another_session_has_locked(calling: FlaskClient, database_url: str) -> None:
    tables = [HttpTable.created(calling).start() for _ in range(TABLES)]
    asked = [
        (tables[turn % TABLES], ("act", "read", "journal", "list", "readyz")[turn % 5]) for turn in range(CLIENTS)
    ]
    with ThreadPoolExecutor(CLIENTS) as clients:
        with psycopg.connect(database_url) as other:
            other.execute("LOCK TABLE actions IN ACCESS EXCLUSIVE MODE")
            answers = [clients.submit(ask, *one) for one in asked]
            assert ask(tables[0], "healthz").status_code == 200
            for (_, what), answer in zip(asked, answers, strict=True):
                found = answer.result(timeout=300)
                if what != "readyz":
                    said = problem(found, 503, "unavailable")["detail"]
                    assert "database is busy" in said
                    assert ("written" in said) == (what == "act")
                    assert found.headers["Retry-After"] == "1"
        assert [table.version for table in tables] == [6] * TABLES
        for answer in [clients.submit(ask_until_answered, *one) for one in asked]:
            assert answer.result(timeout=300).status_code in {200, 201}


def test_an_action_that_meets_a_lock_is_not_written(calling: FlaskClient, database_url: str) -> None:
    table = HttpTable.created(calling).start()
    with psycopg.connect(database_url) as other:
        other.execute("LOCK TABLE events IN SHARE MODE")
        said = problem(ask(table, "act"), 503, "unavailable")["detail"]
    assert said == "the database is busy; nothing was written"
    assert table.version == 6
    assert ask(table, "act").status_code == 201
    assert ask(table, "act").headers["Idempotent-Replayed"] == "true"
    assert table.version == 7
