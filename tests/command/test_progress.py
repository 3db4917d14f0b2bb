"""Progress on standard error: a bar in a terminal, lines elsewhere, and nothing for fast commands."""

from __future__ import annotations

import io
import os
import pty
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from api.command.terminal import progress as module
from api.command.terminal.progress import progress


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command counts as slow."""
    monkeypatch.setattr(module, "SLOW_SECONDS", 0.0)


def test_in_a_terminal_there_is_a_bar(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    master, inside = pty.openpty()
    with os.fdopen(inside, "w", encoding="utf-8") as screen:
        monkeypatch.setattr(sys, "stderr", screen)
        with progress("Exporting") as tell:
            for done in (4, 12, 16):
                tell(done, 16)
    shown = b"".join(_read_to_the_end(master)).decode()
    os.close(master)
    assert [f"{share:3}%" in shown for share in (25, 75, 100)] == [True, True, True]
    assert "Exporting  [" in shown


def _read_to_the_end(terminal: int) -> Iterator[bytes]:
    """Everything written to the terminal, in parts. A terminal without a writer gives an error."""
    with suppress(OSError):
        while came := os.read(terminal, 65_536):
            yield came


def test_elsewhere_there_are_lines(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a known total, the line has only the count so far."""
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with progress("Exporting") as tell:
        tell(4, 16)
        tell(16, 16)
    with progress("Exporting (bytes)") as tell:
        tell(70_000, 0)
    assert said.getvalue() == "Exporting: 4 of 16\nExporting: 16 of 16\nExporting (bytes): 70000\n"


def test_what_is_quick_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(module, "SLOW_SECONDS", 3600.0)
    with progress("Exporting") as tell:
        tell(16, 16)
    assert said.getvalue() == ""
