"""Verifying files offline: journals, logs as somebody sees them, receipts, checkpoints, proofs of consistency."""

from __future__ import annotations

import base64
import codecs
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ledger import rulebooks
from ledger.kernel.journal.entry import read
from ledger.kernel.journal.stored import read_attested
from ledger.moving.importing import DecidedOtherwise, Unfit, check
from ledger.trust.checkpoints import Checkpoint
from ledger.trust.dice import Checked, check_dice
from ledger.trust.notes import BadNote, Verifier
from ledger.trust.proofs import WrongProof, require_consistency
from ledger.trust.receipts import FIRST, Receipt
from ledger.trust.shown import CHECKPOINT, KEYS, LINES, Shown, checked, verify_shown
from replays.journal_file import GZIP, BadJournalFile, JournalFile

_TILE = re.compile(r"tile/(?:\d+)/(?:x\d{3}/)*\d{3}(?:\.p/\d{1,3})?")
_LARGEST = 1 << 30


class Unreadable(Exception):  # noqa: N818 - it names a condition
    """The file is nothing that can be verified, and why."""


class Consistent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proof that a newer checkpoint's log begins with that of an older one (`mabligop prove --consistent`)."""

    older: str
    newer: str
    hashes: tuple[str, ...]


class Verified(msgspec.Struct, frozen=True):
    """What was verified, in a sentence, and what is wrong with it."""

    what: str
    faults: tuple[str, ...]


def verify_file(path: Path, keys: Sequence[Verifier], older: Sequence[Path], *, decide: bool) -> Verified:
    """Verify a file or a folder. Raises Unreadable for what is none of them, BadNote for older ones of no kind."""
    before = [checkpoint_in(one, keys) for one in older]
    if path.is_dir():
        return _log(_folder(path), keys, before, decide=decide)
    if zipfile.is_zipfile(path):
        return _log(_zip(path), keys, before, decide=decide)
    with path.open("rb") as file:
        beginning = file.read(200).removeprefix(codecs.BOM_UTF8)
    if beginning.startswith((b'{"journal":', GZIP)):
        return _journal(path, keys, before, decide=decide)
    if beginning.startswith(FIRST.encode()):
        return _receipt(_text(path), keys, before)
    if beginning.startswith(b'{"older":'):
        return _consistent(_text(path).encode(), keys)
    if "\n\n" in _text(path)[:4000]:
        checkpoint = checkpoint_in(path, keys)
        faults = tuple(_unlike(checkpoint, before))
        return Verified(f"a checkpoint of {checkpoint.origin} over {checkpoint.size} actions", faults)
    raise Unreadable(f"{path} is no journal, log, receipt or checkpoint")


def checkpoint_in(path: Path, keys: Sequence[Verifier]) -> Checkpoint:
    """The checkpoint of a file: of a receipt, a log, or by itself. Raises BadNote, Unreadable."""
    if path.is_dir():
        text = _folder(path).get(CHECKPOINT, b"").decode()
    elif zipfile.is_zipfile(path):
        text = _zip(path).get(CHECKPOINT, b"").decode()
    else:
        text = _text(path)
    if text.startswith(FIRST):
        text = str(Receipt.parse(text).checkpoint)
    return checked(text, keys, text.partition("\n")[0])


def _text(path: Path) -> str:
    """The text of a file, without the mark and the ends of lines that other programs put in. Raises Unreadable."""
    try:
        # Python takes every end of a line for a line feed.
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Unreadable(f"{path} is no receipt or checkpoint: {fault}") from fault


# Logs -----------------------------------------------------------------------------------------------


def _folder(path: Path) -> dict[str, bytes]:
    files = (one for one in sorted(path.rglob("*")) if one.is_file())
    return {one.relative_to(path).as_posix(): one.read_bytes() for one in files}


