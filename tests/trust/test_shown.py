"""Logs as seats see them: each is verified without the service, and adds up; whatever is changed is found."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from api.command.verifying import verify_file
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.journal.entry import canonical
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from ledger.trust.keys import Keys
from ledger.trust.notes import Verifier
from tests.golden import entries_of
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, do, started

Files = dict[str, bytes]


def files_of(ledger: Ledger, game: str, viewer: Viewer) -> Files:
    with zipfile.ZipFile(io.BytesIO(shelf.exported(ledger, game, "log", viewer))) as archive:
        return {one.filename: archive.read(one) for one in archive.infolist()}


def laid_out(folder: Path, files: Files) -> Path:
    """The files in a folder of their own."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def faults(folder: Path, files: Files, keys: list[Verifier], *, decide: bool = False) -> tuple[str, ...]:
    return verify_file(laid_out(folder, files), keys, (), decide=decide).faults


@pytest.fixture
def mended(ledger: Ledger) -> str:
    """A game of Negopoly with a corrected payment, restated and voided actions."""
    return shelf.mended(ledger)


@pytest.mark.parametrize("rulebook", ["negopoly", "monopoly_naruto", "negoces2", "virtual_revolution"])
def test_every_seat_verifies_a_game_that_goes_on(store: Store, tmp_path: Path, rulebook: str) -> None:
    """What each sees has the hashes that were signed, and comes to the balances that each is told."""
    ledger = Ledger(store, rulebooks_by_id())
    game = shelf.simulate(ledger, rulebook, seed=4, actions=60)
    viewers = [BANKER, SPECTATOR, *(Viewer("player", seat) for seat in ledger.moment(game).newest.seats)]
    keys = ledger.logs.keys.verifiers(game)
    for number, viewer in enumerate(viewers):
        files = files_of(ledger, game, viewer)
        assert faults(tmp_path / str(number), files, keys) == ()


def test_what_is_hidden_is_in_no_other_log(ledger: Ledger) -> None:
    """Ana gives Bob 150, which is between the two."""
    game = started(ledger, "ana", "bob", "cid")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=151)
    for viewer in (BANKER, ANA, BOB):
        assert b"151" in files_of(ledger, game, viewer)["log.jsonl"].splitlines()[-2]
    for viewer in (SPECTATOR, Viewer("player", "cid")):
        line = files_of(ledger, game, viewer)["log.jsonl"].splitlines()[-2]
        assert line.startswith(b'{"leaf":')
        assert b'"amount"' not in line
        assert b"transfer_money" not in line


