"""The plain records that the store takes and gives.

The store knows no rules: kinds, rule numbers, accounts and commodities are words that it can search by, and bodies
are bytes that come back unchanged. All times have a time zone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from ledger.kernel.journal.stored import leaf


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event of an action.

    `seq` counts the events of a game from 1 without a gap. `accounts` and `commodities` are those of its postings.
    `body` is one JSON value in UTF-8, stored byte for byte.
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

    `number` counts the actions of a game from 1 without a gap. `by` is who performed the action: `banker`,
    `player`, `spectator` or `system`. `canonical` are the bytes of the whole entry, and `leaf` the 32 bytes of
    their hash. `request_hash` shows whether a second request with the same `idempotency_key` is the same request.
    `previous` is the leaf of the action before: when it is given, the action is appended only after that one.
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

    `setup` (seats, settings, dice) is opaque here. `sealed_answer` is the encrypted first answer to its creation.
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
    """The last action of a journal: its number and the hash of its entry; 0 and b"" for an empty journal.

    `kept` is a snapshot for exactly this action, if there is one in the wanted format.
    """

    number: int
    leaf: bytes
    kept: bytes | None


@dataclass(frozen=True, slots=True)
class Credential:
    """A token's right to act in one game. Only the token's hash is stored.

    `sealed` is the token encrypted with the idempotency key of its request, if there was one.
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
    """An invitation to a game. Of its code only two hashes are stored: that of its first half, and that of all.

    `replaces` is the credential that is revoked when the code is used. `ended_at` is when the code was used, when
    the invitation was taken back, or when too many wrong codes had been tried: `wrong_codes` for the game since
    the invitation. `sealed_code` is the code encrypted with the idempotency key of the request for the
    invitation, `sealed_token` the token encrypted with that of the request that used the code.
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
    wrong_codes: int = 0
    sealed_code: bytes | None = None
    sealed_token: bytes | None = None

    def is_open(self, at: datetime) -> bool:
        """Whether its code could be used at this time."""
        return self.ended_at is None and at < self.expires_at


@dataclass(frozen=True, slots=True)
class Appended:
    """The action was appended under this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Replayed:
    """The same request was appended earlier under this number. Nothing was written."""

    number: int


@dataclass(frozen=True, slots=True)
class KeyReused:
    """Another request used this idempotency key for the action of this number. Nothing was written."""

    number: int


@dataclass(frozen=True, slots=True)
class LostRace:
    """The action's number is not the one after the journal's `head`. Nothing was written."""

    head: int


Outcome = Appended | Replayed | KeyReused | LostRace


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions for entries of a journal. All of them must hold.

    `after` and `before` are action numbers, both excluded. `since` is included and `until` excluded. `account`,
    `commodity` and `rule` select the actions of which at least one event has them; different events may have the
    three.
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

    @property
    def by_number_alone(self) -> bool:
        """Whether every action between the first and the last one that are selected is selected, too."""
        content = self.seat, self.kind, self.account, self.commodity, self.rule, self.since, self.until
        return all(one is None for one in content)


@dataclass(frozen=True, slots=True)
class RulingSelection:
    """Conditions for rulings.

    The rulings are those of `games`, and of other games: of none, of games that ever published their rulings, or
    of all. All other conditions must hold. The finding must have each of the `words`. Rulings come newest first;
    `after` is the (recorded_at, game_id, number) of the last one already seen.
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
    """The place of a ruling: action `number` of a game."""

    recorded_at: datetime
    game_id: str
    number: int


class StoredEntry(NamedTuple):
    """An entry as stored: its number, its canonical bytes, and the 32 bytes of their hash."""

    number: int
    canonical: bytes
    leaf: bytes


_LEAF = slice(-66, -2)
"""The place of the hash's digits in a line of a stretch."""
_ENTRY = slice(len(b'{"entry":'), -len(b',"leaf":""}') - 64)
"""The place of the canonical bytes."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive entries of a journal, from the one after number `after` up to `last`, in the form of an export.

    `lines` has one line for each of the `entries`, in order: {"entry": its canonical bytes, "leaf": their hash in
    hexadecimal}. `events` is the number of their events, `longest` the size of the longest entry in bytes.
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

    def canonical(self) -> list[bytes]:
        """The canonical bytes of each entry, in order."""
        return [line[_ENTRY] for line in self.lines.splitlines()]

    def damaged(self) -> int | None:
        """The number of the first entry whose bytes do not have the hash beside them; None when all have it."""
        for number, line in enumerate(self.lines.split(b"\n")[:-1], start=self.after + 1):
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
    """What one process tells the others. It is stored nowhere."""

    words: str
