"""The database role of the service, its rights and its login.

The owner of the tables could switch the journal's triggers off. Therefore the service logs in as a role that
can only read the journal and append to it. A connection of the owner with reduced rights would not do: `RESET
ROLE` restores the rights.

The rights belong to a role, `mabligop_service`. The login is a member of the role, and belongs to an
installation: roles belong to the whole server, and each database of the server has its own secret, from which
the login's name and password are derived. Nobody needs to know this password. An administrator may instead give
the service's role a password and name the role in `DATABASE_URL`; the owner's URL is then in
`MABLIGOP_OWNER_URL`.
"""

import hashlib
import hmac
import os
from typing import Any, LiteralString, NamedTuple

import psycopg
from psycopg import errors, sql

from ledger.store.database.database_url import driver_parameters
from ledger.store.database.errors import MigrationRefused, NotMigrated

ENVIRONMENT_VARIABLE = "MABLIGOP_SERVICE_ROLE"
OWNER_VARIABLE = "MABLIGOP_OWNER_URL"
DEFAULT_NAME = "mabligop_service"

RIGHTS = {
    "games": {"SELECT", "INSERT"},
    "actions": {"SELECT", "INSERT"},
    "events": {"SELECT", "INSERT"},
    "touches": {"SELECT", "INSERT"},
    "credentials": {"SELECT", "INSERT", "UPDATE"},
    "invitations": {"SELECT", "INSERT", "UPDATE"},
    "snapshots": {"SELECT", "INSERT", "UPDATE", "DELETE"},
    "tiles": {"SELECT", "INSERT"},
    "checkpoints": {"SELECT", "INSERT"},
    "cosignatures": {"SELECT", "INSERT"},
    "dice_chains": {"SELECT", "INSERT", "UPDATE"},
    "dice_throws": {"SELECT", "INSERT", "UPDATE"},
    "dice_values": {"SELECT", "INSERT"},
    "installation": {"SELECT"},
    # Readiness compares this revision with the newest revision.
    "alembic_version": {"SELECT"},
}

_LONGEST_NAME = 63  # bytes: NAMEDATALEN - 1
_STORED: LiteralString = "SELECT value FROM installation WHERE name = 'secret'"

# Check if the login, or any role of the login, can change the journal or its guards.
_POWERFUL: LiteralString = """
SELECT to_regclass('actions') IS NULL
    OR bool_or(rolsuper OR rolcreaterole
               OR EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = role.oid)
               OR EXISTS (SELECT FROM pg_namespace WHERE nspname = current_schema() AND nspowner = role.oid)
               OR EXISTS (SELECT FROM pg_class
                           WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%(tables)s)
                             AND (relowner = role.oid
                                  OR relname = ANY(%(journal)s)
                                     AND has_table_privilege(role.oid, pg_class.oid,
                                                             'UPDATE, DELETE, TRUNCATE, TRIGGER'))))
  FROM pg_roles AS role
 WHERE pg_has_role(session_user, role.oid, 'MEMBER')
"""


class Login(NamedTuple):
    """The name of a role with the right to log in, and its password."""

    user: str
    password: str


def service_role() -> str:
    """Return the name of the role with the service's rights.

    The name comes from the environment: `MABLIGOP_SERVICE_ROLE`; else the user of `DATABASE_URL` if the owner
    has a separate URL; else `mabligop_service`.
    """
    configured = os.environ.get(ENVIRONMENT_VARIABLE)
    if not configured and has_own_login():
        try:
            configured = driver_parameters(os.environ.get("DATABASE_URL", "")).get("user")
        except ValueError:
            configured = None  # The connection reports the unreadable URL.
    return configured or DEFAULT_NAME


def has_own_login() -> bool:
    """Return True if an administrator configured the service's login.

    `DATABASE_URL` then names the login, and another URL the owner.
    """
    return bool(os.environ.get(OWNER_VARIABLE))


def is_powerful(connection: psycopg.Connection[Any]) -> bool:
    """Return True if the login of this connection could change data protected from the service.

    True for a superuser, for the owner of the database or of its tables, for a member of such a role, and for
    everybody in a database without tables.
    """
    parameters = {
        "tables": list(RIGHTS),
        "journal": [table for table, rights in RIGHTS.items() if "UPDATE" not in rights],
    }
    row = connection.execute(_POWERFUL, parameters).fetchone()
    return row is None or row[0] is not False


def service_login(connection: psycopg.Connection[Any], role: str) -> Login:
    """Derive the login of this database's service from the installation's secret (RFC 2104, HMAC-SHA-256).

    Raises `NotMigrated` if the database has no secret; psycopg's errors if the secret cannot be read.
    """
    row = connection.execute(_STORED, binary=True).fetchone()
    if row is None:
        raise NotMigrated("the table `installation` has no secret: restore it from a backup")
    mark = "_" + hmac.digest(row[0], b"login's name", hashlib.sha256).hex()[:8]
    name = role.encode()[: _LONGEST_NAME - len(mark)].decode(errors="ignore")
    return Login(name + mark, hmac.digest(row[0], f"login's password {role}".encode(), hashlib.sha256).hex())


