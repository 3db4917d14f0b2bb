"""The time limits of a connection: neither a lock nor a silent server blocks a caller for ever."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import psycopg
from psycopg import errors, sql
from psycopg.abc import PQGen

STATEMENT_VARIABLE = "MABLIGOP_STATEMENT_TIMEOUT"
LOCK_VARIABLE = "MABLIGOP_LOCK_TIMEOUT"

_GRACE_SECONDS = 5.0
"""Delay after the server's own limit before a silent server is abandoned."""
_IDLE_SECONDS = 60
"""Time limit for a pause within a transaction. The service's transactions never wait for a person."""
_LONG_IDLE_SECONDS = 600
_INTERVAL_SECONDS = 0.1
_MOST_SECONDS = 86_400.0

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits in seconds: for a statement, for a wait for a lock, and for the server's silence.

    `silence` is longer than `statement`, so the server's own answer comes first.
    """

    statement: float = 15.0
    lock: float = 5.0
    silence: float = 20.0

    @classmethod
    def configured(cls) -> Self:
        """Return the limits of the environment, or the defaults. Raises ValueError for a wrong setting."""
        usual = cls()
        statement = _seconds(STATEMENT_VARIABLE, usual.statement)
        return cls(statement, _seconds(LOCK_VARIABLE, usual.lock), statement + _GRACE_SECONDS)


class LimitedConnection(psycopg.Connection[Any]):
    """A connection that is closed if the server is silent for too long.

    The server itself ends a statement at the limits. A stopped or unreachable server ends nothing, and libpq
    waits for ever. So this connection gives up after a wait of `answer_within` seconds: the outcome of the
    statement is then unknown. None disables the limit.
    """

    answer_within: float | None = None

    def limit(self, limits: Limits) -> None:
        """Set the limits for all future statements of this connection. Takes a single round trip."""
        # Set after connecting: a connection pooler refuses unknown start-up parameters.
        settings = sql.SQL(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}"
        )
        self.answer_within = limits.silence
        self.execute(settings.format(*map(_milliseconds, (limits.statement, limits.lock, _IDLE_SECONDS))))

    @contextmanager
    def long_transaction(self) -> Iterator[None]:
        """Open a transaction whose statements may take any time. Waits for locks stay limited."""
        usual = self.answer_within
        with self.transaction():
            self.answer_within = None
            try:
                self.execute(
                    sql.SQL(
                        "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = {}"
                    ).format(_milliseconds(_LONG_IDLE_SECONDS))
                )
                yield
            finally:
                self.answer_within = usual

    def wait(
        self, gen: PQGen[_Answer], interval: float = _INTERVAL_SECONDS, timeout: float | None = None
    ) -> _Answer:
        """Wait for the server.

        Raises OperationalError, and closes the connection, after `answer_within` seconds. With a timeout from
        the caller, psycopg's own method is used.
        """
        if timeout is not None or self.answer_within is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.answer_within)
        except errors._WaitTimeout as silence:
            self.close()
            raise psycopg.OperationalError(f"no answer in {self.answer_within:g} seconds") from silence


def _milliseconds(seconds: float) -> sql.Literal:
    return sql.Literal(max(1, round(seconds * 1000)))


def _seconds(variable: str, default: float) -> float:
    configured = os.environ.get(variable)
    if not configured:
        return default
    try:
        seconds = float(configured)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MOST_SECONDS:  # Not even for NaN.
        raise ValueError(f"{variable} is a number of seconds, more than 0 and at most a day, not {configured!r}")
    return seconds
