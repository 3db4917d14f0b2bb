"""The file of a backup: what was cut, damaged or made by somebody else is refused in words."""

import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.store.backups.archive import Backup, BadBackup
from ledger.store.backups.sealing import WrongPassphrase, unseal
from ledger.store.backups.writing import write_backup
from tests.store.backups.conftest import Backed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.zip"


def read(path: Path) -> None:
    with Backup(path) as backup:
        backup.check()


def rewritten(backed: Backed, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """The backup with other members."""
    with zipfile.ZipFile(backed.file) as original:
        members = {info.filename: original.read(info) for info in original.infolist()}
    change(members)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def claimed(backed: Backed, **changes: object) -> bytes:
    """The backup with another manifest."""

    def change(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"]) | changes
        members["manifest.json"] = json.dumps(manifest).encode()

    return rewritten(backed, change)


def test_a_backup_is_read_back(backed: Backed) -> None:
    with Backup(backed.file) as backup:
        backup.check()
        assert {table.name: table.rows for table in backup.manifest.tables} == {
            name: len(rows) for name, rows in backed.rows.items()
        }


def test_the_same_rows_give_the_same_bytes(backed: Backed) -> None:
    copies = []
    for _ in range(2):
        output = io.BytesIO()
        write_backup(backed.url, output, made_by="1.0")
        with zipfile.ZipFile(output) as archive:
            copies.append({info.filename: info.CRC for info in archive.infolist() if "tables/" in info.filename})
    assert copies[0] == copies[1]


@pytest.mark.parametrize("kept", [0, 1, 100, 0.5, 0.99, -1])
def test_a_file_that_was_cut_is_refused(backed: Backed, file: Path, kept: float) -> None:
    whole = backed.file.read_bytes()
    file.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(BadBackup, match="no backup, or its end is missing"):
        read(file)


def test_a_damaged_byte_anywhere_is_noticed_or_harmless(backed: Backed, file: Path) -> None:
    """Harmless are bytes that no reader of zip archives looks at, such as the time in a local header."""
    whole = backed.file.read_bytes()
    with Backup(backed.file) as backup:
        intact = [list(backup.rows(table)) for table in backup.manifest.tables]
    chance, noticed = random.Random(7), 0
    for place in [*chance.sample(range(len(whole)), 60), *range(len(whole) - 700, len(whole), 9)]:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :])
        try:
            with Backup(file) as backup:
                assert [list(backup.rows(table)) for table in backup.manifest.tables] == intact
        except BadBackup as refusal:
            noticed += 1
            assert str(file) in str(refusal)
    assert noticed > 60


def test_a_row_that_was_changed_with_its_checksum_is_noticed(backed: Backed, file: Path) -> None:
    def change(members: dict[str, bytes]) -> None:
        members["tables/games.copy"] = members["tables/games.copy"].replace(b"Table odd", b"Table ODD")

    file.write_bytes(rewritten(backed, change))
    with pytest.raises(BadBackup, match="is damaged: the rows of games are not those that were written"):
        read(file)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"-- PostgreSQL database dump\n" * 100, b"\x1f\x8b" + bytes(100), b"PK\x05\x06" + bytes(18)],
    ids=["an empty file", "text", "a dump", "another archive", "an archive of nothing"],
)
def test_a_file_of_another_kind_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(BadBackup, match="no backup"):
        read(file)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "tables/../games.copy", "tables/more.copy", "readme"])
def test_members_that_no_backup_has_are_refused(backed: Backed, file: Path, name: str) -> None:
    file.write_bytes(rewritten(backed, lambda members: members.update({name: b"evil"})))
    with pytest.raises(BadBackup, match=r"its members are not the tables of its manifest\.json"):
        read(file)


def test_a_missing_table_is_refused(backed: Backed, file: Path) -> None:
    file.write_bytes(rewritten(backed, lambda members: members.pop("tables/touches.copy")))
    with pytest.raises(BadBackup, match="its members are not the tables"):
        read(file)


def test_a_table_that_is_there_twice_is_refused(backed: Backed, file: Path) -> None:
    file.write_bytes(backed.file.read_bytes())
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("tables/games.copy", b"")
    with pytest.raises(BadBackup, match="its members are not the tables"):
        read(file)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "another"}, "its format is 'another'"),
        ({"version": 3}, "a backup of format 3, and this version reads formats up to 2"),
        ({"version": "one"}, "cannot be read"),
        ({"tables": [{"name": "games"}]}, "cannot be read"),
        ({"made_at": "yesterday"}, "cannot be read"),
        ({"made_by": "\x1b]0;a terminal's title\x07"}, "its versions are no text"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(
    backed: Backed, file: Path, changes: dict[str, object], words: str
) -> None:
    file.write_bytes(claimed(backed, **changes))
    with pytest.raises(BadBackup, match=words):
        read(file)


def test_a_file_made_to_fill_the_disk_is_refused_unread(backed: Backed, file: Path) -> None:
    """A gigabyte of line ends takes a megabyte in an archive. Here are 20 MB of them."""
    rows = b"\n" * 20_000_000

    def change(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"])
        manifest["tables"][0]["bytes"] = len(rows)
        members |= {"tables/games.copy": rows, "manifest.json": json.dumps(manifest).encode()}

    file.write_bytes(rewritten(backed, change))
    with pytest.raises(BadBackup, match="20000000 bytes of rows do not come from"):
        read(file)


def test_a_manifest_without_end_is_refused_unread(backed: Backed, file: Path) -> None:
    file.write_bytes(rewritten(backed, lambda members: members.update({"manifest.json": b" " * 2_000_000})))
    with pytest.raises(BadBackup, match=r"its manifest\.json is 2000000 bytes long"):
        read(file)


def test_keys_are_read_only_with_their_passphrase_and_damage_to_them_is_refused(
    backed: Backed, file: Path
) -> None:
    keys = {"signing-keys": b"PRIVATE+KEY+\x00\xff", "tls/authority.pem": b"-----BEGIN"}
    with file.open("wb") as output:
        write_backup(backed.url, output, made_by="1.0", keys=keys, passphrase="our old table")
    with Backup(file) as backup:
        backup.check()
        assert backup.manifest.keys is not None
        assert backup.manifest.keys.names == sorted(keys)
        sealed = backup.sealed_keys()
    assert b"PRIVATE" not in sealed
    assert unseal(sealed, "our old table") == keys
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for seal, secret in ((sealed, "our new table"), (changed, "our old table")):
        with pytest.raises(WrongPassphrase):
            unseal(seal, secret)
    whole = Backed(file, backed.url, backed.rows)
    damaged = rewritten(whole, lambda members: members.update({"keys.sealed": changed}))
    gone = rewritten(whole, lambda members: members.pop("keys.sealed"))
    added = rewritten(backed, lambda members: members.update({"keys.sealed": sealed}))
    for content, why in ((damaged, "is damaged: its keys"), (gone, "its members"), (added, "its members")):
        file.write_bytes(content)
        with pytest.raises(BadBackup, match=why):
            read(file)
