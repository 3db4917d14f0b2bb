"""The command `simulate`: let bots play games, and report the outcomes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from api.command.running.ledgers import ledger_in
from api.command.terminal.counts import count
from api.command.terminal.failures import BadInput, Command, GameThere
from api.command.terminal.figures import results_lines, settings_lines, spread_text, table_lines
from api.command.terminal.options import MOST_ROWS, all_rows_option, home_option
from api.command.terminal.progress import progress
from ledger import rulebooks
from ledger.games.games import GameExists
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.rules.bots import BANKER, RANDOM
from replays import simulation
from replays.board_use import names_in
from replays.keeping import keep
from replays.results import label_of
from replays.simulation import Outcome, Report, Series, Tables

if TYPE_CHECKING:
    from api.command.edition.checking import Checked


@click.command(cls=Command)
@click.argument("rulebook", required=False)
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="How many games to play.")
@click.option(
    "--edition",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="A board of your own, as a folder or a JSON file; its rulebook is the one played.",
)
@click.option(
    "--players", type=click.IntRange(1, 8), show_default="the most allowed", help="How many players a game has."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Game k of the series has the seed SEED + k.")
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    help="The strategy of the bots; the seats take several in turn.  [default: every strategy; on a board of your "
    "own all but random]",
)
@click.option(
    "--tables",
    type=click.Choice(["default", "varied"]),
    default="default",
    show_default=True,
    help="Play by the default settings, or at tables of all kinds in turn, which test every rule.",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the games.")
@click.option(
    "--actions",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    help="Stop a game after this many actions.",
)
@click.option(
    "--processes", type=click.IntRange(1), default=os.cpu_count() or 1, help="How many processes play at once."
)
@click.option(
    "--store",
    is_flag=True,
    help="Store the games in the database, so that they can be read, replayed and exported.",
)
@all_rows_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@home_option
def simulate(
    rulebook: str | None,
    games: int,
    folder: Path | None,
    players: int | None,
    seed: int,
    strategies: tuple[str, ...],
    tables: Tables,
    settings: tuple[str, ...],
    actions: int,
    processes: int,
    store: bool,
    everything: bool,
    as_json: bool,
    home: Path,
) -> None:
    """Let bots play games of a RULEBOOK.

    The report says how long the games were, who won, how much the seats were worth, and how often each rule
    applied. Intervals hold the true value with a probability of 95 %. The same seed gives the same journal. With
    --store the games are stored, each with an id simulated-…, and with the strategies of its seats. A game that is
    stored already is refused. The banker's token of each game is shown only once.

    With --edition the report also says how many rounds the games last, which titles their first owners do not win
    with, and which cards are never drawn or never change anything. A thousand games give steady numbers.
    """
    board = _board(folder) if folder else None
    if board is not None:
        if rulebook not in (None, board.rulebook):
            raise BadInput(f"{folder} is an edition for {board.rulebook}, and not for {rulebook}")
        rulebook = board.rulebook
    if rulebook is None:
        raise click.UsageError("Name a RULEBOOK, or a board with --edition.")
    books = rulebooks.rulebooks_by_id()
    if rulebook not in books:
        raise click.BadParameter(
            f"there is no rulebook {rulebook!r}; there are: {', '.join(books)}", param_hint="RULEBOOK"
        )
    offered = [name for name in books[rulebook].simulation.strategies if name != BANKER]
    if strange := [name for name in strategies if name not in offered]:
        raise BadInput(f"{rulebook} has no strategy {', '.join(strange)}; there are: {', '.join(offered)}")
    series = Series(
        rulebook=rulebook,
        games=games,
        players=players or books[rulebook].players[1],
        seed=seed,
        strategies=strategies or _usual(offered, board),
        tables=tables,
        settings=_settings(board, dict(_setting(setting) for setting in settings)),
        actions=actions,
    )
    if players is None:
        series = _full(series, books[rulebook].players[0])
    try:
        simulation.opening_of(series, seed)
    except (Refusal, msgspec.ValidationError) as fault:
        raise BadInput(f"These games cannot be played: {fault}") from fault
    stored: dict[str, str] = {}
    with progress("Playing") as tell:
        played = _stored(series, home, stored) if store else simulation.outcomes(series, processes)
        document = board.document if board else {}
        report = simulation.report_of(
            series,
            _with_progress(played, games, tell),
            titles=_titles(document),
            cards=names_in(document, "cards"),
        )
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(report) | ({"kept": stored} if store else {}), indent=2))
    else:
        click.echo(_text_of(report, series, everything))
        if board:
            click.echo("\n".join(_board_lines(report, board.document, everything=everything)))
        for game, token in stored.items():
            click.echo(f"kept {game}, banker's token {token}")


def _board(folder: Path) -> Checked:
    """Read an edition. Raises BadInput for an edition with faults, with the first one."""
    from api.command.edition.checking import checked

    board = checked(folder)
    if board.findings:
        raise BadInput(f"{board.findings[0].describe('en')} ({board.counted('en')}: see mabligop edition check)")
    return board


def _full(series: Series, fewest: int) -> Series:
    """Return the series with as many players as the table takes: a board may have few tokens."""
    for seats in range(series.players, fewest, -1):
        full = msgspec.structs.replace(series, players=seats)
        try:
            simulation.opening_of(full, series.seed)
        except (Refusal, msgspec.ValidationError):
            continue
        return full
    return msgspec.structs.replace(series, players=fewest)


def _usual(offered: list[str], board: Checked | None) -> tuple[str, ...]:
    """Return every strategy; without random moves on a board of one's own, because luck is judged there."""
    thinking = [name for name in offered if name != RANDOM]
    return tuple(thinking if board and thinking else offered)


