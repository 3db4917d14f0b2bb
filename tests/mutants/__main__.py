"""Change the code in small ways, one at a time, and report which changes no test notices.

`make mutants` hunts a hundred mutants of all rooms; `MODULES='ledger.reading.*'` those of some, `SEED=7` others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory

import psycopg

from ledger.store.postgres.embedded import EmbeddedPostgres
from tests.mutants.choosing import Mutant, choose
from tests.mutants.hunting import Hunter, Verdict

CHECKOUT = Path(__file__).parents[2]
Hunted = tuple[Mutant, Verdict, str]


def arguments(given: list[str]) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--modules", nargs="+", default=["*"], help="names of modules, with * for any part")
    parser.add_argument("--number", type=int, default=100, help="how many mutants (100)")
    parser.add_argument("--seed", type=int, help="which ones; without it others each time")
    parser.add_argument("--checkout", type=Path, default=CHECKOUT, help="the folder with the code and its tests")
    parser.add_argument("--jobs", type=int, default=2, help="how many are hunted at a time (2)")
    return parser.parse_args(given)


def hunt_all(mutants: list[Mutant], checkout: Path, database_url: str, folder: Path, jobs: int) -> list[Hunted]:
    """Hunt the mutants, some at a time, each of them in a copy of the checkout."""
    hunters: SimpleQueue[Hunter] = SimpleQueue()
    for number in range(min(jobs, len(mutants))):
        hunters.put(Hunter(checkout, folder / str(number), database_url))

    def hunt(mutant: Mutant) -> Hunted:
        hunter = hunters.get()
        try:
            verdict, test = hunter.hunt(mutant)
        finally:
            hunters.put(hunter)
        _say(f"{verdict:8} {mutant.path} {mutant.operator.partition('/')[2]} {test}")
        return mutant, verdict, test

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(hunt, mutants))


def report(hunted: list[Hunted]) -> str:
    """The survivors as differences, and how many were found in each room."""
    lines = [f"\n{verdict}\n{mutant}" for mutant, verdict, _ in hunted if verdict != "found"]
    survivors = [mutant for mutant, verdict, _ in hunted if verdict != "found"]
    all_of = Counter(mutant.room for mutant, _, _ in hunted)
    left = Counter(mutant.room for mutant in survivors)
    lines += ["", f"{'room':35}found  of"]
    lines += [f"{room:35}{all_of[room] - left[room]:5}{all_of[room]:4}" for room in sorted(all_of)]
    lines += [f"{'all':35}{len(hunted) - len(survivors):5}{len(hunted):4}"]
    return "\n".join(lines)


def main(given: list[str]) -> int:
    """Hunt, and print the report. The exit code is 0 when every mutant was found."""
    options = arguments(given)
    seed = Random().randrange(10**6) if options.seed is None else options.seed
    _say(f"seed {seed}")
    try:
        mutants = list(choose(options.checkout, options.modules, options.number, seed))
    except ValueError as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres") as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        hunted = hunt_all(mutants, options.checkout, server.url, Path(folder), options.jobs)
    _say(report(hunted))
    return int(any(verdict != "found" for _, verdict, _ in hunted))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
