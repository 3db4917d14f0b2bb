"""How the reasons of faults show values and lists."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ledger.kernel.facts import texts

_SHOWN = 60
"""How many characters of a value a reason shows."""


_LISTED = 400


def listed(known: Iterable[str]) -> str:
    """What there is to choose from, cut short when there is much."""
    written = ", ".join(known) or "-"
    return written if len(written) <= _LISTED else f"{written[:_LISTED]}…"


def shown(value: Any) -> str:
    """A value of an edition as a reason shows it: as JSON on one line, cut short, with no refused character."""
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        written = type(value).__name__
    cut = written if len(written) <= _SHOWN else f"{written[:_SHOWN]}…"
    return texts.legible(cut)
