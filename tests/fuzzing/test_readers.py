"""Every reader of bytes from outside: it returns a value, or refuses in words. The planted faults are found."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from ledger.store.backups.archive import most_bytes
from tests.fuzzing import packing
from tests.fuzzing.__main__ import main
from tests.fuzzing.found import FOUND
from tests.fuzzing.mutations import mutated
from tests.fuzzing.reader import Reader, UnexpectedError
from tests.fuzzing.readers import READERS
from tests.properties.commands import profile

BY_NAME = {reader.name: reader for reader in READERS}


def fuzz(reader: Reader) -> None:
    """Mutate the valid examples of a reader, and demand."""

    @profile(reader.inputs, 1)
    @given(mutated(reader.seeds))
    def read(data: bytes) -> None:
        reader.demand(data)

    read()


@pytest.mark.parametrize("name", BY_NAME)
def test_a_valid_example_is_read(name: str) -> None:
    reader = BY_NAME[name]
    if name != "If-None-Match":  # Its refusal is the answer 304.
        assert [seed for seed in reader.seeds if not reader.demand(seed)] == []
    assert reader.seeds


@pytest.mark.parametrize("name", BY_NAME)
def test_a_mutated_example_is_read_or_refused_in_words(name: str) -> None:
    fuzz(BY_NAME[name])
    assert name in BY_NAME


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_once_is_mended(name: str) -> None:
    for data in FOUND[name]:
        BY_NAME[name].demand(data)
    assert FOUND[name]


# Bombs ----------------------------------------------------------------------------------------------

ZEROS = bytes(60_000_000)


def packed_log() -> bytes:
    return packing.zipped({"log.jsonl": ZEROS, "checkpoint": b""}, zipfile.ZIP_DEFLATED)


def packed_journal() -> bytes:
    first = packing.journal(packing.ENTRIES["negoces2"], "negoces2").splitlines()[0]
    return gzip.compress(first + b"\n" + ZEROS, mtime=0)


def packed_keys() -> bytes:
    """A backup whose keys claim more packed bytes than the file has."""
    manifest = packing.manifest()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tables/games.copy", b"1\tan evening\n2\tanother\n")
        archive.writestr("manifest.json", manifest.replace(b'"bytes": 60', b'"bytes": %d' % len(ZEROS)))
        archive.writestr("keys.sealed", ZEROS)
        archive.infolist()[-1].compress_size = len(ZEROS) // 100
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "bomb"),
    [
        ("a file for `verify`", packed_log),
        ("the file of a journal", packed_journal),
        ("the file of a backup", packed_keys),
    ],
)
def test_a_bomb_takes_memory_in_proportion_to_its_size(name: str, bomb: Callable[[], bytes]) -> None:
    data = bomb()
    assert len(data) < 100_000
    tracemalloc.start()
    try:
        assert not BY_NAME[name].demand(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A line is put together out of pieces, so it is there twice.
    assert peak < 2 * most_bytes(len(data)) + 2_000_000


# Planted faults -------------------------------------------------------------------------------------

PLAIN = Reader(
    "a planted reader", (b'{"name": "ana", "amount": 12}',), bytes.decode, (UnicodeDecodeError,), str.encode
)


def fails_for_large_numbers(data: bytes) -> str:
    if b"9" * 20 in data:
        raise OverflowError("too large")
    return data.decode()


def loses_a_mark(value: str) -> bytes:
    return value.replace("\ufeff", "").encode()


class RefusedError(Exception):
    pass


def quotes(data: bytes) -> Any:
    if b"\x00" in data or b"\x1b" in data:
        raise RefusedError(data.decode(errors="replace"))
    return None


PLANTED = {
    "another exception": replace(PLAIN, read=fails_for_large_numbers),
    "another value after writing": replace(PLAIN, write=loses_a_mark),
    "a secret in the error text": replace(
        PLAIN, read=quotes, refusals=(RefusedError,), write=None, secrets=("ana",)
    ),
    "an endless error text": replace(
        PLAIN, read=lambda data: quotes(data + bytes(30_000)), refusals=(RefusedError,), write=None
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str) -> None:
    with pytest.raises(UnexpectedError):
        fuzz(replace(PLANTED[name], inputs=400))


def test_the_command_says_by_its_exit_code_whether_a_demand_was_broken(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--inputs", "5", "--reader", "Accept-Language"]) == 0
    assert "Accept-Language" in capsys.readouterr().out
    assert main(["--inputs", "400"], readers=(PLANTED["another exception"],)) == 1
    assert "OverflowError" in capsys.readouterr().out
