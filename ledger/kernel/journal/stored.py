"""Entries of the journal, the stored bytes, and the hashes in the log of the game.

An entry is stored as a line of JSON, in either of two versions. In the first version the bytes of the entry are
hashed. The second version has an additional member, `withheld`, and only the first part of this member is
hashed.

For example::
    {"by": …, …, "warnings": […],
     "withheld": {"leaf": {"entry": 2, "game": …, "number": …, "parts": {"journal": "…", "player:bob": "…", …}},
                  "views": {"player:bob": {…}, …}, "whole": 812}}

An entry visible to everybody as a whole has the first version. Any entry with secrets has the second: `leaf`
has a hash for the whole entry (`journal`), a hash for each seat, and a hash for spectators. So a holder of the
log can check that nothing was changed, and learns nothing of the contents. The hash of the whole entry is
SHA-256 of a zero byte and the bytes without `withheld`, of length `whole`: exactly as in the first version. The
hash for another audience covers a salt and the part of the audience under `views` (see `sealing`).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from ledger.kernel.journal.entry import (
    ENCODER,
    MEMBERS,
    OPTIONAL,
    PLAIN,
    Entry,
    body,
    canonical,
    read,
)


def is_canonical(stored: bytes) -> bool:
    """Return True for the exact bytes of `canonical`: every member once, in order, and no further member.

    Of two members with equal names, this program reads the last, and another program may read the first. Such
    an entry has a single hash and two meanings.
    """
    try:
        plain = PLAIN.decode(stored)
        return plain.keys() - {_WITHHELD} - OPTIONAL == MEMBERS and ENCODER.encode(plain) == stored
    except (msgspec.DecodeError, UnicodeError, OverflowError, RecursionError):
        return False


JOURNAL = "journal"
"""The audience of the whole entry, such as the banker."""


WATCHING = "spectator"


_WITHHELD = "withheld"


_BEFORE = b',"withheld":{"leaf":'


_AFTER = b',"views":'


_END = b"}}"


class _Leaf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hashed part of an entry of the second version: a hash for each audience, in hexadecimal."""

    entry: int = 2
    game: str
    number: int
    parts: dict[str, str]


class Withheld(msgspec.Struct, frozen=True, kw_only=True):
    """The additional data stored with an entry: the hashed bytes, the views of other audiences, and the entry's
    own length.
    """

    leaf: msgspec.Raw
    views: dict[str, msgspec.Raw]
    whole: int


class _Stored(msgspec.Struct, frozen=True):
    withheld: Withheld | None = None


_stored = msgspec.json.Decoder(_Stored)


_leaf = msgspec.json.Decoder(_Leaf)


def audience_of(seat: str | None) -> str:
    """Return the name of an audience: the audience of a seat, or of spectators."""
    return WATCHING if seat is None else f"player:{seat}"


def sealed(entry: Entry, views: Mapping[str, bytes]) -> bytes:
    """Return the stored bytes of an entry with partial views: canonical JSON by audience.

    Without views, the bytes have the first version.
    """
    whole = canonical(entry)
    if not views:
        return whole
    parts = {audience: part_hash(salt_for(entry.salt, audience), seen).hex() for audience, seen in views.items()}
    parts[JOURNAL] = _hash(whole).hex()
    hashed = ENCODER.encode(_Leaf(game=entry.game, number=entry.number, parts=parts))
    encoded_views = ENCODER.encode({audience: msgspec.Raw(seen) for audience, seen in views.items()})
    return b'%b%b%b%b%b,"whole":%d}}' % (whole[:-1], _BEFORE, hashed, _AFTER, encoded_views, len(whole))


def copied(stored: bytes, game: str, salt: str) -> bytes:
    """Re-encode an entry for another game: the game id, a new salt, no `chance`.

    The chance data of the first game is left out, because the throws of the new game have another source.
    """
    entry = replace(read(stored), game=game, salt=salt, chance=msgspec.UNSET)
    part = withheld(stored)
    if part is None:
        return canonical(entry)
    views = {name: PLAIN.decode(view) for name, view in part.views.items()}
    for view in views.values():
        view["game"] = game
        view.pop("chance", None)
    return sealed(entry, {name: body(view) for name, view in views.items()})


def parts_fit(stored: bytes) -> bool:
    """Return True if each part stored with an entry matches the sealed hash, and no part is missing."""
    try:
        part = withheld(stored)
        if part is None:
            return True
        salt, hashes = read(stored).salt, parts_of(stored)
    except (ValueError, RecursionError):
        return False
    return hashes.keys() - {JOURNAL} == part.views.keys() and all(
        part_hash(salt_for(salt, name), bytes(view)).hex() == hashes[name] for name, view in part.views.items()
    )


def withheld(stored: bytes) -> Withheld | None:
    """Return the additional data stored with an entry; None for the first version."""
    return _stored.decode(stored).withheld if stored.endswith(_END) else None


def hashed_of(stored: bytes) -> bytes:
    """Return the bytes hashed for the leaf of an entry."""
    cut = withheld_index(stored)
    if cut is None:
        return stored
    return stored[cut + len(_BEFORE) : stored.index(_AFTER, cut)]


