"""The log of a stored game: its checkpoints, receipts, tiles and witnesses; and a journal that is rewritten."""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.stored import leaf, read_attested
from ledger.moving.exporting import Export
from ledger.reading.entries.attested import attested
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.database.errors import JournalNotAsSigned
from ledger.store.store import Store
from ledger.trust.checkpoints import Checkpoint, verified
from ledger.trust.keys import BadKeys, Keys, written
from ledger.trust.log import Log
from ledger.trust.logs import MOST_WITNESSES, CosignatureRefused, NoPlace
from ledger.trust.notes import WITNESS, Note, Signer
from ledger.trust.proofs import require_consistency, require_inclusion
from ledger.trust.receipts import Receipt
from ledger.trust.tiles import Tile
from tests.tables.ledgers import ANA, BOB, a_ledger, do
from tests.trust.tampering import Owner

AT = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)


def leaves_of(store: Store, game: str) -> list[bytes]:
    return [leaf(stored) for run in store.journal.runs(game) for _, stored, _ in run]


def root_of(leaves: list[bytes]) -> bytes:
    tree = Tree()
    for one in leaves:
        tree.add(one)
    return tree.root()


def played_on(ledger: Ledger, game: str, actions: int) -> None:
    for _ in range(actions):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=1)


# Checkpoints, receipts, proofs ----------------------------------------------------------------------


def test_a_head_is_signed_over_all_actions(store: Store, ledger: Ledger, game: str) -> None:
    (key,) = ledger.logs.keys.verifiers(game)
    checkpoint = verified(ledger.logs.checkpoint(game, 9), key)
    assert (checkpoint.origin, checkpoint.size) == (f"{ledger.logs.keys.service}/{game}", 9)
    assert checkpoint.root == root_of(leaves_of(store, game))


def test_each_action_has_a_receipt(ledger: Ledger, game: str) -> None:
    """It has what Ana sees of the action, and everybody can read in it that this was signed."""
    (key,) = ledger.logs.keys.verifiers(game)
    moment = ledger.moment(game, ANA)
    for number in range(1, 10):
        stored = ledger.store.journal.entry(game, number)
        assert stored is not None
        shown = attested(moment, number, stored)
        receipt = Receipt.parse(str(ledger.logs.receipt(game, number, 9, shown)))
        assert receipt.extra == shown
        assert receipt.require(read_attested(shown).leaf, key).size == 9


def test_a_log_only_grows(ledger: Ledger, game: str) -> None:
    (key,) = ledger.logs.keys.verifiers(game)
    before = verified(ledger.logs.checkpoint(game, 9), key)
    played_on(ledger, game, 8)
    after = verified(ledger.logs.checkpoint(game, 17), key)
    for old in range(1, 18):
        signed = verified(ledger.logs.checkpoint(game, old), key)
        hashes = ledger.logs.consistency(game, old, 17)
        require_consistency(old, 17, hashes, signed.root, after.root)
    assert verified(ledger.logs.checkpoint(game, 9), key) == before


def test_tiles_are_stored_when_they_are_full_and_made_again_when_they_are_missing(
    store: Store, ledger: Ledger, game: str, owner: Owner
) -> None:
    played_on(ledger, game, 540)
    leaves = leaves_of(store, game)
    size = len(leaves)
    assert ledger.logs.log_up_to(game, size).root(size) == root_of(leaves)
    assert store.logs.tile(game, 0, 1) == b"".join(leaves[256:512])
    assert store.logs.tile(game, 0, 2) is None
    owner.run("DELETE FROM tiles WHERE game_id = %s AND place = 0", game)
    log = Log(store.logs, game)
    log.reach(size)
    for index in (0, 255, 256, 511, 512, size - 1):
        require_inclusion(leaves[index], index, size, log.inclusion(index, size), root_of(leaves))
        require_inclusion(
            leaves[index], index, index + 1, log.inclusion(index, index + 1), root_of(leaves[: index + 1])
        )
    assert log.tile(Tile(0, 0)) == leaves[:256]
    assert log.tile(Tile(1, 0, 2)) == [root_of(leaves[:256]), root_of(leaves[256:512])]
    assert store.logs.tile(game, 0, 0) == b"".join(leaves[:256])


