"""The sources of a replay's frames: a running service, or a database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import httpx
import msgspec

from api.command.running.ledgers import ledger_in
from api.command.terminal.client import SHORT_WAIT, client_of, failure_of, game_id
from api.command.terminal.failures import NoAnswer
from ledger.service import Ledger
from replays.frames import Frame, frames
from replays.recorded import API

T = TypeVar("T")

_PAGE = 200


class Source(Protocol):
    """A source of the frames of a game. `version` is the number of the game's last action."""

    title: str
    version: int
    seats: Mapping[str, str]
    """The names of the players by seat."""

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        """Yield the frames from one action to another; with `follow`, only frames about a seat."""
        ...


@contextmanager
def source_of(game: str, language: str, token: str | None, url: str, home: Path) -> Iterator[Source]:
    """Yield a running service as the source, if a token is given; otherwise the database.

    Raises NoGame, NoAnswer, and the exceptions of opening the database.
    """
    if token is not None:
        with client_of(url, token, language, wait=SHORT_WAIT) as client:
            yield FromService(client, game_id(game))
    else:
        with ledger_in(home, migrated=False) as ledger:
            yield FromDatabase(ledger, game, language)


class FromDatabase:
    """Frames from a database, in the view of the banker. Raises UnknownGame."""

    def __init__(self, ledger: Ledger, game: str, language: str) -> None:
        self._moment = ledger.moment(game)
        self._language = language
        self.title = self._moment.game.record.title
        self.version = self._moment.version
        self.seats: Mapping[str, str] = {seat.seat: seat.name for seat in self._moment.newest.seats.values()}

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        """Yield the frames from one action to another."""
        return frames(self._moment, first=first, last=last, follow=follow, language=self._language)


class _Seat(msgspec.Struct, frozen=True):
    seat: str
    name: str


class _Summary(msgspec.Struct, frozen=True):
    """The part of a game's summary needed by a source."""

    title: str
    version: int
    seats: tuple[_Seat, ...]


class _Page(msgspec.Struct, frozen=True):
    frames: tuple[Frame, ...]
    next: str | None


class FromService:
    """Frames from a service, in the view of the client's token. Raises NoGame, NoAnswer."""

    def __init__(self, client: httpx.Client, game: str) -> None:
        self._client = client
        self._path = f"{API}/games/{game}"
        summary = self._fetch(_Summary, self._path, {})
        self.title = summary.title
        self.version = summary.version
        self.seats: Mapping[str, str] = {seat.seat: seat.name for seat in summary.seats}

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        """Yield the frames from one action to another."""
        query: dict[str, str | int] = {"from": first, "to": last, "limit": _PAGE}
        if follow is not None:
            query["follow"] = follow
        while True:
            page = self._fetch(_Page, f"{self._path}/replay", query)
            yield from page.frames
            if page.next is None:
                return
            query["cursor"] = page.next

    def _fetch(self, kind: type[T], path: str, query: Mapping[str, str | int]) -> T:
        answer = self._client.get(path, params=query)
        if not answer.is_success:
            raise failure_of(answer)
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError as fault:
            raise NoAnswer(f"What answers at {answer.url} is not this service") from fault
