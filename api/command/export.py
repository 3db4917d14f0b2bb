"""The command `export`: write a game to a file, from a running service or from the database."""

from __future__ import annotations

import re
from pathlib import Path

import click

from api.command.client import client_of, failure_of, game_id
from api.command.database import ASK_THE_SERVICE, ledger_in
from api.command.failures import BadInput, Command, Failure, NoAnswer
from api.command.options import home_option, language_option, token_option, url_option
from api.command.output_file import STANDARD_OUTPUT, output_file
from api.command.progress import progress
from api.command.signals import interruptible
from ledger.moving.exporting import Export
from replays import exports
from replays.recorded import API

_LONGEST_END = 1000
"""The largest size in bytes of the last line of a complete text file."""
_NAMED = re.compile(r'filename="([\w.-]+)"')


@click.command(cls=Command)
@click.argument("game")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(exports.FORMATS)),
    default="jsonl",
    show_default=True,
    help="The format: " + "; ".join(f"{one.name}, {one.about}" for one in exports.FORMATS.values()) + ".",
)
@click.option(
    "--table",
    type=click.Choice(list(exports.TABLES)),
    help="With csv and parquet: only this table, as a file of its own.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write, or - for standard output. [default: the game's id, in the current folder]",
)
@language_option
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
    """Write a GAME to a file.

    With a token, a running service exports what the token's holder may see: everything for the banker, and for
    everybody after an end that reveals everything. Without a token, the whole game is read from the database of
    DATABASE_URL, or from the one in the data folder.

    The file appears only when it is complete. An interruption leaves no file behind.
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
        with ledger_in(home, migrated=False, when_busy=ASK_THE_SERVICE) as ledger:
            found = Export(ledger.moment(game), language)
            target = output or exports.file_name(wanted, found, table)
            with output_file(target) as file, progress("Exporting") as tell:
                for piece in exports.pieces(wanted, found, table=table, progress=tell):
                    file.write(piece)
    except exports.TablesFailed as fault:
        raise Failure(f"The tables could not be made: {fault}") from fault
    return f"{found.version} actions, {found.state.seq} events{_to(target)}"


def _from_service(
    url: str, token: str, game: str, wanted: exports.Format, table: str | None, language: str, output: str | None
) -> str:
    asked = {"format": wanted.name} | ({} if table is None else {"table": table})
    size, end = 0, b""
    with (
        client_of(url, token, language) as client,
        client.stream("GET", f"{API}/games/{game_id(game)}/export", params=asked) as answer,
    ):
        if not answer.is_success:
            raise failure_of(answer)
        named = _NAMED.search(answer.headers.get("Content-Disposition", ""))
        target = output or (named[1] if named is not None else f"{game}.{wanted.suffix}")
        with output_file(target) as file, progress("Exporting (bytes)") as tell:
            for piece in answer.iter_bytes():
                file.write(piece)
                end = (end + piece)[-_LONGEST_END:]
                size += len(piece)
                tell(size, 0)
            if not _is_whole(wanted, end):
                raise NoAnswer(f"The answer from {url} was cut")
    return f"{size} bytes{_to(target)}"


def _is_whole(wanted: exports.Format, end: bytes) -> bool:
    """Whether a file is complete, as far as its last bytes can tell."""
    if wanted.last_line is None:
        return bool(end)
    *_, last = end.splitlines() or [b""]
    return last.startswith(wanted.last_line) and end.endswith(b"\n")


def _to(target: str) -> str:
    return "" if target == STANDARD_OUTPUT else f" to {target}"
