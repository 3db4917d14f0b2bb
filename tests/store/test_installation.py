"""The secret of an installation."""

from collections.abc import Callable

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from ledger.store.database.connection import connect
from ledger.store.database.errors import StoreError
from ledger.store.database.migration import migrate
from ledger.store.store import Store


def test_every_process_of_one_database_reads_the_same_secret(database_url: str) -> None:
    first, second = Store(connect(database_url)), Store(connect(database_url))
    assert first.installation.secret("a purpose") == second.installation.secret("a purpose")
    assert len(first.installation.secret("a purpose")) == 32


def test_two_purposes_and_two_databases_have_different_secrets(
    store: Store, new_database: Callable[..., str]
) -> None:
    url = new_database(migrated=False)
    migrate(url)
    elsewhere = Store(connect(url))
    found = {
        store.installation.secret("one"),
        store.installation.secret("two"),
        elsewhere.installation.secret("one"),
        elsewhere.installation.secret("two"),
    }
    assert len(found) == 4


def test_the_service_cannot_change_its_secret(database_url: str) -> None:
    engine = connect(database_url)
    for statement in ("UPDATE installation SET value = 'known'", "DELETE FROM installation"):
        with engine.connect() as connection, pytest.raises(DBAPIError, match="permission denied"):
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_a_database_that_lost_its_secret_says_so(new_database: Callable[..., str]) -> None:
    url = new_database()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("DELETE FROM installation")
    with pytest.raises(StoreError, match="restore it from a backup"):
        Store(connect(url)).installation.secret("a purpose")
