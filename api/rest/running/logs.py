"""The service's log, on standard error: one JSON object per line, or short readable lines on a terminal.

Every line has `time` (RFC 3339, UTC), `level`, `message`, and `request`, the id of its request. The line of a
request also has `method`, `route`, `status`, `ms` (milliseconds), `role` and, if known, `game`, `problem`,
`cause` and `incident`.
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
    """Add the id of a request to every line logged by the block."""
    token = _current.set(request)
    try:
        yield
    finally:
        _current.reset(token)


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to standard error, even after its reader has gone."""

    def __init__(self) -> None:
        super().__init__(lasting(sys.stderr))


class Lines(JsonFormatter):
    """Formats a record as a JSON object.

    A record with the prepared fields of its line, as `told`, is formatted several times as fast. The fields
    must be encodable text.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format the line of a record."""
        fields: dict[str, Any] | None = record.__dict__.get("told")
        if fields is None:
            return super().format(record)
        first = {"time": record.__dict__["time"], "level": record.__dict__["level"]}
        return _encode(first | {"message": record.getMessage()} | fields).decode()


_encode = msgspec.json.Encoder().encode


class Told(logging.Filter):
    """Adds the formatted time and level and the current request to every record.

    Of an exception only the type and the code positions are kept: an exception's message may quote secrets.
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
    """Log the failure of a background thread, instead of printing its message."""

    def tell(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_type is not SystemExit:
            name = "?" if failed.thread is None else failed.thread.name
            failure = (failed.exc_type, failed.exc_value or failed.exc_type(), failed.exc_traceback)
            _log.error("the thread %s failed", name, exc_info=failure)

    threading.excepthook = tell


def level(*, terminal: bool) -> str:
    """Return the lowest level written: MABLIGOP_LOG_LEVEL; by default "info", on a terminal "warning".

    Raises ValueError for a wrong setting.
    """
    configured = os.environ.get("MABLIGOP_LOG_LEVEL", "").strip().lower()
    if configured and configured not in _LEVELS:
        raise ValueError(f"MABLIGOP_LOG_LEVEL is one of {', '.join(_LEVELS)}, not {configured!r}")
    return configured or ("warning" if terminal else "info")


def configuration(*, terminal: bool | None = None) -> dict[str, Any]:
    """Return the configuration of all logs, for `logging.config.dictConfig`. Raises ValueError like `level`."""
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
"""Attributes of every record. All further attributes are fields of the line, beside the message."""
