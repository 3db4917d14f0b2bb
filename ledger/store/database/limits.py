"""The limits of time of a connection, so that neither a lock nor a silent server holds a caller for ever."""

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
"""How much later than the server's own limit a silent server is given up."""
_IDLE_SECONDS = 60
"""How long a transaction may wait for its next statement. The service's transactions never wait for a person."""
_LONG_IDLE_SECONDS = 600
_INTERVAL_SECONDS = 0.1
_MOST_SECONDS = 86_400.0

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a statement may take, how long it may wait for a lock, and how long the server may be silent.

    All in seconds. `silence` is longer than `statement`, so that the server's own answer comes first.
    """

    statement: float = 15.0
    lock: float = 5.0
    silence: float = 20.0

    @classmethod
    def configured(cls) -> Self:
        """The limits that the environment sets, or the defaults. Raises ValueError for a wrong setting."""
        usual = cls()
        statement = _seconds(STATEMENT_VARIABLE, usual.statement)
        return cls(statement, _seconds(LOCK_VARIABLE, usual.lock), statement + _GRACE_SECONDS)


class LimitedConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server says nothing for too long.

    The server ends a statement by itself when the limits are passed. A server that is stopped or unreachable ends
    nothing, and libpq waits for ever. So this connection gives up `answer_within` seconds after it last had to
    wait: what was sent may have been done or not. None waits for ever.
    """

    answer_within: float | None = None

    def limit(self, limits: Limits) -> None:
        """Set the limits for everything that this connection does from now on. One round trip."""
        # Set after connecting: a connection pooler refuses start-up parameters that it does not know.
        settings = sql.SQL(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}"
        )
        self.answer_within = limits.silence
        self.execute(settings.format(*map(_milliseconds, (limits.statement, limits.lock, _IDLE_SECONDS))))

    @contextmanager
    def long_transaction(self) -> Iterator[None]:
        """One transaction whose statements may take any time. Their waits for locks stay limited."""
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
        """Wait for the server. Raises OperationalError, and closes the connection, after `answer_within` seconds.

        With a timeout of the caller's own it is psycopg's own method.
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
