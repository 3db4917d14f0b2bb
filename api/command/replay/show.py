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


class _ReplayApp(App[None]):
    """The Textual application of a screen. `fault` is the exception that ended the application, if any."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "Static { height: 100%; }"

    def __init__(self, screen: Screen) -> None:
        # The colours are the terminal's own.
        super().__init__(ansi_color=True)
        self.fault: BaseException | None = None
        self._replay = screen
        self._step: Timer | None = None

    def compose(self) -> ComposeResult:
        """Fill the terminal with the screen."""
        yield Static(self._replay)

    def on_mount(self) -> None:
        """Start the clock if the replay runs from the start."""
        # After Ctrl-Z the terminal is empty, although Textual may still expect its contents.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._draw()

    def on_key(self, event: Key) -> None:
        """Handle a key."""
        if event.key == "ctrl+z":
            # Stop the whole process group, as usual for Ctrl-Z.
            os.kill(0, signal.SIGTSTP)
            return
        key = event.character if event.is_printable and event.character else event.key
        self._attempt(lambda: self._replay.press(_NAMED.get(key, key)))

    def _run(self) -> bool:
        """Take the next step of a running replay, which stops at the last action."""
        self._replay.running = self._replay.step()
        return True

    def _attempt(self, change: Callable[[], bool]) -> None:
        """Change the screen, and draw it. The replay ends if the change returns False or raises."""
        try:
            goes_on = change()
        except BaseException as fault:
            # `show` raises the exception again once the terminal is restored.
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
    """Show a replay in a terminal until the reader quits, and restore the terminal.

    Raises all exceptions of the source of the frames.
    """
    app = _ReplayApp(screen)
    app.run(mouse=False)
    if app.fault is not None:
        raise app.fault
    if app.return_code:
        raise SystemExit(app.return_code)
