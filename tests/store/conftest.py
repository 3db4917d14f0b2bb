"""The fixtures of the store's tests."""

from collections.abc import Iterator

import psycopg
import pytest

from ledger.store.store import Store
from tests.store.journals import new_game


@pytest.fixture
def table(store: Store) -> str:
    """The id of a new game with an empty journal."""
    return new_game(store)


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection]:
    """A connection of the user who owns the tables."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection
