"""The store's exceptions for the errors of the driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from ledger.store.database.errors import (
    MigrationRefused,
    NotMigrated,
    RecordRefused,
    StoreBusy,
    StoreError,
    StoreUnavailable,
    Unwritable,
)


@contextmanager
def translated_driver() -> Iterator[None]:
    """Turn the errors of the driver into the store's."""
    try:
        yield
    except Exception as error:
        translation = translation_of(error)
        if translation is not None:
            raise translation from error
        raise


def translation_of(error: BaseException) -> StoreError | None:
    """Return the store's error for an error of the driver, or None for any other error."""
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError | UnicodeEncodeError):
        return RecordRefused(reason(error))
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn | errors.InsufficientPrivilege):
        return NotMigrated(f"the tables are not those of this version ({reason(error)}): run `mabligop migrate`")
    if isinstance(error, errors.DuplicateTable | errors.DuplicateObject | errors.DuplicateFunction):
        return MigrationRefused(
            f"the database has tables of another program ({reason(error)}): give the service one of its own"
        )
    if isinstance(error, errors.DiskFull):
        return Unwritable("disk-full")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return Unwritable("read-only")
    if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled):
        # The server has rolled the statement back already.
        return busy(error)
    if isinstance(error, psycopg.Error):
        return StoreUnavailable(f"the database did not answer: {reason(error)}")
    return None


def busy(error: BaseException) -> StoreBusy:
    """Return the store's error for a resource that was not free in time."""
    return StoreBusy(f"the database did not answer in time: {reason(error)}")


def reason(error: BaseException) -> str:
    """Return the first line of an error's message, or the name of its type."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
