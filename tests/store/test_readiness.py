"""Readiness: the service is ready when it can write, and says what is in the way when it cannot."""

import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from ledger.store.database.connection import connect
from ledger.store.database.errors import NotMigrated, StoreBusy, StoreUnavailable, Unwritable
from ledger.store.database.readiness import EVERY_SECONDS, Readiness, write
from ledger.store.database.service_role import service_role
from ledger.store.store import Store

Owner = Callable[..., None]


@pytest.fixture
def url(new_database: Callable[..., str]) -> str:
    return new_database()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    engine = connect(url)
    yield Store(engine)
    engine.dispose()


@pytest.fixture
def name(url: str) -> str:
    """The name of the database."""
    return str(conninfo_to_dict(url)["dbname"])


@pytest.fixture
def owner(url: str) -> Owner:
    """A function that runs SQL as the owner of the database."""

    def run(*statements: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    return run


def why(store: Store) -> str:
    with pytest.raises(Unwritable) as unwritable:
        write(store.engine)
    return unwritable.value.why


def test_a_check_leaves_nothing_in_any_journal(store: Store, url: str) -> None:
    for _ in range(3):
        write(store.engine)
    with psycopg.connect(url) as connection:
        written = connection.execute("SELECT game_id, number, format FROM snapshots").fetchall()
        assert written == [("", 0, "readiness")]
        for table in ("games", "actions", "events", "touches", "credentials"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_check_writes_a_new_file(store: Store, owner: Owner, name: str) -> None:
    """On a full disk a row may still find room, but a file does not. Here files are forbidden."""
    owner(f"ALTER DATABASE {name} SET temp_file_limit = 0")
    with pytest.raises(StoreUnavailable, match="temp_file_limit"):
        write(store.engine)


def test_a_full_disk_is_said(store: Store, owner: Owner) -> None:
    owner(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END$$",
        "CREATE TRIGGER full_disk BEFORE INSERT ON snapshots EXECUTE FUNCTION full_disk()",
    )
    assert why(store) == "disk-full"
    owner("DROP TRIGGER full_disk ON snapshots")
    write(store.engine)


def test_a_read_only_database_is_said(store: Store, owner: Owner, name: str) -> None:
    write(store.engine)
    owner(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    store.engine.dispose()
    assert why(store) == "read-only"


@pytest.mark.parametrize(
    ("right", "table"), [("INSERT", "actions"), ("SELECT", "events"), ("UPDATE", "snapshots")]
)
def test_a_role_without_its_rights_is_said(store: Store, owner: Owner, right: str, table: str) -> None:
    owner(f"REVOKE {right} ON {table} FROM {service_role()}")
    assert why(store) == "no-rights"
    owner(f"GRANT {right} ON {table} TO {service_role()}")
    write(store.engine)


def test_a_database_without_tables_is_said(new_database: Callable[..., str]) -> None:
    engine = connect(new_database(migrated=False))
    with pytest.raises(NotMigrated):
        write(engine)
    engine.dispose()


class Watch:
    """A clock that stands still, and a check that fails when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.checks = 0
        self.fault: StoreUnavailable | None = None
        self.readiness = Readiness(self.check, lambda: self.now)

    def check(self) -> None:
        self.checks += 1
        if self.fault is not None:
            raise self.fault


def test_however_many_ask_the_database_is_asked_once_in_two_seconds() -> None:
    watch = Watch()
    for _ in range(50):
        watch.readiness.require()
    assert watch.checks == 1
    watch.fault = Unwritable("disk-full")
    watch.readiness.require()
    watch.now += EVERY_SECONDS
    for _ in range(50):
        with pytest.raises(Unwritable, match="disk-full"):
            watch.readiness.require()
    assert watch.checks == 2
    watch.fault = None
    watch.now += EVERY_SECONDS
    watch.readiness.require()
    assert watch.checks == 3


def test_nobody_waits_for_a_check_that_hangs() -> None:
    """One caller waits for the silent database; the others hear what was found last, and soon that it hangs."""
    hanging, go_on = threading.Event(), threading.Event()
    now = [0.0]

    def check() -> None:
        if now[0] > 0:
            hanging.set()
            go_on.wait(30)

    readiness = Readiness(check, lambda: now[0])
    readiness.require()
    now[0] = EVERY_SECONDS
    first = threading.Thread(target=readiness.require)
    first.start()
    assert hanging.wait(30)
    readiness.require()
    now[0] += 60
    with pytest.raises(StoreBusy):
        readiness.require()
    go_on.set()
    first.join()
    readiness.require()
