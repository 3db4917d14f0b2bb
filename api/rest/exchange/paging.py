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
from ledger.kernel.language.phrase import Phrase

T = TypeVar("T")

LARGEST_PAGE = 200


class PageQuery(Schema):
    """The size and the start of a page."""

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


def write_cursor(position: Any) -> str:
    """Encode a position in a list as an opaque cursor."""
    return base64.urlsafe_b64encode(msgspec.json.encode(position)).decode().rstrip("=")


def read_cursor(cursor: str | None, kind: type[T]) -> T | None:
    """Decode a cursor into a position of this type. Raises Problem (422) for any other text."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.b64decode(padded.encode("ascii"), b"-_", validate=True), type=kind)
    except (msgspec.DecodeError, binascii.Error, UnicodeError):
        raise bad_cursor(cursor) from None


def bad_cursor(cursor: str) -> Problem:
    """Build the problem for a text that is not a cursor of the list."""
    return Problem(
        "bad-cursor",
        f"{cursor!r} is not a cursor of this list",
        f"{cursor!r} n'est pas un curseur de cette liste",
        errors=[
            {
                "parameter": "cursor",
                "value": cursor,
                "detail": Phrase("not a cursor of this list", "pas un curseur de cette liste"),
            }
        ],
    )


def links(pages: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    """Build the Link header for other pages from pairs (relation, cursor). A cursor of None is the start of the
    list.
    """
    arguments = [(name, value) for name, value in request.args.items(multi=True) if name != "cursor"]
    path = quote(request.path, safe="/:@!$&'()*+,;=")
    written = []
    for relation, cursor in pages:
        query = urlencode(arguments + ([("cursor", cursor)] if cursor is not None else []))
        written.append(f'<{path}{"?" + query if query else ""}>; rel="{relation}"')
    return [("Link", ", ".join(written))] if written else []
