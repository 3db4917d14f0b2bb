"""The commands `games list`, `end`, `archive`, `credentials` and `revoke`: the games of a database, for the
operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import click
import msgspec

from api.command.running.database import database_in_use
from api.command.running.ledgers import ledger_on, record_pages
from api.command.running.signals import interruptible
from api.command.terminal.counts import count
from api.command.terminal.failures import EXIT_CODES, BadInput, Command, Failure, NoGame, capital
from api.command.terminal.options import home_option, language_option
from api.command.terminal.output_file import STANDARD_OUTPUT, output_file
from api.command.terminal.progress import progress
from ledger.acting.allowing import Command as ActionCommand
from ledger.acting.outcomes import TooBusy
from ledger.games.games import UnknownGame, UnknownRulebook
from ledger.games.setups import seating_of
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.language.phrase import Phrase
from ledger.moving.exporting import Export
from ledger.reading.table.glances import glances
from ledger.service import Ledger
from ledger.store.backups.archive import utc
from ledger.store.records import Credential, GameRecord
from replays import exports

_STATUSES = ("setup", "play", "ended", "unreadable")
_BY_OPERATOR = Phrase("the operator of the service: {}", "l'exploitant du service : {}")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class _Listed(msgspec.Struct, frozen=True):
    """A game in the list. `unreadable` is the status of a damaged game, or of a game with an unknown rulebook."""

    game: str
    rulebook: str
    status: str
    actions: int
    created_at: datetime
    last_at: datetime | None
    seats: tuple[Seat, ...]
    title: str


class _Issued(msgspec.Struct, frozen=True):
    """A credential in the list, without the token."""

    id: str
    role: str
    seat: str | None
    player: str | None
    created_at: datetime
    revoked_at: datetime | None


@click.group(epilog=EXIT_CODES)
def games() -> None:
    """List the games of a database; end or archive a game, and close tokens.

    The database is that of DATABASE_URL, or the one in the data folder. The service may go on: its workers see
    every change at once.
    """


@games.command("list", cls=Command)
@click.option("--rulebook", help="Only games of this rulebook.")
@click.option("--status", type=click.Choice(_STATUSES), help="Only games in this state.")
@click.option(
    "--idle", metavar="DAYS", type=click.IntRange(0), help="Only games without an action for so many days."
)
@_json_option
@home_option
def list_games(rulebook: str | None, status: str | None, idle: int | None, as_json: bool, home: Path) -> None:
    """List the games, newest first: title, rulebook, times, number of actions, state, seats."""
    with _ledger(home) as ledger:
        if rulebook is not None and rulebook not in ledger.rulebooks:
            raise BadInput(f"There is no rulebook {rulebook!r}; there are: {', '.join(ledger.rulebooks)}")
        latest = None if idle is None else ledger.clock.current_time() - timedelta(days=idle)
        listed = [
            game
            for page in record_pages(ledger)
            for game in _listed(ledger, page)
            if rulebook in {None, game.rulebook} and status in {None, game.status}
            if latest is None or (game.last_at or game.created_at) <= latest
        ]
    if as_json:
        _print_json(listed)
        return
    rows = [
        (
            game.game,
            game.rulebook,
            game.status,
            count(game.actions, "action"),
            f"made {utc(game.created_at)}",
            "" if game.last_at is None else f"last {utc(game.last_at)}",
            " ".join(seat.seat for seat in game.seats),
            game.title,
        )
        for game in listed
    ]
    _print_rows(rows, "no games")


def _listed(ledger: Ledger, page: Sequence[GameRecord]) -> Iterator[_Listed]:
    """Yield the rows of a page of games."""
    readable = [record for record in page if record.rulebook in ledger.rulebooks]
    overviews = {record.game_id: overview for record, overview, _ in glances(ledger.games, ledger.clock, readable)}
    for record in page:
        overview = overviews.get(record.game_id)
        yield _Listed(
            record.game_id,
            record.rulebook,
            "unreadable" if overview is None else overview.status,
            ledger.store.journal.head(record.game_id) if overview is None else overview.version,
            record.created_at,
            None if overview is None else overview.last_at,
            _seats(record),
            record.title,
        )


def _seats(record: GameRecord) -> tuple[Seat, ...]:
    try:
        return seating_of(record).players
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ()


@games.command(cls=Command)
@click.argument("game")
@click.option("--reason", required=True, help="The reason, for the journal: the whole table reads it.")
@language_option
@home_option
def end(game: str, reason: str, language: str, home: Path) -> None:
    """End a GAME before its time, as its banker: with the action `end_game` of its rulebook.

    The rules decide when the game is over: a game of Negopoly ends with the round under way, a game of Monopolys
    between two seasons. The action stands in the journal like every action of the banker, and the reason names
    the operator. Some rulebooks have no such action.
    """
    with _ledger(home) as ledger:
        rulebook = ledger.games.open(game).rulebook
        action = rulebook.actions.get("end_game")
        if action is None:
            raise BadInput(
                f"{rulebook.title} has no action that ends a game before its time: the table plays to the end."
                f" To put the game aside: mabligop games archive {game}"
            )
        has_reason = "reason" in action.__struct_fields__
        params = {"reason": _BY_OPERATOR.in_language(language).format(reason)} if has_reason else {}
        try:
            performed = ledger.perform(
                game, BANKER, ActionCommand(kind="end_game", params=params), language=language
            )
        except Refusal as refusal:
            raise BadInput(capital(refusal.sentence(language))) from refusal
        except TooBusy as busy:
            raise Failure(capital(str(busy))) from busy
        ended = ledger.moment(game).newest.ended
    click.echo(f"{performed.entry.number}  {performed.entry.sentence}")
    if not has_reason:
        click.echo("The journal of this game has no place for a reason.", err=True)
    click.echo("The game is over." if ended else "The game goes on to the end that its rules give.")


@games.command(cls=Command)
@click.argument("game")
@click.option("-o", "--output", help="The file; by default named after the game. `-` is standard output.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "log"]),
    default="jsonl",
    show_default=True,
    help="The whole journal, to import again; or the signed log with all entries, to verify.",
)
@click.option("-f", "--force", is_flag=True, help="Replace a file that is there already.")
@language_option
@home_option
def archive(game: str, output: str | None, form: str, force: bool, language: str, home: Path) -> None:
    """Write a GAME to a file, with everything that the banker may see, even beside a running service.

    Only the owner can read the file: it has the secrets of the game. The game stays in the database, because a
    journal is never deleted; nothing of the service offers that.
    """
    chosen = exports.FORMATS[form]
    with _ledger(home) as ledger:
        export = Export(ledger.moment(game), language, logs=ledger.logs)
        target = output or exports.file_name(chosen, export)
        with output_file(target, replace=force, private=True) as file, progress("Archiving") as tell:
            for piece in exports.pieces(chosen, export, progress=tell):
                file.write(piece)
    to = "" if target == STANDARD_OUTPUT else f" to {target}"
    click.echo(f"Archived {count(export.version, 'action')}, {count(export.state.seq, 'event')}{to}", err=True)


@games.command(cls=Command)
@click.argument("game")
@_json_option
@home_option
def credentials(game: str, as_json: bool, home: Path) -> None:
    """List the credentials of a GAME: role, seat, times. Tokens are stored nowhere, and never shown again."""
    with _ledger(home) as ledger:
        names = {seat.seat: seat.name for seat in _seats(_record(ledger, game))}
        issued = [
            _Issued(
                credential.credential_id,
                credential.role,
                credential.seat,
                names.get(credential.seat or ""),
                credential.created_at,
                credential.revoked_at,
            )
            for credential in ledger.tokens.issued(game)
        ]
    if as_json:
        _print_json(issued)
        return
    rows = [
        (
            row.id,
            row.role,
            row.seat or "",
            row.player or "",
            f"issued {utc(row.created_at)}",
            "in force" if row.revoked_at is None else f"revoked {utc(row.revoked_at)}",
        )
        for row in issued
    ]
    _print_rows(rows, "no credentials")


@games.command(cls=Command)
@click.argument("game")
@click.argument("credential")
@click.option("--replace", is_flag=True, help="Issue a new token for the same role and seat, and print the token.")
@home_option
def revoke(game: str, credential: str, replace: bool, home: Path) -> None:
    """Revoke a CREDENTIAL of a GAME, by the id in the list of credentials.

    Devices with the token are closed at once. The last token of a banker is only replaced: without a token of the
    banker nobody could give another.
    """
    with _ledger(home) as ledger:
        _record(ledger, game)
        in_force = [row for row in ledger.tokens.issued(game) if row.revoked_at is None]
        if not replace and _is_last_banker(in_force, credential):
            raise BadInput("This is the last token of the banker: add --replace")
        token = None
        if replace:
            new = ledger.tokens.replace(game, credential)
            done, token = new is not None, None if new is None else new.token
        else:
            done = ledger.tokens.revoke(game, credential)
    if not done:
        raise NoGame(f"No credential {credential} of game {game} is in force")
    click.echo(f"Revoked {credential} of game {game}.", err=token is not None)
    if token is not None:
        click.echo(token)


def _is_last_banker(in_force: Sequence[Credential], credential: str) -> bool:
    return [row.credential_id for row in in_force if row.role == "banker"] == [credential]


@contextmanager
def _ledger(home: Path) -> Iterator[Ledger]:
    """Open the ledger, also beside a running service. Raises NoGame for a game unknown to the block."""
    try:
        with interruptible(), database_in_use(home) as url, ledger_on(url, home) as ledger:
            yield ledger
    except UnknownGame as missing:
        raise NoGame(f"There is no game {missing} in the database") from missing
    except UnknownRulebook as missing:
        raise BadInput(capital(str(missing))) from missing


def _record(ledger: Ledger, game: str) -> GameRecord:
    record = ledger.store.games.get(game)
    if record is None:
        raise UnknownGame(game)
    return record


def _print_json(rows: Sequence[msgspec.Struct]) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2))


def _print_rows(rows: Iterable[Sequence[str]], empty: str) -> None:
    """Print rows in columns, or the text for no rows. The last column may have any width."""
    table = [*rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if not table:
        click.echo(empty)
