"""Names of districts and of cards: told apart by eye, each table and each language by itself."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Fault
from ledger.rulebooks.parts.looks import Called, look_alikes
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces

_NAMED = ("district", "agent", "verse", "objective", "necro", "corruption_kind", "boost")
"""The tables with a name in each row."""


def alike(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Yield the indistinguishable names.

    Games with pieces from before this check go on with the old names, so the check is only for new editions.
    """
    colours = enumerate(pieces.colours)  # identical names are reported already
    corporations = enumerate(pieces.corporations)
    return look_alikes(
        (Called(places.of("colours", row), name, same="colour") for row, name in colours),
        (Called(places.of("corporations", row), name) for row, name in corporations),
        *(_called(pieces, places, table, language) for table in _NAMED for language in ("en", "fr")),
    )


def _called(pieces: Pieces, places: Places, table: str, language: str) -> Iterator[Called]:
    """Yield the names of a table in a language."""
    for row, piece in enumerate(getattr(pieces, table)):
        if isinstance(piece.name, Phrase):
            yield Called(places.of(table, row, "name", language), piece.name.in_language(language))
        else:
            yield Called(places.of(table, row, "name"), piece.name)
