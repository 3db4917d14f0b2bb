"""A database with two games of the store's own, and its backup."""

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from ledger.store.backups.writing import write_backup
from ledger.store.database import schema
from ledger.store.database.connection import connect
from ledger.store.store import Store
from tests.store.journals import action, credential, event, game

# Whatever a text or bytes may hold that the text format of COPY has to escape.
ODD_BYTES = b"\x00\xff\\x\\000\\.\n\r\t\v'\"" + "₦ à 😀".encode()
ODD_BODY = '{"text":"₦120 \\"Ana\\" \\\\ \\n\\t 😀 \\\\."}'.encode()

Rows = dict[str, list[tuple[Any, ...]]]


class Backed(NamedTuple):
    """A backup in a file, and the database that it was made of."""

    file: Path
    url: str
    rows: Rows


def rows_of(url: str) -> Rows:
    """All rows of a database but those of the cache, in order."""
    with psycopg.connect(url) as owner:
        return {
            name: sorted(owner.execute(f"SELECT * FROM {name}").fetchall(), key=repr)  # type: ignore[call-overload]
            for name in schema.metadata.tables
            if name != "snapshots"
        }


def tables_in(url: str) -> set[str]:
    """Everything that a database has in its own schemas."""
    with psycopg.connect(url) as owner:
        found = owner.execute(
            "SELECT nspname || '.' || relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
            " WHERE nspname NOT LIKE 'pg\\_%%' AND nspname <> 'information_schema' AND relkind = 'r'"
            " UNION SELECT nspname FROM pg_namespace WHERE nspname LIKE 'mabligop%%'"
        )
        return {name for (name,) in found}


def fill(store: Store, *, actions: int = 300) -> None:
    """Write two games: one with odd texts and bytes, and one that does not shrink."""
    chance = random.Random(1)
    for game_id in ("odd", "even"):
        written = (
            action(
                number,
                event(2 * number - 1, body=ODD_BODY, accounts=["player:o'brien, {x}", "bank\t\\N"]),
                event(2 * number, kind="dose_sold"),
                canonical=ODD_BYTES if game_id == "odd" else chance.randbytes(200),
                key=f"key {number}\n" if number % 3 else None,
                request=hashlib.sha256(b"%d" % number).digest(),
            )
            for number in range(1, actions + 1)
        )
        assert store.copies.write(game(game_id), [credential(game_id, "one", ODD_BYTES)], written)
    store.snapshots.save("odd", 10, "a format", b"a cache")


@pytest.fixture(scope="module")
def backed(new_database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Backed:
    """The backup of a database of this version's shape. Read it, and change nothing."""
    url = new_database()
    engine = connect(url)
    fill(Store(engine))
    engine.dispose()
    file = tmp_path_factory.mktemp("backups") / "backup.zip"
    with file.open("wb") as output:
        write_backup(url, output, made_by="1.0")
    return Backed(file, url, rows_of(url))


@pytest.fixture
def empty(new_database: Callable[..., str]) -> str:
    """A database without any table."""
    return new_database(migrated=False)
