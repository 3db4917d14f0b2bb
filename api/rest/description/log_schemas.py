"""The types of answers about the signed log of a game."""

from __future__ import annotations

from datetime import datetime

import msgspec


class EarlierLog(msgspec.Struct, frozen=True):
    """A log of the same game, signed until a time by a service without the key of today.

    `size` is the size of its last checkpoint in the database, and `until` the time of the last action in it.
    """

    origin: str
    size: int
    until: datetime


class GameLog(msgspec.Struct, frozen=True):
    """The log of a game: its name, and the key that signs its checkpoints (C2SP signed-note). Keep it.

    Whoever keeps the key from the beginning notices when another one signs later. `successions` are the changes of
    the key, newest first, each signed by the old key and by the new one: holders of either may trust the other.
    `earlier` are logs of the game under another name: the service was restored without its keys since. Nothing
    vouches for the key of today then; but proofs of consistency show whether an old checkpoint is still kept.
    """

    origin: str
    key: str
    successions: tuple[str, ...]
    earlier: tuple[EarlierLog, ...]


class Consistency(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """That a log only grew from one size to another: hashes in base64, and the newer checkpoint."""

    since: int
    to: int
    hashes: tuple[str, ...]
    checkpoint: str


class Cosigned(msgspec.Struct, frozen=True):
    """The checkpoint under which a witness has signed, with all its signatures."""

    checkpoint: str
