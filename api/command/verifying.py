"""Verifying files offline: journals, logs in the view of a viewer, receipts, checkpoints, proofs of
consistency.
"""

from __future__ import annotations

import base64
import codecs
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from api.command.terminal.counts import count
from ledger import rulebooks
from ledger.kernel.facts.texts import legible
from ledger.kernel.journal.entry import read
from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.stored import read_attested
from ledger.moving.importing import BadJournal, DecidedOtherwise, check
from ledger.store.backups.archive import SIGNS_OF_DAMAGE, most_bytes
from ledger.trust.checkpoints import Checkpoint, same_game
from ledger.trust.dice import Checked, check_dice
from ledger.trust.findings import older_rules
from ledger.trust.notes import BadNote, Verifier
from ledger.trust.proofs import WrongProof, require_consistency
from ledger.trust.receipts import FIRST, Receipt
from ledger.trust.shown import CHECKPOINT, KEYS, LINES, Shown, checked, verify_shown
from ledger.trust.successions import LINE, Succession, followed
from replays.journal_file import GZIP, BadJournalFile, JournalFile

_TILE = re.compile(r"tile/(?:\d+)/(?:x\d{3}/)*\d{3}(?:\.p/\d{1,3})?")
_LARGEST = 1 << 30


class UnverifiableFileError(Exception):
    """The file is not verifiable. The message has the reason."""


