"""Exports: a game as a file, with the data visible to the caller."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from flask import Response, request
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest.admission.bounds import computing
from api.rest.description.documentation import operation
from api.rest.exchange.conditions import VARY, etag_of
from api.rest.exchange.csv_answers import BOM, MARK
from api.rest.exchange.moments import changed_moment
from api.rest.exchange.queries import reject_parameter
from api.rest.problems.problems import Problem
from api.rest.running.context import language, the_ledger
from ledger.moving.exporting import Export
from replays import exports

log = logging.getLogger("mabligop.exports")

blueprint = Blueprint("exports", __name__, description="Exporting a game as a file")


_ALL = (*exports.TABLES, exports.ABOUT)


class ExportQuery(Schema):
    """The format of an export."""

    format = fields.String(
        required=True,
        validate=validate.OneOf(tuple(exports.FORMATS)),
        metadata={
            "description": "; ".join(f"`{one.name}`: {one.about}" for one in exports.FORMATS.values()) + "."
        },
    )
    table = fields.String(
        load_default=None,
        validate=validate.OneOf(_ALL),
        metadata={
            "description": "With `csv` or `parquet`: only this table, as a file of its own; or `about`, the file"
            " about.json."
        },
    )
    bom = BOM


def _about() -> str:
    tables = "\n".join(
        f"| `{name}` | {', '.join(f'`{column.name}`' for column in columns)} |"
        for name, (_, columns) in exports.TABLES.items()
    )
    return f"""The banker gets the whole game, and so does everybody after an end that reveals everything (setting
`reveal_at_end`). Otherwise everybody else gets a view. A view says so in its file name and contents, and cannot be
imported. The file is of the version in its ETag, even when the game goes on while the file is sent.

`jsonl` is the journal itself, byte for byte, with a leaf hash for every entry and the Merkle root over them
(RFC 9162). `mabligop import` creates the same game from it in another database.

`csv` and `parquet` are a ZIP file of tables. Actions, events, postings, and balances after each action are in the
order of the history as it now counts. Actions that a correction dropped have `counts` false and do not change the
balances. The tables of games, seats, titles and obligations say how things stand. Every table begins with the
column `game`, so that the tables of many games can be put together. `about.json` explains every column. With
`table` the answer is that table alone; its `Link` header (`describedby`) leads to `about.json`.

| table | columns |
|---|---|
{tables}

`statements` are a ZIP file with the statement of every account as CSV.

`beancount` and `hledger` have a transaction for every action, with its number, kind, rules and status as metadata.
Actions that do not count are marked and move nothing. Comments at the end say who owes whom. The book of a whole
game ends with the holdings of every account, which `bean-check` and `hledger check` verify.

`html` is a report of the game on one page, in the caller's language: curves, diagrams, sentences, and a section
for every player. The page loads nothing else.

Text files are sent while the game is read. A text file whose last line is not `{{"end": …}}` or `; The end …` was
cut short by a failure.
"""


def _schema_of(media_type: str) -> dict[str, Any]:
    """Return the schema of a file: an object for `about.json`, a string for text, anything for binary data."""
    if media_type == "application/json":
        return {"type": "object", "additionalProperties": {}}
    return {"type": "string"} if media_type.startswith("text/") else {}


def _described() -> dict[str, Any]:
    described = operation(
        "exportGame",
        {200: (None, "The file.")},
        errors=(401, 403, 404, 422),
        headers=("Accept-Language", "If-None-Match"),
    )
    types = [item.media_type for item in exports.FORMATS.values()]
    types += [item.media_type_of(table) for item in exports.FORMATS.values() if item.has_tables for table in _ALL]
    described["responses"]["200"]["content"] = {
        kind: {"schema": _schema_of(kind)} for kind in (item.partition(";")[0] for item in types)
    }
    described["description"] = _about()
    return described


@blueprint.route("/games/<game>/export")
@blueprint.doc(**_described())
@blueprint.arguments(ExportQuery(), location="query", unknown=RAISE)
def export_game(query: dict[str, Any], game: str) -> Response:
    """Export a game as a file"""
    moment = changed_moment(game)
    form, table = exports.FORMATS[query["format"]], query["table"]
    if table is not None and not form.has_tables:
        en, fr = f"{form.name} has no tables to choose from", f"{form.name} n'a pas de tables à choisir"
        raise reject_parameter("table", table, en, fr)
    if query["bom"] and (form.name != "csv" or table in {None, exports.ABOUT}):
        en, fr = "only one table as csv begins with a mark", "seul un tableau csv commence par une marque"
        raise reject_parameter("bom", "true", en, fr)
    export = Export(moment, language(), logs=the_ledger().logs)
    pieces = exports.pieces(form, export, table=table)
    mark = [MARK.encode()] if query["bom"] else []
    # Tables are made by another process and another thread: the clock counts, not the time of this thread.
    bill = computing() if form.has_tables else None
    response = Response(chain(mark, _begun(pieces, bill)), content_type=form.media_type_of(table))
    response.call_on_close(pieces.close)
    response.headers.extend(
        (
            ("ETag", etag_of(export.head, language())),
            ("Content-Language", language()),
            ("Content-Disposition", f'attachment; filename="{exports.file_name(form, export, table)}"'),
            ("Vary", VARY),
            ("Cache-Control", "private, no-cache"),
            *_described_by(form, table),
        )
    )
    return response


def _described_by(form: exports.Format, table: str | None) -> Iterator[tuple[str, str]]:
    """Yield the header that links a single table to the description of all tables (RFC 8288)."""
    if table is not None and table != exports.ABOUT:
        yield "Link", f'<{request.path}?format={form.name}&table={exports.ABOUT}>; rel="describedby"'


def _begun(pieces: Iterator[bytes], bill: Callable[[float], None] | None) -> Iterator[bytes]:
    """Make the first piece now: a failure can still be answered with a problem. `bill` counts the seconds."""
    began = time.monotonic()
    try:
        first = next(pieces)
    except exports.TablesFailed as fault:
        # The rest of the message may quote values of the game.
        kind = str(fault).partition(":")[0]
        reason = fault.__cause__.strerror if isinstance(fault.__cause__, OSError) else kind
        log.error("the tables of an export could not be made: %s", reason)
        raise Problem(
            "unavailable",
            f"the tables could not be made: {reason}; the game itself can be had as jsonl",
            f"les tableaux n'ont pas pu être faits : {reason} ; la partie elle-même s'obtient en jsonl",
        ) from fault
    finally:
        if bill is not None:
            bill(time.monotonic() - began)
    return chain([first], pieces)
