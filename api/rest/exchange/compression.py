"""Compression of large public answers: the rules, the catalogue of actions, the API description.

Answers about a game are never compressed. They mix secrets with text of other callers, and the length of a
compressed answer reveals the common parts (the BREACH attack). Exports are sent in pieces, while the game is
read.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Response, request

_LEAST_BYTES = 8 * 1024
"""The smallest size of a compressed answer. Shorter answers fit into a few packets anyway."""
_LEVEL = 9
_KEPT = 32


def compressed(response: Response) -> Response:
    """Compress the response with gzip if it is large and the caller accepts gzip.

    The entity tag of the response must be weak, because compression does not change the tag.
    """
    response.vary.add("Accept-Encoding")
    content = response.get_data()
    if len(content) >= _LEAST_BYTES and request.accept_encodings["gzip"] > 0:
        response.set_data(_compressed(content))
        response.content_encoding = "gzip"
    return response


@lru_cache(maxsize=_KEPT)
def _compressed(content: bytes) -> bytes:
    # Without a timestamp, every worker sends equal bytes.
    return gzip.compress(content, _LEVEL, mtime=0)
