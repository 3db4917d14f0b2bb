"""Compression of large public answers: the rules, the catalogue of actions, the API's description.

Answers about a game are never compressed. They hold text that other callers wrote next to secrets, and the length
of a compressed answer reveals how much the two have in common (the BREACH attack). Exports are sent in pieces
while the game is read.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Response, request

_LEAST_BYTES = 8 * 1024
"""Shorter answers are not compressed: they fit into a few packets anyway."""
_LEVEL = 9
_KEPT = 32


def compressed(response: Response) -> Response:
    """Compress the response with gzip when it is large and the caller accepts gzip.

    The response's entity tag must be weak, because it is the same with and without compression.
    """
    response.vary.add("Accept-Encoding")
    content = response.get_data()
    if len(content) >= _LEAST_BYTES and request.accept_encodings["gzip"] > 0:
        response.set_data(_compressed(content))
        response.content_encoding = "gzip"
    return response


@lru_cache(maxsize=_KEPT)
def _compressed(content: bytes) -> bytes:
    # No time inside, so that every worker sends the same bytes.
    return gzip.compress(content, _LEVEL, mtime=0)
