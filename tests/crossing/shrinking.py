"""Shrinking a failing evening: fewer steps that still break the same invariant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.crossing.findings import Finding
from tests.crossing.plans import Plan


def shrunk(plan: Plan, finding: Finding, findings_of: Callable[[Plan], list[Finding]], tries: int) -> Plan:
    """Leave steps out as long as an evening breaks the same invariant in the same way.

    Halves are left out first, then smaller parts (delta debugging). `findings_of` plays an evening; at most
    `tries` are played. Returns the shortest plan that failed.
    """
    kept, size = list(plan.numbers), max(1, len(plan.numbers) // 2)
    while tries and kept:
        smaller = False
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            if not tries:
                break
            tries -= 1
            if any(found.kind == finding.kind for found in findings_of(replace(plan, kept=tuple(rest)))):
                kept, smaller = rest, True
                break
        if not smaller:
            if size == 1:
                break
            size = max(1, size // 2)
    return replace(plan, kept=tuple(kept))
