"""The plain records of the store.

The store knows no rules: kinds, rule numbers, accounts and commodities are words for searches, and bodies are
bytes that come back unchanged. All times have a time zone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from ledger.kernel.journal.stored import leaf


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event of an action.

    `seq` counts the events of a game from 1 without a gap. `accounts` and `commodities` are taken from its
    postings. `body` is a JSON value in UTF-8, stored byte for byte.
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
    """An accepted action with its events, in order.

    `number` counts the actions of a game from 1 without a gap. `by` is the actor: `banker`, `player`,
    `spectator` or `system`. `canonical` are the bytes of the whole entry, and `leaf` the 32 bytes of their
    hash. `request_hash` compares a second request with an equal `idempotency_key` to the first. `previous` is
    the leaf of the action before: if given, the action is appended only after the action with this leaf.
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
    previous: bytes | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game.

    `setup` (seats, settings, dice) is opaque here. `sealed_answer` is the encrypted first answer to its
    creation.
    """

    game_id: str
    rulebook: str
    title: str
    created_at: datetime
    setup: bytes
    request_hash: bytes | None = None
    sealed_answer: bytes | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The last action of a journal: the number and the hash of the entry; 0 and b"" for an empty journal.

    `snapshot` is a snapshot for exactly this action, if stored in the wanted format.
    """

    number: int
    leaf: bytes
    snapshot: bytes | None


@dataclass(frozen=True, slots=True)
class Credential:
    """A token's right to act in a game. Only the token's hash is stored.

    `sealed` is the token encrypted with the idempotency key of its request, if any.
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
class Invitation:
    """An invitation to a game.

    Only two hashes of its code are stored: of the first half, and of the whole code. `replaces` is the
    credential revoked by the use of the code. `ended_at` is the time of the use, or of the withdrawal.
    `sealed_code` is the code encrypted with the idempotency key of the request for the invitation. `sealed_token`
    is the token encrypted with the key of the request that used the code.
    """

    game_id: str
    invitation_id: str
    half_hash: bytes
    code_hash: bytes
    role: str
    seat: str | None
    replaces: str | None
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None
    sealed_code: bytes | None = None
    sealed_token: bytes | None = None

    def is_open(self, at: datetime) -> bool:
        """Return True if the code can be used at this time."""
        return self.ended_at is None and at < self.expires_at


@dataclass(frozen=True, slots=True)
class Appended:
    """The action was appended under this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Replayed:
    """An equal request was appended earlier under this number. Nothing was written."""

    number: int


@dataclass(frozen=True, slots=True)
class KeyReused:
    """A different request used this idempotency key for the action with this number. Nothing was written."""

    number: int


@dataclass(frozen=True, slots=True)
class LostRace:
    """The action's number does not follow the journal's `head`. Nothing was written."""

    head: int


Outcome = Appended | Replayed | KeyReused | LostRace


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions for entries of a journal. All conditions must hold.

    `above` and `below` are action numbers, both excluded. `since` is included and `until` excluded. `account`,
    `commodity` and `rule` each select the actions with at least one matching event; the matching events may
    differ.
    """

    above: int | None = None
    below: int | None = None
    newest_first: bool = False
    limit: int = 100
    seat: str | None = None
    kind: str | None = None
    account: str | None = None
    commodity: str | None = None
    rule: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def by_number_alone(self) -> bool:
        """True if the selection has no condition except numbers, so the selected actions are consecutive."""
        content = self.seat, self.kind, self.account, self.commodity, self.rule, self.since, self.until
        return all(condition is None for condition in content)


@dataclass(frozen=True, slots=True)
class RulingSelection:
    """Conditions for rulings.

    The rulings come from `games`, and from other games: none, games that ever published their rulings, or all.
    All further conditions must hold. The finding must have each of the `words`. Rulings come newest first;
    `cursor` is the (recorded_at, game_id, number) of the previous page's last ruling.
    """

    games: Sequence[str] = ()
    others: Literal["none", "published", "all"] = "none"
    rulebook: str | None = None
    rule: str | None = None
    words: Sequence[str] = ()
    cursor: tuple[datetime, str, int] | None = None
    limit: int = 100


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """The place of a ruling: action `number` of a game."""

    recorded_at: datetime
    game_id: str
    number: int


class StoredEntry(NamedTuple):
    """A stored entry: the number, the canonical bytes, and the 32 bytes of the hash."""

    number: int
    canonical: bytes
    leaf: bytes


_LEAF = slice(-66, -2)
"""The place of the hash's digits in a line of a stretch."""
_ENTRY = slice(len(b'{"entry":'), -len(b',"leaf":""}') - 64)
"""The place of the canonical bytes."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive entries of a journal, following number `start`, up to `last`, in the form of an export.

    `lines` has a line for each of the `entries`, in order: {"entry": its canonical bytes, "leaf": their hash in
    hexadecimal}. `events` is the number of their events, `longest` the size of the longest entry in bytes.
    """

    start: int
    last: int
    entries: int
    events: int
    longest: int
    lines: bytes

    def leaves(self) -> list[bytes]:
        """Return the hash of each entry, in order."""
        return [bytes.fromhex(line[_LEAF].decode()) for line in self.lines.splitlines()]

    def canonical(self) -> list[bytes]:
        """Return the canonical bytes of each entry, in order."""
        return [line[_ENTRY] for line in self.lines.splitlines()]

    def damaged(self) -> int | None:
        """Return the number of the first entry whose bytes contradict the hash, or None."""
        for number, line in enumerate(self.lines.split(b"\n")[:-1], start=self.start + 1):
            if leaf(line[_ENTRY]).hex().encode() != line[_LEAF]:
                return number
        return None


@dataclass(frozen=True, slots=True)
class Notice:
    """An action was appended."""

    game_id: str
    number: int


@dataclass(frozen=True, slots=True)
class TokensChanged:
    """A token of a game was revoked or replaced."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Saying:
    """A message from a process to all processes. Messages are not stored."""

    words: str
