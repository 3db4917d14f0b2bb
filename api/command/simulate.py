"""The command that lets bots play, and tells what came of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from api.command.terminal import (
    BadInput,
    Command,
    GameThere,
    database,
    home_option,
    migrate_database,
    patience,
    progress,
)
from ledger import rulebooks
from ledger.games.setups import Setup
from ledger.kernel.bots import BANKER
from ledger.kernel.journal import canonical
from ledger.kernel.refusals import Refusal
from ledger.moving.importing import GameExists, Taken
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.store import Store
from replays import simulation
from replays.simulation import Outcome, Played, Report, Series

_MOST = 12
"""How many rows of a long table are shown, unless all are asked for."""


@click.command(cls=Command)
@click.argument("rulebook")
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="How many games to play.")
@click.option("--players", type=click.IntRange(1, 8), show_default="as many as may", help="Players of a game.")
@click.option("--seed", type=int, default=1, show_default=True, help="Game k of the series has the seed SEED + k.")
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    help="Who plays; several are dealt to the seats in turn.  [default: every strategy of the rulebook]",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the games.")
@click.option("--actions", type=click.IntRange(1), default=20_000, show_default=True, help="Give a game up then.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1, help="How many play at once.")
@click.option("--store", is_flag=True, help="Keep the games in the database, to be read, replayed and exported.")
@click.option("--all", "everything", is_flag=True, help="Show every row of the tables.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@home_option
def simulate(
    rulebook: str,
    games: int,
    players: int | None,
    seed: int,
    strategies: tuple[str, ...],
    settings: tuple[str, ...],
    actions: int,
    processes: int,
    store: bool,
    everything: bool,
    as_json: bool,
    home: Path,
) -> None:
    """Let bots play games of a RULEBOOK, and report lengths, winners, wealth, and how often each rule applied.

    The same seed gives the same journal. With --store the games are kept, each under the id simulated-…, which is
    refused when the same series is there already; the banker's token of each is shown, this once.
    """
    known = rulebooks.known()
    if rulebook not in known:
        raise click.BadParameter(
            f"there is no rulebook {rulebook!r}; there are: {', '.join(known)}", param_hint="RULEBOOK"
        )
    offered = [name for name in known[rulebook].strategies if name != BANKER]
    if strange := [name for name in strategies if name not in offered]:
        raise BadInput(f"{rulebook} has no strategy {', '.join(strange)}; there are: {', '.join(offered)}")
    series = Series(
        rulebook=rulebook,
        games=games,
        players=players or known[rulebook].players[1],
        seed=seed,
        strategies=strategies or tuple(offered),
        settings=dict(_setting(one) for one in settings),
        actions=actions,
    )
    try:
        simulation.opening_of(series, seed)
    except (Refusal, msgspec.ValidationError) as fault:
        raise BadInput(f"These games cannot be played: {fault}") from fault
    kept: dict[str, str] = {}
    with progress("Playing") as tell:
        played = _stored(series, home, kept) if store else simulation.outcomes(series, processes)
        report = simulation.report_of(series, _counted(played, games, tell))
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(report) | ({"kept": kept} if store else {}), indent=2))
    else:
        click.echo(_told(report, everything))
        for game, token in kept.items():
            click.echo(f"kept {game}, banker's token {token}")


def _setting(text: str) -> tuple[str, Any]:
    """A setting given as NAME=VALUE; the value is JSON, or else a word."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInput(f"{text!r} sets nothing: a setting is given as NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _counted(played: Iterable[Outcome], total: int, tell: Any) -> Iterator[Outcome]:
    for done, outcome in enumerate(played, start=1):
        tell(done, total)
        yield outcome


def _stored(series: Series, home: Path, kept: dict[str, str]) -> Iterator[Outcome]:
    """Play a series one game after the other, keeping each, and noting its banker's token by its id."""
    with _ledger(home) as ledger:
        for k in range(series.games):
            played = simulation.game_of(series, k)
            kept[played.game.name] = keep(ledger, played)
            yield simulation.outcome_of(played)


@contextmanager
def _ledger(home: Path) -> Iterator[Ledger]:
    with database(home) as (url, _), patience("Opening the database …"):
        migrate_database(url)
        engine = connect(url)
        try:
            yield Ledger(Store(engine), rulebooks.known())
        finally:
            engine.dispose()


def keep(ledger: Ledger, played: Played) -> str:
    """Keep a simulated game, entry by entry as it was played; gives its banker's token.

    Raises GameThere when it is kept already.
    """
    game = played.game
    opening = game.opening
    setup = Setup(players=opening.players, settings=msgspec.to_builtins(opening.settings), dice=opening.dice)
    taken = Taken(
        game=game.name,
        rulebook=game.rulebook.id,
        title=f"{game.rulebook.title}, simulated ({played.seed})",
        created_at=game.journal[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=game.state.version,
        events=game.journal[-1].first_seq + len(game.journal[-1].events) - 1,
    )
    try:
        imported = ledger.importing.import_game(taken, lambda: (canonical(entry) for entry in game.journal))
    except GameExists as fault:
        raise GameThere(f"Seed {played.seed} has been played and kept already as {game.name}") from fault
    return str(imported.tokens.banker)


# ----------------------------------------------------------------------------------------------
# The report
# ----------------------------------------------------------------------------------------------


def _told(report: Report, everything: bool) -> str:
    fewest, median, most = report.actions
    lines = [
        f"{report.games} games, {report.ended} of them played to their end",
        f"actions: {fewest} to {most}, half of the games up to {median}",
        f"journals: {report.journals}",
        "",
        *_table("won by", report.wins, everything=True),
        *[
            f"{name:<34} worth {low} to {high}, half of them up to {middle}"
            for name, (low, middle, high) in report.wealth.items()
        ],
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


def _table(title: str, counts: dict[str, int], everything: bool) -> list[str]:
    shown = list(counts.items()) if everything else list(counts.items())[:_MOST]
    rows = [f"  {name:<32} {count:>9}" for name, count in shown]
    left = len(counts) - len(shown)
    return [f"{title}:", *rows, *([f"  … and {left} more (--all)"] if left else []), ""]
