"""The shape of an edition: tables of pieces, a title, options; and the pieces of a game with the edition.

{"title": "Lyon", "options": {"answer_seconds": 60},
 "district": [{"id": "CR", "name": "Croix-Rousse"}, …],
 "arrondissement": [{"number": 1, "district": "CR", "adjacent": [2, 4]}, …],
 "title": …, "amounts": {"work_gain": 6}}

The table of Titles is called `titles` in an edition, because `title` is the title of the edition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.kernel.rules.faces.editions import pointer_at
from ledger.rulebooks.parts import options
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.settings import Settings

LONGEST_TITLE = 120

TABLES: Mapping[str, msgspec.structs.FieldInfo] = {
    "titles" if one.name == "title" else one.name: one for one in msgspec.structs.fields(Pieces)
}
"""The tables of pieces, by name in an edition."""
IN_PARTS = ("amounts", "scoring")
"""The tables of numbers, possibly partial in an edition."""
OPTIONS = options.fields(Settings, {"pieces"})
"""The options of editions, by name."""


def whole(document: Mapping[str, Any], base: Pieces = EDITION.pieces) -> dict[str, Any]:
    """Return all pieces of a game with the edition, as plain data; missing parts come from the base."""
    usual = base.plain
    tables = {}
    for name, field in TABLES.items():
        if name not in document and field.encode_name not in usual:
            continue
        table = usual[field.encode_name]
        brought = document.get(name, table)
        tables[field.encode_name] = {**table, **brought} if name in IN_PARTS and name in document else brought
    return tables


class Places:
    """The JSON Pointers of tables: in an edition with missing tables, or in complete settings."""

    def __init__(self, document: Mapping[str, Any] | None = None) -> None:
        self._document = document

    def of(self, table: str, *steps: str | int) -> str:
        """Return the pointer of a part of a table, or of the table itself if the edition has no such table."""
        if self._document is None:
            return pointer_at("", "pieces", table, *steps)
        name = "titles" if table == "title" else table
        return (
            pointer_at("", name, *steps) if name in self._document or table in IN_PARTS else pointer_at("", name)
        )
