"""Restoring a backup into an empty database, all or nothing.

The backup is restored into its own schema, `BESIDE`, invisible to services. First the tables are created in the
shape of the backup. Then they are filled, migrated to this version's shape, and checked. At last a transaction
moves the tables to the service's schema. A kill before the last step leaves only the extra schema, and the next
restoration removes the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, LiteralString

import psycopg
import sqlalchemy
from psycopg import errors, sql

from ledger.store.backups.archive import Backup, BadBackup, Progress, no_progress
from ledger.store.backups.writing import TEXT_OF_VALUES, WITHOUT_LIMITS, stored_tables
from ledger.store.database import schema
from ledger.store.database.applying import migrate_within
from ledger.store.database.connection import translated
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.errors import MigrationRefused, StoreError
from ledger.store.database.limits import LimitedConnection
from ledger.store.database.migration import take_turn
from ledger.store.database.revisions import known_revisions
from ledger.store.database.service_role import ensure_service_role, service_role

BESIDE = "mabligop_restoring"
"""The schema of a backup during restoration, before its check."""

_REVISION = "alembic_version"
_NAME = "mabligop restore"
# Parallel restorations of a database would remove each other's schema.
_LOCK = 0x6D61626C69676F71

_SERVICES: LiteralString = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'mabligop'
"""

_OBJECTS: LiteralString = """
SELECT format('ALTER TABLE %%I.%%I SET SCHEMA %%I', %(from)s::text, relname, %(to)s::text)
  FROM pg_class WHERE relnamespace = %(from)s::regnamespace AND relkind IN ('r', 'p')
UNION ALL
SELECT format('ALTER FUNCTION %%s SET SCHEMA %%I', oid::regprocedure, %(to)s::text)
  FROM pg_proc WHERE pronamespace = %(from)s::regnamespace
"""


_OF_GAMES = {name for name, table in schema.metadata.tables.items() if "game_id" in table.columns}


class DatabaseNotEmpty(StoreError):  # noqa: N818 - it names a condition
    """The database contains data already. Nothing was written."""


class FindingsError(StoreError):
    """The restored data did not pass its check. Nothing was kept. `findings` has a sentence for each fault."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__(f"the backup's journals have {len(findings)} findings")
        self.findings = findings


Check = Callable[[sqlalchemy.Engine], Sequence[str]]
"""A function that reads a database of this version's shape, and returns a sentence for each fault."""


def require_empty(url: str) -> None:
    """Raise `DatabaseNotEmpty` unless a backup may be restored into the database at `url`.

    The database may have no tables with this program's names, or all of them without a game. Raises
    `StoreUnavailable`, or `ValueError` for a bad URL.
    """
    with _connected(url) as connection, connection.transaction():
        _replaceable(connection)


def restore(
    url: str,
    backup: Backup,
    check: Check,
    *,
    despite_findings: bool = False,
    progress: Progress = no_progress,
    role: str | None = None,
) -> Sequence[str]:
    """Restore a backup into the empty database at `url`, whose user owns the database. Returns the findings.

    Findings of `check` refuse the backup, except with `despite_findings`. `progress` gets the number of bytes
    so far and the total. `role` overrides the service's role of the settings.

    After any exception the database is as empty as before. Raises `DatabaseNotEmpty`; `BadBackup` for a damaged
    file, or a file of a newer version; `FindingsError`; `MigrationRefused` if the user lacks the rights;
    `StoreUnavailable`; `ValueError` for a bad URL.
    """
    if backup.manifest.revision not in known_revisions():
        raise BadBackup(
            f"the backup's tables are of revision {backup.manifest.revision}, which this version does not know:"
            " restore it with the version that made it, or a newer one"
        )
    with _connected(url) as connection:
        # The server may take a moment to notice the kill of an earlier process.
        connection.execute("SET lock_timeout = '10s'")
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        except errors.LockNotAvailable:
            raise DatabaseNotEmpty("another process is restoring into this database") from None
        with connection.transaction():
            _replaceable(connection)
        try:
            _remove(connection)
            engine = _engine(url, beside=True)
            try:
                with translated(), engine.execution_options(isolation_level="READ COMMITTED").begin() as within:
                    _fill(within, backup, progress)
                findings = check(engine)
            finally:
                engine.dispose()
            if findings and not despite_findings:
                raise FindingsError(findings)
            _publish(url, role or service_role())
        finally:
            # After a lost connection, the next restoration removes the schema.
            with suppress(psycopg.Error):
                _remove(connection)
    return findings


