"""Exports: a game as a file, as far as the caller may see it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest.conditions import etag_of
from api.rest.context import language
from api.rest.documentation import operation
from api.rest.moments import changed_moment
from api.rest.problems import Problem
from ledger.moving.exporting import Export
from replays import exports

blueprint = Blueprint("exports", __name__, description="Taking a game away, when the pieces are back in the box")


class ExportQuery(Schema):
    """In which form to take the game away."""

    format = fields.String(
        required=True,
        validate=validate.OneOf(tuple(exports.FORMATS)),
        metadata={
            "description": "; ".join(f"`{one.name}`: {one.about}" for one in exports.FORMATS.values()) + "."
        },
    )
    table = fields.String(
        load_default=None,
        validate=validate.OneOf(tuple(exports.TABLES)),
        metadata={"description": "Of `csv` and `parquet`: only this table, as a file of its own."},
    )


def _about() -> str:
    tables = "\n".join(
        f"| `{name}` | {', '.join(f'`{column.name}`' for column in columns)} |"
        for name, (_, columns) in exports.TABLES.items()
    )
    return f"""As far as the caller may see it: whole for the banker, and after the end for everybody; for others,
while the game lasts, a view of it, which says so in its name and its contents and cannot be imported. It is of the
version that its ETag tells, whatever happens while it is sent.

`jsonl` is the journal itself, byte for byte, with a leaf hash for every entry and the Merkle root over them
(RFC 9162): `mabligop import` gives the same game elsewhere.

`csv` and `parquet` are a ZIP file of tables with one row for each action, event, posting, or balance after an
action, in the order of the history as it now counts, and `about.json`, which says what every column tells. With
`table` the answer is that table alone. What a correction took out has `counts` false, and no part in the balances.

| table | columns |
|---|---|
{tables}

`beancount` and `hledger` have a transaction for every action, with its number, kind, rules and status as metadata.
Actions that do not count are marked and move nothing. The whole book of a game ends with what every account holds,
for `bean-check` and `hledger check` to verify.

`html` is one page that needs nothing besides itself, in the language asked for: how the game went, in curves,
diagrams, sentences and a page for every player.

The texts are sent while the game is read. One whose last line is not its end (`{{"end": …}}`, `; The end …`) was
cut by a failure.
"""


def _described() -> dict[str, Any]:
    described = operation(
        "exportGame",
        {200: (None, "The file.")},
        errors=(401, 403, 404, 422),
        headers=("Accept-Language", "If-None-Match"),
    )
    types = [one.media_type for one in exports.FORMATS.values()]
    types += [one.table_media_type for one in exports.FORMATS.values() if one.table_media_type is not None]
    binary = {"schema": {"type": "string", "format": "binary"}}
    described["responses"]["200"]["content"] = {kind.partition(";")[0]: binary for kind in types}
    described["description"] = _about()
    return described


@blueprint.route("/games/<game>/export")
@blueprint.doc(**_described())
@blueprint.arguments(ExportQuery(unknown=RAISE), location="query")
def export_game(query: dict[str, Any], game: str) -> Response:
    """The game as a file"""
    moment = changed_moment(game)
    wanted, table = exports.FORMATS[query["format"]], query["table"]
    if table is not None and not wanted.has_tables:
        en, fr = f"{wanted.name} has no tables to choose from", f"{wanted.name} n'a pas de tables à choisir"
        raise Problem("invalid-request", en, fr, errors=[{"parameter": "table", "value": table, "detail": en}])
    export = Export(moment, language())
    pieces = exports.pieces(wanted, export, table=table)
    response = Response(
        _begun(pieces), content_type=wanted.media_type if table is None else wanted.table_media_type
    )
    response.call_on_close(pieces.close)
    response.headers.extend(
        (
            ("ETag", etag_of(export.version)),
            ("Content-Language", language()),
            ("Content-Disposition", f'attachment; filename="{exports.file_name(wanted, export, table)}"'),
            ("Vary", "Authorization, Accept-Language"),
            ("Cache-Control", "private, no-cache"),
        )
    )
    return response


def _begun(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same; what can go wrong from the start does so while the answer can still be a problem."""
    first = next(pieces)
    return chain([first], pieces)
