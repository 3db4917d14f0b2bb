"""Progress messages of commands that take longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

SLOW_SECONDS = 1.0
"""After this time a command prints what it is doing."""


@contextmanager
def patience(text: str) -> Iterator[None]:
    """Print a text when the block takes longer than a second."""
    timer = threading.Timer(SLOW_SECONDS, click.echo, [text], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of the block when it takes longer than a second.

    A terminal shows a bar; files and pipes get a line from time to time. Gives a function that takes how much is
    done and the total. A total of 0 means that the total is unknown; then there is no bar.
    """
    begun = time.monotonic()
    shown = begun
    bar: Any = None

    def tell(done: int, total: int) -> None:
        nonlocal bar, shown
        now = time.monotonic()
        if now - begun < SLOW_SECONDS:
            return
        if total and sys.stderr.isatty():
            if bar is None:
                bar = click.progressbar(length=total, label=label, file=sys.stderr).__enter__()
            bar.update(done - bar.pos)
        elif done == total or now - shown >= SLOW_SECONDS:
            shown = now
            click.echo(f"{label}: {done} of {total}" if total else f"{label}: {done}", err=True)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
