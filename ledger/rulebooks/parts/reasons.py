"""Values and lists in the reasons of faults."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ledger.kernel.facts import texts

_SHOWN = 60
"""Maximum number of characters of a value in a reason."""


_LISTED = 400


def listed(names: Iterable[str]) -> str:
    """Join the available names, cut short if the text is long."""
    written = ", ".join(names) or "-"
    return written if len(written) <= _LISTED else f"{written[:_LISTED]}…"


def excerpt(value: Any) -> str:
    """Return a value of an edition for a reason: JSON on one line, cut short, without refused characters."""
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        written = type(value).__name__
    cut = written if len(written) <= _SHOWN else f"{written[:_SHOWN]}…"
    return texts.legible(cut)
