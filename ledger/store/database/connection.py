"""Connections to Postgres: opening, lending, returning and discarding."""

import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import psycopg
import sqlalchemy
from sqlalchemy import PoolProxiedConnection, event
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ledger.store.database.driver_errors import busy, translation_of
from ledger.store.database.errors import NothingWritten, StoreBusy, StoreError, StoreUnavailable
from ledger.store.database.limits import LimitedConnection, Limits
from ledger.store.database.login import ServiceLogin
from ledger.store.database.service_role import service_role


def connect(
    url: str,
    *,
    role: str | None = None,
    pool_size: int = 10,
    overflow: int = 10,
    patience: float = 5,
    limits: Limits | None = None,
) -> sqlalchemy.Engine:
    """Prepare a pool of connections to the database at `url`. Connections are opened on demand.

    Every connection commits each statement, works within the `limits` (or the configured limits), and logs in
    as the service: with only the rights of `role` (or the configured role), even if `url` is the owner's. At
    most `pool_size + overflow` connections are open at once. Without a free connection, a caller waits up to
    `patience` seconds. Raises `ValueError` if the URL or a configured limit cannot be read.
    """
    login = ServiceLogin(url, role or service_role(), limits or Limits.configured())
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=login.open,
        isolation_level="AUTOCOMMIT",
        pool_reset_on_return=None,  # No transaction is ever left open: see `transaction`.
        use_native_hstore=False,  # Saves a query to the server.
        pool_size=pool_size,
        max_overflow=overflow,
        pool_timeout=patience,
        pool_use_lifo=True,  # A few connections are reused, with their prepared statements.
        # Half of all connections may be reserved: a thread with a reservation may need a second connection for
        # a statement.
        execution_options={_KEEPERS: _Keepers((pool_size + overflow) // 2, patience)},
    )
    event.listen(engine, "checkout", _refuse_dead_connection)
    return engine


def _refuse_dead_connection(connection: psycopg.Connection[Any], _record: object, _lent: object) -> None:
    """Detect a dead connection from the pool without a query.

    An idle connection receives nothing except its own end, so a look at the socket is enough. The pool then
    drops every connection opened so far and opens a new connection.
    """
    if connection.closed:
        raise InvalidatePoolError("the connection was closed")
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    if watch.poll(0):
        raise InvalidatePoolError("the server closed the connection")


@contextmanager
def translated() -> Iterator[None]:
    """Turn the errors of the driver and of the pool into the store's."""
    try:
        yield
    except Exception as error:
        translation = _translation(error)
        if translation is not None:
            raise translation from error
        raise


def _translation(error: BaseException) -> StoreError | None:
    """Return the store's error for an error of the driver or the pool, or None for any other error."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig
    return busy(error) if isinstance(error, PoolTimeout) else translation_of(error)


@contextmanager
def writing() -> Iterator[None]:
    """Raise `NothingWritten` for `StoreBusy`. The block must write everything in a single transaction."""
    try:
        yield
    except StoreBusy as busy:
        raise NothingWritten(str(busy)) from busy


class _Keepers:
    """The threads with a reserved connection of a pool: at most `limit` at once.

    Others wait up to `patience` seconds.
    """

    def __init__(self, limit: int, patience: float) -> None:
        self.limit = limit
        self._free = threading.BoundedSemaphore(max(1, limit))
        self._patience = patience

    @contextmanager
    def one_more(self) -> Iterator[None]:
        if not self._free.acquire(timeout=self._patience):
            raise StoreUnavailable("the database did not answer: too many connections wait for their turn")
        try:
            yield
        finally:
            self._free.release()


_KEEPERS = "mabligop_keepers"
_reserved: ContextVar[tuple[sqlalchemy.Engine, PoolProxiedConnection] | None] = ContextVar("kept", default=None)
"""The reserved connection of the current thread, with the engine."""


@contextmanager
def keeping_connection(engine: sqlalchemy.Engine) -> Iterator[bool]:
    """Let all uses of `driver_cursor` by this thread in the block share a connection.

    Yields False, without a reservation, if the pool has too few connections. Waits while half of the pool is
    reserved. May be nested. Raises StoreUnavailable.
    """
    reserved = _reserved.get()
    if reserved is not None and reserved[0] is engine:
        yield True
        return
    keepers: _Keepers = engine.get_execution_options()[_KEEPERS]
    if not keepers.limit:
        yield False
        return
    with keepers.one_more():
        with translated():
            lent = engine.raw_connection()
        token = _reserved.set((engine, lent))
        try:
            yield True
        finally:
            _reserved.reset(token)
            lent.close()


@contextmanager
def driver_cursor(engine: sqlalchemy.Engine) -> Iterator[psycopg.RawCursor[Any]]:
    """Lend the driver's own cursor, for fast statements.

    Every connection reuses a single cursor, which remembers the encoding of the last statement and its values.
    A broken connection, or a connection still waiting for an answer, is discarded before its next use. Raises
    `StoreUnavailable` or `RecordRefused`.
    """
    lent = None
    reserved = _reserved.get()
    is_reserved = reserved is not None and reserved[0] is engine
    try:
        lent = reserved[1] if reserved is not None and is_reserved else engine.raw_connection()
        cursor = lent.info.get("cursor")
        if cursor is None:
            cursor = lent.info["cursor"] = psycopg.RawCursor(_driver(lent))
        yield cursor
    except Exception as error:
        translation = _translation(error)
        if translation is not None:
            raise translation from error
        raise
    finally:
        if lent is not None and not is_reserved:
            lent.close()


def _driver(lent: PoolProxiedConnection) -> LimitedConnection:
    connection = lent.driver_connection
    assert isinstance(connection, LimitedConnection)  # noqa: S101 - the engine has no other driver
    return connection


@contextmanager
def long_transaction(engine: sqlalchemy.Engine) -> Iterator[psycopg.RawCursor[Any]]:
    """Lend the driver's own cursor for a transaction whose statements may take any time.

    Everything is written, or nothing if the block raises. Raises the errors of `driver_cursor`.
    """
    with driver_cursor(engine) as cursor:
        connection = cursor.connection
        assert isinstance(connection, LimitedConnection)  # noqa: S101 - see `_driver`
        with connection.long_transaction():
            yield cursor


def dedicated_connection(engine: sqlalchemy.Engine) -> psycopg.Connection[Any]:
    """Open a connection outside the pool. The caller keeps and closes the connection."""
    with translated():
        lent = engine.raw_connection()
        connection = _driver(lent)
        lent.detach()
        return connection


@contextmanager
def reading(engine: sqlalchemy.Engine) -> Iterator[sqlalchemy.Connection]:
    """Lend a connection with a transaction for every statement."""
    with translated(), engine.connect() as connection:
        yield connection


@contextmanager
def transaction(engine: sqlalchemy.Engine) -> Iterator[sqlalchemy.Connection]:
    """Lend a connection for a transaction: everything is written, or nothing if the block raises."""
    with (
        writing(),
        translated(),
        engine.connect().execution_options(isolation_level="READ COMMITTED") as connection,
        connection.begin(),
    ):
        yield connection
