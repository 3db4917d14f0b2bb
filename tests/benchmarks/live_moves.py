"""What a seat is shown after every action, its moves and its state: the CPU time of the functions alone.

Simulated games of six are looked at after their 1,000th action, as each of the players in play.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from ledger.games.moments import Moment
from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.reading.moves.moves import open_moves, shown_moves
from ledger.reading.moves.offered import combine_moves
from ledger.reading.table.states import shown_state
from ledger.service import Ledger
from replays.keeping import keep
from replays.simulation import Series, game_of
from tests.benchmarks.bench import Bench, say

PLAYERS = 6
AFTER = 1_000
"""The number of actions after which the games are looked at."""
SETTINGS = {"starting_balance": 6_000, "max_rounds": 100_000, "game_ender_stock": 0}
SEEDS = (1, 2, 3)
STRATEGIES = ("plain", "random")
ROUNDS = 7

OFF_TURN, ON_TURN = "moves of a seat not on turn", "moves of the seat on turn"
LABELLED = "labels and groups of moves"
AGAIN, AGAIN_LABELLED = "moves asked for again", "moves with labels asked for again"
STATE, STATE_FIRST = "state of one viewer of seven", "state of the first viewer alone"
STATE_AGAIN = "state asked for again"
GOALS = {
    OFF_TURN: "< 2 ms",
    ON_TURN: "< 6 ms",
    LABELLED: "reported",
    AGAIN: "< 0.1 ms",
    AGAIN_LABELLED: "< 0.1 ms",
    STATE: "< 0.5 ms",
    STATE_FIRST: "reported",
    STATE_AGAIN: "reported",
}


def live_moves(bench: Bench) -> None:
    """Measure the moves and the state of players on turn and not on turn: the median, and the slowest of ten."""
    ledger, rounds = bench.ledger, bench.rounds(ROUNDS)
    actions, seeds = bench.size(AFTER, 100), SEEDS[: bench.size(len(SEEDS), 2)]
    taken: dict[str, list[float]] = {}
    for game in [_simulated(ledger, seed, actions) for seed in seeds]:
        now = ledger.moment(game).newest
        for seat in ledger.moment(game).rulebook.screen.summary(now)["in_play"]:
            for name, seconds in _of_seat(ledger, game, Viewer("player", seat), rounds):
                taken.setdefault(name, []).append(seconds)
        taken.setdefault(STATE, []).append(_of_all(ledger, game, rounds))
    for name, goal in GOALS.items():
        median, slow = statistics.median(taken[name]), statistics.quantiles(taken[name], n=10)[-1]
        say(f"{name}, function alone", f"{median * 1e3:.2f} ms", f"1 in 10: {slow * 1e3:.2f} ms", goal)


def _simulated(ledger: Ledger, seed: int, actions: int) -> str:
    """Store a simulated game after so many actions, and return its id."""
    series = Series(
        rulebook="negopoly",
        games=1,
        players=PLAYERS,
        seed=seed,
        strategies=STRATEGIES,
        settings=SETTINGS,
        actions=actions,
    )
    played = game_of(series, 0)
    keep(ledger, played)
    return str(played.game.name)


def _of_seat(ledger: Ledger, game: str, viewer: Viewer, rounds: int) -> Iterator[tuple[str, float]]:
    """Each thing that is measured for a player, with its CPU seconds."""
    moment = ledger.moment(game, viewer)
    rulebook, now, seat = moment.rulebook, moment.newest, viewer.seat or ""
    at = _soon_after(moment)
    purse = rulebook.accounts.purse(seat)
    on_turn = rulebook.screen.summary(now).get("turn") == seat
    yield ON_TURN if on_turn else OFF_TURN, _seconds(lambda: moves(rulebook, now, seat, purse, viewer, at), rounds)
    legal = moves(rulebook, now, seat, purse, viewer, at)
    yield LABELLED, _seconds(lambda: combine_moves(rulebook, now, seat, legal, "en"), rounds)
    yield AGAIN, _seconds(lambda: open_moves(moment, seat, at), rounds)
    yield AGAIN_LABELLED, _seconds(lambda: shown_moves(moment, seat, at, "en"), rounds)
    yield STATE_FIRST, _seconds(lambda: shown_state(_forgetful(moment), at, "en"), rounds)
    yield STATE_AGAIN, _seconds(lambda: shown_state(moment, at, "en"), rounds)


def _of_all(ledger: Ledger, game: str, rounds: int) -> float:
    """The CPU seconds of one viewer's state, when all players and a spectator ask for theirs at a new version."""
    moment = ledger.moment(game)
    viewers = [SPECTATOR, *(Viewer("player", seat) for seat in moment.newest.seats)]
    at = _soon_after(moment)

    def ask() -> None:
        fresh = _forgetful(moment)
        for viewer in viewers:
            shown_state(fresh.seen_by(viewer), at, "en")

    return _seconds(ask, rounds) / len(viewers)


def _soon_after(moment: Moment) -> datetime:
    """A second after the last action, when nothing is due yet."""
    if moment.newest.last_at is None:
        raise ValueError("a game without an action has no moves")
    return moment.newest.last_at + timedelta(seconds=1)


def _forgetful(moment: Moment) -> Moment:
    """The same moment, as if nobody had asked about it yet."""
    moment.game.kept.forget()
    return moment.seen_at(None, None)


def _seconds(measured: Callable[[], Any], rounds: int) -> float:
    """The median CPU seconds of several calls, the first of them left out."""
    taken: list[float] = []
    for _ in range(rounds + 1):
        began = time.process_time()
        measured()
        taken.append(time.process_time() - began)
    return statistics.median(taken[1:])
