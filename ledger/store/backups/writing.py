"""Writing a backup: a snapshot of a database, possibly in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import IO, Any, LiteralString

import psycopg
from psycopg import errors, sql

from ledger.store.backups.archive import (
    FORMAT,
    VERSION,
    WITHOUT_KEYS,
    Manifest,
    NewBackup,
    Progress,
    no_progress,
)
from ledger.store.backups.sealing import seal
from ledger.store.database import schema
from ledger.store.database.connection import translated
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.errors import MigrationRefused, NotMigrated
from ledger.store.database.revisions import known_revisions

LEFT_OUT = {"snapshots"}
"""Tables without a backup: a cache, refilled by the service."""

# These settings decide the text of values in COPY, so the text depends neither on the server nor on its
# version. Bytes with text content are written as text (escape), so the backup shrinks and stays readable.
TEXT_OF_VALUES: LiteralString = """
SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'postgres';
SET LOCAL bytea_output = 'escape'; SET LOCAL extra_float_digits = 1;
"""

# A backup may take any time, despite the limits of the server.
WITHOUT_LIMITS: LiteralString = """
SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
"""

_COLUMNS: LiteralString = """
SELECT attname FROM pg_attribute
 WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.' || quote_ident(%s))
   AND attnum > 0 AND NOT attisdropped
 ORDER BY attnum
"""


def write_backup(
    url: str,
    file: IO[bytes],
    *,
    made_by: str,
    keys: Mapping[str, bytes] | None = None,
    passphrase: str = "",
    progress: Progress = no_progress,
) -> Manifest:
    """Write a backup of the database at `url` to `file`, and return its manifest.

    All rows are from a single moment, while others continue to write. `made_by` is the version of the program.
    `keys` are the files with the keys of the service, by name, to seal with the passphrase. `progress` gets the
    number of rows so far, and 0. Raises `NotMigrated` for a database without tables; `MigrationRefused` for a
    database migrated by a newer version; `StoreUnavailable`; `ValueError` for a bad URL; `OSError` if the file
    cannot be written.
    """
    parameters = driver_parameters(url) | {"application_name": "mabligop backup", "client_encoding": "utf8"}
    with translated(), psycopg.connect(**parameters, autocommit=True) as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute(WITHOUT_LIMITS + TEXT_OF_VALUES)
        revision = revision_of(connection)
        made_at = _moment(connection)
        tables, done = [], 0

        def counted(rows: Iterator[bytes | bytearray | memoryview]) -> Iterator[bytes]:
            nonlocal done
            for row in rows:
                done += 1
                if done % 1000 == 0:
                    progress(done, 0)
                yield bytes(row)

        with NewBackup(file) as backup:
            for name, columns in stored_tables(connection).items():
                statement = sql.SQL("COPY (SELECT {} FROM {} ORDER BY {}) TO STDOUT").format(
                    _listed(columns),
                    sql.Identifier(name),
                    # The rows of a game lie together, and equal rows give equal bytes.
                    _listed([column.name for column in schema.metadata.tables[name].primary_key]),
                )
                with connection.cursor().copy(statement) as copy:
                    tables.append(backup.write_table(name, columns, counted(iter(copy))))
            sealed = backup.write_keys(sorted(keys), seal(keys, passphrase)) if keys else None
            version = WITHOUT_KEYS if sealed is None else VERSION
            server = str(connection.info.parameter_status("server_version"))
            manifest = Manifest(FORMAT, version, revision, made_at, made_by, server, tables, sealed)
            backup.finish(manifest)
    return manifest


def revision_of(connection: psycopg.Connection[Any]) -> str:
    """Return the revision of the database's tables.

    Raises `NotMigrated` without tables, `MigrationRefused` if a newer version migrated the tables.
    """
    try:
        revisions = [str(row[0]) for row in connection.execute("SELECT version_num FROM alembic_version")]
    except errors.UndefinedTable:
        revisions = []
    if len(revisions) != 1:
        raise NotMigrated("the database has no tables of this program: there is nothing to back up")
    if revisions[0] not in known_revisions():
        raise MigrationRefused(
            f"the database is at revision {revisions[0]}, which this version does not know:"
            " a newer version migrated it. Make the backup with that version"
        )
    return revisions[0]


def stored_tables(connection: psycopg.Connection[Any]) -> dict[str, list[str]]:
    """Return the backup tables present in this database, each with its columns in order.

    A table of a later migration is still missing in an older database.
    """
    tables = {}
    for table in schema.metadata.tables:
        columns = [str(row[0]) for row in connection.execute(_COLUMNS, (table,))]
        if columns and table not in LEFT_OUT:
            tables[table] = columns
    return tables


def _listed(names: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _moment(connection: psycopg.Connection[Any]) -> datetime:
    row = connection.execute("SELECT now()").fetchone()
    assert row is not None  # noqa: S101 - it is a single value
    moment: datetime = row[0]
    return moment
