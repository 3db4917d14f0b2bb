"""The figures of games, kept in the store: the statistics of a game are computed once for each of its versions."""

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
    """The figures of a game, with names in "en" or "fr".

    They are kept beside the snapshots of the game, and read again while the game has the same version and the
    program is the same. Raises UnknownGame, and StoreError when the database fails.
    """
    name = f"figures:{language}:{_program()}"
    found = ledger.store.latest_snapshot(game, name)
    if found is not None and found[0] == ledger.store.head(game):
        try:
            return _decoder.decode(found[1])
        except (msgspec.ValidationError, msgspec.DecodeError):
            log.warning("the figures of game %s at %d cannot be read and are not used", game, found[0])
    export = Export(ledger.moment(game), language)
    figures = figures_of(statistics_of(export))
    try:
        ledger.store.save_snapshot(game, export.version, name, msgspec.json.encode(figures))
    except StoreError:
        log.warning("the figures of game %s at %d are not kept", game, export.version)
    return figures


@cache
def _program() -> str:
    """A hash over all code and data that figures are made with. Figures of other code are never read."""
    hashed = hashlib.sha256()
    for package in ("ledger", "replays"):
        for folder in import_module(package).__path__:
            for path in sorted(Path(folder).rglob("*")):
                if path.suffix in {".py", ".toml"}:
                    hashed.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return hashed.hexdigest()[:16]
