"""The figures of games, cached in the store: the statistics of a game are computed once for each version."""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from importlib import import_module
from pathlib import Path

import msgspec

from ledger.moving.exporting import Export
from ledger.service import Ledger
from ledger.store.database.errors import StoreError
from replays.statistics import statistics_of
from replays.statistics.several import GameFigures, figures_of

log = logging.getLogger("mabligop")

_decoder = msgspec.json.Decoder(GameFigures)


def kept_figures(ledger: Ledger, game: str, language: str) -> GameFigures:
    """Return the figures of a game, with names in "en" or "fr".

    The figures are stored beside the snapshots of the game, and read again while game version and program are
    unchanged. Raises UnknownGame, and StoreError if the database fails.
    """
    name = f"figures:{language}:{_program()}"
    snapshot = ledger.store.snapshots.latest(game, name)
    if snapshot is not None and snapshot[0] == ledger.store.journal.head(game):
        try:
            return _decoder.decode(snapshot[1])
        except (msgspec.ValidationError, msgspec.DecodeError):
            log.warning("the figures of game %s at %d cannot be read and are not used", game, snapshot[0])
    export = Export(ledger.moment(game), language)
    figures = figures_of(statistics_of(export))
    try:
        ledger.store.snapshots.save(game, export.version, name, msgspec.json.encode(figures))
    except StoreError:
        log.warning("the figures of game %s at %d are not kept", game, export.version)
    return figures


@cache
def _program() -> str:
    """Hash all code and data behind the figures. Figures of a different program are never read."""
    hashed = hashlib.sha256()
    for package in ("ledger", "replays"):
        for folder in import_module(package).__path__:
            for path in sorted(Path(folder).rglob("*")):
                if path.suffix in {".py", ".toml"}:
                    hashed.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return hashed.hexdigest()[:16]
