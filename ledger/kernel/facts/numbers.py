"""The whole numbers allowed in plain data: the range read exactly by every client.

Older journals hold larger numbers, and still load.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.facts.values import LARGEST


def fault_of(value: Any) -> str | None:
    """Describe the first whole number of plain data larger, in size, than `LARGEST`, with the path.

    The description has the form of type faults: "Expected `int` <= 9007199254740991 - at `$.amount`". None if
    all numbers are allowed.
    """
    waiting = [(value, "$")]
    while waiting:
        item, path = waiting.pop()
        if isinstance(item, int) and abs(item) > LARGEST:
            return f"Expected `int` {f'<= {LARGEST}' if item > 0 else f'>= -{LARGEST}'} - at `{path}`"
        if isinstance(item, Mapping):
            waiting += [(item[name], f"{path}.{name}") for name in reversed(item)]
        elif isinstance(item, list | tuple):
            waiting += [(item[index], f"{path}[{index}]") for index in reversed(range(len(item)))]
    return None
