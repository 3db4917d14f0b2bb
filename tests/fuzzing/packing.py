"""Valid examples, and formats with hashes and signatures, computed anew after a mutation of the contents."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from datetime import UTC, datetime
from functools import lru_cache

import msgspec

from ledger.kernel.journal.entry import ENCODER, PLAIN
from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.stored import leaf
from ledger.store.backups import archive
from ledger.trust.checkpoints import Checkpoint
from ledger.trust.keys import Keys, written
from ledger.trust.notes import Note, Signer, note
from ledger.trust.proofs import consistency, inclusion
from ledger.trust.receipts import Receipt
from ledger.trust.shown import CHECKPOINT, KEYS, LINES, End, Header, first_line, last_line
from ledger.trust.successions import LINE, succession
from ledger.trust.tiles import Tiled, joined, tiles_of
from replays import journal_file
from tests.golden import journal_of

SECRET, OLDER_SECRET = bytes(range(32)), bytes(range(32, 64))
SERVICE = Keys.of_secret(SECRET)
SIGNER = Signer(SERVICE.service, SECRET)
OLDER = Signer(SERVICE.service, OLDER_SECRET)
MOMENT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
PASSPHRASE = "a long evening of rain"

ENTRIES = {
    "negoces2": journal_of("negoces2_v4").read_bytes(),
    "monopoly": journal_of("monopoly_v4").read_bytes(),
    "negopoly": journal_of("negopoly_v12").read_bytes(),
}
"""The lines of short golden games, by rulebook."""


def canonical_again(line: bytes) -> bytes:
    """A line in the canonical form, if the line is JSON: so a mutation of a value reaches the rules."""
    try:
        return ENCODER.encode(PLAIN.decode(line))
    except (ValueError, RecursionError, OverflowError):
        return line


def lines_of(entries: bytes) -> list[bytes]:
    """The entries, without a line break at the end."""
    return entries.removesuffix(b"\n").split(b"\n")


def _game_of(entries: bytes) -> str:
    try:
        return str(json.loads(lines_of(entries)[0])["game"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return "g"


def _events_in(entries: bytes) -> int:
    count = 0
    for line in lines_of(entries):
        try:
            count += len(json.loads(line)["events"])
        except (ValueError, LookupError, TypeError, RecursionError):
            count += 1
    return count


def _leaf(line: bytes) -> bytes:
    try:
        return leaf(line)
    except ValueError:
        return bytes(32)


def journal(entries: bytes, rulebook: str) -> bytes:
    """A journal file with these lines of entries, whatever the entries are."""
    lines = [canonical_again(line) for line in lines_of(entries)]
    setup = {"players": _players(lines[0]), "settings": {}, "dice": "table"}
    first = journal_file.first_line(
        journal_file.Header(
            game=_game_of(entries),
            rulebook=rulebook,
            title="An evening",
            created_at=MOMENT,
            setup=msgspec.Raw(msgspec.json.encode(setup)),
            entries=len(lines),
            events=_events_in(entries),
        )
    )
    closing = journal_file.Closing(first)
    content = [first]
    for line in lines:
        hashed = _leaf(line)
        closing.entry(hashed)
        content.append(b'{"entry":%b,"leaf":"%b"}' % (line, hashed.hex().encode()))
    return b"\n".join([*content, closing.last_line(), b""])


def _players(line: bytes) -> list[dict[str, str]]:
    try:
        players = json.loads(line)["events"][0]["players"]
        return [{"seat": str(player["seat"]), "name": str(player["name"])} for player in players]
    except (ValueError, LookupError, TypeError, RecursionError):
        return [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A ZIP file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as written_to:
        for name, text in files.items():
            written_to.writestr(zipfile.ZipInfo(name), text, compression)
    return content.getvalue()


def log_files(entries: bytes, rulebook: str, end: bytes | None = None) -> dict[str, bytes]:
    """The files of a log with these lines, signed."""
    lines = [canonical_again(line) for line in lines_of(entries)]
    tree = Tree()
    leaves = [_leaf(line) for line in lines]
    for hashed in leaves:
        tree.add(hashed)
    game = _game_of(entries)
    # An id out of a mutation may be no part of an origin.
    origin = SERVICE.origin(game if game.isascii() and game.isalnum() else "g")
    header = Header(
        origin=origin, game=game, rulebook=rulebook, title="An evening", role="all", seat=None, size=len(lines)
    )
    files = {
        LINES: b"\n".join([first_line(header), *lines, end or last_line(End({}, {})), b""]),
        CHECKPOINT: str(Checkpoint(origin, len(lines), tree.root()).signed(SIGNER)).encode(),
        KEYS: f"{SERVICE.verifiers('table')[0]}\n".encode(),
    }
    if len(leaves) < 256:
        files |= {tile.path: joined(leaves) for tile in tiles_of(len(leaves))}
    return files


def backup(manifest: bytes | None = None) -> bytes:
    """A backup of one table and sealed keys, with another manifest if given."""
    rows, seal = b"1\tan evening\n2\tanother\n", b"s" * 60
    content = io.BytesIO()
    with archive.NewBackup(content) as new:
        tables = [new.write_table("games", ["id", "title"], iter([rows]))]
        keys = new.write_keys(["keys"], seal)
        contents = archive.Manifest(archive.FORMAT, archive.VERSION, "0001", MOMENT, "1.0", "17", tables, keys)
        if manifest is None:
            new.finish(contents)
            return content.getvalue()
    members = {"tables/games.copy": rows, "keys.sealed": seal, "manifest.json": manifest}
    return zipped(members, zipfile.ZIP_DEFLATED)


def manifest() -> bytes:
    """The manifest of the backup."""
    with zipfile.ZipFile(io.BytesIO(backup())) as content:
        return content.read("manifest.json")


@lru_cache
def checkpoint(size: int) -> str:
    """A signed checkpoint over the first lines of Négoces 2."""
    tree = Tree()
    for line in lines_of(ENTRIES["negoces2"])[:size]:
        tree.add(leaf(line))
    return str(Checkpoint(SERVICE.origin("table"), size, tree.root()).signed(SIGNER))


@lru_cache
def receipt() -> str:
    """The receipt of the second line of Négoces 2."""
    lines = lines_of(ENTRIES["negoces2"])
    tiled = Tiled(len(lines), lambda _: [leaf(line) for line in lines])
    whole = Note.parse(checkpoint(len(lines)))
    return str(Receipt(1, tuple(inclusion(tiled.node, 1, len(lines))), whole, lines[1]))


@lru_cache
def proof_of_growth() -> bytes:
    """A proof that the log of Négoces 2 only grew."""
    lines = lines_of(ENTRIES["negoces2"])
    tiled = Tiled(len(lines), lambda _: [leaf(line) for line in lines])
    hashes = consistency(tiled.node, 1, len(lines))
    members = {
        "older": checkpoint(1),
        "newer": checkpoint(len(lines)),
        "hashes": [base64.b64encode(hashed).decode() for hashed in hashes],
    }
    return msgspec.json.encode(members)


def keys_file() -> bytes:
    """The file of the keys after a rotation."""
    change = succession(OLDER, SIGNER, MOMENT)
    lines = [written(SERVICE.service, SECRET), written(SERVICE.service, OLDER_SECRET), str(change), "# a comment"]
    return "".join(f"{line}\n" for line in lines).encode()


def succession_text() -> bytes:
    """The signed text of a succession."""
    return succession(OLDER, SIGNER, MOMENT).note.text.encode()


def succession_of(text: bytes) -> str:
    """A succession with this text, signed by both keys."""
    signed = note(text.decode(errors="replace"), [OLDER, SIGNER])
    return LINE + base64.b64encode(str(signed).encode()).decode()
