"""The edition of the game: its register and its pieces, read from the files of this folder."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT

FILES = ("amounts", "map", "agents", "verses", "boosts", "corruption", "necro", "objectives")
"""The files of `pieces/`, each with some of the tables."""


class Rules(msgspec.Struct, frozen=True):
    """There is one edition only, whose rules the code cites by their ids."""


VirtualEdition = Edition[Pieces, Rules]


def _read() -> VirtualEdition:
    folder = files("ledger.rulebooks.virtual_revolution")
    found = [reading.data(folder / "pieces", f"{name}.toml") for name in FILES]
    return VirtualEdition(
        id="virtual_revolution",
        title="Virtual Revolution",
        currency=EUROCREDIT,
        register=reading.register(folder),
        pieces=msgspec.convert({name: table for tables in found for name, table in tables.items()}, Pieces),
        rules=Rules(),
        settings={},
        takes_own=True,
    )


EDITION = _read()
