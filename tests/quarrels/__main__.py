"""`make quarrels`: how much of a game a single correction costs, and whether corrections keep their promises.

In simulated games of every rulebook, random single corrections are made with the cascade "restate", each on the
game as it was played. Of the later actions the report gives the share that is voided, and the share that still
counts but does nothing any more (emptied). It says how many steps the game took by itself, how many corrections
leave a die or a card to be given (needs), and how many ends of turns are voided, in all and where the seats come
in the same order as before. It counts the corrections after which a check failed. The exit code is 1 when one did.

The same seed gives the same games and corrections on the same code. Game k (from 0) has the seed `--seed` + k, so
one game is looked at again with `--seed N --games 1`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import SystemRandom

from ledger import rulebooks
from tests.quarrels.report import failures, reasons, report
from tests.quarrels.tables import ACTIONS
from tests.quarrels.trials import Tried, tried


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trials and print the report. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.quarrels", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--games", type=int, default=200, help="games of each rulebook (200)")
    parser.add_argument("--corrections", type=int, default=20, help="corrections in each game (20)")
    parser.add_argument("--actions", type=int, default=ACTIONS, help=f"the longest game, in actions ({ACTIONS})")
    parser.add_argument("--seed", type=int, default=None, help="of the first game (any)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument(
        "--rulebook", action="append", choices=sorted(rulebooks.rulebooks_by_id()), help="only this one"
    )
    parser.add_argument("--reasons", action="store_true", help="say also why later actions were voided")
    asked = parser.parse_args(arguments)
    seed = SystemRandom().randrange(1_000_000) if asked.seed is None else asked.seed
    names = asked.rulebook or sorted(rulebooks.rulebooks_by_id())
    _say(
        f"seed {seed}: {asked.games} games of each rulebook, {asked.corrections} corrections in each game, "
        "cascade restate"
    )
    games: list[Tried] = []
    every = [(name, seed + k) for name in names for k in range(asked.games)]
    for game in _all(every, asked.corrections, asked.actions, asked.jobs):
        games.append(game)
        sys.stderr.write(f"\r{len(games)} of {len(every)} games")
        sys.stderr.flush()
    sys.stderr.write("\n")
    for line in report(games):
        _say(line)
    for line in reasons(games) if asked.reasons else ():
        _say(line)
    return 1 if failures(games) else 0


def _all(every: list[tuple[str, int]], corrections: int, actions: int, jobs: int) -> Iterator[Tried]:
    """Every game, in order, in one or several processes."""
    one = partial(_tried, corrections=corrections, actions=actions)
    if jobs == 1:
        yield from map(one, every)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, every)


def _tried(which: tuple[str, int], *, corrections: int, actions: int) -> Tried:
    return tried(*which, corrections, actions)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
