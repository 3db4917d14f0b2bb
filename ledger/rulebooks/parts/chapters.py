"""The chapters of a game with rooms: packages with an ordered list of chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from ledger.kernel.rules.chapter import Chapter


def chapters_of(package: str, rooms: Iterable[str]) -> Iterator[Chapter]:
    """Import the chapters of a game, room by room: the `chapter` of each module named in the room's CHAPTERS.

    `package` is the name of the game's package, `rooms` are the names of the rooms. A room names the chapters
    without importing the modules, because the files of the rooms import each other.
    """
    for room in rooms:
        folder = f"{package}.{room}"
        for name in import_module(folder).CHAPTERS:
            chapter: Chapter = import_module(f"{folder}.{name}").chapter
            yield chapter
