"""The keys pressed in a terminal, one at a time."""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

_SEQUENCES = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
    b"\x1b[5~": "pageup",
    b"\x1b[6~": "pagedown",
}
_NAMED = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x04": "q",
    "\x1a": "suspend",
}
_SEQUENCE_SECONDS = 0.05
"""How long to wait for the rest of a key's sequence."""


class Keys:
    """Reads keys from a terminal at once, without waiting for the end of a line, while open as a context manager.

    Takes the terminal's file descriptor. The end of the block restores the terminal.
    """

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._typed = b""
        self._before: list[Any] = []

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._terminal)
        # TCSADRAIN keeps what has been typed already.
        tty.setcbreak(self._terminal, termios.TCSADRAIN)
        # Ctrl-Z comes as a key, so that the terminal is restored before the program stops.
        own = termios.tcgetattr(self._terminal)
        own[6][termios.VSUSP] = bytes([os.fpathconf(self._terminal, "PC_VDISABLE")])
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, own)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    @contextmanager
    def released(self) -> Iterator[None]:
        """Restore the terminal for as long as the block lasts."""
        self.__exit__(None, None, None)
        try:
            yield
        finally:
            self.__enter__()

    def wait(self, seconds: float | None) -> str | None:
        """The next key: the character, or a name ("right", "enter", "escape"); None when the time is over.

        None as the seconds waits without a limit. A key without a name here is "". A closed terminal gives "q".
        """
        if not self._typed and not self._read(seconds):
            return None
        if self._typed == b"\x1b":
            self._read(_SEQUENCE_SECONDS)
        return self._next()

    def _read(self, seconds: float | None) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if ready:
            # A closed terminal never gives anything to read again.
            self._typed += os.read(self._terminal, 1024) or b"q"
        return bool(ready)

    def _next(self) -> str:
        for sequence, name in _SEQUENCES.items():
            if self._typed.startswith(sequence):
                self._typed = self._typed[len(sequence) :]
                return name
        if self._typed.startswith(b"\x1b"):
            alone = self._typed == b"\x1b"
            self._typed = b""
            return "escape" if alone else ""
        for length in range(1, 5):
            try:
                typed = self._typed[:length].decode()
            except UnicodeDecodeError:
                continue
            self._typed = self._typed[length:]
            return _NAMED.get(typed, typed)
        self._typed = self._typed[1:]
        return ""
