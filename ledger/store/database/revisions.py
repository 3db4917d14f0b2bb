"""The revisions of the tables: the revisions known to this version, and the revision of a database."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import migrations
from ledger.store.database.errors import NotMigrated

if TYPE_CHECKING:
    import sqlalchemy

FOLDER = Path(str(migrations.__file__)).parent
"""The folder of the migrations."""

FOUND = "SELECT version_num FROM alembic_version"
"""The statement for the revision of a database."""


@cache
def known_revisions() -> frozenset[str]:
    """Return the revisions of this version's migrations.

    The revisions are taken from the names of the files (`v0006_dice.py`), so no caller needs to import the
    migrations and Alembic.
    """
    return frozenset(file.name[1:5] for file in (FOLDER / "versions").glob("v[0-9][0-9][0-9][0-9]_*.py"))


def newest_revision() -> str:
    """Return the newest revision of this version's migrations: the highest number."""
    return max(known_revisions())


def require_migrated(connection: sqlalchemy.Connection) -> None:
    """Raise `NotMigrated` unless the database is at the newest revision of this version."""
    revisions = set(connection.exec_driver_sql(FOUND).scalars())
    if revisions != {newest_revision()}:
        raise NotMigrated(
            f"the database is at revision {', '.join(sorted(revisions)) or 'none'} and this version needs"
            f" {newest_revision()}: run `mabligop migrate`"
        )