def test_the_heads_of_what_is_played_are_signed(store: Store, ledger: Ledger, game: str) -> None:
    origin = ledger.logs.keys.origin(game)
    assert store.logs.checkpoints(game, origin, 99, 1) == []
    ledger.logs.sign_played(ledger.games)
    assert [size for size, _ in store.logs.checkpoints(game, origin, 99, 5)] == [9]
    ledger.logs.sign_played(ledger.games)
    played_on(ledger, game, 1)
    ledger.logs.sign_played(ledger.games)
    assert [size for size, _ in store.logs.checkpoints(game, origin, 99, 5)] == [10, 9]


# Witnesses ------------------------------------------------------------------------------------------


def test_a_witness_signs_a_checkpoint(ledger: Ledger, game: str) -> None:
    own = ledger.logs.checkpoint(game, 9)
    witness = Signer("witness.example/w1", bytes(32), WITNESS)
    signed = own.with_signature(witness.sign(own.text, AT))
    again = ledger.logs.cosign(game, str(witness.verifier), str(signed), 9)
    assert again == ledger.logs.checkpoint(game, 9)
    assert [one.at for one in again.signed_by([witness.verifier])] == [AT]
    assert Note.parse(str(again)) == again


@pytest.mark.parametrize("what", ["another root", "another game", "no signature", "another key", "a plain key"])
def test_what_is_no_witness_is_refused(ledger: Ledger, game: str, what: str) -> None:
    own = ledger.logs.checkpoint(game, 9)
    kind = 1 if what == "a plain key" else WITNESS
    witness = Signer("witness.example/w1", bytes(32), kind)
    text = {
        "another root": own.text.rsplit("\n", 2)[0] + "\n" + "A" * 43 + "=\n",
        "another game": own.text.replace(game, "another"),
    }.get(what, own.text)
    signed = Note(text, (witness.sign(text, AT),)) if what != "no signature" else own
    key = Signer("witness.example/w2", bytes(31) + b"1", WITNESS) if what == "another key" else witness
    with pytest.raises(CosignatureRefused):
        ledger.logs.cosign(game, str(key.verifier), str(signed), 9)
    assert ledger.logs.checkpoint(game, 9) == own


def test_a_game_has_only_so_many_witnesses(ledger: Ledger, game: str) -> None:
    own = ledger.logs.checkpoint(game, 9)
    for number in range(MOST_WITNESSES + 1):
        witness = Signer(f"witness.example/{number}", bytes([number]) * 32, WITNESS)
        signed = str(Note(own.text, (witness.sign(own.text, AT),)))
        if number < MOST_WITNESSES:
            ledger.logs.cosign(game, str(witness.verifier), signed, 9)
        else:
            with pytest.raises(NoPlace, match="8 witnesses already"):
                ledger.logs.cosign(game, str(witness.verifier), signed, 9)


# A journal that is not the one that was signed -------------------------------------------------------


def rewritten(owner: Owner, game: str) -> None:
    """Action 7 of Ana moves 15 instead of 150, with all that stands beside it."""
    owner.rewrite_entry(game, 7, b"150", b"15", hashed=True)
    owner.rewrite_events(game, 7, "150", "15")


def test_a_rewritten_journal_is_read_and_nothing_is_written_to_it(
    store: Store, ledger: Ledger, game: str, owner: Owner
) -> None:
    """Who opens it next is told, reads it, and cannot act; the checkpoints tell between which actions it is."""
    ledger.logs.checkpoint(game, 6)
    ledger.logs.checkpoint(game, 8)
    ledger.logs.checkpoint(game, 9)
    rewritten(owner, game)
    again = a_ledger(store)
    assert again.moment(game, BANKER).newest.holdings.of("player:bob", "NGD") > 0
    with pytest.raises(JournalNotAsSigned, match="one of the actions 7 to 8 is not the one over which"):
        do(again, game, ANA, "transfer_money", to="bob", amount=1)
    assert store.journal.head(game) == 9
    with pytest.raises(JournalNotAsSigned):
        a_ledger(store).logs.checkpoint(game, 9)