def _settings(board: Checked | None, beside: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the games: those of the board, and the settings beside with priority."""
    if board is None:
        return beside
    from api.command.edition.files import taker_of

    return taker_of(board.rulebook).settings_of(board.document, beside)


def _titles(document: Mapping[str, Any]) -> list[str]:
    return [square["id"] for square in document.get("squares", ()) if square.get("price")]


def _setting(text: str) -> tuple[str, Any]:
    """Read a setting written as NAME=VALUE. The value is JSON, or else a text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInput(f"{text!r} sets nothing: a setting is given as NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _with_progress(played: Iterable[Outcome], total: int, tell: Callable[[int, int], None]) -> Iterator[Outcome]:
    for done, outcome in enumerate(played, start=1):
        tell(done, total)
        yield outcome


def _stored(series: Series, home: Path, tokens: dict[str, str]) -> Iterator[Outcome]:
    """Play and store the games of a series one by one. `tokens` gets each game's banker token by id."""
    with ledger_in(home, migrated=True) as ledger:
        for k in range(series.games):
            played = simulation.game_of(series, k)
            try:
                tokens[played.game.name] = keep(ledger, played)
            except GameExists as fault:
                raise GameThere(
                    f"Seed {played.seed} has been played and kept already as {played.game.name}"
                ) from fault
            yield simulation.outcome_of(played)


# ----------------------------------------------------------------------------------------------
# The report
# ----------------------------------------------------------------------------------------------


_ROOM = 60
"""The letters of a card's text in the report."""
_TABLES = {
    "default": "the default settings",
    "varied": "tables of all kinds in turn, which test every rule",
}


def _text_of(report: Report, series: Series, everything: bool) -> str:
    currency = rulebooks.rulebooks_by_id()[series.rulebook].accounts.currency
    settings = f", with {label_of(series.settings)}" if series.settings else ""
    lines = [
        f"{count(report.games, 'game')}, {report.ended} of them played to their end",
        f"actions: {spread_text(report.actions)}",
        f"journals: {report.journals}",
        f"tables: {_TABLES[report.tables]}{settings}",
        "",
        *_table("won by", report.wins, everything=True),
        *[f"{name:<34} worth {spread_text(worth)}" for name, worth in report.wealth.items()],
        *results_lines("strategies", report.strategies, currency, everything=everything),
        *results_lines("places in the order of play", report.places, currency, everything=everything),
        *settings_lines(report.settings, everything=everything),
        "",
        *_table("rules applied", report.rules, everything),
        *_table("actions", report.action_kinds, everything),
        *_table("events", report.event_kinds, everything),
    ]
    if report.never:
        lines.append(f"never happened: {', '.join(report.never)}")
    if report.unbalanced:
        lines.append(f"MADE OR LOST SOMETHING: seeds {', '.join(map(str, report.unbalanced))}")
    return "\n".join(lines)


def _board_lines(report: Report, document: Mapping[str, Any], *, everything: bool) -> Iterator[str]:
    """Describe the use of a board: rounds, titles without luck, cards without an effect."""
    names = {part: names_in(document, part) for part in ("squares", "cards")}
    titles = [(names["squares"].get(row.title, row.title), row) for row in report.titles]
    cards = [(names["cards"].get(row.card, row.card), row) for row in report.cards]
    if report.rounds:
        yield f"rounds: {spread_text(report.rounds)}"
    if report.ended:
        yield _listed("titles that nobody buys", [name for name, row in titles if not row.games])
        yield _listed("titles that nobody wins with", [name for name, row in titles if row.games and not row.won])
    yield _listed("cards that nobody draws", [name for name, row in cards if not row.drawn])
    yield _listed("cards that never change anything", [name for name, row in cards if row.drawn == row.idle > 0])
    yield from table_lines(
        "titles by luck of the first owner",
        ("games", "won", "%", "95 %"),
        [
            (name, row.games, row.won, row.share.percent, f"{row.share.low} to {row.share.high}")
            for name, row in titles
            if row.share is not None
        ],
        everything=everything,
    )
    yield from table_lines(
        "cards",
        ("drawn", "without an effect"),
        [(name[:_ROOM], row.drawn, row.idle) for name, row in cards],
        everything=everything,
    )


def _listed(words: str, names: Sequence[str]) -> str:
    return f"{words}: {', '.join(names) or 'none'}"


def _table(title: str, counts: dict[str, int], everything: bool) -> list[str]:
    printed = list(counts.items()) if everything else list(counts.items())[:MOST_ROWS]
    rows = [f"  {name:<32} {count:>9}" for name, count in printed]
    remaining = len(counts) - len(printed)
    return [f"{title}:", *rows, *([f"  … and {remaining} more (--all)"] if remaining else []), ""]
