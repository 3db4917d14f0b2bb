"""The edition of the game: the register and the pieces, read from the files of this folder."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.parts.face.faces import read
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT

FILES = ("amounts", "map", "agents", "verses", "boosts", "corruption", "necro", "objectives")
"""The files of `pieces/`, each with some of the tables."""


class Rules(msgspec.Struct, frozen=True):
    """The rules of the single edition: empty, because the code cites the rules by id."""


VirtualEdition = Edition[Pieces, Rules]


def _read() -> VirtualEdition:
    folder = files("ledger.rulebooks.virtual_revolution")
    contents = [reading.data(folder / "pieces", f"{name}.toml") for name in FILES]
    return VirtualEdition(
        id="virtual_revolution",
        title="Virtual Revolution",
        currency=EUROCREDIT,
        register=reading.register(folder),
        pieces=msgspec.convert({name: table for tables in contents for name, table in tables.items()}, Pieces),
        rules=Rules(),
        settings={},
        face=read(folder),
        takes_own=True,
    )


EDITION = _read()
