"""Check that a scenario that names a rule also uses the rule."""

from __future__ import annotations

from tests.harness.rules import rules_are_met

__all__ = ["rules_are_met"]
