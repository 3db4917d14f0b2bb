"""The commands that take a game away as a file, and put one in."""

from __future__ import annotations

import errno
import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from api.command.asking import asking, refused, segment
from api.command.terminal import (
    BadInput,
    Command,
    Failure,
    GameThere,
    HomeInUse,
    NoAnswer,
    database,
    home_option,
    interruptible,
    migrate_database,
    patience,
    progress,
    sentence,
    show_tokens,
    token_option,
    url_option,
)
from ledger import rulebooks
from ledger.games.games import UnknownRulebook
from ledger.moving.exporting import Export
from ledger.moving.importing import GameExists, Unfit
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.postgres.embedded import HomeBusy
from ledger.store.store import Store
from replays import exports
from replays.journal_file import BadJournalFile, JournalFile
from replays.recorded import API

_STANDARD_OUTPUT = "-"
_LONGEST_END = 1000
"""How many bytes the last line of a whole text has at most."""
_DESCRIPTORS = Path("/proc/self/fd")
_NAMED = re.compile(r'filename="([\w.-]+)"')


# export


@click.command(cls=Command)
@click.argument("game")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(exports.FORMATS)),
    default="jsonl",
    show_default=True,
    help="What to make: " + "; ".join(f"{one.name}, {one.about}" for one in exports.FORMATS.values()) + ".",
)
@click.option(
    "--table",
    type=click.Choice(list(exports.TABLES)),
    help="Of csv and parquet: only this table, as a file of its own.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write, or - for standard output. [default: the game's id, in the current folder]",
)
@click.option(
    "--language",
    type=click.Choice(["en", "fr"]),
    default="en",
    show_default=True,
    help="The language of what is told in sentences.",
)
@token_option
@url_option
@home_option
def export(
    game: str,
    form: str,
    table: str | None,
    output: str | None,
    language: str,
    token: str | None,
    url: str,
    home: Path,
) -> None:
    """Write a GAME as a file.

    With a token a running service is asked, and what the token's holder may see is written: everything for the
    banker, and after the end for everybody. Without one the game is read from the database of DATABASE_URL, or
    from the one in the data folder, and written whole.

    The file is there when all of it is: whatever interrupts the writing leaves nothing behind.
    """
    wanted = exports.FORMATS[form]
    if table is not None and not wanted.has_tables:
        raise BadInput(f"{form} has no tables to choose from")
    with interruptible():
        if token is not None:
            written = _from_service(url, token, game, wanted, table, language, output)
        else:
            written = _from_database(home, game, wanted, table, language, output)
    click.echo(f"Exported {written}", err=True)


def _from_database(
    home: Path, game: str, wanted: exports.Format, table: str | None, language: str, output: str | None
) -> str:
    try:
        with database(home) as (url, _):
            engine = connect(url)
            try:
                store = Store(engine)
                store.ready()
                found = Export(Ledger(store, rulebooks.known()).moment(game), language)
                target = output or exports.file_name(wanted, found, table)
                with _writing(target) as file, progress("Exporting") as tell:
                    for piece in exports.pieces(wanted, found, table=table, progress=tell):
                        file.write(piece)
            finally:
                engine.dispose()
    except HomeBusy as fault:
        raise HomeInUse(f"{sentence(fault)}.\nTo ask the service that runs there, name a --token.") from fault
    except exports.TablesFailed as fault:
        raise Failure(f"The tables could not be made: {fault}") from fault
    return f"{found.version} actions, {found.state.seq} events{_to(target)}"


def _from_service(
    url: str, token: str, game: str, wanted: exports.Format, table: str | None, language: str, output: str | None
) -> str:
    asked = {"format": wanted.name} | ({} if table is None else {"table": table})
    size, end = 0, b""
    with (
        asking(url, token, language) as client,
        client.stream("GET", f"{API}/games/{segment(game)}/export", params=asked) as answer,
    ):
        if not answer.is_success:
            raise refused(answer)
        named = _NAMED.search(answer.headers.get("Content-Disposition", ""))
        target = output or (named[1] if named is not None else f"{game}.{wanted.suffix}")
        with _writing(target) as file, progress("Exporting (bytes)") as tell:
            for piece in answer.iter_bytes():
                file.write(piece)
                end = (end + piece)[-_LONGEST_END:]
                size += len(piece)
                tell(size, 0)
            if not _is_whole(wanted, end):
                raise NoAnswer(f"The answer from {url} was cut")
    return f"{size} bytes{_to(target)}"


