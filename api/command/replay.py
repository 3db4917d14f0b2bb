"""The command that goes through a game again, action by action."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import httpx
import msgspec

from api.command.asking import asking, refused, segment
from api.command.replay_lines import PACES, Teller
from api.command.terminal import (
    BadInput,
    Command,
    HomeInUse,
    NoAnswer,
    database,
    home_option,
    interruptible,
    sentence,
    token_option,
    url_option,
)
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.postgres.embedded import HomeBusy
from ledger.store.store import Store
from replays.frames import Frame, frames
from replays.recorded import API

if TYPE_CHECKING:
    from api.command.replay_screen import Source

T = TypeVar("T")

_PAGE = 200


@click.command(cls=Command)
@click.argument("game")
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first action.")
@click.option("--to", "last", type=click.IntRange(1), help="The last action.  [default: the newest]")
@click.option("--follow", metavar="SEAT", help="Only what concerns this player.")
@click.option(
    "--run",
    "speed",
    type=click.FloatRange(*PACES),
    help="Let it run by itself, at so many actions a second.",
)
@click.option("--details", is_flag=True, help="In lines: also what moved, and what became different.")
@click.option("--lines", is_flag=True, help="Lines of text also in a terminal.")
@click.option(
    "--language",
    type=click.Choice(["en", "fr"]),
    default="en",
    show_default=True,
    help="The language it is told in.",
)
@token_option
@url_option
@home_option
def replay(
    game: str,
    first: int,
    last: int | None,
    follow: str | None,
    speed: float | None,
    details: bool,
    lines: bool,
    language: str,
    token: str | None,
    url: str,
    home: Path,
) -> None:
    """Go through a GAME again, action by action, as recorded and as corrected.

    In a terminal it is looked at one action at a time: → and ← step, the space bar lets it run and stops it, + and
    - change its speed, a number and Enter jump to that action, f follows one player after the other, q ends it.
    Where a correction has made a difference both tellings stand side by side.

    Into a file or another program go lines of text: what was recorded and does not count any more is marked -,
    what counts instead is marked +.

    With a token a running service is asked, and what the token's holder may see is told. Without one the game is
    read from the database of DATABASE_URL, or from the one in the data folder, and told whole.
    """
    with interruptible(), _source(game, language, token, url, home) as source:
        last = source.version if last is None else min(last, source.version)
        if first > source.version:
            raise BadInput(f"There is no action {first}: the game has {source.version}")
        if first > last:
            raise BadInput(f"--to {last} is before --from {first}")
        if follow is not None and follow not in source.seats:
            raise BadInput(f"There is no seat {follow!r} in this game; its seats are: {', '.join(source.seats)}")
        teller = Teller(language, source.seats)
        if not lines and sys.stdin.isatty() and sys.stdout.isatty():
            _look(source, first, last, teller, speed, follow)
            return
        for frame in source.frames(first, last, follow):
            for line in teller.plain(frame, details=details):
                click.echo(line)
            if speed is not None:
                time.sleep(1 / speed)


def _look(source: Source, first: int, last: int, teller: Teller, speed: float | None, follow: str | None) -> None:
    """Show it in the terminal."""
    # Only here, so that no other command waits for what draws a screen, or needs a terminal that has one.
    from rich.console import Console

    from api.command.replay_screen import Reel, Screen, show

    reel = Reel(source, first, last)
    screen = Screen(source, reel, teller, speed=speed or 1.0, running=speed is not None, follow=follow)
    try:
        show(screen, Console(), sys.stdin.fileno())
    except KeyboardInterrupt:
        return


@contextmanager
def _source(game: str, language: str, token: str | None, url: str, home: Path) -> Iterator[Source]:
    """Where the frames come from: a running service, or the database."""
    if token is not None:
        with asking(url, token, language) as client:
            yield _FromService(client, segment(game))
        return
    try:
        with database(home) as (address, _):
            engine = connect(address)
            try:
                store = Store(engine)
                store.ready()
                yield _FromDatabase(Ledger(store, rulebooks.known()), game, language)
            finally:
                engine.dispose()
    except HomeBusy as fault:
        raise HomeInUse(f"{sentence(fault)}.\nTo ask the service that runs there, name a --token.") from fault


class _FromDatabase:
    """Frames read from a database, as the banker sees them. Raises UnknownGame."""

    def __init__(self, ledger: Ledger, game: str, language: str) -> None:
        self._moment = ledger.moment(game)
        self._language = language
        self.title = self._moment.game.record.title
        self.version = self._moment.version
        self.seats: Mapping[str, str] = {seat.seat: seat.name for seat in self._moment.now.seats.values()}

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        """The frames from one action to another."""
        return frames(self._moment, first=first, last=last, follow=follow, language=self._language)


class _Seat(msgspec.Struct, frozen=True):
    seat: str
    name: str


class _Glance(msgspec.Struct, frozen=True):
    """What is needed of a game's summary."""

    title: str
    version: int
    seats: tuple[_Seat, ...]


class _Page(msgspec.Struct, frozen=True):
    frames: tuple[Frame, ...]
    next: str | None


class _FromService:
    """Frames asked of a service, as its client's token sees them. Raises NoGame, NoAnswer."""

    def __init__(self, client: httpx.Client, game: str) -> None:
        self._client = client
        self._path = f"{API}/games/{game}"
        glance = self._asked(_Glance, self._path, {})
        self.title = glance.title
        self.version = glance.version
        self.seats: Mapping[str, str] = {seat.seat: seat.name for seat in glance.seats}

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        """The frames from one action to another."""
        asked: dict[str, str | int] = {"from": first, "to": last, "limit": _PAGE}
        if follow is not None:
            asked["follow"] = follow
        while True:
            page = self._asked(_Page, f"{self._path}/replay", asked)
            yield from page.frames
            if page.next is None:
                return
            asked["cursor"] = page.next

    def _asked(self, kind: type[T], path: str, query: Mapping[str, str | int]) -> T:
        answer = self._client.get(path, params=query)
        if not answer.is_success:
            raise refused(answer)
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError as fault:
            raise NoAnswer(f"What answers at {answer.url} is not this service") from fault