def salt_for(salt: str, audience: str) -> str:
    """Return the salt for the part of an audience: HMAC-SHA-256 of the audience's name, 16 bytes as hex."""
    return hmac.digest(salt.encode(), audience.encode(), "sha256")[:16].hex()


def part_hash(salt: str, part: bytes) -> bytes:
    """Return the hash of a part: SHA-256 of the salt, as written, and the part."""
    return hashlib.sha256(salt.encode() + part).digest()


def parts_of(stored: bytes) -> Mapping[str, str]:
    """Return the hashes of the parts of an entry, by audience; empty for the first version."""
    return {} if withheld_index(stored) is None else _leaf.decode(hashed_of(stored)).parts


def of_audience(stored: bytes) -> bytes:
    """Return the stored bytes of an entry for a viewer of the whole entry, without the parts of others."""
    cut = withheld_index(stored)
    if cut is None:
        return stored
    return b'%b%b%b%b{},"whole":%d}}' % (stored[:cut], _BEFORE, hashed_of(stored), _AFTER, cut + 1)


def shown_part(hashed: bytes, part: bytes, salt: str) -> bytes:
    """Return the line for a viewer of a part of an entry: the hashed bytes of the entry, the part, and the
    salt.
    """
    return b'{"leaf":%b,"part":%b,"salt":"%b"}' % (hashed, part, salt.encode())


def only_hash(hashed: bytes) -> bytes:
    """Return the line for a viewer of nothing in an entry: the leaf hash."""
    return b'{"hash":"%b"}' % hashed.hex().encode()


class Attested(msgspec.Struct, frozen=True):
    """A checked line of a viewer's journal: the leaf hash, and the visible contents.

    `entry` is the whole entry, `part` the bytes of a part, and `audience` the owner of the part; all are None
    for a mere hash. `number` and `game` are attested by the hash.
    """

    leaf: bytes
    game: str | None = None
    number: int | None = None
    entry: Entry | None = None
    part: bytes | None = None
    audience: str | None = None


class _Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    leaf: msgspec.Raw
    part: msgspec.Raw
    salt: str


class _OnlyHash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hash: str


_part_decoder = msgspec.json.Decoder(_Shown)


_only_hash = msgspec.json.Decoder(_OnlyHash)


def read_attested(line: bytes) -> Attested:
    """Read a line of a viewer's journal, and check the contents against the hashes. Raises ValueError."""
    try:
        if line.startswith(b'{"hash":'):
            return Attested(bytes.fromhex(_only_hash.decode(line).hash))
        if line.startswith(b'{"leaf":'):
            return _read_part(line)
        if not is_canonical(line):
            raise ValueError("its bytes are not in the canonical form")
        entry, hashed = read(line), leaf(line)
        if withheld_index(line) is not None:
            sealed_leaf = _leaf.decode(hashed_of(line))
            if hashed != _hash(hashed_of(line)) or (sealed_leaf.game, sealed_leaf.number) != (
                entry.game,
                entry.number,
            ):
                raise ValueError("the entry is not the one that is sealed in it")
        return Attested(hashed, entry.game, entry.number, entry=entry)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise ValueError(f"it cannot be read: {fault}") from fault


def _read_part(line: bytes) -> Attested:
    received = _part_decoder.decode(line)
    hashed, part = bytes(received.leaf), bytes(received.part)
    if line != shown_part(hashed, part, received.salt):
        raise ValueError("its bytes are not in the canonical form")
    sealed_leaf = _leaf.decode(hashed)
    digest = part_hash(received.salt, part).hex()
    audience = next(
        (name for name, value in sealed_leaf.parts.items() if value == digest and name != JOURNAL), None
    )
    if audience is None:
        raise ValueError("the part is none of those that are sealed in the entry")
    return Attested(_hash(hashed), sealed_leaf.game, sealed_leaf.number, part=part, audience=audience)


def withheld_index(stored: bytes) -> int | None:
    """Return the index of `withheld`; None for an entry of the first version.

    The length stands at the end, so that no user-written text can be mistaken for `withheld`.
    """
    if not stored.endswith(_END):
        return None
    length = stored[stored.rfind(b":", -24) + 1 : -2]
    if not length.isdigit():
        return None
    cut = int(length) - 1
    return cut if stored[cut : cut + len(_BEFORE)] == _BEFORE else None


def leaf(stored: bytes) -> bytes:
    """Return the Merkle leaf hash of stored bytes: SHA-256 of 0x00 and the hashed part of the bytes (RFC 9162,
    2.1.1).

    If an entry of the second version does not match the sealed hash, the leaf is the hash of all bytes, which
    is in no log.
    """
    cut = withheld_index(stored)
    end = -1 if cut is None else stored.find(_AFTER, cut)
    if cut is None or end < 0:
        return _hash(stored)
    hashed = stored[cut + len(_BEFORE) : end]
    if b'"journal":"%b"' % _hash(stored[:cut] + b"}").hex().encode() not in hashed:
        return _hash(stored)
    return _hash(hashed)


def _hash(hashed: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + hashed).digest()
