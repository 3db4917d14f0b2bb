"""Checking the throws of a service: each is derived again from the seed that was committed to before it.

The seed of a game is opened at its end. So before the end there is nothing to check; afterwards every action that
was appended after the commitment is decided again, with dice and cards from the seed in place of those that were
recorded. An end that reveals everything opens the seed; one that does not must not, because the seed tells which
cards were drawn. What was thrown before any commitment cannot be checked, and is counted. What the banker threw by
hand is in the parameters of the action, and is no throw of the service.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.kernel.dice.deriving import SERVICE, Derived, key_of
from ledger.kernel.dice.seeds import commitment
from ledger.kernel.journal import Entry
from ledger.kernel.rulebook import Rulebook
from ledger.trust.deciding import difference
from ledger.trust.refolding import Refold


class Checked(msgspec.Struct, frozen=True):
    """How many throws of the service were checked, how many wait for the end, and what is wrong, by action.

    `uncommitted` throws come from no seed that was committed to: nobody can check them.
    """

    checked: int
    waiting: int
    wrong: tuple[tuple[int, str], ...]
    uncommitted: int = 0


def check_dice(rulebook: Rulebook[Any], entries: Sequence[Entry]) -> Checked:
    """Check the throws of a whole game. Takes its entries, which can be folded."""
    marks = [
        (entry.number, entry.chance.commits, entry.chance.opens) for entry in entries if entry.chance is not UNSET
    ]
    seeds, wrong = _opened(entries[0].game if entries else "", marks)
    fold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    checked = waiting = uncommitted = 0
    for entry in entries:
        events = tuple(map(rulebook.event, entry.events))
        since = _in_force(marks, entry.number)
        if entry.draws and since is None:
            uncommitted += 1
        elif entry.draws and since is not None:
            seed = seeds.get(since)
            if seed is None:
                waiting += 1
            else:
                chance = Derived(key_of({SERVICE: seed}), entry.game, entry.number)
                otherwise = difference(rulebook, fold.state, entry, events, fold, chance)
                checked += 1
                if otherwise is not None:
                    wrong.append((entry.number, f"its throws do not come from the seed: {otherwise}"))
        fold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)
    unopened = _in_force(marks, len(entries) + 1)
    if entries and fold.state.ended and fold.state.reveals_at_end and unopened is not None:
        wrong.append((len(entries), f"the game has ended, and the seed of action {unopened} was not opened"))
    return Checked(checked, waiting, tuple(wrong), uncommitted)


Marks = Sequence[tuple[int, str | None, str | None]]
"""The actions that tell something of seeds, each with its commitment and the seed that it opens."""


def _opened(game: str, marks: Marks) -> tuple[dict[int, bytes], list[tuple[int, str]]]:
    """The opened seeds by the action that committed to each, and what is wrong with them."""
    seeds: dict[int, bytes] = {}
    wrong: list[tuple[int, str]] = []
    force: tuple[int, str] | None = None
    for number, commits, opens in marks:
        if opens is not None:
            seed = bytes.fromhex(opens)
            if force is None or commitment(game, seed) != force[1]:
                wrong.append((number, "the opened seed is not the one that was committed to"))
            else:
                seeds[force[0]] = seed
            force = None
        if commits is not None:
            if force is not None:
                wrong.append(
                    (number, f"another seed is committed to, and that of action {force[0]} was not opened")
                )
            force = number, commits
    return seeds, wrong


def _in_force(marks: Marks, number: int) -> int | None:
    """The action whose commitment is in force for an action; None without one."""
    found: int | None = None
    for marked, commits, opens in marks:
        if marked >= number:
            break
        found = marked if commits is not None else None if opens is not None else found
    return found
