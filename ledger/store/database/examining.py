"""Looks at a database for its operator: rights, sessions, time. Nothing is written."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from ledger.store.database.database_url import driver_parameters
from ledger.store.database.driver_errors import translated_driver
from ledger.store.database.limits import Limits
from ledger.store.database.login import ServiceLogin
from ledger.store.database.revisions import FOUND
from ledger.store.database.service_role import RIGHTS, has_own_login, is_powerful, service_role

_WRITING = ("INSERT", "UPDATE", "DELETE", "TRUNCATE", "TRIGGER")

_POWERS: LiteralString = """
SELECT rolname,
       rolsuper,
       rolcreaterole,
       EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = role.oid)
    OR EXISTS (SELECT FROM pg_namespace WHERE nspname = current_schema() AND nspowner = role.oid)
    OR EXISTS (SELECT FROM pg_class WHERE relowner = role.oid AND relname = ANY(%(tables)s)
                  AND relnamespace = current_schema()::regnamespace)
  FROM pg_roles AS role
 WHERE pg_has_role(session_user, role.oid, 'MEMBER')
 ORDER BY rolname <> session_user, rolname
"""
_HELD: LiteralString = """
SELECT name, privilege FROM unnest(%(tables)s::text[], %(privileges)s::text[]) AS asked (name, privilege)
 WHERE coalesce(has_table_privilege(to_regclass(quote_ident(name)), privilege), false)
"""
_NEWEST: LiteralString = """
SELECT max(recorded_at) FROM games CROSS JOIN LATERAL
       (SELECT recorded_at FROM actions WHERE game_id = games.game_id ORDER BY number DESC LIMIT 1) AS last
"""
_MARK: LiteralString = "SELECT set_config('mabligop.examined', %s, false)"
_MARKED: LiteralString = "SELECT current_setting('mabligop.examined', true)"


def open_login(url: str) -> psycopg.Connection[Any]:
    """Open a connection with the login of a service with this `DATABASE_URL`, even with too many rights.

    Raises NotMigrated if the service's login is refused, StoreUnavailable.
    """
    with translated_driver():
        if has_own_login():
            return psycopg.connect(**driver_parameters(url), autocommit=True)
        return ServiceLogin(url, service_role(), Limits.configured()).open()


def revisions(connection: psycopg.Connection[Any]) -> frozenset[str]:
    """Return the revisions of the tables; none without tables. Raises NotMigrated for a login without rights."""
    with translated_driver():
        row = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
        if row is None or row[0] is None:
            return frozenset()
        return frozenset(revision for (revision,) in connection.execute(FOUND).fetchall())


def excess_rights(connection: psycopg.Connection[Any]) -> list[str]:
    """Return the rights of a login beyond the rights of the service, in words."""
    with translated_driver():
        powers = []
        for role, is_superuser, makes_roles, owns in connection.execute(_POWERS, {"tables": list(RIGHTS)}):
            if is_superuser:
                # A superuser is a member of every role.
                return [f"{role} is a superuser"]
            powers += [f"{role} may create roles"] if makes_roles else []
            powers += [f"{role} owns the database, its schema or tables"] if owns else []
        beyond = _granted(connection, {table: {*_WRITING} - rights for table, rights in RIGHTS.items()})
        if is_powerful(connection) and not powers and not beyond:
            powers.append("the login could change the journal")
    return powers + [f"{right} on {table}" for table, right in beyond]


def missing_rights(connection: psycopg.Connection[Any]) -> list[str]:
    """Return the rights of the service that a login lacks, such as "INSERT on actions"."""
    with translated_driver():
        granted = set(_granted(connection, RIGHTS))
    return [
        f"{right} on {table}"
        for table, rights in RIGHTS.items()
        for right in sorted(rights)
        if (table, right) not in granted
    ]


def _granted(connection: psycopg.Connection[Any], rights: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Select the rights that the login has."""
    pairs = [(table, right) for table, names in rights.items() for right in sorted(names)]
    tables, privileges = zip(*pairs, strict=True)
    return connection.execute(_HELD, {"tables": list(tables), "privileges": list(privileges)}).fetchall()


def keeps_sessions(first: psycopg.Connection[Any], second: psycopg.Connection[Any]) -> bool:
    """Return True if each of two connections keeps a separate session on the server.

    A pooler by transactions or statements lends a single session to both connections: a setting of the first
    connection reaches the second, and reversed.
    """
    with translated_driver():
        first.execute(_MARK, ("first",))
        second.execute(_MARK, ("second",))
        return [connection.execute(_MARKED).fetchone() for connection in (first, second)] == [
            ("first",),
            ("second",),
        ]


def time_of(connection: psycopg.Connection[Any]) -> datetime:
    """Return the time of the server's clock."""
    with translated_driver():
        row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None  # noqa: S101 - the statement gives one row
    moment: datetime = row[0]
    return moment


def newest_action_at(connection: psycopg.Connection[Any]) -> datetime | None:
    """Return the time of the newest action, by the last action of each game; None without actions."""
    with translated_driver():
        row = connection.execute(_NEWEST).fetchone()
    return None if row is None else row[0]


def data_folder(connection: psycopg.Connection[Any]) -> Path | None:
    """Return the data folder of a server on this machine; None for a remote server, or without the right."""
    if not (connection.info.host.startswith("/") or connection.info.hostaddr in {"127.0.0.1", "::1"}):
        return None
    try:
        row = connection.execute("SELECT current_setting('data_directory')").fetchone()
    except psycopg.errors.InsufficientPrivilege:
        return None
    folder = None if row is None else Path(row[0])
    return folder if folder is not None and folder.is_dir() else None