def ensure_service_role(connection: psycopg.Connection[Any], role: str) -> None:
    """Create the role and its login if missing, and grant the role exactly `RIGHTS`.

    Works inside the caller's transaction, and changes nothing if everything is in place. Creates no login if
    the service has a configured login. Raises `MigrationRefused` if the current user lacks the rights. The
    message contains the instructions for an administrator.
    """
    (user,) = _row(connection, "SELECT current_user")
    if user == role:
        raise MigrationRefused(
            f"the service's login {role!r} is that of the owner: the service needs another one, with less rights"
        )
    try:
        if not _exists(connection, role):
            _create(connection, sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
        _grant_rights(connection, role)
        if not has_own_login():
            _ensure_login(connection, role)
    except errors.InsufficientPrivilege as refusal:
        quoted = sql.Identifier(role).as_string(connection)
        raise MigrationRefused(
            f"the database user {user!r} may not set up the service's role {role!r} ({first_line(refusal)})."
            " An administrator should run this once, with a password of your choice:\n"
            f"  CREATE ROLE {quoted} LOGIN PASSWORD '…';  -- ALTER ROLE, if it exists\n"
            f"Then name this login in DATABASE_URL and the owner's in {OWNER_VARIABLE}, and migrate again"
        ) from refusal


def _grant_rights(driver: psycopg.Connection[Any], role: str) -> None:
    named = sql.Identifier(role)
    database, schema = _row(driver, "SELECT current_database(), current_schema()")
    able = _row(
        driver,
        "SELECT has_database_privilege(%(role)s, current_database(), 'CONNECT'),"
        " has_schema_privilege(%(role)s, current_schema(), 'USAGE'),"
        " has_schema_privilege(%(role)s, current_schema(), 'CREATE')",
        role=role,
    )
    if not able[0]:
        driver.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(database), named))
    if not able[1]:
        driver.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), named))
    if able[2]:
        # Until Postgres 15 everybody could create tables in the schema "public".
        try:
            with driver.transaction():
                driver.execute(
                    sql.SQL("REVOKE CREATE ON SCHEMA {} FROM PUBLIC, {}").format(sql.Identifier(schema), named)
                )
        except errors.InsufficientPrivilege:
            pass  # The schema belongs to another user, who decides.
    for table, rights in RIGHTS.items():
        if _granted(driver, role, table) != rights:
            names = {"table": sql.Identifier(table), "role": named}
            driver.execute(sql.SQL("REVOKE ALL ON {table} FROM {role}").format(**names))
            right_names = sql.SQL(", ").join(sql.SQL(right) for right in sorted(rights))
            driver.execute(sql.SQL("GRANT {rights} ON {table} TO {role}").format(rights=right_names, **names))


def _ensure_login(driver: psycopg.Connection[Any], role: str) -> None:
    login = service_login(driver, role)
    if not _exists(driver, login.user):
        _create(driver, sql.SQL("CREATE ROLE {}").format(sql.Identifier(login.user)))
        set_password(driver, login)
    (member,) = _row(
        driver, "SELECT pg_has_role(%(login)s::name, %(role)s::name, 'USAGE')", login=login.user, role=role
    )
    if not member:
        driver.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), sql.Identifier(login.user)))
    database, schema = _row(driver, "SELECT current_database(), current_schema()")
    if schema != "public":
        # The owner's own search path does not hold for another login.
        driver.execute(
            sql.SQL("ALTER ROLE {} IN DATABASE {} SET search_path = {}").format(
                *map(sql.Identifier, (login.user, database, schema))
            )
        )


def set_password(connection: psycopg.Connection[Any], login: Login) -> None:
    """Let the login's role log in with its password."""
    # Only a hash is sent: a server may log its statements.
    hashed = connection.pgconn.encrypt_password(login.password.encode(), login.user.encode(), b"scram-sha-256")
    connection.execute(
        sql.SQL("ALTER ROLE {} LOGIN INHERIT PASSWORD {}").format(
            sql.Identifier(login.user), sql.Literal(hashed.decode())
        )
    )


def _create(driver: psycopg.Connection[Any], statement: sql.Composed) -> None:
    """Create a role, unless the role exists already.

    Roles belong to the whole server, so another database's migration may have created the role.
    """
    try:
        with driver.transaction():
            driver.execute(statement)
    except (errors.DuplicateObject, errors.UniqueViolation):
        pass


def _exists(driver: psycopg.Connection[Any], role: str) -> bool:
    (exists,) = _row(driver, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %(role)s)", role=role)
    return bool(exists)


def _granted(driver: psycopg.Connection[Any], role: str, table: str) -> set[str]:
    statement = (
        "SELECT privilege_type FROM pg_class, aclexplode(relacl) AS acl, pg_roles"
        " WHERE pg_class.oid = to_regclass(quote_ident(%(table)s)) AND acl.grantee = pg_roles.oid"
        " AND rolname = %(role)s"
    )
    return {right for (right,) in driver.execute(statement, {"table": table, "role": role}).fetchall()}


def _row(driver: psycopg.Connection[Any], statement: LiteralString, **parameters: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = driver.execute(statement, parameters).fetchone()
    assert row is not None  # noqa: S101 - these statements give one row
    return row


def first_line(error: BaseException) -> str:
    """Return the first line of a server error, without the statement."""
    return str(error).partition("\n")[0]
