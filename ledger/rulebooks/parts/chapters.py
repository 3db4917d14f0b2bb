"""The chapters of a game with rooms: packages that name their chapters in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from ledger.kernel.rules.chapter import Chapter


def chapters_of(package: str, rooms: Iterable[str]) -> Iterator[Chapter]:
    """The chapters of a game, room by room: the `chapter` of each module that the room's CHAPTERS names.

    Takes the name of the game's package and the names of its rooms. A room names its chapters without importing
    them, because the files of one room import those of others.
    """
    for room in rooms:
        folder = f"{package}.{room}"
        for name in import_module(folder).CHAPTERS:
            chapter: Chapter = import_module(f"{folder}.{name}").chapter
            yield chapter
