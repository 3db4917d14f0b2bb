"""The command `verify`: go through the journals of the database, and print what is not as the service wrote it."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import click

from api.command.database import all_games, database_in_use, ledger_on
from api.command.failures import Command, FindingsThere, NoGame
from api.command.options import home_option
from api.command.progress import progress
from api.command.signals import interruptible
from ledger.games.games import UnknownGame
from ledger.service import Ledger
from ledger.trust.verifying import Part
from ledger.trust.verifying import verify as findings_of

_MANY = 60_000
"""Above so many actions, a second process is worth its start."""


@click.command(cls=Command)
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--decide",
    is_flag=True,
    help="Decide every action again, too, from what was recorded with it: its parameters, dice, cards, time.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 2),
    show_default="2 for long journals",
    help="How many processes share the work.",
)
@home_option
def verify(games: tuple[str, ...], decide: bool, processes: int | None, home: Path) -> None:
    """Verify the journals of all games, or of each GAME.

    Checked are the hash, the number and the order of every action; its events, accounts and everything else that
    is searched by; that its postings move what was there, corrections included; and that snapshots are what a
    fresh fold gives. With --decide also entries are found that were written anew with their hashes, unless the
    rules would have allowed them; and entries of an earlier version whose rules have changed since.

    The database is that of DATABASE_URL, or the one in the data folder. The service may go on, and nothing is
    written. Each finding is a line: the game, the action, what is wrong. The last line counts them.
    """
    found = 0
    with interruptible(), database_in_use(home) as url, ledger_on(url) as ledger:
        wanted = list(games) or all_games(ledger)
        try:
            actions = sum(_head(ledger, game) for game in wanted)
            many = actions > _MANY if processes is None else processes > 1
            with progress("Verifying games") as tell:
                each = _in_two(url, wanted, decide) if many else _here(ledger, wanted, decide)
                for done, lines in enumerate(each, start=1):
                    found += len(lines)
                    for line in lines:
                        click.echo(line)
                    tell(done, len(wanted))
        except UnknownGame as fault:
            raise NoGame(f"There is no game {fault} in the database") from fault
    verified = f"{_count(len(wanted), 'game')} and {_count(actions, 'action')}"
    if found:
        raise FindingsThere(f"Verified {verified}: {_count(found, 'finding')}")
    click.echo(f"Verified {verified}: no findings.")


def _head(ledger: Ledger, game: str) -> int:
    if ledger.store.game(game) is None:
        raise UnknownGame(game)
    return ledger.store.head(game)


def _here(ledger: Ledger, games: Sequence[str], decide: bool) -> Iterator[list[str]]:
    """The findings of each game."""
    for game in games:
        yield [str(finding) for finding in findings_of(ledger.games, game, decide=decide)]


def _in_two(url: str, games: Sequence[str], decide: bool) -> Iterator[list[str]]:
    """The same by two processes, which share the games, or the parts of the verification of a single one."""
    shares: tuple[Part, ...] = ("all",) if len(games) > 1 else ("rows", "fold")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=_ignore_interrupts) as pool:
        begun = [[pool.submit(_part_of, url, game, decide, part) for part in shares] for game in games]
        try:
            for parts in begun:
                yield [line for part in parts for line in part.result()]
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave it to the first process to end because of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_until_the_end = ExitStack()


@cache
def _own_ledger(url: str) -> Ledger:
    """The ledger of a process that verifies many games. It is open until the process ends."""
    return _until_the_end.enter_context(ledger_on(url))


def _part_of(url: str, game: str, decide: bool, part: Part) -> list[str]:
    games = _own_ledger(url).games
    return [str(finding) for finding in findings_of(games, game, decide=decide, part=part)]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