def _is_whole(wanted: exports.Format, end: bytes) -> bool:
    """Whether the last bytes of a file are those of a whole one, as far as they can tell."""
    if wanted.last_line is None:
        return bool(end)
    *_, last = end.splitlines() or [b""]
    return last.startswith(wanted.last_line) and end.endswith(b"\n")


def _to(target: str) -> str:
    return "" if target == _STANDARD_OUTPUT else f" to {target}"


@contextmanager
def _writing(target: str) -> Iterator[IO[bytes]]:
    """A file that takes its name only when all of it is written. Raises BadInput when it cannot be written.

    What is no file (standard output, a pipe, a device) is written to as it comes.
    """
    path = Path(target)
    try:
        if target == _STANDARD_OUTPUT:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
        else:
            # The file that a link leads to is replaced, not the link.
            with _unseen(path.resolve()) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as fault:
        name = "standard output" if target == _STANDARD_OUTPUT else str(path)
        raise BadInput(f"{name} cannot be written: {fault.strerror}") from fault


@contextmanager
def _unseen(path: Path) -> Iterator[IO[bytes]]:
    """A file that nobody sees before the block has ended well; then it is there, or replaces the one that was."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    nameless = _nameless(path.parent)
    try:
        with part.open("xb") if nameless is None else open(nameless, "wb") as file:  # noqa: PTH123 - it has no path
            yield file
            file.flush()
            if nameless is not None:
                # Only where a folder is given, whichever, is the link to the file followed.
                os.link(f"{_DESCRIPTORS}/{nameless}", part, src_dir_fd=nameless, follow_symlinks=True)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _nameless(folder: Path) -> int | None:
    """A file without a name, which is gone however the process ends; None where there is no such thing."""
    if not hasattr(os, "O_TMPFILE") or not _DESCRIPTORS.exists():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError as fault:
        if fault.errno in {errno.EOPNOTSUPP, errno.EISDIR}:
            return None
        raise


# import


@click.command("import", cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@home_option
def import_file(file: Path, home: Path) -> None:
    """Put in a game from a FILE that `mabligop export --format jsonl` wrote.

    The game keeps its id, its journal byte for byte, and so its states and receipts; it gets new tokens, which are
    printed. The file is verified from the first line to the last, and then imported whole or not at all, into the
    database of DATABASE_URL or the one in the data folder. A game whose id is there already is not imported.
    """
    with interruptible():
        try:
            journal = JournalFile(file)
            with database(home) as (url, _), patience("Importing …"):
                migrate_database(url)
                engine = connect(url)
                try:
                    ledger = Ledger(Store(engine), rulebooks.known())
                    imported = ledger.importing.import_game(journal.header.taken, journal.entries)
                finally:
                    engine.dispose()
        except HomeBusy as fault:
            raise HomeInUse(f"{sentence(fault)}.\nEnd it first, or name a database of yours.") from fault
        except GameExists as fault:
            raise GameThere(sentence(fault)) from fault
        except UnknownRulebook as fault:
            raise BadInput(f"{file}: {fault}; nothing was imported") from fault
        except (BadJournalFile, Unfit) as fault:
            raise BadInput(f"{file}, {fault}; nothing was imported") from fault
        except OSError as fault:
            raise BadInput(f"{file} cannot be read: {fault.strerror}") from fault
    click.echo(f"Imported {journal.header.title}: {imported.actions} actions, {imported.events} events.")
    tokens = imported.tokens
    show_tokens(imported.game, {"banker": tokens.banker, "players": tokens.players, "spectator": tokens.spectator})