def test_corrections_are_added_up_by_those_who_see_parts(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    keys = ledger.logs.keys.verifiers(mended)
    for number, viewer in enumerate((BANKER, ANA, BOB, SPECTATOR)):
        files = files_of(ledger, mended, viewer)
        assert faults(tmp_path / str(number), files, keys, decide=viewer is BANKER) == ()
        assert b'"balances"' in files["log.jsonl"]


Change = Callable[[list[bytes]], list[bytes]]
"""A change of the lines of a log, the header first and the end last."""

CHANGES: dict[str, tuple[Change, str]] = {
    "a cut tail": (lambda lines: [*lines[:-3], lines[-1]], "lines for"),
    "a dropped entry in the middle": (lambda lines: [*lines[:5], *lines[6:]], "action 5: its line is of action 6"),
    "a pair in another order": (lambda lines: [*lines[:5], lines[6], lines[5], *lines[7:]], "action 5: its line"),
    "an entry twice": (lambda lines: [*lines[:5], lines[5], *lines[5:]], "action 6: its line is of action 5"),
    "another balance": (
        lambda lines: [*lines[:-1], lines[-1].replace(b'"player:ana":{"NGD":', b'"player:ana":{"NGD":1')],
        "what is shown comes to",
    ),
    "another origin": (
        lambda lines: [lines[0].replace(b'"origin":"', b'"origin":"x'), *lines[1:]],
        "the checkpoint is of",
    ),
}


@pytest.mark.parametrize(("change", "what"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("viewer", [BANKER, ANA], ids=["banker", "ana"])
def test_a_changed_log_is_found_out(
    ledger: Ledger, mended: str, tmp_path: Path, viewer: Viewer, change: Change, what: str
) -> None:
    files = files_of(ledger, mended, viewer)
    lines = files["log.jsonl"].splitlines()
    changed = {**files, "log.jsonl": b"\n".join(change(lines)) + b"\n"}
    found = faults(tmp_path, changed, ledger.logs.keys.verifiers(mended))
    assert any(what in one for one in found), found


def test_a_changed_entry_is_named(ledger: Ledger, tmp_path: Path) -> None:
    """The tiles are those that were signed, so the first action that is another one is known by its number."""
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    files = files_of(ledger, game, ANA)
    assert b'"dice":[1,2]' in files["log.jsonl"]
    changed = {**files, "log.jsonl": files["log.jsonl"].replace(b'"dice":[1,2]', b'"dice":[1,3]')}
    number = ledger.moment(game).version
    found = faults(tmp_path, changed, ledger.logs.keys.verifiers(game))
    assert f"action {number}: it is not the one that the checkpoint was signed over" in found


def test_every_changed_byte_of_a_line_is_found(ledger: Ledger, tmp_path: Path) -> None:
    """Also in the parts of sealed entries, and in the salt."""
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=150)
    keys = ledger.logs.keys.verifiers(game)
    files = files_of(ledger, game, BOB)
    *before, line, end = files["log.jsonl"].splitlines()
    assert line.startswith(b'{"leaf":')
    for place in range(0, len(line), 7):
        changed = bytearray(line)
        changed[place] ^= 1
        files["log.jsonl"] = b"\n".join([*before, bytes(changed), end]) + b"\n"
        assert faults(tmp_path, files, keys), place


def test_another_key_and_another_checkpoint(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    files = files_of(ledger, mended, ANA)
    forged = Keys.of_secret(bytes(32)).verifiers(mended)
    assert any("none of the keys" in one for one in faults(tmp_path / "key", files, forged))
    older = str(ledger.logs.checkpoint(mended, 3)).encode()
    found = faults(tmp_path / "older", {**files, "checkpoint": older}, ledger.logs.keys.verifiers(mended))
    assert any("the checkpoint is over 3 actions" in one for one in found)


def test_every_changed_bit_of_a_tile_is_found(ledger: Ledger, tmp_path: Path) -> None:
    game = started(ledger, "ana", "bob")
    keys = ledger.logs.keys.verifiers(game)
    files = files_of(ledger, game, ANA)
    (name,) = (one for one in files if one.startswith("tile/"))
    tile = files[name]
    for bit in range(8 * len(tile)):
        files[name] = (int.from_bytes(tile) ^ (1 << bit)).to_bytes(len(tile))
        if bit % 61 == 0:  # each takes a while: all of them would be minutes
            assert f"{name} is not that of the entries" in faults(tmp_path, files, keys)
    del files[name]
    (tmp_path / name).unlink()
    assert f"{name} is missing" in faults(tmp_path, files, keys)


def test_older_journals_are_verified_as_far_as_they_can_be(store: Store, tmp_path: Path) -> None:
    """Entries of the first version that hide something are there by their hashes: the log is one all the same."""
    ledger = Ledger(store, rulebooks_by_id())
    entries = entries_of("negoces2_v4")
    first = json.loads(bytes(entries[0].params))
    setup = {"players": first["players"], "settings": first["settings"], "dice": first["dice"]}
    header = msgspec.structs.replace(shelf.header_of(entries, setup), rulebook="negoces2")
    shelf.write_file(tmp_path / "old.jsonl", header, [canonical(entry) for entry in entries])
    game = shelf.put_in(ledger, tmp_path / "old.jsonl", as_recorded=True).game
    for place, viewer in enumerate((BANKER, SPECTATOR, ANA)):
        files = files_of(ledger, game, viewer)
        assert faults(tmp_path / str(place), files, ledger.logs.keys.verifiers(game)) == ()
        assert (b'{"hash":' in files["log.jsonl"]) == (not ledger.moment(game, viewer).viewer.sees_all)
