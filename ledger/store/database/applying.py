"""Applying migrations with Alembic."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import RevisionError
from psycopg import errors
from sqlalchemy.exc import DBAPIError

from ledger.store.database.connection import translated
from ledger.store.database.errors import MigrationRefused
from ledger.store.database.revisions import FOLDER
from ledger.store.database.service_role import OWNER_VARIABLE, first_line, is_powerful

# Alembic keeps its state in module globals, so a process runs a single migration at a time.
_one_at_a_time = threading.Lock()


def apply_missing(
    parameters: dict[str, Any],
    tell: Callable[[str], None],
    prepare: Callable[[psycopg.Connection[Any]], None],
    finish: Callable[[psycopg.Connection[Any]], None],
) -> list[str]:
    """Apply the missing migrations in a single transaction, and return them, oldest first.

    Takes the driver's connection parameters. `tell` gets a sentence for each step. `prepare` and `finish` get
    the connection before and after all steps, in the same transaction. Raises the errors of `migrate`.
    """
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(**parameters), poolclass=sqlalchemy.NullPool
    )
    with _one_at_a_time, translated(), engine.begin() as connection:
        driver = _driver(connection)
        prepare(driver)
        missing = _missing_revisions(connection)
        if missing and not is_powerful(driver):
            raise MigrationRefused(
                f"migrations are missing ({', '.join(missing)}), and the service's own login may not apply"
                f" them: run `mabligop migrate` with the owner's URL in {OWNER_VARIABLE}"
            )
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
        finish(driver)
    return missing


def migrate_within(connection: sqlalchemy.Connection, revision: str) -> None:
    """Apply the migrations up to this revision, or up to "head", in the caller's transaction and schema.

    The service's role is not set up. Raises the driver's errors.
    """
    with _one_at_a_time:
        _upgrade(connection, revision)


def _driver(connection: sqlalchemy.Connection) -> psycopg.Connection[Any]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101 - the engine has no other driver
    return driver


def _upgrade(connection: sqlalchemy.Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _config() -> Config:
    config = Config()
    # In the configuration % starts an interpolation.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
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
