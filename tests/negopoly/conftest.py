"""A scenario that names a rule must meet it."""

from __future__ import annotations

from tests.rules import rules_are_met

__all__ = ["rules_are_met"]
