"""Showing a replay in a terminal: reading keys, drawing the screen, and running by the clock."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial

from textual.app import App, ComposeResult
from textual.events import Key
from textual.timer import Timer
from textual.widgets import Static

from api.command.replay.screen import Screen

_NAMED = {"ctrl+j": "enter", "ctrl+h": "backspace", "ctrl+c": "q", "ctrl+d": "q"}


class _Shown(App[None]):
    """The Textual application that shows a screen. `fault` is the exception that ended it, if any."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "Static { height: 100%; }"

    def __init__(self, screen: Screen) -> None:
        # The colours are the terminal's own.
        super().__init__(ansi_color=True)
        self.fault: BaseException | None = None
        self._replay = screen
        self._step: Timer | None = None

    def compose(self) -> ComposeResult:
        """The screen fills the terminal."""
        yield Static(self._replay)

    def on_mount(self) -> None:
        """Start the clock when the replay runs from the start."""
        # After Ctrl-Z the terminal is empty, and Textual may think that all still stands there.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._draw()

    def on_key(self, event: Key) -> None:
        """Do what the key stands for."""
        if event.key == "ctrl+z":
            # The whole process group stops, as with any other program.
            os.kill(0, signal.SIGTSTP)
            return
        key = event.character if event.is_printable and event.character else event.key
        self._attempt(lambda: self._replay.press(_NAMED.get(key, key)))

    def _run(self) -> bool:
        """Take the next step of a replay that runs by itself; it stops at the last action."""
        self._replay.running = self._replay.step()
        return True

    def _attempt(self, change: Callable[[], bool]) -> None:
        """Change what is shown, and draw it. The replay ends when the change gives False or raises."""
        try:
            goes_on = change()
        except BaseException as fault:
            # `show` raises it again once the terminal is restored.
            self.fault = fault
            goes_on = False
        if goes_on:
            self._draw()
        else:
            self.exit()

    def _draw(self) -> None:
        """Draw the screen, and set the clock for the next step."""
        self.query_one(Static).update(self._replay, layout=False)
        if self._step is not None:
            self._step.stop()
        if self._replay.running:
            self._step = self.set_timer(1 / self._replay.speed, partial(self._attempt, self._run))


def show(screen: Screen) -> None:
    """Show a replay in a terminal until its reader quits, and restore the terminal.

    Raises what the source of the frames raises.
    """
    shown = _Shown(screen)
    shown.run(mouse=False)
    if shown.fault is not None:
        raise shown.fault
    if shown.return_code:
        raise SystemExit(shown.return_code)
