"""Progress messages for commands longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

SLOW_SECONDS = 1.0
"""The time after which a command prints its current step."""


@contextmanager
def patience(text: str) -> Iterator[None]:
    """Print a text if the block takes longer than a second."""
    timer = threading.Timer(SLOW_SECONDS, click.echo, [text], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of the block if it takes longer than a second.

    A terminal shows a bar; files and pipes get a line from time to time. Yields a function of the finished
    amount and the total. With an unknown total, given as 0, no bar is shown.
    """
    begun = time.monotonic()
    shown_at = begun
    bar: Any = None

    def tell(done: int, total: int) -> None:
        nonlocal bar, shown_at
        moment = time.monotonic()
        if moment - begun < SLOW_SECONDS:
            return
        if total and sys.stderr.isatty():
            if bar is None:
                bar = click.progressbar(length=total, label=label, file=sys.stderr).__enter__()
            bar.update(done - bar.pos)
        elif done == total or moment - shown_at >= SLOW_SECONDS:
            shown_at = moment
            click.echo(f"{label}: {done} of {total}" if total else f"{label}: {done}", err=True)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
