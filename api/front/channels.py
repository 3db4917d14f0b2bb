"""The streams and the connected viewers of a game in this worker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from datetime import datetime

from api.front.presence import NOBODY, Present
from api.front.streams import Stream
from ledger.reading.table.following import GameFeed, Listening


class Channel:
    """A game with streams in this worker. The next regular check is at `check_at` (`time.monotonic`)."""

    def __init__(self, game: str, following: GameFeed, check_at: float) -> None:
        self.game = game
        self.following = following
        self.listening: dict[Listening, set[Stream]] = {}
        self.joining: list[Stream] = []
        self.stirred = False
        self.tokens_changed = False
        self.task: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.version = 0
        self.seats: tuple[str, ...] = ()
        self.out: frozenset[str] = frozenset()
        """The seats out of the game."""
        self.others: dict[str, tuple[float, Present]] = {}
        """The users connected through each other worker, and the end of the news' validity."""
        self.departures: dict[str, datetime] = {}
        """The end of the last stream of each seat, through this worker or another worker."""
        self.announced = NOBODY
        """The presence last announced to the other workers."""
        self.check_at = check_at

    def streams(self) -> Iterator[Stream]:
        """Return the streams that have begun."""
        for streams in self.listening.values():
            yield from streams

    def local_presence(self) -> Present:
        """Return the viewers connected through this worker."""
        return Present.of([stream.follower.joining.listening.viewer for stream in self.streams()], self.departures)

    def present(self) -> Present:
        """Return the viewers connected through any worker."""
        moment = time.monotonic()
        return self.local_presence().beside(peer for until, peer in self.others.values() if until > moment)

    def leave(self, seats: Mapping[str, datetime]) -> None:
        """Record the times at which the seats were last connected."""
        for seat, at in seats.items():
            self.departures[seat] = max(at, self.departures.get(seat, at))
