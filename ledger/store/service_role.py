"""The database role of the service, and its rights.

The owner of the tables could switch the journal's triggers off. Therefore the service gives up its login's rights
on every connection, and works as a role that can only read the journal and add to it.
"""

import os
from typing import Any

import psycopg
import sqlalchemy
from psycopg import errors, sql
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ledger.store.errors import MigrationRefused, NotMigrated

ENVIRONMENT_VARIABLE = "MABLIGOP_SERVICE_ROLE"
DEFAULT_NAME = "mabligop_service"

RIGHTS = {
    "games": {"SELECT", "INSERT"},
    "actions": {"SELECT", "INSERT"},
    "events": {"SELECT", "INSERT"},
    "touches": {"SELECT", "INSERT"},
    "credentials": {"SELECT", "INSERT", "UPDATE"},
    "snapshots": {"SELECT", "INSERT", "UPDATE", "DELETE"},
    "installation": {"SELECT"},
    # Readiness compares the revision found here with the newest one.
    "alembic_version": {"SELECT"},
}


def service_role() -> str:
    """The configured name of the role: from the environment, or `mabligop_service`."""
    return os.environ.get(ENVIRONMENT_VARIABLE) or DEFAULT_NAME


# A connection plans each statement once and keeps the plan. A plan made while a table fits on one page would read
# the whole table, even later when the table has a million rows. So plans must use the keys from the start.
_SETTINGS = "SET enable_seqscan = off; SET jit = off; SET TIME ZONE 'UTC'"


def take_role(connection: psycopg.Connection[Any], role: str) -> None:
    """Give up the login's rights on this connection, and prepare it for the store's statements.

    Raises `NotMigrated` when the role does not exist or the login may not take it.
    """
    # Several statements in one simple query: one round trip.
    statement = sql.SQL("SET ROLE {}; " + _SETTINGS).format(sql.Identifier(role))
    try:
        connection.execute(statement)
    except (errors.InvalidParameterValue, errors.InsufficientPrivilege) as refusal:
        message = (
            f"cannot work as the role {role!r} ({_first_line(refusal)}): run `mabligop migrate` on this database"
        )
        raise NotMigrated(message) from refusal


def ensure_service_role(connection: sqlalchemy.Connection, role: str) -> None:
    """Create the role if it is missing, let the current user take it, and grant it exactly `RIGHTS`.

    Works inside the caller's transaction, and changes nothing when everything is in place. Raises
    `MigrationRefused` when the current user may not create or grant the role. Its message has the SQL for an
    administrator.
    """
    quote = connection.dialect.identifier_preparer.quote_identifier
    user = str(connection.scalar(text("SELECT current_user")))
    try:
        if not connection.scalar(
            text("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :role)"), {"role": role}
        ):
            _create(connection, f"CREATE ROLE {quote(role)} NOLOGIN")
        if not _may_take(connection, role):
            _create(connection, f"GRANT {quote(role)} TO {quote(user)}")
    except DBAPIError as refusal:
        if not isinstance(refusal.orig, errors.InsufficientPrivilege):
            raise
        advice = (
            f"the database user {user!r} may not set up the service's role {role!r} "
            f"({_first_line(refusal.orig)}). An administrator should run this once, then migrate again:\n"
            f"  CREATE ROLE {quote(role)} NOLOGIN;  -- unless it exists\n"
            f"  GRANT {quote(role)} TO {quote(user)};"
        )
        raise MigrationRefused(advice) from refusal
    schema = quote(str(connection.scalar(text("SELECT current_schema()"))))
    if not connection.scalar(
        text("SELECT has_schema_privilege(:role, current_schema(), 'USAGE')"), {"role": role}
    ):
        connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {quote(role)}")
    for table, rights in RIGHTS.items():
        if _granted(connection, role, table) != rights:
            connection.exec_driver_sql(f"REVOKE ALL ON {quote(table)} FROM {quote(role)}")
            connection.exec_driver_sql(f"GRANT {', '.join(sorted(rights))} ON {quote(table)} TO {quote(role)}")


def _create(connection: sqlalchemy.Connection, statement: str) -> None:
    """Run a statement that the migration of another database may have run: roles belong to the whole server."""
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(statement)
    except DBAPIError as refusal:
        if not isinstance(refusal.orig, errors.DuplicateObject | errors.UniqueViolation):
            raise


def _may_take(connection: sqlalchemy.Connection, role: str) -> bool:
    # Since version 16 membership and the right to SET ROLE are separate.
    version = int(connection.scalar(text("SELECT current_setting('server_version_num')::int")) or 0)
    wanted = "SET" if version >= 160000 else "MEMBER"
    statement = text("SELECT pg_has_role(current_user, :role, :wanted)")
    return bool(connection.scalar(statement, {"role": role, "wanted": wanted}))


def _granted(connection: sqlalchemy.Connection, role: str, table: str) -> set[str]:
    statement = text(
        "SELECT privilege_type FROM pg_class, aclexplode(relacl) AS acl, pg_roles"
        " WHERE pg_class.oid = to_regclass(:table) AND acl.grantee = pg_roles.oid AND rolname = :role"
    )
    return set(connection.scalars(statement, {"table": table, "role": role}))


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
