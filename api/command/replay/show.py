"""Showing a replay in a terminal: its screen is drawn, keys are read, and time goes on."""

from __future__ import annotations

import os
import signal
import time

from rich.console import Console
from rich.live import Live

from api.command.replay.keys import Keys
from api.command.replay.screen import Screen

_IDLE_SECONDS = 0.5
"""How often it is asked whether the terminal has another size, while nothing else happens."""


def show(screen: Screen, console: Console, terminal: int) -> None:
    """Show a replay in a terminal until its reader has seen enough. Takes the descriptor to read keys from."""
    live = Live(screen, console=console, screen=True, auto_refresh=False)
    with Keys(terminal) as keys:
        # A signal may come while the first screen is drawn: that, too, is cleared away.
        try:
            live.start()
            _turn_pages(screen, live, console, keys)
        finally:
            live.stop()


def _turn_pages(screen: Screen, live: Live, console: Console, keys: Keys) -> None:
    """Do what the keys say, or what time does, until the reader leaves."""
    moved = time.monotonic()
    size = console.size
    live.refresh()
    while True:
        pause = moved + 1 / screen.speed - time.monotonic() if screen.running else _IDLE_SECONDS
        key = keys.wait(max(0.0, pause))
        if key is not None:
            if key == "suspend":
                _pause(live, keys)
            elif not screen.press(key):
                return
            moved = time.monotonic()
        elif screen.running:
            moved = time.monotonic()
            screen.running = screen.step()
        elif console.size == size:
            continue
        size = console.size
        live.refresh()


def _pause(live: Live, keys: Keys) -> None:
    """Give the terminal back as it was, until whoever stopped this lets it go on."""
    live.stop()
    with keys.released():
        os.kill(0, signal.SIGTSTP)
    live.start()
