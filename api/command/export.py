"""The command `export`: write a game to a file, from a running service or from the database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import click
from click.core import ParameterSource

from api.command.running.ledgers import games_of, ledger_in
from api.command.running.signals import interruptible
from api.command.terminal.client import client_of, failure_of, game_id
from api.command.terminal.counts import count
from api.command.terminal.failures import BadInput, Command, Failure, FindingsThere, NoAnswer
from api.command.terminal.options import home_option, language_option, token_option, url_option
from api.command.terminal.output_file import STANDARD_OUTPUT, output_file
from api.command.terminal.progress import progress
from ledger.moving.exporting import Export
from ledger.store.database.errors import StoreUnavailable
from replays import exports
from replays.recorded import API

_LONGEST_END = 1000
"""The largest size in bytes of the last line of a complete text file."""
_NAMED = re.compile(r'filename="([\w.-]+)"')


@dataclass(frozen=True)
class _ExportRequest:
    """The game's format, table and language to export, and the output file."""

    form: exports.Format
    table: str | None
    language: str
    output: str | None
    force: bool

    @contextmanager
    def files(self, name: str) -> Iterator[tuple[str, IO[bytes], IO[bytes] | None]]:
        """Yield the file's name, the file, and, for a single table, the file of its description.

        `name` is the default name. A target that is not a regular file, like a pipe, gets no description beside
        it.
        """
        target = self.output or name
        with output_file(target, replace=self.force) as file:
            described = None if self.table in {None, exports.ABOUT} else _beside(target)
            if described is None:
                yield target, file, None
                return
            with output_file(str(described), replace=self.force) as about:
                yield target, file, about


def _beside(target: str) -> Path | None:
    """Return the file for the description of a single table, beside the table's file."""
    path = Path(target)
    if target == STANDARD_OUTPUT or (path.exists() and not path.is_file()):
        return None
    return path.with_suffix(".about.json")


@click.command(cls=Command)
@click.argument("game", required=False)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Instead of a GAME: all games of the database, as one set of tables.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(exports.FORMATS)),
    show_default="jsonl; with --all parquet",
    help="The format: " + "; ".join(f"{option.name}, {option.about}" for option in exports.FORMATS.values()) + ".",
)
@click.option(
    "--table",
    type=click.Choice([*exports.TABLES, exports.ABOUT]),
    help="With csv and parquet: only this table, as a file of its own, with its description in a file beside it;"
    " or about, the description of all tables.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write, or - for standard output. [default: the game's id, in the current folder]",
)
@click.option("-f", "--force", is_flag=True, help="Replace a file that is there already.")
@language_option
@token_option
@url_option
@home_option
@click.pass_context
def export(
    context: click.Context,
    game: str | None,
    every: bool,
    form: str | None,
    table: str | None,
    output: str | None,
    force: bool,
    language: str,
    token: str | None,
    url: str,
    home: Path,
) -> None:
    """Write a GAME, or --all games, to a file.

    With a token, a running service exports what the token's holder may see: everything for the banker, and for
    everybody after an end that reveals everything. Without a token, the whole game is read from the database of
    DATABASE_URL, or from the one in the data folder. A token opens one game, so --all games are read from the
    database.

    The file appears only when it is complete. An interruption leaves no file behind. A file that is there already
    is not replaced without --force.
    """
    if (game is None) != every:
        raise BadInput("Name either a GAME to export, or --all games")
    request = _ExportRequest(
        exports.FORMATS[form or ("parquet" if every else "jsonl")], table, language, output, force
    )
    if table is not None and not request.form.has_tables:
        raise BadInput(f"{request.form.name} has no tables to choose from")
    if every and not request.form.has_tables:
        raise BadInput(f"{request.form.name} holds one game only: --all games are exported as csv or parquet")
    if every and token is not None and context.get_parameter_source("token") is ParameterSource.COMMANDLINE:
        raise BadInput("A --token opens one game; --all games are read from the database")
    with interruptible():
        if game is None:
            written = _all_from_database(home, request)
        elif token is not None:
            written = _from_service(url, token, game, request)
        else:
            written = _from_database(home, game, request)
    click.echo(f"Exported {written}", err=True)


