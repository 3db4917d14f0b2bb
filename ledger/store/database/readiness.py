"""A test of the service's ability to write, by writing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import sqlalchemy
from sqlalchemy import func, text
from sqlalchemy.dialects import postgresql

from ledger.store.database import schema
from ledger.store.database.connection import transaction
from ledger.store.database.errors import StoreBusy, StoreUnavailable, Unwritable
from ledger.store.database.revisions import require_migrated
from ledger.store.database.service_role import RIGHTS

EVERY_SECONDS = 2.0
"""Lifetime of a result, and minimum time between two test writes."""
_PATIENCE_SECONDS = 5
_MARK = {"game_id": "", "number": 0, "format": "readiness"}
"""The key of the test row. No game has this id."""

_LIMITS = text(
    f"SELECT set_config('statement_timeout', '{_PATIENCE_SECONDS}s', true),"
    f" set_config('lock_timeout', '{_PATIENCE_SECONDS}s', true), set_config('work_mem', '64kB', true)"
)
_MAY_ALL = text(
    "SELECT bool_and(has_table_privilege(name, privilege))"
    " FROM unnest(CAST(:names AS text[]), CAST(:privileges AS text[])) AS needed (name, privilege)"
)
# The rows exceed the transaction's memory, so the server writes them into a file. A table row may fit on an
# existing page, although the disk is full; a new file does not.
_NEW_FILE = text("SELECT count(*) FROM generate_series(1, 20000)")


def write(engine: sqlalchemy.Engine) -> None:
    """Write a row and a temporary file, as the service's role, and read a time as every request does.

    No journal is touched.

    Raises `Unwritable` if the disk is full, the database read-only or the role without its rights;
    `NotMigrated`, `StoreBusy`, `StoreUnavailable` as every other access to the store.
    """
    row = postgresql.insert(schema.snapshots).values(**_MARK, body=b"", created_at=func.now())
    renewed = row.on_conflict_do_update(index_elements=[*_MARK], set_={"created_at": row.excluded.created_at})
    needed = [(table, right) for table, rights in RIGHTS.items() for right in sorted(rights)]
    with transaction(engine) as connection:
        connection.execute(_LIMITS)
        require_migrated(connection)
        names, privileges = zip(*needed, strict=True)
        if not connection.scalar(_MAY_ALL, {"names": list(names), "privileges": list(privileges)}):
            raise Unwritable("no-rights")
        connection.execute(renewed.returning(schema.snapshots.c.created_at)).one()
        connection.execute(_NEW_FILE)


class Readiness:
    """The latest result of the write test. Takes the check, which raises on failure, and a clock in seconds."""

    def __init__(self, check: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._check = check
        self._clock = clock
        self._checking = threading.Lock()
        self._began: float | None = None
        self._result: tuple[float, StoreUnavailable | None] | None = None

    def require(self) -> None:
        """Raise the error of the check, if any. The check runs once in two seconds, for any number of callers.

        During a check, other callers get the previous result. Raises StoreBusy if the check runs too long.
        """
        if not self._holds() and self._checking.acquire(blocking=self._result is None):
            try:
                if not self._holds():
                    self._find_out()
            finally:
                self._checking.release()
        began = self._began
        if began is not None and self._clock() - began > _PATIENCE_SECONDS:
            raise StoreBusy("a check has been running for too long")
        if self._result is not None and self._result[1] is not None:
            failed = self._result[1]
            raise type(failed)(*failed.args) from failed

    def _holds(self) -> bool:
        return self._result is not None and self._clock() - self._result[0] < EVERY_SECONDS

    def _find_out(self) -> None:
        self._began = self._clock()
        failed = None
        try:
            self._check()
        except StoreUnavailable as fault:
            failed = fault
        finally:
            self._began = None
        self._result = (self._clock(), failed)
