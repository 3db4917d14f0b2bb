"""A service changes its key: with the old key at hand the new one is endorsed; without it everybody is told."""

from __future__ import annotations

from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from api.command.verifying import Consistent as Growth
from api.command.verifying import require_consistent, trusted_keys, verify_file
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.journal.entry import read
from ledger.moving.exporting import Export
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from ledger.trust.keys import BadKeys, Keys, watched
from ledger.trust.notes import BadNote
from ledger.trust.successions import Succession, followed
from replays import exports
from tests.tables.ledgers import ANA, do

AT = datetime(2026, 11, 28, 10, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "signing-keys"
    Keys.ensure(path, Random(1).randbytes)
    return path


def service(store: Store, keys: Keys) -> Ledger:
    return Ledger(store, rulebooks_by_id(), keys=lambda: keys)


def saved(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def exported(ledger: Ledger, game: str, file: Path) -> Path:
    export = Export(ledger.moment(game, BANKER), logs=ledger.logs)
    file.write_bytes(b"".join(exports.pieces(exports.FORMATS["log"], export)))
    return file


def test_a_new_key_signs_and_whoever_holds_the_old_one_notices_nothing(
    store: Store, game: str, path: Path, tmp_path: Path
) -> None:
    old = Keys.read(path)
    receipt = saved(tmp_path, "old.checkpoint", str(service(store, old).logs.checkpoint(game, 8)))
    rotated = Keys.rotate(path, AT, Random(2).randbytes)
    assert (rotated.service, rotated.signing[1:]) == (old.service, old.signing)
    ledger = service(store, rotated)
    log = exported(ledger, game, tmp_path / "log.zip")
    for held in (rotated.signing[:1], old.signing):
        assert verify_file(log, held, [receipt], decide=True).faults == ()
    # The new key alone leads to the old one by the succession, and not without it.
    held = trusted_keys([str(rotated.signing[0]), str(rotated.successions[0])])
    assert verify_file(receipt, held, (), decide=False).faults == ()
    with pytest.raises(BadNote, match="none of the keys that are trusted"):
        verify_file(receipt, rotated.signing[:1], (), decide=False)


def test_after_two_rotations_the_first_key_signs_no_more_and_its_holders_follow(
    store: Store, game: str, path: Path, tmp_path: Path
) -> None:
    first = Keys.read(path)
    kept = saved(tmp_path, "first.checkpoint", str(service(store, first).logs.checkpoint(game, 8)))
    for seed in (2, 3):
        rotated = Keys.rotate(path, AT, Random(seed).randbytes)
    assert first.signing[0] not in rotated.signing
    assert first.signing[0] in rotated.public
    ledger = service(store, rotated)
    # The log has the successions; a checkpoint alone needs them beside the key.
    assert (
        verify_file(exported(ledger, game, tmp_path / "log.zip"), first.signing, [kept], decide=False).faults == ()
    )
    now = saved(tmp_path, "now.checkpoint", str(ledger.logs.checkpoint(game, 9)))
    with pytest.raises(BadNote, match="the service has changed its key"):
        verify_file(now, first.signing, (), decide=False)
    lines = "\n".join(map(str, (first.signing[0], *rotated.successions)))
    held = trusted_keys([str(saved(tmp_path, "keys", lines))])
    assert verify_file(now, held, (), decide=False).faults == ()
    # The service itself still compares its journal with what the first key signed.
    assert ledger.logs.fault(game) is None
    assert ledger.logs.earlier(game) == []


def test_without_the_old_key_everybody_is_told_and_an_old_checkpoint_shows_that_the_journal_is_the_same(
    store: Store, game: str, path: Path, tmp_path: Path
) -> None:
    old, other = Keys.read(path), Keys.of_secret(bytes(32))
    before = service(store, old).logs
    kept = saved(tmp_path, "old.checkpoint", str(before.checkpoint(game, 8)))
    ledger = service(store, other)
    do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    [(origin, size, at)] = ledger.logs.earlier(game)
    eighth = ledger.store.journal.entry(game, 8)
    assert eighth is not None
    assert (origin, size, at) == (f"{old.service}/{game}", 8, read(eighth).recorded_at)
    log = exported(ledger, game, tmp_path / "log.zip")
    held = verify_file(log, old.signing, [kept], decide=False)
    [fault] = held.faults
    assert f"is signed by {other.service}/{game}+" in fault
    assert "was restored without its keys" in fault
    [remark] = held.remarks
    assert f"the older checkpoint is of {old.service}/{game}, so the service has changed its keys" in remark
    assert "its 8 actions are the first of this log" in remark
    both = [*other.signing, *old.signing]
    assert verify_file(log, both, [kept], decide=False).faults == ()
    hashes = ledger.logs.consistency(game, 8, 10)
    growth = Growth(
        older=kept.read_text(),
        newer=str(ledger.logs.checkpoint(game, 10)),
        hashes=tuple(b64encode(hashed).decode() for hashed in hashes),
    )
    claim, faults = require_consistent(growth, both)
    assert (claim, faults) == (
        f"that {other.service}/{game} (then {old.service}/{game}) only grew from 8 to 10 actions",
        (),
    )
    with pytest.raises(BadNote, match="it is signed by"):
        require_consistent(growth, old.signing)


def test_a_statement_that_one_of_the_keys_did_not_sign_leads_nowhere(path: Path) -> None:
    pair = Keys.rotate(path, AT, Random(2).randbytes).successions[0]
    assert (Succession.parse(str(pair)), pair.at) == (pair, AT)
    other = Keys.of_secret(bytes(32)).signing[0]
    for line in (
        str(pair._replace(note=pair.note._replace(signatures=pair.note.signatures[:1]))),
        str(pair._replace(note=pair.note._replace(text=pair.note.text.replace("2026", "2027")))),
        str(pair._replace(note=pair.note._replace(text=pair.note.text.replace(str(pair.new), str(other))))),
        str(pair)[:-8],
    ):
        with pytest.raises(BadNote):
            Succession.parse(line)
        path.write_text(f"{path.read_text()}{line}\n")
        with pytest.raises(BadKeys, match="is no succession of keys"):
            Keys.read(path)
    assert followed([other], [pair]) == [other]
    stranger = pair.old._replace(name="elsewhere.example")
    assert followed([stranger], [pair]) == [stranger]
    of_log = pair.old._replace(name=f"{pair.old.name}/g")
    assert followed([of_log], [pair]) == [of_log, pair.new._replace(name=of_log.name)]


def test_parallel_rotations_lose_no_key_and_every_worker_takes_the_newest_at_once(path: Path) -> None:
    workers = [watched(path) for _ in range(2)]
    first = workers[0]().signing[0]
    with ThreadPoolExecutor(4) as pool:
        rotations = [pool.submit(Keys.rotate, path, AT) for _ in range(8)]
    keys = Keys.read(path)
    made = {str(rotation.result().signing[0]) for rotation in rotations} | {str(first)}
    assert {str(key) for key in keys.public} >= made
    assert len(keys.successions) == 8
    assert [worker().signing for worker in workers] == [keys.signing] * 2
    # A worker goes on with the keys that it has while somebody edits the file.
    path.write_text("nonsense")
    assert workers[0]().signing == keys.signing
    path.unlink()
    assert workers[0]().signing == keys.signing
