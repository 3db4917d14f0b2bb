"""Entries of the journal, their stored bytes, and the hash that stands for them in the log of their game.

An entry is stored as one line of JSON. There are two versions. In the first the bytes of the entry are hashed. In
the second it has one member more, `withheld`, and only the first part of that is hashed::

    {"by": …, …, "warnings": […],
     "withheld": {"leaf": {"entry": 2, "game": …, "number": …, "parts": {"journal": "…", "player:bob": "…", …}},
                  "views": {"player:bob": {…}, …}, "whole": 812}}

An entry that everybody sees whole is of the first version. Any other is of the second: `leaf` has a hash for the
whole entry (`journal`), one for each seat, and one for those who only watch. So whoever has the log knows that
nothing in it was changed, and nothing of what is in it. The hash of the whole entry is SHA-256 of a zero byte and
its bytes without `withheld`, which are `whole` bytes long: just what the first version is. The hash for others is
that of a salt and of their part under `views` (see `sealing`).
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
    """Whether an entry's bytes are written as `canonical` writes them: every member once, in order, none besides.

    Of two members with one name this program reads the last, and another one may read the first. Such an entry
    has one hash and two meanings.
    """
    try:
        plain = PLAIN.decode(stored)
        return plain.keys() - {_WITHHELD} - OPTIONAL == MEMBERS and ENCODER.encode(plain) == stored
    except (msgspec.DecodeError, UnicodeError, OverflowError, RecursionError):
        return False


JOURNAL = "journal"
"""Who sees the whole entry, as the banker does."""


WATCHING = "spectator"


_WITHHELD = "withheld"


_BEFORE = b',"withheld":{"leaf":'


_AFTER = b',"views":'


_END = b"}}"


class _Leaf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is hashed of an entry of the second version: one hash for each audience, in hexadecimal."""

    entry: int = 2
    game: str
    number: int
    parts: dict[str, str]


