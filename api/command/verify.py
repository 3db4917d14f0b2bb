"""The command `verify`: check the journals of the database, and print every difference from the service's
journals.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import click

from api.command.running.database import database_in_use
from api.command.running.ledgers import all_games, ledger_on
from api.command.running.signals import interruptible
from api.command.terminal.counts import count
from api.command.terminal.failures import BadInput, Command, FindingsThere, NoGame
from api.command.terminal.options import home_option
from api.command.terminal.progress import progress
from api.command.verifying import UnverifiableFileError, trusted_keys, verify_file
from ledger.games.games import UnknownGame
from ledger.service import Ledger
from ledger.trust.findings import Finding, older_rules
from ledger.trust.notes import BadNote
from ledger.trust.verifying import Part
from ledger.trust.verifying import verify as findings_of

_MANY = 60_000
"""The number of actions from which a second process is worth its start."""


@click.command(cls=Command)
@click.argument("games", metavar="[GAME|FILE|FOLDER]...", nargs=-1)
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="With files: the key that signs the log, as it came with your token, or a file with it. A succession of"
    " keys, as GET /api/v1/me has it, leads from a key that you hold to the next.",
)
@click.option(
    "--older",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="With files: a receipt or checkpoint that you kept. What was signed then must still be there.",
)
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
def verify(
    games: tuple[str, ...],
    keys: tuple[str, ...],
    older: tuple[Path, ...],
    decide: bool,
    processes: int | None,
    home: Path,
) -> None:
    """Verify files without any service, or the journals of a database.

    A FILE is an exported journal (`export --format jsonl`), the log of a game as you see it (`--format log`; a
    ZIP file or its folder), a receipt (`mabligop prove`), a checkpoint, or a proof of consistency. Checked are the
    signature, that every action is in the log that was signed and is what was hashed, that nothing is missing, and
    that what is shown comes to the balances that are told. The --key must be the one that came with your token:
    whoever writes a file can write a key beside it.

    Without files, the journals of all games in the database are verified, or of each GAME.

    Checked are the hash, the number and the order of every action; its events, accounts and everything else that
    is searched by; that its postings move what was there, corrections included; and that snapshots are what a
    fresh fold gives. With --decide also entries are found that were written anew with their hashes, unless the
    rules would have allowed them. Entries decided under older rules, which were mended since, are counted.

    The database is that of DATABASE_URL, or the one in the data folder. The service may go on, and nothing is
    written. Each finding is a line: the game, the action, what is wrong. The last line counts them.
    """
    if keys or older or any(map(_is_path, games)):
        with interruptible():
            _verify_files(games, keys, older, decide=decide)
        return
    findings = exempt = 0
    with interruptible(), database_in_use(home) as url, ledger_on(url, home) as ledger:
        selected = list(games) or all_games(ledger)
        try:
            actions = sum(_head(ledger, game) for game in selected)
            many = actions > _MANY if processes is None else processes > 1
            with progress("Verifying games") as tell:
                each = _in_two(url, home, selected, decide) if many else _in_one(ledger, selected, decide)
                for done, of_game in enumerate(each, start=1):
                    lines = [str(finding) for finding in of_game if not finding.exempt]
                    findings += len(lines)
                    exempt += len(of_game) - len(lines)
                    for line in lines:
                        click.echo(line)
                    tell(done, len(selected))
        except UnknownGame as fault:
            raise NoGame(f"There is no game {fault} in the database") from fault
    verified = f"{count(len(selected), 'game')} and {count(actions, 'action')}{older_rules(exempt)}"
    if findings:
        raise FindingsThere(f"Verified {verified}: {count(findings, 'finding')}")
    click.echo(f"Verified {verified}: no findings.")


def _is_path(name: str) -> bool:
    return Path(name).exists()


def _verify_files(names: Sequence[str], keys: Sequence[str], older: Sequence[Path], *, decide: bool) -> None:
    """Verify files and folders, and print the faults of each."""
    missing = [name for name in names if not _is_path(name)]
    if missing or not names:
        raise click.UsageError(f"{missing[0]} is no file" if missing else "--key and --older go with files")
    if not keys:
        raise click.UsageError("files are verified with the --key that came with your token")
    findings = 0
    for name in names:
        try:
            verified = verify_file(Path(name), trusted_keys(keys), older, decide=decide)
        except (UnverifiableFileError, BadNote, OSError) as fault:
            raise BadInput(f"{name}: {fault}") from fault
        findings += len(verified.faults)
        for wrong in verified.faults:
            click.echo(f"{name}: {wrong}")
        for remark in verified.remarks:
            click.echo(f"{name}: {remark}")
        click.echo(f"{name}: {verified.subject}: {'is not so' if verified.faults else 'is as it was signed'}.")
    if findings:
        raise FindingsThere(f"Verified {count(len(names), 'file')}: {count(findings, 'finding')}")


def _head(ledger: Ledger, game: str) -> int:
    if ledger.store.games.get(game) is None:
        raise UnknownGame(game)
    return ledger.store.journal.head(game)


def _in_one(ledger: Ledger, games: Sequence[str], decide: bool) -> Iterator[list[Finding]]:
    """Yield the findings of each game."""
    for game in games:
        yield [*_findings(ledger, game, decide, "all")]


def _findings(ledger: Ledger, game: str, decide: bool, part: Part) -> Iterator[Finding]:
    """Yield the findings of a game; a last finding reports a journal unlike the signed one."""
    yield from findings_of(ledger.games, game, decide=decide, part=part)
    fault = None if part == "fold" else ledger.logs.fault(game)
    if fault is not None:
        yield Finding(game, 0, fault)


def _in_two(url: str, home: Path, games: Sequence[str], decide: bool) -> Iterator[list[Finding]]:
    """Yield the findings of each game, found by two processes. They share the games, or the parts of a single
    game.
    """
    shares: tuple[Part, ...] = ("all",) if len(games) > 1 else ("rows", "fold")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=_ignore_interrupts) as pool:
        begun = [[pool.submit(_part_of, url, home, game, decide, part) for part in shares] for game in games]
        try:
            for parts in begun:
                yield [finding for part in parts for finding in part.result()]
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in this process: the first process handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_until_the_end = ExitStack()


@cache
def _own_ledger(url: str, home: Path) -> Ledger:
    """Open the ledger of a process that verifies many games, until the process ends."""
    return _until_the_end.enter_context(ledger_on(url, home))


def _part_of(url: str, home: Path, game: str, decide: bool, part: Part) -> list[Finding]:
    return [*_findings(_own_ledger(url, home), game, decide, part)]
