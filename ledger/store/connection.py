"""Connections to Postgres: how they are opened, lent, given back and thrown away."""

import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ledger.store.errors import RecordRefused, StoreUnavailable
from ledger.store.service_role import service_role, take_role


def driver_parameters(url: str) -> dict[str, Any]:
    """The driver's connection parameters for a `postgresql://` or `postgres://` URL.

    Everything libpq understands may stand in it: several hosts, a socket folder, `sslmode`. Raises
    `ValueError` for anything else.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise ValueError("a database URL starts with postgresql:// or postgres://")
    try:
        parameters: dict[str, Any] = conninfo_to_dict(f"postgresql://{rest}")
    except psycopg.ProgrammingError as mistake:
        # The URL itself stays out of the message: it may hold a password.
        raise ValueError(f"the database URL cannot be read: {_reason(mistake)}") from None
    return {"connect_timeout": 5, "application_name": "mabligop"} | parameters


def connect(url: str, *, role: str | None = None, pool_size: int = 10, overflow: int = 10) -> sqlalchemy.Engine:
    """Prepare a pool of connections to the database at `url`; nothing is opened before it is needed.

    Every connection commits statement by statement and works as the service's role (`role`, or the configured
    one). At most `pool_size + overflow` are open at once; whoever finds none free waits up to 5 seconds.

    Raises `ValueError` when the URL cannot be read.
    """
    parameters = driver_parameters(url)
    name = role or service_role()

    def open_connection() -> psycopg.Connection[Any]:
        return _opened(parameters, name)

    return _engine(open_connection, pool_size=pool_size, overflow=overflow)


def _opened(parameters: dict[str, Any], role: str) -> psycopg.Connection[Any]:
    connection = psycopg.connect(**parameters, autocommit=True)
    try:
        take_role(connection, role)
    except BaseException:
        connection.close()
        raise
    return connection


def _engine(creator: Callable[[], psycopg.Connection[Any]], *, pool_size: int, overflow: int) -> sqlalchemy.Engine:
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=creator,
        isolation_level="AUTOCOMMIT",
        pool_size=pool_size,
        max_overflow=overflow,
        pool_timeout=5,
        pool_use_lifo=True,  # the same few connections stay warm, with their statements prepared
    )
    event.listen(engine, "checkout", _refuse_dead_connection)
    return engine


def _refuse_dead_connection(connection: psycopg.Connection[Any], _record: object, _lent: object) -> None:
    """Notice, without asking the server anything, that it hung up while the connection lay in the pool.

    Nothing arrives on an idle connection but the news of its end, so one look at the socket is enough. The
    pool then drops every connection opened so far and opens a new one.
    """
    if connection.closed:
        raise InvalidatePoolError("the connection was closed")
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    if watch.poll(0):
        raise InvalidatePoolError("the server closed the connection")


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's and the pool's errors into the store's."""
    try:
        yield
    except DBAPIError as error:
        raise _translation(error.orig or error) from error
    except (psycopg.Error, PoolTimeout, UnicodeEncodeError) as error:
        raise _translation(error) from error


def _translation(error: BaseException) -> Exception:
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError | UnicodeEncodeError):
        return RecordRefused(_reason(error))
    return StoreUnavailable(f"the database did not answer: {_reason(error)}")


def _reason(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


@contextmanager
def driver_connection(engine: sqlalchemy.Engine) -> Iterator[psycopg.Connection[Any]]:
    """Lend the driver's own connection, for the statements that have to be fast.

    A connection that broke meanwhile is thrown away. Raises `StoreUnavailable` or `RecordRefused`.
    """
    with translated():
        lent = engine.raw_connection()
        connection = lent.driver_connection
        assert isinstance(connection, psycopg.Connection)  # noqa: S101 - the engine has no other driver
        try:
            yield connection
        except BaseException as error:
            if connection.closed or not isinstance(error, Exception):
                lent.invalidate(error)
            raise
        finally:
            lent.close()


def dedicated_connection(engine: sqlalchemy.Engine) -> psycopg.Connection[Any]:
    """Open a connection outside the pool, for the caller to keep and to close."""
    with translated():
        lent = engine.raw_connection()
        connection = lent.driver_connection
        assert isinstance(connection, psycopg.Connection)  # noqa: S101 - the engine has no other driver
        lent.detach()
        return connection


@contextmanager
def reading(engine: sqlalchemy.Engine) -> Iterator[sqlalchemy.Connection]:
    """Lend a connection on which every statement stands for itself."""
    with translated(), engine.connect() as connection:
        yield connection


@contextmanager
def transaction(engine: sqlalchemy.Engine) -> Iterator[sqlalchemy.Connection]:
    """Lend a connection for one transaction: all of it is written, or, when the block raises, nothing."""
    with (
        translated(),
        engine.connect().execution_options(isolation_level="READ COMMITTED") as connection,
        connection.begin(),
    ):
        yield connection
