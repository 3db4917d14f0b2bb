"""The command `statistics`: totals over many games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from api.command.running.ledgers import ledger_in
from api.command.terminal.counts import count
from api.command.terminal.failures import BadInput, Command
from api.command.terminal.figures import results_lines, settings_lines, spread_text, table_lines
from api.command.terminal.options import all_rows_option, home_option, language_option
from api.command.terminal.progress import progress
from ledger import rulebooks
from ledger.store.store import Store
from replays.statistics.kept import kept_figures
from replays.statistics.several import SeveralGames, Totals

_PAGE = 100


@click.command(cls=Command)
@click.argument("games", nargs=-1)
@click.option("--rulebook", help="Only games of this rulebook.")
@click.option("--ended", is_flag=True, help="Only games that have ended.")
@language_option
@all_rows_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@home_option
def statistics(
    games: tuple[str, ...],
    rulebook: str | None,
    ended: bool,
    language: str,
    everything: bool,
    as_json: bool,
    home: Path,
) -> None:
    """Print totals over many games.

    GAMES are the ids of games; without any, all games of the database are read. Each rulebook has totals of its
    own. The sums of a game are kept in the database, and computed again only when the game has gone on. Intervals
    hold the true value with a probability of 95 %. The games are read from the database of DATABASE_URL, or from
    the one in the data folder. For a single game, the service has more at /games/{game}/statistics, and `mabligop
    export --format html` draws a report.
    """
    books = rulebooks.rulebooks_by_id()
    if rulebook is not None and rulebook not in books:
        raise BadInput(f"There is no rulebook {rulebook!r}; there are: {', '.join(books)}")
    by_rulebook: dict[str, SeveralGames] = {}
    with ledger_in(home, migrated=False) as ledger:
        selected = books if rulebook is None else {rulebook}
        game_ids = list(games) or [item for item, of in _all(ledger.store) if of in selected]
        with progress("Reading games") as tell:
            for done, game in enumerate(game_ids, start=1):
                figures = kept_figures(ledger, game, language)
                if figures.rulebook in selected and (figures.ended or not ended):
                    by_rulebook.setdefault(figures.rulebook, SeveralGames()).add(figures)
                tell(done, len(game_ids))
    totals = [by_rulebook[name].totals() for name in sorted(by_rulebook)]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(totals), indent=2))
    else:
        click.echo("\n\n".join(_text_of(item, everything) for item in totals) or "no games")


def _all(store: Store) -> Iterator[tuple[str, str]]:
    """Yield the id and the rulebook of every game."""
    position: tuple[datetime, str] | None = None
    while page := store.games.newest(cursor=position, limit=_PAGE):
        yield from ((record.game_id, record.rulebook) for record in page)
        position = page[-1].created_at, page[-1].game_id


# ----------------------------------------------------------------------------------------------
# The output
# ----------------------------------------------------------------------------------------------


def _text_of(totals: Totals, everything: bool) -> str:
    lines = [
        f"{totals.rulebook}: {count(totals.games, 'game')}, {totals.ended} ended",
        f"actions {spread_text(totals.actions)}; seconds {spread_text(totals.lasted)}",
    ]
    if totals.gini is not None:
        lines.append(f"Gini coefficient at the end {spread_text(totals.gini, scale=10_000)}")
    lines.append(f"{count(totals.corrections, 'correction')}, {count(totals.rulings, 'ruling')}")
    lines += settings_lines(totals.settings, everything=everything)
    lines += results_lines("strategies", totals.strategies, totals.currency, everything=everything)
    lines += results_lines("places in the order of play", totals.places, totals.currency, everything=everything)
    tables: Sequence[tuple[str, Sequence[str], Iterable[Sequence[Any]]]] = (
        (
            "players",
            ("games", "ended", "won", f"worth at the end ({totals.currency})"),
            ((row.name, row.games, row.ended, row.won, spread_text(row.worth)) for row in totals.players),
        ),
        (
            f"money ({totals.currency})",
            ("paid", "times"),
            ((row.name, row.amount, row.times) for row in totals.money),
        ),
        (
            "counted",
            ("number", totals.currency),
            ((row.name, row.quantity, "" if row.money is None else row.money) for row in totals.counts),
        ),
        (
            "dice",
            ("sum", "expected", "faces"),
            ((row.name, row.total, row.expected, " ".join(map(str, row.faces))) for row in totals.dice),
        ),
        (
            "returns",
            ("games", "cost", "income", "of it rent", "rents", "%"),
            (
                (row.name, row.games, row.cost, row.income, row.rent, row.rents, row.percent)
                for row in totals.estates
            ),
        ),
    )
    for title, columns, rows in tables:
        lines += table_lines(title, columns, rows, everything=everything)
    return "\n".join(lines)