class Withheld(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored beside an entry: the bytes that are hashed, what others see of it, and its own length."""

    leaf: msgspec.Raw
    views: dict[str, msgspec.Raw]
    whole: int


class _Stored(msgspec.Struct, frozen=True):
    withheld: Withheld | None = None


_stored = msgspec.json.Decoder(_Stored)


_leaf = msgspec.json.Decoder(_Leaf)


def audience_of(seat: str | None) -> str:
    """The name of an audience: a seat's, or that of those who only watch."""
    return WATCHING if seat is None else f"player:{seat}"


def sealed(entry: Entry, views: Mapping[str, bytes]) -> bytes:
    """The stored bytes of an entry of which some audiences see only parts: canonical JSON by audience.

    Where there are none, they are those of the first version.
    """
    whole = canonical(entry)
    if not views:
        return whole
    parts = {audience: part_hash(salt_for(entry.salt, audience), seen).hex() for audience, seen in views.items()}
    parts[JOURNAL] = _hash(whole).hex()
    hashed = ENCODER.encode(_Leaf(game=entry.game, number=entry.number, parts=parts))
    shown = ENCODER.encode({audience: msgspec.Raw(seen) for audience, seen in views.items()})
    return b'%b%b%b%b%b,"whole":%d}}' % (whole[:-1], _BEFORE, hashed, _AFTER, shown, len(whole))


def copied(stored: bytes, game: str, salt: str) -> bytes:
    """The stored bytes of an entry as another game has it: with that game's id and a salt of its own.

    What it tells of the first game's chance is left out: the other one's throws do not come from there.
    """
    entry = replace(read(stored), game=game, salt=salt, chance=msgspec.UNSET)
    part = withheld(stored)
    if part is None:
        return canonical(entry)
    seen = {name: PLAIN.decode(one) for name, one in part.views.items()}
    for one in seen.values():
        one["game"] = game
        one.pop("chance", None)
    return sealed(entry, {name: body(one) for name, one in seen.items()})


def parts_fit(stored: bytes) -> bool:
    """Whether each part that is stored with an entry has the hash that is sealed for it, and none is missing."""
    part = withheld(stored)
    if part is None:
        return True
    salt, hashes = read(stored).salt, parts_of(stored)
    return hashes.keys() - {JOURNAL} == part.views.keys() and all(
        part_hash(salt_for(salt, name), bytes(seen)).hex() == hashes[name] for name, seen in part.views.items()
    )


def withheld(stored: bytes) -> Withheld | None:
    """What is stored beside an entry; None for one of the first version."""
    return _stored.decode(stored).withheld if stored.endswith(_END) else None


def whole_of(stored: bytes) -> bytes:
    """The bytes of the entry alone, as one of the first version has them."""
    cut = _cut(stored)
    return stored if cut is None else stored[:cut] + b"}"


def hashed_of(stored: bytes) -> bytes:
    """The bytes whose hash is the leaf of an entry."""
    cut = _cut(stored)
    if cut is None:
        return stored
    return stored[cut + len(_BEFORE) : stored.index(_AFTER, cut)]


def salt_for(salt: str, audience: str) -> str:
    """The salt with which the part of an audience is hashed: HMAC-SHA-256 of its name, 16 bytes as hex."""
    return hmac.digest(salt.encode(), audience.encode(), "sha256")[:16].hex()


def part_hash(salt: str, part: bytes) -> bytes:
    """The hash of a part: SHA-256 of its salt, as it is written, and the part."""
    return hashlib.sha256(salt.encode() + part).digest()


def parts_of(stored: bytes) -> Mapping[str, str]:
    """The hashes of the parts of an entry, by audience; none for one of the first version."""
    return {} if _cut(stored) is None else _leaf.decode(hashed_of(stored)).parts


def of_audience(stored: bytes) -> bytes:
    """The stored bytes of an entry for somebody who sees it whole, without the parts of others."""
    cut = _cut(stored)
    if cut is None:
        return stored
    return b'%b%b%b%b{},"whole":%d}}' % (stored[:cut], _BEFORE, hashed_of(stored), _AFTER, cut + 1)


def shown_part(hashed: bytes, part: bytes, salt: str) -> bytes:
    """What somebody who sees a part of an entry has of it: what is hashed of the entry, the part, and its salt."""
    return b'{"leaf":%b,"part":%b,"salt":"%b"}' % (hashed, part, salt.encode())


def only_hash(hashed: bytes) -> bytes:
    """What somebody has of an entry of which they may see nothing: its leaf hash."""
    return b'{"hash":"%b"}' % hashed.hex().encode()


class Attested(msgspec.Struct, frozen=True):
    """What somebody has of an entry, checked: its leaf hash, and what they see.

    `entry` is the whole entry, `part` the bytes of a part and `audience` whose part it is; neither where only the
    hash is there. `number` and `game` are what the hash vouches for.
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


_shown = msgspec.json.Decoder(_Shown)


_only_hash = msgspec.json.Decoder(_OnlyHash)


def read_attested(line: bytes) -> Attested:
    """Read what somebody has of an entry, and compare it with the hashes in it. Raises ValueError."""
    try:
        if line.startswith(b'{"hash":'):
            return Attested(bytes.fromhex(_only_hash.decode(line).hash))
        if line.startswith(b'{"leaf":'):
            return _read_part(line)
        if not is_canonical(line):
            raise ValueError("its bytes are not in the canonical form")
        entry, hashed = read(line), leaf(line)
        if _cut(line) is not None:
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
    shown = _shown.decode(line)
    hashed, part = bytes(shown.leaf), bytes(shown.part)
    if line != shown_part(hashed, part, shown.salt):
        raise ValueError("its bytes are not in the canonical form")
    sealed_leaf = _leaf.decode(hashed)
    found = part_hash(shown.salt, part).hex()
    audience = next((name for name, one in sealed_leaf.parts.items() if one == found and name != JOURNAL), None)
    if audience is None:
        raise ValueError("the part is none of those that are sealed in the entry")
    return Attested(_hash(hashed), sealed_leaf.game, sealed_leaf.number, part=part, audience=audience)


def _cut(stored: bytes) -> int | None:
    """Where `withheld` begins; None for an entry of the first version.

    The length stands at the end, so that nothing that people wrote can be taken for it.
    """
    if not stored.endswith(_END):
        return None
    length = stored[stored.rfind(b":", -24) + 1 : -2]
    if not length.isdigit():
        return None
    cut = int(length) - 1
    return cut if stored[cut : cut + len(_BEFORE)] == _BEFORE else None


def leaf(stored: bytes) -> bytes:
    """The Merkle leaf hash of stored bytes: SHA-256 of 0x00 and what is hashed of them (RFC 9162, 2.1.1).

    When an entry of the second version does not have the hash that is sealed for it, its leaf is that of all its
    bytes, which is in no log.
    """
    cut = _cut(stored)
    if cut is None:
        return _hash(stored)
    hashed = stored[cut + len(_BEFORE) : stored.index(_AFTER, cut)]
    if b'"journal":"%b"' % _hash(stored[:cut] + b"}").hex().encode() not in hashed:
        return _hash(stored)
    return _hash(hashed)


def _hash(hashed: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + hashed).digest()
