"""The service's log, on standard error: JSON, one object a line; on a terminal, short lines for people.

Every line has `time` (RFC 3339, UTC), `level`, `message`, and `request`, the id of the request that it is about.
The line of a request also has `method`, `route`, `status`, `ms` (milliseconds), `role`, and where they are known
`game`, `problem`, `cause` and `incident`.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from logging import DEBUG, ERROR, INFO, WARNING
from typing import Any, TextIO

import msgspec
from pythonjsonlogger.json import JsonFormatter

from api.output import lasting

__all__ = [
    "DEBUG",
    "ERROR",
    "INFO",
    "WARNING",
    "Lines",
    "Told",
    "about",
    "configuration",
    "level",
    "requests",
    "tell_failed_threads",
]

requests = logging.getLogger("mabligop.requests")
"""The log of requests."""

_log = logging.getLogger("mabligop")
_LEVELS = ("debug", "info", "warning", "error")
_current: ContextVar[str | None] = ContextVar("request", default=None)


@contextmanager
def about(request: str) -> Iterator[None]:
    """Name a request in every line that the block logs."""
    token = _current.set(request)
    try:
        yield
    finally:
        _current.reset(token)


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to standard error, also when nobody reads it any more."""

    def __init__(self) -> None:
        super().__init__(lasting(sys.stderr))


class Lines(JsonFormatter):
    """Writes a record as a JSON object.

    A record that has the fields of its line ready, as `told`, is written several times as fast. They must be text
    that can be encoded.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        told: dict[str, Any] | None = record.__dict__.get("told")
        if told is None:
            return super().format(record)
        first = {"time": record.__dict__["time"], "level": record.__dict__["level"]}
        return _encode(first | {"message": record.getMessage()} | told).decode()


_encode = msgspec.json.Encoder().encode


class Told(logging.Filter):
    """Gives every record its time and level as they are written, and the request that it is about.

    Of an exception only the type and the places in the code are kept: its message may quote anything.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Complete a record. Every record passes."""
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, frames = record.exc_info
            record.exc_info, record.exc_text = None, "".join((*traceback.format_tb(frames), kind.__name__))
        moment = datetime.fromtimestamp(record.created, UTC)
        record.time = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        record.level = record.levelname.lower()
        request = _current.get()
        if request is not None:
            record.request = request
        return True


def tell_failed_threads() -> None:
    """Log the failure of a thread that nobody waits for, instead of printing it with its message."""

    def tell(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_type is not SystemExit:
            name = "?" if failed.thread is None else failed.thread.name
            told = (failed.exc_type, failed.exc_value or failed.exc_type(), failed.exc_traceback)
            _log.error("the thread %s failed", name, exc_info=told)

    threading.excepthook = tell


def level(*, terminal: bool) -> str:
    """The level from which lines are written: MABLIGOP_LOG_LEVEL; by default "info", on a terminal "warning".

    Raises ValueError for a wrong setting.
    """
    configured = os.environ.get("MABLIGOP_LOG_LEVEL", "").strip().lower()
    if configured and configured not in _LEVELS:
        raise ValueError(f"MABLIGOP_LOG_LEVEL is one of {', '.join(_LEVELS)}, not {configured!r}")
    return configured or ("warning" if terminal else "info")


def configuration(*, terminal: bool | None = None) -> dict[str, Any]:
    """The configuration of all logs, for `logging.config.dictConfig`. Raises ValueError as `level` does."""
    if terminal is None:
        terminal = sys.stderr.isatty()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"told": {"()": Told}},
        "formatters": {
            "json": {
                "()": Lines,
                "fmt": ["time", "level", "message"],
                "reserved_attrs": [*_ATTRIBUTES],
                "rename_fields": {"exc_info": "frames"},
            },
            "line": {"format": "%(asctime)s %(levelname)s %(message)s", "datefmt": "%H:%M:%S"},
        },
        "handlers": {
            "errors": {
                "()": _Handler,
                "formatter": "line" if terminal else "json",
                "filters": ["told"],
            }
        },
        "root": {"handlers": ["errors"], "level": level(terminal=terminal).upper()},
        "loggers": {"_granian": {}, "alembic": {"level": "WARNING"}, "httpx": {"level": "WARNING"}},
    }


_ATTRIBUTES = (*logging.makeLogRecord({}).__dict__, "asctime", "message", "taskName")
"""What every record has. The rest of a record is what its line tells beside the message."""
