"""Which rules a scenario has really met. A test marked with a rule fails when nothing in it touched that rule."""

from __future__ import annotations

_met: set[str] = set()


def witness(*rules: str) -> None:
    """Note that these rules were cited by an event, a refusal, a waiver or the action performed."""
    _met.update(rules)


def forget() -> None:
    """Start a new scenario."""
    _met.clear()


def met() -> frozenset[str]:
    """The rules met since the scenario started."""
    return frozenset(_met)