def _from_database(home: Path, game: str, request: _ExportRequest) -> str:
    try:
        with ledger_in(home, migrated=False) as ledger:
            game_export = Export(ledger.moment(game), request.language, logs=ledger.logs)
            name = exports.file_name(request.form, game_export, request.table)
            with request.files(name) as (target, file, about), progress("Exporting") as tell:
                for piece in exports.pieces(request.form, game_export, table=request.table, progress=tell):
                    file.write(piece)
                if about is not None:
                    about.writelines(exports.pieces(request.form, game_export, table=exports.ABOUT))
    except exports.TablesFailed as fault:
        raise Failure(f"The tables could not be made: {fault}") from fault
    return f"{count(game_export.version, 'action')}, {count(game_export.state.seq, 'event')}{_to(target)}"


def _all_from_database(home: Path, request: _ExportRequest) -> str:
    left_out: dict[str, str] = {}
    try:
        with ledger_in(home, migrated=False) as ledger:
            games = games_of(ledger)

            def leave_out(game: str, fault: Exception) -> None:
                left_out[game] = str(fault) or type(fault).__name__

            def readable() -> Iterator[Export]:
                for game in games:
                    try:
                        moment = ledger.moment(game)
                    except StoreUnavailable:
                        raise
                    except Exception as fault:  # A broken game must not stop the export.
                        leave_out(game, fault)
                    else:
                        yield Export(moment, request.language)

            name = exports.file_name_of_all(request.form, request.table)
            with request.files(name) as (target, file, about), progress("Exporting games") as tell:
                for piece in exports.pieces_of_all(
                    request.form,
                    readable(),
                    leave_out=leave_out,
                    table=request.table,
                    progress=lambda done: tell(done, len(games)),
                ):
                    file.write(piece)
                if about is not None:
                    about.writelines(
                        exports.pieces_of_all(request.form, (), table=exports.ABOUT, leave_out=leave_out)
                    )
    except exports.TablesFailed as fault:
        raise Failure(f"The tables could not be made: {fault}") from fault
    written = f"{count(len(games) - len(left_out), 'game')}{_to(target)}"
    if left_out:
        why = "".join(f"\n  {game}: {reason}" for game, reason in left_out.items())
        raise FindingsThere(f"Exported {written}; these cannot be read and are left out:{why}")
    return written


def _from_service(url: str, token: str, game: str, request: _ExportRequest) -> str:
    form, table = request.form, request.table
    path, query = f"{API}/games/{game_id(game)}/export", {"format": form.name}
    size, end = 0, b""
    with (
        client_of(url, token, request.language) as client,
        client.stream("GET", path, params=query | ({} if table is None else {"table": table})) as answer,
    ):
        if not answer.is_success:
            raise failure_of(answer)
        named = _NAMED.search(answer.headers.get("Content-Disposition", ""))
        name = named[1] if named is not None else f"{game}.{form.suffix}"
        with request.files(name) as (target, file, about), progress("Exporting (bytes)") as tell:
            for piece in answer.iter_bytes():
                file.write(piece)
                end = (end + piece)[-_LONGEST_END:]
                size += len(piece)
                tell(size, 0)
            if not _is_whole(form, end):
                raise NoAnswer(f"The answer from {url} was cut")
            if about is not None:
                described = client.get(path, params=query | {"table": exports.ABOUT})
                if not described.is_success:
                    raise failure_of(described)
                if described.headers.get("ETag") != answer.headers.get("ETag"):
                    raise NoAnswer("The game went on while the table was exported: export it again")
                about.write(described.content)
    return f"{size} bytes{_to(target)}"


def _is_whole(form: exports.Format, end: bytes) -> bool:
    """Return True if a file is complete, judged by its last bytes."""
    if form.last_line is None:
        return bool(end)
    *_, last = end.splitlines() or [b""]
    return last.startswith(form.last_line) and end.endswith(b"\n")


def _to(target: str) -> str:
    return "" if target == STANDARD_OUTPUT else f" to {target}"
