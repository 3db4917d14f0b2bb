"""The command `statistics`: totals over many games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from api.command.database import END_THE_SERVICE, ledger_in
from api.command.failures import BadInput, Command
from api.command.options import MOST_ROWS, all_rows_option, home_option, language_option
from api.command.progress import progress
from ledger import rulebooks
from ledger.moving.exporting import Export
from ledger.service import Ledger
from ledger.store.store import Store
from replays.statistics import statistics_of
from replays.statistics.several import SeveralGames, Spread, Totals

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
    own. The games are read from the database of DATABASE_URL, or from the one in the data folder. For a single
    game, the service has more at /games/{game}/statistics, and `mabligop export --format html` draws a report.
    """
    known = rulebooks.known()
    if rulebook is not None and rulebook not in known:
        raise BadInput(f"There is no rulebook {rulebook!r}; there are: {', '.join(known)}")
    found: dict[str, SeveralGames] = {}
    with ledger_in(home, migrated=False, when_busy=END_THE_SERVICE) as ledger:
        wanted = list(games) or [one for one, of in _all(ledger.store) if of in known]
        with progress("Reading games") as tell:
            for done, game in enumerate(wanted, start=1):
                _add(found, ledger, game, rulebook, language, ended=ended)
                tell(done, len(wanted))
    totals = [found[name].totals() for name in sorted(found)]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(totals), indent=2))
    else:
        click.echo("\n\n".join(_text_of(one, everything) for one in totals) or "no games")


def _all(store: Store) -> Iterator[tuple[str, str]]:
    """The id and the rulebook of every game."""
    after: tuple[datetime, str] | None = None
    while page := store.games(after=after, limit=_PAGE):
        yield from ((one.game_id, one.rulebook) for one in page)
        after = page[-1].created_at, page[-1].game_id


def _add(
    found: dict[str, SeveralGames], ledger: Ledger, game: str, rulebook: str | None, language: str, *, ended: bool
) -> None:
    export = Export(ledger.moment(game), language)
    name = export.record.rulebook
    if rulebook in {None, name} and (export.state.ended or not ended):
        found.setdefault(name, SeveralGames()).take(statistics_of(export))


# ----------------------------------------------------------------------------------------------
# What is printed
# ----------------------------------------------------------------------------------------------


def _text_of(totals: Totals, everything: bool) -> str:
    lines = [
        f"{totals.rulebook}: {totals.games} {'game' if totals.games == 1 else 'games'}, {totals.ended} ended",
        f"actions {_spread(totals.actions)}; seconds {_spread(totals.lasted)}",
    ]
    if totals.gini is not None:
        lines.append(f"Gini coefficient at the end {_spread(totals.gini, scale=10_000)}")
    lines.append(f"{totals.corrections} corrections, {totals.rulings} rulings")
    tables: Sequence[tuple[str, Sequence[str], Iterable[Sequence[Any]]]] = (
        (
            "players",
            ("games", "ended", "won", f"worth at the end ({totals.currency})"),
            ((one.name, one.games, one.ended, one.won, _spread(one.worth)) for one in totals.players),
        ),
        (
            f"money ({totals.currency})",
            ("paid", "times"),
            ((one.name, one.amount, one.times) for one in totals.money),
        ),
        (
            "counted",
            ("number", totals.currency),
            ((one.name, one.quantity, "" if one.money is None else one.money) for one in totals.counts),
        ),
        (
            "dice",
            ("sum", "expected", "faces"),
            ((one.name, one.total, one.expected, " ".join(map(str, one.faces))) for one in totals.dice),
        ),
        (
            "returns",
            ("games", "cost", "income", "of it rent", "rents", "%"),
            (
                (one.name, one.games, one.cost, one.income, one.rent, one.rents, one.percent)
                for one in totals.estates
            ),
        ),
    )
    for title, columns, rows in tables:
        lines += _table(title, columns, [[str(cell) for cell in row] for row in rows], everything)
    return "\n".join(lines)


def _spread(spread: Spread | None, scale: int = 1) -> str:
    if spread is None:
        return ""
    least, middle, most = (str(one) if scale == 1 else f"{one / scale:.2f}" for one in spread)
    return least if least == most else f"{least} to {most}, median {middle}"


def _table(title: str, columns: Sequence[str], rows: list[list[str]], everything: bool) -> list[str]:
    if not rows:
        return []
    shown = rows if everything else rows[:MOST_ROWS]
    head = [title, *columns]
    widths = [max(map(len, column)) for column in zip(head, *shown, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *shown)
    ]
    left = len(rows) - len(shown)
    return ["", *lines, *([f"… and {left} more (--all)"] if left else [])]
