"""What the sections of the benchmarks share: a database, how much is measured, and the lines of the table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import sqlalchemy

from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.store import Store


@dataclass(frozen=True)
class Bench:
    """A database with its ledger of Negopoly, and how much is measured on it.

    `wanted` is the number of rounds of every section; without it each has its own. With `smallest` a section does
    as little as it can: it runs all of its code, and its figures mean nothing.
    """

    url: str
    ledger: Ledger
    wanted: int | None = None
    smallest: bool = False

    @property
    def store(self) -> Store:
        """The store of the ledger."""
        return self.ledger.store

    def rounds(self, usual: int) -> int:
        """The number of rounds of a section that has so many where nobody wants another number."""
        return self.wanted or usual

    def size(self, usual: int, smallest: int) -> int:
        """How much a section does of something: as much as usual, or as little as it can."""
        return smallest if self.smallest else usual

    @contextmanager
    def apart(self, name: str) -> Iterator[tuple[str, Ledger]]:
        """The URL of another database on the same server, and a ledger of all rulebooks on it, in the block."""
        with psycopg.connect(self.url, autocommit=True) as owner:
            owner.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
        url = sqlalchemy.make_url(self.url).set(database=name).render_as_string(hide_password=False)
        migrate(url)
        engine = connect(url)
        try:
            yield url, Ledger(Store(engine), rulebooks.rulebooks_by_id())
        finally:
            engine.dispose()


def say(subject: str, reached: str, floor: str, goal: str) -> None:
    """Print a line of the table: a subject, the figure reached, the floor from the same run, and the goal."""
    sys.stdout.write(f"{subject:<58} {reached:>22} {floor:>26} {goal:>14}\n")
    sys.stdout.flush()


def progress(subject: str) -> None:
    """Print what is measured now, on standard error."""
    sys.stderr.write(f"… {subject}\n")
    sys.stderr.flush()
