"""Writing what the ledger returns into HTTP responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Response

from api.rest.conditions import VARY, etag_of
from api.rest.context import Language

# Sorted, so that the order of an object's members reveals nothing hidden.
_encode = msgspec.json.Encoder(order="deterministic").encode


def of_game(
    content: Any,
    version: int,
    spoken: Language,
    *,
    status: int = 200,
    headers: Sequence[tuple[str, str]] = (),
    due: int = 0,
) -> Response:
    """A response about a game at a version, for one viewer and in one language.

    `due` is how many actions time has made due, where the answer tells of them.
    """
    response = Response(_encode(content), status, content_type="application/json")
    response.headers.extend(
        (
            ("ETag", etag_of(version, spoken, due=due)),
            ("Content-Language", spoken),
            ("Vary", VARY),
            ("Cache-Control", "private, no-cache"),
            *headers,
        )
    )
    return response


def secret(content: Any, *, status: int = 200, headers: Sequence[tuple[str, str]] = ()) -> Response:
    """A response that no cache may store: tokens, and lists of them."""
    response = Response(_encode(content), status, content_type="application/json")
    response.headers.extend((("Cache-Control", "no-store"), ("Vary", "Authorization"), *headers))
    return response
