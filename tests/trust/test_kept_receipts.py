"""Every receipt that was given along an evening proves in the log that is exported last."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.command.verifying import verify_file
from ledger.kernel.facts.audience import BANKER
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from ledger.trust.keys import Keys
from ledger.trust.notes import Verifier
from ledger.trust.receipts import Receipt
from ledger.trust.shown import Shown
from tests.replays import shelf
from tests.tables.ledgers import Clock
from tests.trust.impatient import Evening

KEYS = Keys.of_secret(bytes(range(32)))


def given(ledger: Ledger, game: str, after: int) -> list[Receipt]:
    """The receipts of the actions after a number, at the head of the moment."""
    head = ledger.moment(game).version
    return [Receipt.parse(str(ledger.logs.receipt(game, one, head))) for one in range(after + 1, head + 1)]


def leaves_of(log: Path) -> list[bytes]:
    """The hashes of the entries in an exported log."""
    return Shown(shelf.unpacked(log.read_bytes())["log.jsonl"].splitlines(), rulebooks_by_id()).leaves


def prove(ledger: Ledger, game: str, receipts: list[Receipt], folder: Path, keys: list[Verifier]) -> None:
    """Export the log; it continues what each receipt was signed over, and has its action at its place."""
    log = folder / "last.log.zip"
    log.write_bytes(shelf.exported(ledger, game, "log", BANKER))
    kept = [folder / f"{number}.receipt" for number, _ in enumerate(receipts)]
    for file, receipt in zip(kept, receipts, strict=True):
        file.write_text(str(receipt))
    assert verify_file(log, keys, kept, decide=False).faults == ()
    leaves = leaves_of(log)
    for receipt in receipts:
        assert any(receipt.require(leaves[receipt.index], key) for key in keys)


@pytest.mark.parametrize(
    ("rulebook", "settings"),
    [("negopoly", {"turn_seconds": 60}), ("virtual_revolution", {"answer_seconds": 60})],
)
def test_every_receipt_of_an_evening_proves_in_its_last_log(
    store: Store, tmp_path: Path, rulebook: str, settings: dict[str, object]
) -> None:
    """With corrections, disputes, steps of the service, a restart half-way, and a game that goes on from it."""
    clock = Clock(step=1)
    ledger = Ledger(store, rulebooks_by_id(), clock=clock, keys=lambda: KEYS)
    evening = Evening(ledger, clock, rulebook, settings=settings, seed=5)
    game, receipts = evening.game, given(ledger, evening.game, 0)
    for turn in range(30):
        before = evening.state.version
        evening.play(1)
        receipts += given(evening.ledger, game, before)
        if turn == 15:
            evening.ledger = Ledger(store, rulebooks_by_id(), clock=clock, keys=lambda: KEYS)
    keys = evening.ledger.logs.keys.verifiers(game)
    assert len(receipts) == evening.state.version
    assert any(one.kind in {"correct", "rule"} for one in evening.entries)
    prove(evening.ledger, game, receipts, tmp_path, keys)

    forked = evening.ledger.forking.fork(game, evening.state.version).game
    theirs = given(evening.ledger, forked, 0)
    (tmp_path / "fork").mkdir()
    prove(evening.ledger, forked, theirs, tmp_path / "fork", evening.ledger.logs.keys.verifiers(forked))
    # The receipts of one game prove nothing in the log of the other, whose salts are others.
    ours, others = leaves_of(tmp_path / "last.log.zip"), leaves_of(tmp_path / "fork" / "last.log.zip")
    assert not {*ours} & {*others}
