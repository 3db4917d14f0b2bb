"""The numbers that a text shows.

A search for digits also finds them in hashes, ids, tokens and salts, which may hold any digits by chance. A number
stands by itself: neither letters nor the characters of base64 touch it.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<![\w+/=.-])-?\d+(?![\w+/=-]|\.\d)")


def figures(text: str) -> set[int]:
    """Find the whole numbers of a text: of JSON, of a table, of a page, of sentences."""
    return {int(number) for number in _NUMBER.findall(text)}
