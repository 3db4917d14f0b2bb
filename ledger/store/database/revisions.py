"""The revisions of the tables: those that this version knows, and that of a database."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import migrations
from ledger.store.database.errors import NotMigrated

if TYPE_CHECKING:
    import sqlalchemy

FOLDER = Path(str(migrations.__file__)).parent
"""Where the migrations are."""

FOUND = "SELECT version_num FROM alembic_version"
"""The statement that finds the revision of a database."""


@cache
def known_revisions() -> frozenset[str]:
    """List the revisions of this version's migrations.

    The name of a migration's file has its revision (`v0006_dice.py`). So nobody who only asks for them needs to
    import all migrations, and Alembic, which runs them.
    """
    return frozenset(file.name[1:5] for file in (FOLDER / "versions").glob("v[0-9][0-9][0-9][0-9]_*.py"))


def newest_revision() -> str:
    """Give the newest revision of this version's migrations: each has a higher number than the one before."""
    return max(known_revisions())


def require_migrated(connection: sqlalchemy.Connection) -> None:
    """Raise `NotMigrated` unless the database is at the newest revision of this version."""
    found = set(connection.exec_driver_sql(FOUND).scalars())
    if found != {newest_revision()}:
        raise NotMigrated(
            f"the database is at revision {', '.join(sorted(found)) or 'none'} and this version needs"
            f" {newest_revision()}: run `mabligop migrate`"
        )
