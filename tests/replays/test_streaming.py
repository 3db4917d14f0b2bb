"""Exports of long games: memory holds one stretch of the game, however long the game is."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.moving.exporting import Export
from ledger.service import Ledger
from replays import exports
from tests.benchmarks.exporting import generate
from tests.tables.ledgers import ANA

pytestmark = pytest.mark.xdist_group("streaming")


@pytest.fixture(scope="module")
def long(ledger: Ledger) -> str:
    """A game of 1,600 events."""
    generate(ledger.store, "long", 1600)
    return "long"


@pytest.mark.parametrize(
    ("form", "viewer"),
    [
        ("jsonl", BANKER),
        ("csv", ANA),
        pytest.param("csv", BANKER, marks=pytest.mark.soak),
        pytest.param("beancount", BANKER, marks=pytest.mark.soak),
    ],
)
def test_nothing_is_kept_of_what_was_given_away(
    ledger: Ledger, long: str, monkeypatch: pytest.MonkeyPatch, form: str, viewer: Viewer
) -> None:
    """After a quarter of the export, memory does not grow. (DuckDB has a limit of its own.)"""
    for stretch in (
        "replays.exports.tables._BATCH",
        "replays.exports.journal._BATCH",
        "ledger.moving.exporting._PAGE",
    ):
        monkeypatch.setattr(stretch, 40)
    for piece in ("replays.exports.bookkeeping._AT_ONCE", "replays.exports.journal._AT_ONCE"):
        monkeypatch.setattr(piece, 4096)
    held: list[int] = []
    given = 0

    def look(done: int, total: int) -> None:
        if done == total or (4 * done >= total and not held):
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])

    export = Export(ledger.moment(long, viewer), logs=ledger.logs)
    tracemalloc.start()
    try:
        for piece in exports.pieces(exports.FORMATS[form], export, progress=look):
            given += len(piece)
    finally:
        tracemalloc.stop()
    assert held[-1] - held[0] < given / 20
