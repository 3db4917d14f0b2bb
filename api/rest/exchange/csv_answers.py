"""Answers in JSON or CSV: the choice of the form, and the answer as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from flask import Response, request
from marshmallow import Schema, fields, validate

from api.rest.exchange.conditions import VARY_FORM, etag_of
from api.rest.running.context import language
from ledger.games.moments import Head

MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""The byte order mark. Without a mark, spreadsheets read a CSV file in the encoding of their country."""
BOM = fields.Boolean(
    load_default=False,
    metadata={"description": "Begin CSV with a byte order mark, by which spreadsheets see that it is UTF-8."},
)


class FormQuery(Schema):
    """The form of an answer."""

    format = fields.String(
        load_default=None,
        validate=validate.OneOf(("json", "csv")),
        metadata={"description": "JSON or CSV. By default the Accept header decides."},
    )
    bom = BOM


def described(operation: dict[str, Any]) -> dict[str, Any]:
    """Add CSV to the description of an operation."""
    operation["responses"]["200"]["content"]["text/csv"] = {"schema": {"type": "string"}}
    return operation


def wants_csv(form: str | None) -> bool:
    """Return True if the caller prefers CSV, by the parameter `format` or else by the Accept header."""
    if form is not None:
        return form == "csv"
    return request.accept_mimetypes.best_match(["application/json", "text/csv"]) == "text/csv"


def as_csv(pieces: Iterator[str], head: Head, name: str, *, bom: bool) -> Response:
    """Answer with CSV in pieces, as a file called `name`. With `bom`, begin with a mark for spreadsheets."""
    # Make the first pieces now, the header and some rows: a failure can still be answered with a problem.
    first = [*([MARK] if bom else ()), *islice(pieces, 2)]
    response = Response(chain(first, pieces), content_type="text/csv; charset=utf-8; header=present")
    response.headers.extend(
        (
            ("ETag", etag_of(head, language(), csv=True)),
            ("Content-Language", language()),
            ("Content-Disposition", f'attachment; filename="{name}"'),
            ("Vary", VARY_FORM),
            ("Cache-Control", "private, no-cache"),
        )
    )
    return response
