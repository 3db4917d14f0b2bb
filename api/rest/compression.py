"""Compressing large answers that are public: the rules, the catalogue of actions, the API's description.

Nothing of a game is compressed. Such answers hold what other callers wrote beside what those may not know, and the
length of a compressed answer tells how much the two have in common (the BREACH attack). Exports are sent while the
game is read.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Response, request

_LEAST_BYTES = 8 * 1024
"""What is shorter is sent as it is: it fits into few packets anyway."""
_LEVEL = 9
_KEPT = 32


def compressed(response: Response) -> Response:
    """The response, compressed with gzip when it is large and its caller takes gzip.

    Its entity tag must be a weak one: the same tag stands for the compressed content and for the content as it is.
    """
    response.vary.add("Accept-Encoding")
    content = response.get_data()
    if len(content) >= _LEAST_BYTES and request.accept_encodings["gzip"] > 0:
        response.set_data(_compressed(content))
        response.content_encoding = "gzip"
    return response


@lru_cache(maxsize=_KEPT)
def _compressed(content: bytes) -> bytes:
    # Without a time, so that every worker sends the same bytes.
    return gzip.compress(content, _LEVEL, mtime=0)
