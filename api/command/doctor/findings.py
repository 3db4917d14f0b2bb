"""The findings of the doctor: a level, a sentence, and the remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from api.command.doctor.installation import Installation

Level = Literal["well", "note", "warning", "fault"]
"""The levels: `note` is a check not made, and the reason."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a check. A warning and a fault have a remedy."""

    level: Level
    text: str
    remedy: str = ""
    check: str = ""


def well(text: str) -> Finding:
    """Report a fact in good order."""
    return Finding("well", text)


def note(text: str) -> Finding:
    """Report a check not made."""
    return Finding("note", text)


def warning(text: str, remedy: str) -> Finding:
    """Report a state to mend soon: the service goes on."""
    return Finding("warning", text, remedy)


def fault(text: str, remedy: str) -> Finding:
    """Report a state to mend at once: games cannot be played, or could be lost or read by strangers."""
    return Finding("fault", text, remedy)


Needs = Literal["nothing", "database", "tables", "service"]


class Check(NamedTuple):
    """A check: its name, its function, and the part of the installation that must work first."""

    name: str
    examine: Callable[[Installation], Iterator[Finding]]
    needs: Needs = "nothing"
