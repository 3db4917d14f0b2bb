"""Appending actions with three events, by the store and by the bare statement in turn, one connection each."""

from __future__ import annotations

import statistics
import time

from ledger.store.journal import APPEND, append_parameters
from tests.benchmarks.bare import an_action, bare_cursor, new_game
from tests.benchmarks.bench import Bench, say

ACTIONS = 1500
ROUNDS = 5


def measured(bench: Bench) -> None:
    """Append by the store, and by the bare statement."""
    count = bench.size(ACTIONS, 20)
    cursor = bare_cursor(bench.url)
    through: list[float] = []
    bare: list[float] = []
    for turn in range(bench.rounds(ROUNDS)):
        game = new_game(bench.store, f"store{turn}")
        actions = [an_action(number) for number in range(1, count + 1)]
        began = time.perf_counter()
        for action in actions:
            bench.store.journal.append(game, action)
        through.append(count / (time.perf_counter() - began))
        game = new_game(bench.store, f"bare{turn}")
        parameters = [append_parameters(game, action) for action in actions]
        began = time.perf_counter()
        for values in parameters:
            cursor.execute(APPEND, values)
            cursor.fetchone()
        bare.append(count / (time.perf_counter() - began))
        for name in (f"store{turn}", game):
            if bench.store.journal.head(name) != count:
                raise RuntimeError(f"{bench.store.journal.head(name)} actions of {count} were appended")
    cursor.connection.close()
    ratio = statistics.median(rate / floor for rate, floor in zip(through, bare, strict=True))
    say(
        "append of an action with 3 events, one connection",
        f"{statistics.median(through):,.0f}/s = {ratio:.2f}",
        f"bare {statistics.median(bare):,.0f}/s",
        ">= 0.70",
    )
