"""Migration of a database's tables to this version's shape.

For an up-to-date database a single query with the driver is enough: a normal start of the service needs no
Alembic.
"""

import logging
from collections.abc import Callable
from typing import Any, LiteralString

import psycopg

from ledger.store.database.database_url import driver_parameters
from ledger.store.database.driver_errors import translated_driver
from ledger.store.database.errors import MigrationRefused, NotMigrated
from ledger.store.database.login import service_url
from ledger.store.database.revisions import FOUND, newest_revision
from ledger.store.database.service_role import (
    ensure_service_role,
    has_own_login,
    is_powerful,
    service_login,
    service_role,
    set_password,
)

# Any constant works, if every version of this program uses the constant.
_LOCK = 0x6D61626C69676F70

_log = logging.getLogger(__name__)


def migrate(url: str, progress: Callable[[str], None] | None = None, *, role: str | None = None) -> list[str]:
    """Apply the missing migrations, create the service's role and its login, and grant the role's rights.

    Everything happens in one transaction under a lock. So any number of processes may migrate at once, and a
    failed migration leaves nothing behind. `progress` gets a sentence for each step. Returns the applied
    revisions, oldest first; an empty list when the database was up to date. The service's login is tried in the
    end. With the URL of the service's own login, nothing is done, and nothing may be missing.

    Raises `MigrationRefused` when the database's encoding is not UTF-8, when a newer version migrated it, or
    when the user may not migrate or not set up the role; `NotMigrated` when the service's login is refused;
    `StoreUnavailable` when the database does not answer; `ValueError` for a bad URL.
    """
    tell = progress or _log.info
    name = role or service_role()
    parameters = driver_parameters(url)

    def prepare(connection: psycopg.Connection[Any]) -> None:
        _take_turn(connection, tell)

    def finish(connection: psycopg.Connection[Any]) -> None:
        if is_powerful(connection):
            ensure_service_role(connection, name)

    with translated_driver(), psycopg.connect(**parameters) as connection:
        prepare(connection)
        current = _is_current(connection)
        powerful = not current or is_powerful(connection)
        if current:
            finish(connection)
    missing: list[str] = []
    if not current:
        # Imported only now: most starts have nothing to migrate.
        from ledger.store.database.applying import apply_missing

        missing = apply_missing(parameters, tell, prepare, finish)
    if powerful and not has_own_login():
        _try_login(url, name)
    return missing


def take_turn(connection: psycopg.Connection[Any]) -> None:
    """Lock the migration of this database until the transaction ends. Waits for other processes."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))


def _take_turn(connection: psycopg.Connection[Any], tell: Callable[[str], None]) -> None:
    """Take the turn of this process to migrate. Raises `MigrationRefused` for an encoding other than UTF-8."""
    if not _value(connection, "SELECT pg_try_advisory_xact_lock(%s)", _LOCK):
        tell("waiting for another process that is migrating this database")
        take_turn(connection)
    encoding = _value(connection, "SELECT current_setting('server_encoding')")
    if encoding != "UTF8":
        raise MigrationRefused(
            f"the database's encoding is {encoding}: create it with ENCODING 'UTF8' TEMPLATE template0"
        )


def _is_current(connection: psycopg.Connection[Any]) -> bool:
    """Return True if the database is at the newest revision of this version."""
    if _value(connection, "SELECT to_regclass('alembic_version')") is None:
        return False
    return connection.execute(FOUND).fetchall() == [(newest_revision(),)]


def _value(connection: psycopg.Connection[Any], statement: LiteralString, *parameters: object) -> Any:
    row = connection.execute(statement, parameters).fetchone()
    return None if row is None else row[0]


def _try_login(url: str, role: str) -> None:
    """Log in as the service. A wrong password is set again."""
    try:
        service_url(url, role=role)
    except NotMigrated as refusal:
        try:
            with translated_driver(), psycopg.connect(**driver_parameters(url)) as connection:
                set_password(connection, service_login(connection, role))
        except NotMigrated:
            raise refusal from None
        service_url(url, role=role)
