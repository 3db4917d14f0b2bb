"""Names of districts and of cards: told apart by eye, each table and each language by itself."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.language.wording import Phrase
from ledger.rulebooks.parts.brought import Fault
from ledger.rulebooks.parts.looks import Called, look_alikes
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces

_NAMED = ("district", "agent", "verse", "objective", "necro", "corruption_kind", "boost")
"""The tables whose rows have a name."""


def alike(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Find the names that cannot be told apart.

    Games whose pieces were taken before this check go on with their names, so it is for what a table brings.
    """
    colours = enumerate(pieces.colours)  # the very same ones are told already
    yield from look_alikes(Called(places.of("colours", row), name, same="colour") for row, name in colours)
    corporations = enumerate(pieces.corporations)
    yield from look_alikes(Called(places.of("corporations", row), name) for row, name in corporations)
    seen = set()
    for table in _NAMED:
        for language in ("en", "fr"):
            for fault in look_alikes(_called(pieces, places, table, language)):
                if fault.place not in seen:
                    seen.add(fault.place)
                    yield fault


def _called(pieces: Pieces, places: Places, table: str, language: str) -> Iterator[Called]:
    """The names of a table in a language."""
    for row, one in enumerate(getattr(pieces, table)):
        if isinstance(one.name, Phrase):
            yield Called(places.of(table, row, "name", language), one.name.said(language))
        else:
            yield Called(places.of(table, row, "name"), one.name)
