"""Conditional requests (RFC 9110, 13): entity tags, If-Match, If-None-Match, and Idempotency-Key.

The entity tag of everything in a game is the game's version. It is a weak one, W/"57", because two seats, or two
languages, get different bytes at the same version. A write made under If-Match depends on the game and not on the
bytes of a view of it, so If-Match takes W/"57" and "57" alike.
"""

from __future__ import annotations

import re

from flask import Response, request

from api.rest.problems import Problem

_TAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?")

NO_VERSION = -1
"""What an entity tag stands for that is not the version of any game."""


class Unchanged(Exception):  # noqa: N818 - an answer, not a fault
    """The caller has the newest version already; answered with 304."""

    def __init__(self, etag: str) -> None:
        super().__init__(etag)
        self.etag = etag


def etag_of(version: int) -> str:
    """The entity tag of a game at a version."""
    return f'W/"{version}"'


def require_change(etag: str) -> None:
    """Go on unless the caller already has what this entity tag stands for. Raises Unchanged."""
    header = request.environ.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return
    if header.strip() == "*" or etag.removeprefix("W/").strip('"') in _TAG.findall(header):
        raise Unchanged(etag)


def unchanged(same: Unchanged) -> Response:
    """The answer to a caller who has the newest version."""
    response = Response(status=304)
    response.headers["ETag"] = same.etag
    response.headers["Vary"] = "Authorization, Accept-Language"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def versions_expected() -> frozenset[int] | None:
    """The versions of which one must be the head for a write to happen; None when the caller does not mind.

    Raises a Problem (400) for an If-Match header that is not a list of entity tags.
    """
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    tags = _TAG.findall(header)
    if not tags or any(part.strip(" \t") not in {"", "*"} for part in _TAG.sub("*", header).split(",")):
        raise Problem(
            "bad-request",
            f'If-Match takes entity tags like "57", not {header!r}',
            f'If-Match demande des étiquettes comme "57", pas {header!r}',
        )
    return frozenset(int(tag) if tag.isascii() and tag.isdigit() and len(tag) < 19 else NO_VERSION for tag in tags)


def idempotency_key() -> str | None:
    """The key that makes a request safe to repeat, if the caller gave one.

    Raises a Problem (400) unless it is 1 to 255 printable ASCII characters.
    """
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and _KEY.fullmatch(key) is None:
        raise Problem(
            "bad-request",
            f"Idempotency-Key takes 1 to 255 printable ASCII characters, not {key[:300]!r}",
            f"Idempotency-Key demande 1 à 255 caractères ASCII imprimables, pas {key[:300]!r}",
        )
    return key