def test_a_cut_journal_is_told(store: Store, ledger: Ledger, game: str, owner: Owner) -> None:
    ledger.logs.checkpoint(game, 9)
    owner.delete(game, [8, 9])
    again = a_ledger(store)
    assert again.moment(game).version == 7
    with pytest.raises(
        JournalNotAsSigned, match="over 9 actions was signed, and the journal has 7: actions 8 to 9 are missing"
    ):
        do(again, game, BOB, "transfer_money", to="ana", amount=1)


def test_a_journal_that_was_not_touched_goes_on(store: Store, ledger: Ledger, game: str) -> None:
    ledger.logs.checkpoint(game, 9)
    assert do(a_ledger(store), game, ANA, "transfer_money", to="bob", amount=1).version == 10


def test_another_key_knows_nothing_of_older_checkpoints(
    store: Store, ledger: Ledger, game: str, owner: Owner
) -> None:
    """A database that was moved is not suspicious by itself: its checkpoints are those of another service."""
    ledger.logs.checkpoint(game, 9)
    rewritten(owner, game)
    other = Ledger(store, rulebooks_by_id(), keys=lambda: Keys.of_secret(bytes(32)))
    assert other.games.open(game).fault is None


# Keys -----------------------------------------------------------------------------------------------


def test_the_keys_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "signing-keys"
    made = Keys.ensure(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = Keys.ensure(path)
    assert again.service == made.service
    assert again.verifiers("g") == made.verifiers("g")


def test_a_key_is_replaced_in_two_steps(tmp_path: Path) -> None:
    """For a while both sign, so that whoever pinned the old one still verifies."""
    path = tmp_path / "signing-keys"
    old = Keys.ensure(path)
    path.write_text(f"# the new one\n{written(old.service, Random(1).randbytes(32))}\n{path.read_text()}")
    both = Keys.read(path)
    new, still = both.verifiers("g")
    assert [still] == old.verifiers("g")
    note = both.sign(Checkpoint(both.origin("g"), 1, bytes(32)), "g")
    assert len(note.signatures) == 2
    assert verified(note, new) == verified(note, still)


def killed_at(step: int, act: Callable[[], object]) -> bool:
    """Let another process act, and kill the process when it is about to open or name a file for the n-th time.

    Returns whether the process was killed, and had not come to the end.
    """
    child = os.fork()
    if child == 0:
        steps = count(1)

        def watch(event: str, _: object) -> None:
            if event in {"open", "os.link", "os.rename", "os.remove"} and next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        act()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_a_kill_at_any_step_leaves_usable_keys_or_none(tmp_path: Path) -> None:
    """The next start makes the keys, or goes on with those that were made."""
    for step in count(1):
        path = tmp_path / str(step) / "signing-keys"
        path.parent.mkdir()
        if not killed_at(step, lambda path=path: Keys.ensure(path)):  # type: ignore[misc]
            break
        assert Keys.ensure(path).service == Keys.read(path).service
    assert step > 3


@pytest.mark.parametrize("content", ["", "nonsense", "PRIVATE+KEY+a+00000000+AAAA", "PRIVATE+KEY+a b+x+y"])
def test_a_file_that_is_no_key_is_told_without_its_content(tmp_path: Path, content: str) -> None:
    path = tmp_path / "signing-keys"
    path.write_text(content)
    with pytest.raises(BadKeys) as told:
        Keys.read(path)
    assert not content or content not in str(told.value)


def test_an_export_without_logs_says_so(ledger: Ledger, game: str) -> None:
    with pytest.raises(LookupError, match="made without the logs"):
        _ = Export(ledger.moment(game, Viewer("banker"))).logs


def test_a_receipt_comes_with_the_action(ledger: Ledger, game: str) -> None:
    done = ledger.perform(game, ANA, Command(kind="transfer_money", params={"to": "bob", "amount": 3}))
    assert (done.entry.receipt.number, done.entry.receipt.size) == (10, 10)
