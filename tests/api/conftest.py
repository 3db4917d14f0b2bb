"""An application on this module's database, and a clock that the scenarios move by hand."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import Clock, a_ledger
from tests.tables.over_http import HttpTable

EVENING = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def _time() -> Clock:
    return Clock(EVENING)


@pytest.fixture(scope="module")
def ledger(store: Store, _time: Clock) -> Ledger:
    """The ledger of this module's scenarios, each of which plays games of its own."""
    return a_ledger(store, _time)


@pytest.fixture(scope="module")
def app(ledger: Ledger) -> Flask:
    """The service of this module's scenarios."""
    return create_app(ledger, Config())


@pytest.fixture
def clock(_time: Clock) -> Clock:
    """A time in the evening that changes only when a scenario moves it."""
    _time.now = EVENING
    return _time


@pytest.fixture
def new_app(ledger: Ledger, clock: Clock) -> Callable[..., Flask]:
    """A function that gives an application of its own, with these settings, on the same ledger."""

    def create(**settings: Any) -> Flask:
        return create_app(ledger, Config(**settings))

    return create


@pytest.fixture(scope="module")
def unlimited(ledger: Ledger) -> FlaskClient:
    """A client of this module's ledger that may ask as often as it wants."""
    return create_app(ledger, Config(requests_per_minute=None)).test_client()


@pytest.fixture
def client(app: Flask, clock: Clock) -> Iterator[FlaskClient]:
    """A client of the service."""
    with app.test_client() as calling:
        yield calling


@pytest.fixture
def table(client: FlaskClient) -> HttpTable:
    """A new game of Ana and Bob with the table's own dice. Nobody has joined yet."""
    return HttpTable.created(client)


@pytest.fixture
def started(table: HttpTable) -> HttpTable:
    """The same game with both joined and started: it is Ana's turn of round 1, at version 6."""
    return table.start()


@pytest.fixture
def gifts(started: HttpTable) -> HttpTable:
    """Ana gives Bob 1650 ₦ (action 7), all she has; Bob gives her 100 (8); she gives him 60 of those (9)."""
    started.ana.play("transfer_money", to="bob", amount=1650)
    started.bob.play("transfer_money", to="ana", amount=100)
    started.ana.play("transfer_money", to="bob", amount=60)
    return started
