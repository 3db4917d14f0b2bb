"""Entries of the journal and their canonical bytes."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Annotated, Any

import msgspec

from ledger.kernel.refusals import Warned


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An accepted action with the events it produced, as it is stored.

    `events` are the stored bodies, verbatim. `salt` is random: without it the hash of an entry would let anyone
    test guesses of a hidden card or amount against the receipt.
    """

    game: str
    number: int
    kind: str
    seat: str | None
    by: str
    params: msgspec.Raw
    draws: dict[str, list[int | str]]
    recorded_at: Annotated[datetime, msgspec.Meta(tz=True)]
    override: str | None
    warnings: tuple[Warned, ...]
    events: tuple[msgspec.Raw, ...]
    first_seq: int
    salt: str


_decoder = msgspec.json.Decoder(Entry)
_encoder = msgspec.json.Encoder(order="sorted")
_plain = msgspec.json.Decoder(dict[str, Any])
_MEMBERS = frozenset(Entry.__struct_fields__)


def body(value: Any) -> bytes:
    """The canonical JSON of an event or of parameters: keys sorted, no white space, whole numbers, UTF-8."""
    return _encoder.encode(value)


def canonical(entry: Entry) -> bytes:
    """The bytes that are stored, hashed and never serialised again."""
    return _encoder.encode(entry)


def read(stored: bytes) -> Entry:
    """The entry back from its canonical bytes."""
    return _decoder.decode(stored)


def is_canonical(stored: bytes) -> bool:
    """Whether an entry's bytes are written as `canonical` writes them: every member once, in order, none besides.

    Of two members with one name this program reads the last, and another one may read the first. Such an entry
    has one hash and two meanings.
    """
    try:
        plain = _plain.decode(stored)
        return plain.keys() == _MEMBERS and _encoder.encode(plain) == stored
    except (msgspec.DecodeError, UnicodeError, OverflowError, RecursionError):
        return False


def leaf(stored: bytes) -> bytes:
    """The Merkle leaf hash of the canonical bytes: SHA-256 of 0x00 and the bytes (RFC 9162, 2.1.1)."""
    return hashlib.sha256(b"\x00" + stored).digest()
