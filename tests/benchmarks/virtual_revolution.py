"""The Virtual Revolution engine on one core: decide and record, everybody's moves, simulated play."""

from __future__ import annotations

import statistics
import time

from ledger.rulebooks.virtual_revolution import RULEBOOK
from replays.simulation import Series, game_of
from tests.benchmarks.bench import Bench, say
from tests.benchmarks.monopoly import decided, moves_taken

PLAYERS = 4
GAMES = 20
MIDDLE = 150
"""After so many actions the third of the five rounds is played."""


def measured(bench: Bench) -> None:
    """Measure games of the bots at the default table."""
    count = bench.size(GAMES, 1)
    styles = ("builder", "recruiter", "creator", "schemer")
    series = Series(rulebook=RULEBOOK.id, games=count, players=PLAYERS, seed=1, strategies=styles)
    began = time.process_time()
    games = [game_of(series, k) for k in range(count)]
    rate = sum(played.game.state.version for played in games) / (time.process_time() - began)
    say(f"{RULEBOOK.id}: simulated actions, one core", f"{rate:,.0f}/s", "-", ">= 1,500/s")
    say(f"{RULEBOOK.id}: decide and record", f"{decided(RULEBOOK, games):,.0f}/s", "-", ">= 8,000/s")
    taken = [
        seconds for played in games for seconds in moves_taken(RULEBOOK, played, MIDDLE, played.game.state.seats)
    ]
    slow = statistics.quantiles(taken, n=10)[-1]
    say(
        f"{RULEBOOK.id}: moves of a seat in mid-game, CPU",
        f"{statistics.median(taken) * 1e3:.2f} ms",
        f"1 in 10: {slow * 1e3:.2f} ms",
        "< 5 ms",
    )
