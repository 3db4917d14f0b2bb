"""Throws of dice: two dice with six sides."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.kernel.facts.values import of_kind

Die = Annotated[int, Meta(ge=1, le=6), of_kind("die")]
Thrown = Annotated[tuple[Die, ...], Meta(description="what was thrown, die by die")] | None
"""The dice thrown by the table; None for a throw by the service."""


def is_double(dice: tuple[int, ...]) -> bool:
    """Return True if both dice show the same face."""
    return len(set(dice)) == 1
