"""Saying what a command is doing once it takes longer than a second, and how far it is."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

SLOW_SECONDS = 1.0
"""What takes longer says so."""


@contextmanager
def patience(text: str) -> Iterator[None]:
    """Say what is going on when the block takes longer than a second."""
    timer = threading.Timer(SLOW_SECONDS, click.echo, [text], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far the block is once it takes longer than a second.

    A terminal shows a bar, anything else a line at times. Gives a function that takes how much is done and the
    total. A total of 0 is one that nobody knows; there is no bar then.
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
