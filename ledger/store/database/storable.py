"""A check of texts for the database."""

from __future__ import annotations

import re

_NEVER = re.compile("[\0\ud800-\udfff]")


def storable(*texts: str | None) -> bool:
    """Return True if Postgres can store these texts: none has NUL, or half of a surrogate pair.

    A look-up checks its texts first. A text that cannot be stored has no match, and an error of the database
    stays an error.
    """
    return not any(text is not None and _NEVER.search(text) for text in texts)
