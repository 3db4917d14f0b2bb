"""Which texts the database can hold at all."""

from __future__ import annotations

import re

_NEVER = re.compile("[\0\ud800-\udfff]")


def storable(*texts: str | None) -> bool:
    """Whether Postgres can hold these texts: none has NUL, or half of a surrogate pair.

    A look-up asks this first. A text that cannot be stored is found nowhere, and an error of the database stays an
    error.
    """
    return not any(text is not None and _NEVER.search(text) for text in texts)
