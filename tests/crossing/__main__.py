"""`make crossing`: whole random evenings on a real service, until the time is over."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from typing import Any

import psycopg
import sqlalchemy
from psycopg import sql

from ledger.store.database.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from tests.crossing.evenings import Played, play
from tests.crossing.findings import INVARIANTS
from tests.crossing.house import API, House
from tests.crossing.plans import RULEBOOKS, Plan, plan_of
from tests.crossing.shrinking import shrunk


def main(arguments: Sequence[str] | None = None) -> int:
    """Play evenings, print a line for each and a table at the end. Returns the exit code: 1 for findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.crossing", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=600, help="how long (600); the evening under way is finished"
    )
    parser.add_argument("--seed", help="of the first evening (any); the others follow from it")
    parser.add_argument("--evenings", type=int, default=10**9, help="how many at most")
    parser.add_argument("--rulebook", choices=RULEBOOKS, help="only this rulebook")
    parser.add_argument("--steps", type=int, default=70, help="steps of an evening (70)")
    parser.add_argument("--only", help="only these steps: numbers with commas between, as a shrunk evening prints")
    parser.add_argument("--shrink", type=int, default=12, help="how many evenings shrink a failing one (12)")
    asked = parser.parse_args(arguments)
    seed = asked.seed or str(SystemRandom().randrange(1_000_000))
    until = time.monotonic() + asked.seconds
    evenings: list[Played] = []
    failed = 0
    with databases() as new_database, tempfile.TemporaryDirectory(prefix="mabligop-crossing-") as folder:
        houses: dict[int, House] = {}
        try:
            for number in range(asked.evenings):
                if number and time.monotonic() > until:
                    break
                name = seed if number == 0 else f"{seed}-{number}"
                plan = planned(name, houses, new_database, Path(folder), asked)
                house = house_for(plan.workers, houses, new_database, Path(folder))
                played = play(house, plan)
                evenings.append(played)
                tell(played)
                failed += bool(played.findings)
                if played.findings and asked.shrink:
                    tell_shrunk(house, played, asked)
        finally:
            for house in houses.values():
                house.close()
    report(evenings)
    return 1 if failed else 0


def house_for(workers: int, houses: dict[int, House], new_database: Callable[..., str], folder: Path) -> House:
    """The house with so many workers; it is built when it is first asked for."""
    if workers not in houses:
        houses[workers] = House(new_database, folder, workers=workers)
    return houses[workers]


def planned(
    seed: str, houses: dict[int, House], new_database: Callable[..., str], folder: Path, asked: Any
) -> Plan:
    """Plan an evening by what the service says of its rulebooks."""
    house = house_for(1, houses, new_database, folder)
    with house.client() as client:
        schemas = {name: client.get(f"{API}/rulebooks/{name}").json()["settings"] for name in RULEBOOKS}
    plan = plan_of(seed, schemas, rulebook=asked.rulebook, steps=asked.steps)
    if asked.only:
        plan = replace(plan, kept=tuple(map(int, asked.only.split(","))))
    return plan


@contextmanager
def databases() -> Iterator[Callable[..., str]]:
    """A Postgres for one run, and a function `(migrated=True) -> url` that creates databases on it."""
    with (
        tempfile.TemporaryDirectory(prefix="mabligop-crossing-pg-") as home,
        EmbeddedPostgres(Path(home)) as server,
    ):

        def create(*, migrated: bool = True) -> str:
            name = f"crossing_{secrets.token_hex(6)}"
            with psycopg.connect(server.url, autocommit=True) as connection:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(sql.Identifier(name))
                )
            url = sqlalchemy.make_url(server.url.replace("postgres://", "postgresql://", 1)).set(database=name)
            text = url.render_as_string(hide_password=False)
            if migrated:
                migrate(text)
            return text

        yield create


def tell(played: Played) -> None:
    """Print what came of an evening."""
    verdict = "FAILED" if played.findings else "ok"
    checks = sum(count for name, count in played.counts.items() if name.startswith("checks"))
    counted = f"{played.counts['actions']} actions, {checks} checks, {played.counts['requests']} requests"
    say(f"evening {played.plan.seed}: {played.plan}; {counted}: {verdict}")
    for finding in played.findings:
        say(f"    {finding}")


def tell_shrunk(house: House, played: Played, asked: Any) -> None:
    """Print the command that plays a failing evening again, with as few steps as still fail."""
    plan = shrunk(played.plan, played.findings[0], lambda plan: play(house, plan).findings, asked.shrink)
    steps = "" if plan.kept is None else f" --only {','.join(map(str, plan.kept))}"
    named = f" --rulebook {asked.rulebook}" if asked.rulebook else ""
    say(f"    again: python -m tests.crossing --evenings 1 --seed {plan.seed} --steps {plan.steps}{named}{steps}")


def report(evenings: Sequence[Played]) -> None:
    """Print how often everything happened, and was looked at."""
    counts: Counter[str] = sum((played.counts for played in evenings), Counter())
    say("")
    for letter, meaning in INVARIANTS.items():
        found = sum(finding.invariant == letter for played in evenings for finding in played.findings)
        say(f"({letter}) {counts[f'checks {letter}']:9} checks, {found} findings: {meaning}")
    acts = sorted((name.removeprefix("act "), count) for name, count in counts.items() if name.startswith("act "))
    say(", ".join(f"{name} {count}" for name, count in acts))
    failed = sum(bool(played.findings) for played in evenings)
    say(f"{len(evenings)} evenings, {counts['actions']} actions, {counts['requests']} requests, {failed} failed")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
