"""A page at a time: opaque cursors and RFC 8288 Link headers."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from flask import request
from marshmallow import Schema, fields, validate

from api.rest.problems import Problem

T = TypeVar("T")

LARGEST_PAGE = 200


class PageQuery(Schema):
    """How much, and from where."""

    limit = fields.Integer(
        load_default=50,
        validate=validate.Range(1, LARGEST_PAGE),
        metadata={"description": f"How many at most, 1 to {LARGEST_PAGE}."},
    )
    cursor = fields.String(
        load_default=None,
        validate=validate.Length(max=500),
        metadata={"description": "Where to go on, as given by a Link header or the answer before."},
    )


def write_cursor(place: Any) -> str:
    """A place in a list, opaque to those who carry it."""
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def read_cursor(cursor: str | None, place: type[T]) -> T | None:
    """The place that a cursor of this kind of list stands for. Raises a Problem (422) for any other text."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.b64decode(padded.encode("ascii"), b"-_", validate=True), type=place)
    except (msgspec.DecodeError, binascii.Error, UnicodeError):
        raise bad_cursor(cursor) from None


def bad_cursor(cursor: str) -> Problem:
    """The text is no cursor of the list it was sent to."""
    return Problem(
        "bad-cursor",
        f"{cursor!r} is not a cursor of this list",
        f"{cursor!r} n'est pas un curseur de cette liste",
        errors=[{"parameter": "cursor", "value": cursor, "detail": "not a cursor of this list"}],
    )


def links(places: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    """The Link header to these pages of the list asked for: (relation, cursor or None for its start)."""
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "cursor"]
    path = quote(request.path, safe="/:@!$&'()*+,;=")
    written = []
    for relation, cursor in places:
        query = urlencode(kept + ([("cursor", cursor)] if cursor is not None else []))
        written.append(f'<{path}{"?" + query if query else ""}>; rel="{relation}"')
    return [("Link", ", ".join(written))] if written else []
