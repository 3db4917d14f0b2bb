"""Which numbers plain data may hold: those that every client reads exactly.

Journals from before this rule hold larger numbers, and still load.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.facts.values import LARGEST


def fault_of(value: Any) -> str | None:
    """Describe the first whole number of plain data that is larger, in size, than `LARGEST`, with its place.

    The description is worded as the faults of types are: "Expected `int` <= 9007199254740991 - at `$.amount`".
    None when every number may be kept.
    """
    waiting = [(value, "$")]
    while waiting:
        one, path = waiting.pop()
        if isinstance(one, int) and abs(one) > LARGEST:
            return f"Expected `int` {f'<= {LARGEST}' if one > 0 else f'>= -{LARGEST}'} - at `{path}`"
        if isinstance(one, Mapping):
            waiting += [(one[name], f"{path}.{name}") for name in reversed(one)]
        elif isinstance(one, list | tuple):
            waiting += [(one[index], f"{path}[{index}]") for index in reversed(range(len(one)))]
    return None
