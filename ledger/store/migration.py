"""Migrating a database's tables to this version's shape, and checking the shape."""

import logging
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import RevisionError
from psycopg import errors
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

import migrations
from ledger.store.connection import service_url, translated
from ledger.store.database_url import driver_parameters
from ledger.store.errors import MigrationRefused, NotMigrated
from ledger.store.service_role import (
    OWNER_VARIABLE,
    ensure_service_role,
    first_line,
    has_own_login,
    is_powerful,
    service_login,
    service_role,
    set_password,
)

# Any constant works, as long as every version of this program uses the same one.
_LOCK = 0x6D61626C69676F70

# Alembic keeps its state in module globals, so a process runs one migration at a time.
_one_at_a_time = threading.Lock()

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
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(**parameters), poolclass=sqlalchemy.NullPool
    )
    with _one_at_a_time, translated(), engine.begin() as connection:
        if not connection.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": _LOCK}):
            tell("waiting for another process that is migrating this database")
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        encoding = connection.scalar(text("SELECT current_setting('server_encoding')"))
        if encoding != "UTF8":
            raise MigrationRefused(
                f"the database's encoding is {encoding}: create it with ENCODING 'UTF8' TEMPLATE template0"
            )
        missing = _missing_revisions(connection)
        if not is_powerful(_driver(connection)):
            if missing:
                raise MigrationRefused(
                    f"migrations are missing ({', '.join(missing)}), and the service's own login may not apply"
                    f" them: run `mabligop migrate` with the owner's URL in {OWNER_VARIABLE}"
                )
            return []
        for revision in missing:
            tell(f"applying migration {revision}")
        if missing:
            try:
                _upgrade(connection, "head")
            except DBAPIError as refusal:
                if not isinstance(refusal.orig, errors.InsufficientPrivilege):
                    raise
                raise MigrationRefused(
                    f"the database user may not migrate ({first_line(refusal.orig)}): name the database's owner"
                    f" in DATABASE_URL, or beside the service's own login in {OWNER_VARIABLE}"
                ) from refusal
        ensure_service_role(connection, name)
    if not has_own_login():
        _try_login(url, name)
    return missing


def _try_login(url: str, role: str) -> None:
    """Log in as the service. A password that is not the right one is set again."""
    try:
        service_url(url, role=role)
    except NotMigrated as refusal:
        try:
            with translated(), psycopg.connect(**driver_parameters(url)) as connection:
                set_password(connection, service_login(connection, role))
        except NotMigrated:
            raise refusal from None
        service_url(url, role=role)


def _driver(connection: sqlalchemy.Connection) -> psycopg.Connection[Any]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101 - the engine has no other driver
    return driver


def migrate_within(connection: sqlalchemy.Connection, revision: str) -> None:
    """Apply the migrations up to this revision, or up to "head", in the caller's transaction and schema.

    The service's role is not set up. Raises the driver's errors.
    """
    with _one_at_a_time:
        _upgrade(connection, revision)


def alone(connection: sqlalchemy.Connection) -> None:
    """Wait until no other process migrates this database, and keep them waiting until the transaction ends."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def require_migrated(connection: sqlalchemy.Connection) -> None:
    """Raise `NotMigrated` unless the database is at the newest revision of this version."""
    found = set(connection.scalars(text("SELECT version_num FROM alembic_version")))
    if found != {newest_revision()}:
        raise NotMigrated(
            f"the database is at revision {', '.join(sorted(found)) or 'none'} and this version needs"
            f" {newest_revision()}: run `mabligop migrate`"
        )


@cache
def newest_revision() -> str:
    """The newest revision of this version's migrations."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None  # noqa: S101 - the package ships its migrations
    return head


@cache
def known_revisions() -> frozenset[str]:
    """The revisions of this version's migrations."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _upgrade(connection: sqlalchemy.Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _config() -> Config:
    config = Config()
    folder = Path(str(migrations.__file__)).parent
    # In the configuration % starts an interpolation.
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def _missing_revisions(connection: sqlalchemy.Connection) -> list[str]:
    scripts = ScriptDirectory.from_config(_config())
    current = MigrationContext.configure(connection).get_current_heads()
    try:
        steps = list(scripts.iterate_revisions("head", current or "base"))
    except RevisionError as unknown:
        raise MigrationRefused(
            f"the database is at revision {', '.join(current)}, which this version does not know:"
            " a newer version migrated it"
        ) from unknown
    return [step.revision for step in reversed(steps)]
