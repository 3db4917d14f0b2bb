"""Simulated games: actions per second on one core, and the time to list the moves of a full table."""

from __future__ import annotations

import http.client
import json
import statistics
import time

from msgspec.structs import replace

from ledger.reading.moves.moves import open_moves
from ledger.service import Ledger
from replays.keeping import keep
from replays.simulation import Played, Series, game_of
from tests.benchmarks.bench import Bench, progress, say
from tests.benchmarks.serving import serving
from tests.harness.offered import actions_of

PLAYERS = 6
GAMES = 20
MIDDLE = 900
"""After so many actions, in round 15 or so, a game of six is in full swing: most titles are owned, and there are
houses, weapons and agreements about."""
ASKED = 100
STRATEGIES = ("plain", "random")


def measured(bench: Bench) -> None:
    """Simulate some games in this process, then list everybody's moves in the middle of one over HTTP."""
    ledger, count, asked = bench.ledger, bench.size(GAMES, 1), bench.size(ASKED, 2)
    progress("simulated play")
    series = Series(
        rulebook="negopoly", games=count, players=PLAYERS, seed=1, strategies=STRATEGIES, tables="varied"
    )
    began = time.process_time()
    actions = sum(game_of(series, k).game.state.version for k in range(count))
    rate = actions / (time.process_time() - began)
    say(f"simulated actions of {count} games of {PLAYERS}, one core", f"{rate:,.0f}/s", "-", "reported")
    played = _middle(series, bench.size(MIDDLE, 100))
    game, token = played.game.name, keep(ledger, played)
    with serving("api.server:front", bench.url) as worker:
        taken = {
            seat: _moves(worker.address, game, token, seat, asked) for seat in (*played.game.state.seats, None)
        }
    slowest = max(taken, key=lambda seat: taken[seat][0])
    median, slow, listed = taken[slowest]
    say(
        f"{listed} moves over HTTP, middle of a game of {PLAYERS}",
        f"{median * 1e3:.1f} ms (1 in 50: {slow * 1e3:.1f} ms)",
        f"finding them {_found(ledger, game, slowest, asked) * 1e3:.1f} ms",
        "< 20 ms",
    )


def _found(ledger: Ledger, game: str, seat: str | None, asked: int) -> float:
    """The median CPU seconds to find the same moves, without HTTP."""
    taken: list[float] = []
    for _ in range(asked):
        began = time.process_time()
        open_moves(ledger.moment(game), seat, ledger.clock.current_time())
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def _middle(series: Series, actions: int) -> Played:
    """A long game of rich players, up to its middle after so many actions, in a turn that waits for the caller."""
    settings = {"starting_balance": 6000, "max_rounds": 40, "game_ender_stock": 0}
    long = replace(series, settings=settings, actions=actions)
    found = next(played for played in (game_of(long, k) for k in range(1000)) if not played.ended)
    found.game.take_up(found.game.state.last_at)
    return found


def _moves(
    address: tuple[str, int], game: str, token: str, seat: str | None, asked: int
) -> tuple[float, float, int]:
    """Measure the moves that the banker lists for a seat, or for the banker, and count them.

    Returns the median seconds, the seconds that one answer in fifty exceeds, and the number of moves.
    """
    connection = http.client.HTTPConnection(*address)
    path = f"/api/v1/games/{game}/moves" + ("" if seat is None else f"?seat={seat}")
    taken: list[float] = []
    listed = 0
    for _ in range(asked):
        began = time.perf_counter()
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        body = answer.read()
        taken.append(time.perf_counter() - began)
        if answer.status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path} answered {answer.status}")
        listed = len(list(actions_of(json.loads(body)["moves"])))
    connection.close()
    return statistics.median(taken), statistics.quantiles(taken, n=50)[-1], listed
