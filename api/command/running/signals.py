"""Signals that end a command after a cleanup."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn


def leave(number: int, frame: object) -> NoReturn:
    """Exit because of a signal, with the exit code expected by shells."""
    raise SystemExit(128 + number)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block like an exception, for a cleanup."""
    previous: dict[signal.Signals, Callable[..., object] | int | None] = {
        number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