def _fill(connection: sqlalchemy.Connection, backup: Backup, progress: Progress) -> None:
    """Create the tables in the backup's shape, fill them, and migrate them."""
    driver = _driver(connection)
    try:
        driver.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(BESIDE)))
    except errors.InsufficientPrivilege as refusal:
        raise MigrationRefused(
            f"the database user may not restore here ({_first_line(refusal)}): restore as its owner"
        ) from refusal
    driver.execute(WITHOUT_LIMITS + TEXT_OF_VALUES)
    migrate_within(connection, backup.manifest.revision)
    there = stored_tables(driver)
    total, done = sum(table.bytes for table in backup.manifest.tables), 0
    if {table.name: sorted(table.columns) for table in backup.manifest.tables} != {
        name: sorted(columns) for name, columns in there.items()
    }:
        raise BadBackup(f"the backup's tables are not those of revision {backup.manifest.revision}")
    for table in backup.manifest.tables:
        if _has_rows(driver, table.name):  # Rows made by a migration, such as the secret of a new installation.
            driver.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)))
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, table.columns))
        )
        try:
            with driver.cursor() as cursor:
                with cursor.copy(statement) as copy:
                    for piece in backup.rows(table):
                        copy.write(piece)
                        done += len(piece)
                        progress(done, total)
                written = cursor.rowcount
        except (psycopg.DataError, psycopg.IntegrityError) as fault:
            raise BadBackup(f"the rows of {table.name} do not fit: {_first_line(fault)}") from fault
        if written != table.rows:
            raise BadBackup(f"{table.name} has {written} rows, and the backup says {table.rows}")
    migrate_within(connection, "head")
    connection.exec_driver_sql("ANALYZE")


def _publish(url: str, role: str) -> None:
    """Move the tables to the service's schema, in a single transaction."""
    engine = _engine(url, beside=False)
    try:
        with translated(), engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
            driver = _driver(connection)
            take_turn(driver)
            driver.execute("SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = 0")
            for table in _replaceable(driver, lock=True):
                driver.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier(table)))
            driver.execute("DROP FUNCTION IF EXISTS refuse_rewriting()")
            places = {"from": BESIDE, "to": _value(driver, "SELECT current_schema()")}
            for (statement,) in driver.execute(_OBJECTS, places).fetchall():
                driver.execute(statement)
            # Without CASCADE, so a forgotten object causes an error.
            driver.execute(sql.SQL("DROP SCHEMA {}").format(sql.Identifier(BESIDE)))
            ensure_service_role(driver, role)
    finally:
        engine.dispose()


def _replaceable(connection: psycopg.Connection[Any], *, lock: bool = False) -> list[str]:
    """Return the existing tables of this program, all without a game. Raises `DatabaseNotEmpty`."""
    there = [table for table in (*schema.metadata.tables, _REVISION) if _exists(connection, table)]
    if not there:
        return []
    if _REVISION not in there:
        raise DatabaseNotEmpty(f"the database has a table {there[0]} of another program: name an empty database")
    if lock:
        for table in there:
            connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
    if not {row[0] for row in connection.execute("SELECT version_num FROM alembic_version")} <= known_revisions():
        raise DatabaseNotEmpty(
            "the database has tables of a newer version, or of another program: name an empty database"
        )
    for table in there:
        if table in _OF_GAMES and _has_rows(connection, table):
            raise DatabaseNotEmpty("the database holds games already: name an empty database")
    if _value(connection, _SERVICES):
        raise DatabaseNotEmpty("a service is connected to the database: stop it first")
    return there


def _exists(connection: psycopg.Connection[Any], table: str) -> bool:
    return bool(
        _value(
            connection,
            "SELECT to_regclass(quote_ident(current_schema()) || '.' || quote_ident(%s)) IS NOT NULL",
            table,
        )
    )


def _has_rows(connection: psycopg.Connection[Any], table: str) -> bool:
    rows = connection.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(table)))
    return rows.fetchone() is not None


def _remove(connection: psycopg.Connection[Any]) -> None:
    """Remove the extra schema of this restoration, or of an earlier killed restoration."""
    connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(BESIDE)))


@contextmanager
def _connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    with translated(), psycopg.connect(**_parameters(url), autocommit=True) as connection:
        yield connection


def _engine(url: str, *, beside: bool) -> sqlalchemy.Engine:
    """Create an engine for connections of the owner, limited to the extra schema or to the usual schema."""
    parameters = _parameters(url)

    def opened() -> LimitedConnection:
        # The store's kind of connection, but without limits: a restoration may take any time.
        connection = LimitedConnection.connect(**parameters, autocommit=True)
        connection.execute("SET jit = off; SET TIME ZONE 'UTC'; SET statement_timeout = 0")
        if beside:
            connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(BESIDE)))
        return connection

    return sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=opened,
        isolation_level="AUTOCOMMIT",
        pool_reset_on_return=None,
        use_native_hstore=False,
    )


def _parameters(url: str) -> dict[str, Any]:
    return driver_parameters(url) | {"application_name": _NAME, "client_encoding": "utf8"}


def _driver(connection: sqlalchemy.Connection) -> psycopg.Connection[Any]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101 - the engine has no other driver
    return driver


def _value(connection: psycopg.Connection[Any], statement: LiteralString, *values: object) -> Any:
    row = connection.execute(statement, values or None).fetchone()
    return None if row is None else row[0]


def _first_line(error: BaseException) -> str:
    line = str(error).partition("\n")[0]
    return "".join(letter if letter.isprintable() else "?" for letter in line)
