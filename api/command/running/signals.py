"""Signals that end a command, which cleans up first."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn


def leave(number: int, frame: object) -> NoReturn:
    """Exit because of a signal, with the exit code that shells expect."""
    raise SystemExit(128 + number)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block like an exception, so that the block cleans up."""
    before: dict[signal.Signals, Callable[..., object] | int | None] = {
        number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
