"""Paging of lists: opaque cursors, and Link headers (RFC 8288)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from flask import request
from marshmallow import Schema, fields, validate

from api.rest.exchange.queries import WholeNumber
from api.rest.problems.problems import Problem

T = TypeVar("T")

LARGEST_PAGE = 200


class PageQuery(Schema):
    """The size of a page, and where it begins."""

    limit = WholeNumber(
        load_default=50,
        validate=validate.Range(1, LARGEST_PAGE),
        metadata={"description": f"The largest number of rows to return, 1 to {LARGEST_PAGE}."},
    )
    cursor = fields.String(
        load_default=None,
        validate=validate.Length(max=500),
        metadata={"description": "Where the page begins: a cursor from a Link header or from an earlier answer."},
    )


def write_cursor(place: Any) -> str:
    """Encode a place in a list as a cursor, which is opaque to callers."""
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def read_cursor(cursor: str | None, place: type[T]) -> T | None:
    """Decode a cursor of this kind of list into its place. Raises a Problem (422) for any other text."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.b64decode(padded.encode("ascii"), b"-_", validate=True), type=place)
    except (msgspec.DecodeError, binascii.Error, UnicodeError):
        raise bad_cursor(cursor) from None


def bad_cursor(cursor: str) -> Problem:
    """The problem of a text that is no cursor of this list."""
    return Problem(
        "bad-cursor",
        f"{cursor!r} is not a cursor of this list",
        f"{cursor!r} n'est pas un curseur de cette liste",
        errors=[
            {
                "parameter": "cursor",
                "value": cursor,
                "detail": ("not a cursor of this list", "pas un curseur de cette liste"),
            }
        ],
    )


def links(places: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    """The Link header to other pages, given as (relation, cursor). None as the cursor is the start of the list."""
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "cursor"]
    path = quote(request.path, safe="/:@!$&'()*+,;=")
    written = []
    for relation, cursor in places:
        query = urlencode(kept + ([("cursor", cursor)] if cursor is not None else []))
        written.append(f'<{path}{"?" + query if query else ""}>; rel="{relation}"')
    return [("Link", ", ".join(written))] if written else []
