"""Throws of dice with six sides: two, or the number of the board."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.kernel.facts.values import of_kind

Die = Annotated[int, Meta(ge=1, le=6), of_kind("die")]
Thrown = Annotated[tuple[Die, ...], Meta(description="what was thrown, die by die")] | None
"""The dice thrown by the table; None for a throw by the service."""


SIDES = 6


def is_double(dice: tuple[int, ...]) -> bool:
    """Return True if the first two dice show the same face; never for a single die."""
    return len(dice) > 1 and dice[0] == dice[1]


def leads_out(dice: tuple[int, ...]) -> bool:
    """Return True if a throw leads out of prison: a double, or a six with a single die."""
    return is_double(dice) or dice == (SIDES,)
