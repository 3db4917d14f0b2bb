"""Entries of the journal, and their canonical bytes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec

from ledger.kernel.dice.chains import LONGEST
from ledger.kernel.facts.refusals import RuleNote

Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""


FIRST_RULES = (1, 1)
"""The revision of an entry without the member `revision`, such as any older than revisions."""


class ChainEnd(msgspec.Struct, frozen=True):
    """The end of a hash chain to which a seat commits, and how many values the chain has (`dice.chains`)."""

    end: Hex
    length: Annotated[int, msgspec.Meta(ge=1, le=LONGEST)]


class Throw(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The shared throw that an action drew from (`dice.shared`).

    `number` counts the throws of the game, and `place` the actions that drew from this one before. The chains that
    were committed to up to action `after` count. The action at place 0 has the `values` of the seats, who is
    `missing`, and the value of the `service`, unless it stays closed because of what was drawn.
    """

    number: Annotated[int, msgspec.Meta(ge=1, le=2**40)]
    after: Annotated[int, msgspec.Meta(ge=0, le=2**40)]
    place: Annotated[int, msgspec.Meta(ge=0, lt=2**16)] = 0
    values: dict[str, Hex] = {}
    missing: tuple[str, ...] = ()
    service: Hex | None = None


class Unthrown(msgspec.Struct, frozen=True):
    """A shared throw that was asked for and not made: who did not reveal a value. The table threw instead."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**40)]
    missing: tuple[str, ...]


class Chances(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an entry tells of the chance of a game in which the table does not throw.

    `commits` is a commitment of the service to a seed, and `opens` an opened seed (`dice.seeds`). Where the seats
    throw together, `chains` are those that they commit to, `next` is the commitment of the service to its value
    for the next throw, and `throw` is the throw that the action drew from.
    """

    commits: Hex | None = None
    opens: Hex | None = None
    next: Hex | None = None
    chains: dict[str, ChainEnd] = {}
    throw: Throw | None = None
    unthrown: Unthrown | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An accepted action with the events, as stored.

    `events` are the stored bodies, verbatim. `salt` is random: without a salt, the hash of an entry would let
    anyone test guesses of a hidden card or amount against the receipt.
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
    warnings: tuple[RuleNote, ...]
    events: tuple[msgspec.Raw, ...]
    first_seq: int
    salt: str
    chance: Chances | msgspec.UnsetType = msgspec.UNSET
    """Public data about the source of later draws; left out by most entries."""
    revision: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET
    """The revision of the rulebook and of the kernel; left out by entries decided under the first of both."""

    @property
    def decided_under(self) -> tuple[int, int]:
        """The revision of the rulebook and of the kernel that the action was decided under."""
        return FIRST_RULES if self.revision is msgspec.UNSET else self.revision


_decoder = msgspec.json.Decoder(Entry)


ENCODER = msgspec.json.Encoder(order="sorted")


PLAIN = msgspec.json.Decoder(dict[str, Any])


OPTIONAL = frozenset({"chance", "revision"})


MEMBERS = frozenset(Entry.__struct_fields__) - OPTIONAL


def body(value: Any) -> bytes:
    """Return the canonical JSON of an event or of parameters: keys sorted, no white space, whole numbers,
    UTF-8.
    """
    return ENCODER.encode(value)


def canonical(entry: Entry) -> bytes:
    """Return the bytes of an entry, to be stored, hashed and never serialised again."""
    return ENCODER.encode(entry)


def read(stored: bytes) -> Entry:
    """Decode an entry from the canonical bytes."""
    return _decoder.decode(stored)
