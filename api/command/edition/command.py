"""The commands `edition new`, `edition import`, `edition check` and `edition json`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from api.command.terminal.failures import EXIT_CODES, BadInput, Command
from api.command.terminal.options import language_option

_SEATED = re.compile(r"(?P<seat>[a-z][a-z0-9_-]{0,19})(?:=(?P<name>.{1,80}))?")
_path = click.Path(path_type=Path)


@click.group(epilog=EXIT_CODES)
def edition() -> None:
    """Write, check and send a board of your own.

    An edition is a folder of TOML files: edition.toml has the title and the options of the table, and the rulebook
    where it is not monopoly; the others have the pieces.
    """


@edition.command(cls=Command)
@click.argument("folder", type=_path)
@click.option("--rulebook", default="monopoly", show_default=True, help="The game that the edition is for.")
def new(folder: Path, rulebook: str) -> None:
    """Write a new edition into a FOLDER: a small town, or the pieces of the game, to be changed.

    Comments in the files explain every part. A folder that is there already, and is not empty, is left as it is.
    """
    from api.command.edition.starting import start

    start(folder, rulebook)
    click.echo(f"{folder} holds a new edition: change its files, then run: mabligop edition check {folder}")


@edition.command("import", cls=Command)
@click.argument("file", type=_path)
@click.argument("folder", type=_path, required=False)
def import_table(file: Path, folder: Path | None) -> None:
    """Make a board from a table of squares in FILE (CSV), and write the edition into a new FOLDER.

    The first line names the columns, in any order: name, kind, group, price, rents (or rent, rent1 … hotel),
    house price, mortgage, amount, colour, deck, position; in English or French, with commas, semicolons or tabs.
    Without FOLDER, the name of FILE is the name of the folder. Gaps are guessed, and each guess is a comment.
    """
    from api.command.edition.checking import checked
    from api.command.edition.importing import import_file

    target = folder or file.with_suffix("")
    guesses = import_file(file, target)
    result = checked(target)
    for finding in result.findings:
        click.echo(finding.describe("en"))
    for warning in result.warnings:
        click.echo(f"warning: {warning.describe('en')}", err=True)
    click.echo(f"{target}: {result.counted('en') if result.findings else result.summary('en')}")
    click.echo(f"guesses in the files: {guesses} (search for: # guessed)")


@edition.command(cls=Command)
@click.argument("folder", type=_path)
@language_option
@click.pass_context
def check(context: click.Context, folder: Path, language: str) -> None:
    """Say what is wrong with the edition in a FOLDER.

    Each line names the file, the line, the place and the reason. A JSON file is checked, too: the places in it are
    JSON Pointers. The exit code is 1 when anything is wrong. A warning is about a part
    without effect.
    """
    from api.command.edition.checking import checked
    from ledger.kernel.language.phrase import Phrase

    result = checked(folder)
    for finding in result.findings:
        click.echo(finding.describe(language))
    if result.findings:
        click.echo(result.counted(language), err=True)
        context.exit(1)
    named = Phrase("warning", "avertissement").in_language(language)
    for warning in result.warnings:
        click.echo(f"{named}: {warning.describe(language)}", err=True)
    click.echo(f"{folder}: {result.summary(language)}")


@edition.command("json", cls=Command)
@click.argument("folder", type=_path)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SEAT[=NAME]",
    help="A player, such as ana or ana=Ana; once for each. The output is then a whole request for a new game.",
)
@click.option(
    "--dice",
    type=click.Choice(["service", "table", "shared", "shared_or_table"]),
    default="service",
    show_default=True,
    help="Who throws the dice of that game.",
)
@click.pass_context
def as_json(context: click.Context, folder: Path, players: tuple[str, ...], dice: str) -> None:
    """Print the edition in a FOLDER as JSON.

    With players it is the body of POST /api/v1/games; without, only the member `edition` of that body. An edition
    that is not fit to play is not printed, and the exit code is 1.
    """
    import msgspec

    from api.command.edition.checking import checked

    result = checked(folder)
    if result.findings:
        for finding in result.findings:
            click.echo(finding.describe("en"), err=True)
        click.echo(result.counted("en"), err=True)
        context.exit(1)
    document: dict[str, Any] = result.document
    if players:
        document = {
            "rulebook": result.rulebook,
            "players": [_player(player) for player in players],
            "dice": dice,
            "edition": document,
        }
    click.echo(msgspec.json.encode(document).decode())


def _player(text: str) -> dict[str, str]:
    matched = _SEATED.fullmatch(text)
    if matched is None:
        raise BadInput(f"{text!r} is no player: a seat has small letters, digits, - and _, and may have =NAME")
    return {"seat": matched["seat"], "name": matched["name"] or matched["seat"].capitalize()}
