"""The Monopoly engine on one core, an edition at a time: decide and record, everybody's moves, simulated play."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.moves import moves
from ledger.kernel.deciding.steps import entry_of
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.entry import Entry, canonical
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.monopoly import RULEBOOKS
from replays.simulation import Played, Series, game_of
from tests.benchmarks.bench import Bench, progress, say

PLAYERS = 4
GAMES = 20
MIDDLE = 300
"""After so many actions most titles are owned, and the first groups are built."""
ASKED = 7


def measured(bench: Bench) -> None:
    """Measure each edition by games of its bots at its default table."""
    count = bench.size(GAMES, 1)
    for rulebook in RULEBOOKS:
        progress(rulebook.id)
        series = Series(rulebook=rulebook.id, games=count, players=PLAYERS, seed=1, strategies=("bold", "careful"))
        began = time.process_time()
        games = [game_of(series, k) for k in range(count)]
        rate = sum(played.game.state.version for played in games) / (time.process_time() - began)
        say(f"{rulebook.id}: simulated actions, one core", f"{rate:,.0f}/s", "-", ">= 4,000/s")
        say(f"{rulebook.id}: decide and record", f"{decided(rulebook, games):,.0f}/s", "-", "reported")
        taken = [seconds for played in games for seconds in moves_taken(rulebook, played, MIDDLE)]
        slow = statistics.quantiles(taken, n=10)[-1]
        say(
            f"{rulebook.id}: moves of a seat in mid-game, CPU",
            f"{statistics.median(taken) * 1e3:.2f} ms",
            f"1 in 10: {slow * 1e3:.2f} ms",
            "< 3 ms",
        )


def decided(rulebook: Rulebook[Any], games: Sequence[Played]) -> float:
    """How many actions a second are decided again from what was recorded, up to the first correction."""
    actions, seconds = 0, 0.0
    for played in games:
        state = rulebook.blank()
        for request in _requests(rulebook, played.game.journal):
            began = time.process_time()
            decision = decide(rulebook, state, request, chance=None)
            canonical(entry_of("bench", request, decision, salt="00"))
            seconds += time.process_time() - began
            state = decision.state
            actions += 1
    return actions / seconds


def _requests(rulebook: Rulebook[Any], journal: Sequence[Entry]) -> Iterator[Request]:
    for entry in journal:
        action = rulebook.codec.action(entry.kind, bytes(entry.params))
        if action.docket:
            return
        yield Request(action=action, seat=entry.seat, by=entry.by, at=entry.recorded_at, draws=entry.draws)


def moves_taken(
    rulebook: Rulebook[Any], played: Played, middle: int, seats: Iterable[str] | None = None
) -> Iterator[float]:
    """The median CPU seconds of listing the moves of each player after so many actions."""
    state = played.game.past.state_after(min(middle, played.game.state.version - 1))
    at = state.last_at + timedelta(seconds=1)
    for seat in rulebook.screen.summary(state)["in_play"] if seats is None else seats:
        viewer, taken = Viewer("player", seat), []
        for _ in range(ASKED):
            began = time.process_time()
            moves(rulebook, state, seat, rulebook.accounts.purse(seat), viewer, at)
            taken.append(time.process_time() - began)
        yield statistics.median(taken)
