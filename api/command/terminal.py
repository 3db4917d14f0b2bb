"""What the commands have in common: failures with exit codes, the database, patience, progress, tokens shown."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from api import server
from api.command import rule_mentions
from ledger.games.games import UnknownGame
from ledger.store.connection import driver_parameters
from ledger.store.errors import StoreError
from ledger.store.migration import migrate as apply_migrations
from ledger.store.postgres.embedded import EmbeddedPostgres, HomeBusy, PostgresUnavailable
from replays import recorded

_SLOW_SECONDS = 1.0
"""What takes longer says so."""


class Failure(click.ClickException):
    """An expected failure: a sentence on standard error, and an exit code of its own."""

    exit_code = 1


class BadInput(Failure):
    """A file or an argument that makes no sense."""

    exit_code = 2


class HomeInUse(Failure):
    """The home is served by another process."""

    exit_code = 3


class AddressInUse(Failure):
    """The address cannot be listened on."""

    exit_code = 4


class NoDatabase(Failure):
    """There is no database to work with."""

    exit_code = 5


class NoAnswer(Failure):
    """The service does not answer."""

    exit_code = 6


class CameOutDifferently(Failure):
    """A recorded game did not come out as its file says."""

    exit_code = 7


class NoGame(Failure):
    """There is no such game, or not for whoever asks."""

    exit_code = 8


class GameThere(Failure):
    """There is a game of this id already."""

    exit_code = 9


EXIT_CODES = """\b
Exit codes:
  0  done (serve: stopped by a signal)
  1  an unexpected failure
  2  wrong usage, or a file that makes no sense
  3  the home is already served by another process
  4  the address or port cannot be listened on
  5  the database cannot be started, reached or migrated
  6  the service does not answer, or not as it should
  7  a recorded game came out differently
  8  there is no such game, or the token does not open it
  9  there is a game of this id already
"""


class Command(click.Command):
    """A command whose help ends with the exit codes, and which turns expected failures into them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"epilog": EXIT_CODES} | kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the command does, or raise a Failure."""
        try:
            return super().invoke(ctx)
        except HomeBusy as fault:
            raise HomeInUse(sentence(fault)) from fault
        except server.AddressRefused as fault:
            raise AddressInUse(sentence(fault)) from fault
        except (PostgresUnavailable, StoreError) as fault:
            raise NoDatabase(sentence(fault)) from fault
        except (recorded.Unreadable, rule_mentions.NoTests) as fault:
            raise BadInput(sentence(fault)) from fault
        except UnknownGame as fault:
            raise NoGame(f"There is no game {fault}") from fault
        except recorded.Difference as fault:
            raise CameOutDifferently(str(fault)) from fault


class Group(click.Group):
    """A group of such commands."""

    command_class = Command


def sentence(fault: Exception) -> str:
    """What went wrong, with a capital letter."""
    said = str(fault)
    return said[:1].upper() + said[1:]


def _default_home() -> Path:
    """A folder of the user's own, the same wherever the command is called from."""
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/mabligop").expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "mabligop"


home_option = click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="MABLIGOP_HOME",
    default=_default_home,
    show_default="the user's data folder",
    show_envvar=True,
    help="The data folder, with a Postgres of its own. Not used when DATABASE_URL names a database.",
)


token_option = click.option(
    "--token", envvar="MABLIGOP_TOKEN", show_envvar=True, help="Ask a running service, as this token."
)

url_option = click.option(
    "--url",
    envvar="MABLIGOP_URL",
    default="http://127.0.0.1:8000",
    show_default=True,
    show_envvar=True,
    help="With a token: the service to ask, without a path.",
)


@contextmanager
def database(home: Path) -> Iterator[tuple[str, bool]]:
    """The URL of the database to use, and whether it is the embedded one, which lives as long as the block."""
    configured = os.environ.get("DATABASE_URL")
    if configured:
        try:
            driver_parameters(configured)
        except ValueError as fault:
            raise BadInput(f"DATABASE_URL: {fault}") from fault
        yield configured, False
        return
    embedded = EmbeddedPostgres(home)
    with patience(f"Starting Postgres in {home} (the first time this takes a few seconds) …"):
        url = embedded.start()
    try:
        yield url, True
    finally:
        embedded.stop()


def migrate_database(url: str) -> list[str]:
    """Bring the tables to this version's shape, saying every step; gives the steps there were."""
    return apply_migrations(url, progress=lambda step: click.echo(_capital(step), err=True))


def _capital(step: str) -> str:
    return step[:1].upper() + step[1:]


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal to end be an interruption like any other, that everything is tidied up after."""

    def leave(number: int, frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    before: dict[signal.Signals, Callable[..., object] | int | None] = {
        number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def patience(text: str) -> Iterator[None]:
    """Say what is going on when the block takes longer than a second."""
    timer = threading.Timer(_SLOW_SECONDS, click.echo, [text], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far something is once it takes longer than a second: a bar in a terminal, else a line at times.

    There is no bar towards an end that nobody knows, which is told as a total of 0.
    """
    begun = time.monotonic()
    shown = begun
    bar: Any = None

    def tell(done: int, total: int) -> None:
        nonlocal bar, shown
        now = time.monotonic()
        if now - begun < _SLOW_SECONDS:
            return
        if total and sys.stderr.isatty():
            if bar is None:
                bar = click.progressbar(length=total, label=label, file=sys.stderr).__enter__()
            bar.update(done - bar.pos)
        elif done == total or now - shown >= _SLOW_SECONDS:
            shown = now
            click.echo(f"{label}: {done} of {total}" if total else f"{label}: {done}", err=True)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)


def show_tokens(game: str, tokens: dict[str, Any]) -> None:
    """Show a game with its tokens."""
    click.echo(f"  game       {game}")
    named = {"banker": tokens["banker"], **tokens["players"], "spectator": tokens["spectator"]}
    for who, token in named.items():
        click.echo(f"  {who:<10} {token}")
