"""A correction of the first throw of a game: its preview, and every reading before and after."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from ledger.kernel.facts.audience import BANKER
from ledger.reading.entries.journal import page_of_journal, read_entry
from ledger.reading.money.statements import statement
from ledger.service import Command
from tests.benchmarks import marathon
from tests.benchmarks.bench import Bench, say

ACTIONS = 1_200
LATE = 1_100
"""An action near the end."""
READ = 30
"""How often each thing is read."""
ROUNDS = 5


def measured(bench: Bench) -> None:
    """Play the game, and correct it."""
    ledger = bench.ledger
    actions, late, times = bench.size(ACTIONS, 40), bench.size(LATE, 30), bench.size(READ, 1)
    between = (late + actions) // 2
    game = marathon.create(ledger)
    marathon.run(ledger, game, actions, random.Random(11))
    entries = (read_entry(ledger.moment(game), number) for number in range(10, actions))
    throw = next(entry for entry in entries if entry is not None and entry.kind == "roll_dice")
    other = [7 - die for die in throw.params["dice"]]
    edits = [{"op": "replace", "action": throw.number, "params": {"dice": other}}]
    command = Command(kind="correct", params={"edits": edits, "cascade": "restate", "reason": "misread"})
    previews = [_seconds(lambda: ledger.preview(game, BANKER, command), 1) for _ in range(bench.rounds(ROUNDS))]
    preview = ledger.preview(game, BANKER, command).preview
    if preview is None:
        raise RuntimeError("a correction has no preview")
    say(
        f"preview of a correction at action {throw.number} of {actions:,}, restate",
        f"{statistics.median(previews) * 1e3:,.0f} ms",
        f"{preview.counts.restated} restated, {preview.counts.voided} voided",
        "< 300 ms",
    )
    reads: dict[str, Callable[[], object]] = {
        "the state": lambda: ledger.moment(game).newest,
        f"the state at action {between:,}": lambda: ledger.moment(game, at=between).state,
        "the last 50 entries of the journal": lambda: page_of_journal(ledger.moment(game), newest_first=True),
        f"50 entries behind action {late:,}": lambda: page_of_journal(ledger.moment(game), cursor=late),
        "a statement from the start": lambda: statement(ledger.moment(game), "player:ana"),
        f"a statement behind action {late:,}": lambda: statement(ledger.moment(game), "player:ana", cursor=late),
    }
    before = {name: _seconds(read, times) for name, read in reads.items()}
    ledger.perform(game, BANKER, command)
    for name, read in reads.items():
        after = _seconds(read, times)
        say(
            f"{name}, after that correction",
            f"{after * 1e3:.2f} ms = {after / before[name]:.2f}",
            f"before {before[name] * 1e3:.2f} ms",
            "not slower",
        )


def _seconds(work: Callable[[], object], times: int) -> float:
    """The median seconds of a number of calls."""
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)