def _zip(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        if sum(one.file_size for one in archive.infolist()) > _LARGEST:
            raise Unreadable(f"{path} is too large")
        return {one.filename: archive.read(one) for one in archive.infolist() if not one.is_dir()}


def _log(
    files: Mapping[str, bytes], keys: Sequence[Verifier], older: Sequence[Checkpoint], *, decide: bool
) -> Verified:
    missing = [name for name in (LINES, CHECKPOINT) if name not in files]
    if missing:
        raise Unreadable(f"there is no {missing[0]}: it is no log of a game")
    try:
        shown = Shown(files[LINES].removesuffix(b"\n").split(b"\n"), rulebooks.known())
    except ValueError as fault:
        raise Unreadable(str(fault)) from fault
    tiles = {name: content for name, content in files.items() if _TILE.fullmatch(name)}
    faults = [*map(str, verify_shown(shown, files[CHECKPOINT], keys, tiles, older, decide=decide))]
    faults += (f"{name} does not belong here" for name in sorted(files.keys() - tiles.keys() - _FILES))
    header = shown.header
    who = header.role if header.seat is None else header.seat
    return Verified(
        f"the log of {header.title!r} ({header.origin}) as {who} sees it: {header.size} actions", (*faults,)
    )


_FILES = {LINES, CHECKPOINT, KEYS}


# Journals -------------------------------------------------------------------------------------------


def _journal(path: Path, keys: Sequence[Verifier], older: Sequence[Checkpoint], *, decide: bool) -> Verified:
    faults: list[str] = []
    try:
        journal = JournalFile(path)
        header = journal.header
        what = f"the journal of {header.title!r} ({header.game}): {header.entries} actions"
        rulebook = rulebooks.known().get(header.rulebook)
        if rulebook is None:
            raise Unreadable(f"{path}: the rulebook {header.rulebook!r} is not known here")
        note = journal.checkpoint
        if note is None:
            faults.append("it has no checkpoint: only its own hashes were verified")
        else:
            checkpoint = checked(note, keys, note.partition("\n")[0])
            if (checkpoint.size, checkpoint.root) != (header.entries, journal.root()):
                faults.append("the checkpoint was signed over something else than the entries")
            if not checkpoint.origin.endswith(f"/{header.game}"):
                faults.append(f"the checkpoint is of {checkpoint.origin}, not of this game")
        faults += (
            f"the first {earlier.size} actions are not those of the older checkpoint"
            for earlier in older
            if journal.root(earlier.size) != earlier.root
        )
        differences = check(rulebook, header.exported_game, journal.entries(), decide=decide)
        faults += (f"action {one.number}: {one.what}" for one in differences)
        dice = check_dice(rulebook, [read(stored) for stored in journal.entries()])
        faults += (f"action {number}: {what}" for number, what in dice.wrong)
        what += _told(dice)
    except (BadJournalFile, Unfit, DecidedOtherwise, BadNote) as fault:
        return Verified(f"the journal in {path}", (*faults, str(fault)))
    return Verified(what, (*faults,))


_MOST_NAMED = 10


def _listed(numbers: Sequence[int]) -> str:
    """How many throws a seat left out, and at which actions."""
    named = ", ".join(map(str, numbers[:_MOST_NAMED])) + (", …" if len(numbers) > _MOST_NAMED else "")
    return f"{len(numbers)} throws (actions {named})" if len(numbers) != 1 else f"1 throw (action {named})"


def _told(dice: Checked) -> str:
    """How many throws were checked, how many cannot be yet or never can, and who did not take part in them."""
    checked = f"; {dice.checked} actions throw as the seed says" if dice.checked else ""
    waiting = f"; {dice.waiting} throw from a seed that is opened at the end" if dice.waiting else ""
    never = f"; {dice.uncommitted} throw from no seed, and cannot be checked" if dice.uncommitted else ""
    by_hand = f"; {dice.by_hand} have dice or cards of the table" if dice.by_hand else ""
    missed = "".join(f"; {seat} left out {_listed(numbers)}" for seat, numbers in dice.missed.items())
    return checked + waiting + never + by_hand + missed


# Receipts, checkpoints and consistency --------------------------------------------------------------


def _receipt(text: str, keys: Sequence[Verifier], older: Sequence[Checkpoint]) -> Verified:
    receipt = Receipt.parse(text)
    number = receipt.index + 1
    what = f"the receipt of action {number}"
    if receipt.extra is None:
        return Verified(what, ("it does not have the action: its hash must be verified by other means",))
    try:
        shown = read_attested(receipt.extra)
        if shown.number is not None and shown.number != number:
            return Verified(what, (f"it has action {shown.number}, at the place of action {number}",))
        origin = receipt.checkpoint.text.partition("\n")[0]
        checkpoint = checked(str(receipt.checkpoint), keys, origin)
        if shown.game is not None and not origin.endswith(f"/{shown.game}"):
            return Verified(what, (f"its action is of game {shown.game}, and its checkpoint of {origin}",))
        receipt.require_in(shown.leaf, checkpoint)
    except (ValueError, BadNote, WrongProof) as fault:
        return Verified(what, (str(fault),))
    return Verified(f"{what} in {checkpoint.origin}, among {checkpoint.size}", (*_unlike(checkpoint, older),))


def _unlike(checkpoint: Checkpoint, older: Sequence[Checkpoint]) -> Iterator[str]:
    """What shows by itself that a checkpoint does not follow on older ones."""
    for one in older:
        if one.origin != checkpoint.origin:
            yield f"the older checkpoint is of {one.origin}, this one of {checkpoint.origin}"
        elif one.size > checkpoint.size:
            yield f"the older checkpoint is over {one.size} actions, and this one over {checkpoint.size}"
        elif one.size == checkpoint.size and one.root != checkpoint.root:
            yield f"two different logs of {one.size} actions were signed"
        elif one.size < checkpoint.size:
            yield (
                f"that the log only grew from {one.size} to {checkpoint.size} actions needs a proof:"
                " `mabligop prove --consistent` gets one"
            )


def _consistent(content: bytes, keys: Sequence[Verifier]) -> Verified:
    try:
        proof = msgspec.json.decode(content, type=Consistent)
        return Verified(*require_consistent(proof, keys))
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as fault:
        raise Unreadable(f"it is no proof of consistency: {fault}") from fault


def require_consistent(proof: Consistent, keys: Sequence[Verifier]) -> tuple[str, tuple[str, ...]]:
    """What a proof of consistency is about, and what is wrong with it. Raises ValueError."""
    older, newer = (checked(one, keys, one.partition("\n")[0]) for one in (proof.older, proof.newer))
    what = f"that {newer.origin} only grew from {older.size} to {newer.size} actions"
    if older.origin != newer.origin:
        return what, (f"the older checkpoint is of {older.origin}, the newer one of {newer.origin}",)
    hashes = [base64.b64decode(one, validate=True) for one in proof.hashes]
    try:
        require_consistency(older.size, newer.size, hashes, older.root, newer.root)
    except WrongProof as fault:
        return what, (str(fault),)
    return what, ()


def trusted_keys(given: Sequence[str]) -> list[Verifier]:
    """The verifier keys that were given, as texts or as files with one a line. Raises BadNote."""
    written: list[str] = []
    for one in given:
        path = Path(one)
        try:
            lines = path.read_text().split("\n") if path.is_file() else [one]
        except OSError:
            lines = [one]
        written += (line.strip() for line in lines if line.strip())
    return [Verifier.parse(one) for one in written]
