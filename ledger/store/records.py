"""The plain records that go into the store and come out of it.

The store knows nothing of rules: kinds, rule numbers, accounts and commodities are words it can search by,
and every body is bytes that come back as they were given. All times are aware.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One fact of an action.

    `seq` counts the events of a game from 1 without a gap. `accounts` and `commodities` are those its
    postings touch. `body` is one JSON value in UTF-8, kept byte for byte.
    """

    seq: int
    kind: str
    version: int
    rule: str
    accounts: Sequence[str]
    commodities: Sequence[str]
    body: bytes


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """One accepted action and the events it produced, in order.

    `number` counts the actions of a game from 1 without a gap. `by` is who performed it: `banker`, `player`,
    `spectator` or `system`. `canonical` is the whole entry as it was hashed, and `leaf` the 32 bytes of that
    hash. `request_hash` tells whether a second request under the same `idempotency_key` is the same request.
    """

    number: int
    kind: str
    seat: str | None
    by: str
    recorded_at: datetime
    canonical: bytes
    leaf: bytes
    events: Sequence[EventRecord]
    idempotency_key: str | None = None
    request_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game.

    `setup` (seats, settings, dice) is opaque; `sealed_answer` is the encrypted first answer to its creation.
    """

    game_id: str
    rulebook: str
    title: str
    created_at: datetime
    setup: bytes
    request_hash: bytes | None = None
    sealed_answer: bytes | None = None


@dataclass(frozen=True, slots=True)
class Credential:
    """The right of whoever holds a token to act in one game. Only the token's hash is kept.

    `sealed` is the token encrypted under the idempotency key it was asked for with, if there was one.
    """

    game_id: str
    credential_id: str
    token_hash: bytes
    role: str
    seat: str | None
    created_at: datetime
    revoked_at: datetime | None = None
    sealed: bytes | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """The action now stands in the journal under this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Replayed:
    """The same request was already appended under this number; nothing was written."""

    number: int


@dataclass(frozen=True, slots=True)
class KeyReused:
    """Another request already used this idempotency key, for this number; nothing was written."""

    number: int


@dataclass(frozen=True, slots=True)
class LostRace:
    """The number is not the one after the journal's head, which is given; nothing was written."""

    head: int


Outcome = Appended | Replayed | KeyReused | LostRace


@dataclass(frozen=True, slots=True)
class Selection:
    """Which entries of a journal to read: every condition given must hold.

    `after` and `before` are action numbers, both excluded: the place where the last page ended. `since` is
    included and `until` excluded. `account`, `commodity` and `rule` choose the actions of which at least one
    event has them (the three may be met by different events).
    """

    after: int | None = None
    before: int | None = None
    newest_first: bool = False
    limit: int = 100
    seat: str | None = None
    kind: str | None = None
    account: str | None = None
    commodity: str | None = None
    rule: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class RulingSelection:
    """Which rulings to look for: of the `games` named and, of the others, none, those of games whose rulings were
    ever published, or all. Every other condition given must hold; each of the `words` stands in the finding.

    `after` is the (recorded_at, game_id, number) of the last one already seen: they come newest first.
    """

    games: Sequence[str] = ()
    others: Literal["none", "published", "all"] = "none"
    rulebook: str | None = None
    rule: str | None = None
    words: Sequence[str] = ()
    after: tuple[datetime, str, int] | None = None
    limit: int = 100


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """Where a ruling was given: in action `number`."""

    recorded_at: datetime
    game_id: str
    number: int


@dataclass(frozen=True, slots=True)
class FactBatch:
    """The events of some consecutive actions, made for rebuilding a state with one decoding call.

    `numbers[i]` produced `counts[i]` events (none is possible); the first event of the batch is `first_seq`
    and the others follow without a gap. `recorded_at[i]` is when `numbers[i]` was recorded.
    `kinds_versions` are the kinds of event in the batch with the versions they were stored in. `body` is one JSON
    array of all the events' bodies, in order.
    """

    numbers: list[int]
    counts: list[int]
    first_seq: int
    recorded_at: list[datetime]
    kinds_versions: frozenset[tuple[str, int]]
    body: bytes


_LEAF = slice(-66, -2)
"""Where the digits of the hash stand in a line of a stretch."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some consecutive entries of a journal, those after number `after` up to `last`, ready to be copied out.

    `lines` has one line for each of the `entries`, in order: {"entry": its canonical bytes, "leaf": their hash in
    hexadecimal}. `events` is how many events they produced, `longest` how many bytes the longest entry has.
    """

    after: int
    last: int
    entries: int
    events: int
    longest: int
    lines: bytes

    def leaves(self) -> list[bytes]:
        """The hash of each entry, in order."""
        return [bytes.fromhex(line[_LEAF].decode()) for line in self.lines.splitlines()]


@dataclass(frozen=True, slots=True)
class Notice:
    """An action was appended."""

    game_id: str
    number: int
