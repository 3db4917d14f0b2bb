"""Counts in the sentences of commands: "1 action", "2 actions"."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """Return the number with its noun in English, which takes an s for every number but 1."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
