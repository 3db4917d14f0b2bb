"""Build HTTP responses from the content returned by the ledger."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Response

from api.rest.exchange.conditions import VARY, etag_of, require_change
from api.rest.running.context import Language
from ledger.games.moments import Head

# Sorted, so that the order of members reveals nothing hidden.
_encode = msgspec.json.Encoder(order="deterministic").encode


def of_game(
    content: Any,
    head: Head,
    spoken: Language,
    *,
    status: int = 200,
    headers: Sequence[tuple[str, str]] = (),
    due: int = 0,
) -> Response:
    """Build a response about a game at its head, for a viewer and in one language.

    `due` is the number of actions due by time, if the answer lists such actions.
    """
    response = Response(_encode(content), status, content_type="application/json")
    response.headers.extend(
        (
            ("ETag", etag_of(head, spoken, due=due)),
            ("Content-Language", spoken),
            ("Vary", VARY),
            ("Cache-Control", "private, no-cache"),
            *headers,
        )
    )
    return response


def of_content(content: Any, spoken: Language) -> Response:
    """Build a response about rarely changing content. The entity tag is a hash of the bytes.

    Raises NotModified if the caller already has the content.
    """
    encoded = _encode(content)
    etag = f'W/"{hashlib.sha256(encoded).hexdigest()[:16]}"'
    require_change(etag)
    response = Response(encoded, content_type="application/json")
    response.headers["ETag"] = etag
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = VARY
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def secret(content: Any, *, status: int = 200, headers: Sequence[tuple[str, str]] = ()) -> Response:
    """Build a response with tokens, which no cache may store."""
    response = Response(_encode(content), status, content_type="application/json")
    response.headers.extend((("Cache-Control", "no-store"), ("Vary", "Authorization"), *headers))
    return response
