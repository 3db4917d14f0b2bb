"""Tables of the town: in memory, and in a service with all games of the tests."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.service import Ledger
from ledger.store.store import Store
from tests.example import RULEBOOKS
from tests.harness.playing import Playing
from tests.harness.rules import rules_are_met

__all__ = ["rules_are_met"]


@pytest.fixture
def quiet() -> Playing:
    """Ana and Bob in the quiet town, before the first roll."""
    return Playing(RULEBOOKS[0], ("ana", "bob"))


@pytest.fixture
def harbour() -> Playing:
    """Ana and Bob in the town by the harbour."""
    return Playing(RULEBOOKS[1], ("ana", "bob"))


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, {rulebook.id: rulebook for rulebook in RULEBOOKS})


@pytest.fixture
def client(ledger: Ledger) -> Iterator[FlaskClient]:
    with create_app(ledger, Config()).test_client() as calling:
        yield calling
