"""Showing a replay in a terminal: drawing the screen, reading keys, and running by the clock."""

from __future__ import annotations

import os
import signal
import time

from rich.console import Console
from rich.live import Live

from api.command.replay.keys import Keys
from api.command.replay.screen import Screen

_IDLE_SECONDS = 0.5
"""How often the size of the terminal is checked while nothing else happens."""


def show(screen: Screen, console: Console, terminal: int) -> None:
    """Show a replay in a terminal until its reader quits. `terminal` is the descriptor to read keys from."""
    live = Live(screen, console=console, screen=True, auto_refresh=False)
    with Keys(terminal) as keys:
        # A signal may come while the first screen is drawn; the screen is cleared then, too.
        try:
            live.start()
            _turn_pages(screen, live, console, keys)
        finally:
            live.stop()


def _turn_pages(screen: Screen, live: Live, console: Console, keys: Keys) -> None:
    """React to keys and to the clock until the reader quits."""
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
    """Restore the terminal while the program is stopped, until it is continued."""
    live.stop()
    with keys.released():
        os.kill(0, signal.SIGTSTP)
    live.start()