class Consistent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proof that a newer checkpoint's log begins with an older checkpoint's log (`mabligop prove
    --consistent`).
    """

    older: str
    newer: str
    hashes: tuple[str, ...]


class Verified(msgspec.Struct, frozen=True):
    """The subject of a verification, as a sentence; the faults; and remarks that are no faults."""

    subject: str
    faults: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def verify_file(path: Path, keys: Sequence[Verifier], older: Sequence[Path], *, decide: bool) -> Verified:
    """Verify a file or a folder. Raises UnverifiableFileError for an unknown kind of file, BadNote for a wrong
    older checkpoint.
    """
    verified = _verified(path, keys, older, decide=decide)
    # Sentences quote the file, and a control character would command the terminal.
    return Verified(
        legible(verified.subject), tuple(map(legible, verified.faults)), tuple(map(legible, verified.remarks))
    )


def _verified(path: Path, keys: Sequence[Verifier], older: Sequence[Path], *, decide: bool) -> Verified:
    files = _folder(path) if path.is_dir() else _zip(path) if zipfile.is_zipfile(path) else None
    if files is not None:
        keys = followed(keys, _successions(files.get(KEYS, b"").decode(errors="replace").split("\n")))
    older_checkpoints = [checkpoint_in(older_path, keys) for older_path in older]
    if files is not None:
        return _log(files, keys, older_checkpoints, decide=decide)
    with path.open("rb") as file:
        beginning = file.read(200).removeprefix(codecs.BOM_UTF8)
    if beginning.startswith((b'{"journal":', GZIP)):
        return _journal(path, keys, older_checkpoints, decide=decide)
    if beginning.startswith(FIRST.encode()):
        return _receipt(_text(path), keys, older_checkpoints)
    if beginning.startswith(b'{"older":'):
        return _consistent(_text(path).encode(), keys)
    if "\n\n" in _text(path)[:4000]:
        checkpoint = checkpoint_in(path, keys)
        faults = tuple(_unlike(checkpoint, older_checkpoints))
        return Verified(f"a checkpoint of {checkpoint.origin} over {count(checkpoint.size, 'action')}", faults)
    raise UnverifiableFileError(f"{path} is no journal, log, receipt or checkpoint")


def checkpoint_in(path: Path, keys: Sequence[Verifier]) -> Checkpoint:
    """Return the checkpoint in a receipt, a log, or a checkpoint file. Raises BadNote, UnverifiableFileError."""
    if path.is_dir():
        text = _folder(path).get(CHECKPOINT, b"").decode(errors="replace")
    elif zipfile.is_zipfile(path):
        text = _zip(path).get(CHECKPOINT, b"").decode(errors="replace")
    else:
        text = _text(path)
    if text.startswith(FIRST):
        text = str(Receipt.parse(text).checkpoint)
    return checked(text, keys, text.partition("\n")[0])


def _text(path: Path) -> str:
    """Read the text of a file, without a byte order mark or changed line endings. Raises UnverifiableFileError."""
    try:
        # Python takes every end of a line for a line feed.
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UnverifiableFileError(f"{path} is no receipt or checkpoint: {fault}") from fault


# Logs -----------------------------------------------------------------------------------------


def _folder(path: Path) -> dict[str, bytes]:
    files = (file for file in sorted(path.rglob("*")) if file.is_file())
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


def _zip(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            largest = min(_LARGEST, most_bytes(path.stat().st_size))
            if sum(member.file_size for member in members) > largest:
                raise UnverifiableFileError(f"{path} is too large")
            if len({member.filename for member in members}) < len(members):
                raise UnverifiableFileError(f"{path} holds two files of one name")
            return {member.filename: archive.read(member) for member in members}
    except SIGNS_OF_DAMAGE as fault:
        raise UnverifiableFileError(f"{path} is damaged: {fault}") from fault


def _log(
    files: Mapping[str, bytes], keys: Sequence[Verifier], older: Sequence[Checkpoint], *, decide: bool
) -> Verified:
    missing = [name for name in (LINES, CHECKPOINT) if name not in files]
    if missing:
        raise UnverifiableFileError(f"there is no {missing[0]}: it is no log of a game")
    try:
        shown_log = Shown(files[LINES].removesuffix(b"\n").split(b"\n"), rulebooks.rulebooks_by_id())
    except ValueError as fault:
        raise UnverifiableFileError(str(fault)) from fault
    tiles = {name: content for name, content in files.items() if _TILE.fullmatch(name)}
    shown_faults = [*verify_shown(shown_log, files[CHECKPOINT], keys, tiles, older, decide=decide)]
    faults = [str(fault) for fault in shown_faults if not fault.exempt]
    faults += (f"{name} does not belong here" for name in sorted(files.keys() - tiles.keys() - _FILES))
    header = shown_log.header
    who = header.role if header.seat is None else header.seat
    exempt = older_rules(sum(fault.exempt for fault in shown_faults))
    return Verified(
        f"the log of {header.title!r} ({header.origin}) as {who} sees it: {count(header.size, 'action')}{exempt}",
        (*faults,),
        _under_other_names(header.origin, older, lambda size: _root(shown_log.leaves[:size])),
    )


def _root(leaves: Sequence[bytes]) -> bytes:
    tree = Tree()
    for hashed in leaves:
        tree.add(hashed)
    return tree.root()


def _under_other_names(
    origin: str, older: Sequence[Checkpoint], root: Callable[[int], bytes | None]
) -> tuple[str, ...]:
    """Describe the older checkpoints of the game by a service of another name, as far as the log agrees."""
    return tuple(
        f"the older checkpoint is of {earlier.origin}, so the service has changed its keys; its"
        f" {count(earlier.size, 'action')} are the first of this log"
        for earlier in older
        if earlier.origin != origin and same_game(earlier.origin, origin) and root(earlier.size) == earlier.root
    )


_FILES = {LINES, CHECKPOINT, KEYS}


# Journals -------------------------------------------------------------------------------------


def _journal(path: Path, keys: Sequence[Verifier], older: Sequence[Checkpoint], *, decide: bool) -> Verified:
    faults: list[str] = []
    remarks: tuple[str, ...] = ()
    try:
        journal = JournalFile(path)
        header = journal.header
        subject = f"the journal of {header.title!r} ({header.game}): {count(header.entries, 'action')}"
        rulebook = rulebooks.rulebooks_by_id().get(header.rulebook)
        if rulebook is None:
            raise UnverifiableFileError(f"{path}: the rulebook {header.rulebook!r} is not known here")
        note = journal.checkpoint
        if note is None:
            faults.append("it has no checkpoint: only its own hashes were verified")
        else:
            origin = note.partition("\n")[0]
            remarks = _under_other_names(origin, older, journal.root)
            checkpoint = checked(note, keys, origin)
            if (checkpoint.size, checkpoint.root) != (header.entries, journal.root()):
                faults.append("the checkpoint was signed over something else than the entries")
            if not checkpoint.origin.endswith(f"/{header.game}"):
                faults.append(f"the checkpoint is of {checkpoint.origin}, not of this game")
        faults += (
            f"the first {earlier.size} actions are not those of the older checkpoint"
            for earlier in older
            if journal.root(earlier.size) != earlier.root
        )
        differences = [*check(rulebook, header.exported_game, journal.entries(), decide=decide)]
        faults += (f"action {item.number}: {item.what}" for item in differences if not item.exempt)
        dice = check_dice(rulebook, [read(stored) for stored in journal.entries()])
        faults += (f"action {number}: {subject}" for number, subject in dice.wrong)
        subject += older_rules(sum(item.exempt for item in differences)) + _dice_summary(dice)
    except (BadJournalFile, BadJournal, DecidedOtherwise, BadNote) as fault:
        return Verified(f"the journal in {path}", (*faults, str(fault)), remarks)
    return Verified(subject, (*faults,), remarks)


_MOST_NAMED = 10


def _listed(numbers: Sequence[int]) -> str:
    """Write the number of throws left out by a seat, and their actions."""
    named = ", ".join(map(str, numbers[:_MOST_NAMED])) + (", …" if len(numbers) > _MOST_NAMED else "")
    return f"{len(numbers)} throws (actions {named})" if len(numbers) != 1 else f"1 throw (action {named})"


def _dice_summary(dice: Checked) -> str:
    """Summarize the throws: checked, not yet checkable, never checkable, and without the value of a seat."""
    checked = f"; {dice.checked} actions throw as the seed says" if dice.checked else ""
    waiting = f"; {dice.waiting} throw from a seed that is opened at the end" if dice.waiting else ""
    never = f"; {dice.uncommitted} throw from no seed, and cannot be checked" if dice.uncommitted else ""
    older = f"; {dice.older} throw under older rules, and cannot be checked" if dice.older else ""
    by_hand = f"; {dice.by_hand} have dice or cards of the table" if dice.by_hand else ""
    missed = "".join(f"; {seat} left out {_listed(numbers)}" for seat, numbers in dice.missed.items())
    return checked + waiting + never + older + by_hand + missed


# Receipts, checkpoints and consistency --------------------------------------------------------


def _receipt(text: str, keys: Sequence[Verifier], older: Sequence[Checkpoint]) -> Verified:
    receipt = Receipt.parse(text)
    number = receipt.index + 1
    subject = f"the receipt of action {number}"
    if receipt.extra is None:
        return Verified(subject, ("it does not have the action: its hash must be verified by other means",))
    try:
        entry = read_attested(receipt.extra)
        if entry.number is not None and entry.number != number:
            return Verified(subject, (f"it has action {entry.number}, at the place of action {number}",))
        origin = receipt.checkpoint.text.partition("\n")[0]
        checkpoint = checked(str(receipt.checkpoint), keys, origin)
        if entry.game is not None and not origin.endswith(f"/{entry.game}"):
            return Verified(subject, (f"its action is of game {entry.game}, and its checkpoint of {origin}",))
        receipt.require_in(entry.leaf, checkpoint)
    except (ValueError, BadNote, WrongProof) as fault:
        return Verified(subject, (str(fault),))
    return Verified(f"{subject} in {checkpoint.origin}, among {checkpoint.size}", (*_unlike(checkpoint, older),))


def _unlike(checkpoint: Checkpoint, older: Sequence[Checkpoint]) -> Iterator[str]:
    """Yield the faults visible without a proof in a checkpoint that does not follow older checkpoints."""
    for earlier in older:
        if not same_game(earlier.origin, checkpoint.origin):
            yield f"the older checkpoint is of {earlier.origin}, this one of {checkpoint.origin}"
        elif earlier.size > checkpoint.size:
            yield f"the older checkpoint is over {earlier.size} actions, and this one over {checkpoint.size}"
        elif earlier.size == checkpoint.size and earlier.root != checkpoint.root:
            yield f"two different logs of {earlier.size} actions were signed"
        elif earlier.size < checkpoint.size:
            yield (
                f"that the log only grew from {earlier.size} to {checkpoint.size} actions needs a proof:"
                " `mabligop prove --consistent` gets one"
            )


def _consistent(content: bytes, keys: Sequence[Verifier]) -> Verified:
    try:
        proof = msgspec.json.decode(content, type=Consistent)
        return Verified(*require_consistent(proof, keys))
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as fault:
        raise UnverifiableFileError(f"it is no proof of consistency: {fault}") from fault


def require_consistent(proof: Consistent, keys: Sequence[Verifier]) -> tuple[str, tuple[str, ...]]:
    """Check a proof of consistency. Returns the claim and the faults. Raises ValueError."""
    older, newer = (checked(text, keys, text.partition("\n")[0]) for text in (proof.older, proof.newer))
    earlier_name = "" if older.origin == newer.origin else f" (then {older.origin})"
    claim = f"that {newer.origin}{earlier_name} only grew from {older.size} to {newer.size} actions"
    if not same_game(older.origin, newer.origin):
        return claim, (f"the older checkpoint is of {older.origin}, the newer one of {newer.origin}",)
    hashes = [base64.b64decode(text, validate=True) for text in proof.hashes]
    try:
        require_consistency(older.size, newer.size, hashes, older.root, newer.root)
    except WrongProof as fault:
        return claim, (str(fault),)
    return claim, ()


def trusted_keys(arguments: Sequence[str]) -> list[Verifier]:
    """Parse verifier keys, from texts or from files with a key per line. Follows the successions among the lines.

    Raises BadNote.
    """
    written: list[str] = []
    for argument in arguments:
        path = Path(argument)
        try:
            lines = path.read_text().split("\n") if path.is_file() else [argument]
        except OSError:
            lines = [argument]
        written += (line.strip() for line in lines if line.strip())
    keys = [Verifier.parse(line) for line in written if not line.startswith(LINE)]
    return followed(keys, _successions(written))


def _successions(lines: Iterable[str]) -> list[Succession]:
    """Parse the successions among these lines. Raises BadNote."""
    return [Succession.parse(line) for line in lines if line.startswith(LINE)]
