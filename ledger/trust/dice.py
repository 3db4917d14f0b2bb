"""Checking throws: each throw is derived again from the earlier commitment.

The seed of a game is opened at its end. So nothing can be checked before the end. Afterwards every action
appended after the commitment is decided again, with dice and cards from the seed instead of the recorded ones.
An end that reveals everything opens the seed. Any other end must not open the seed, because the seed tells the
drawn cards. Throws before any commitment cannot be checked, and are counted. Dice thrown by the banker's hand
are parameters of the action, and no throw of the service.

Shared throws are checked as soon as all their parts are public: see `trust.shared_dice`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.kernel.deciding.settling import MOST_STEPS
from ledger.kernel.dice.chance import Chance
from ledger.kernel.dice.deriving import SERVICE, Derived, key_of
from ledger.kernel.dice.seeds import commitment
from ledger.kernel.journal.entry import Entry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.trust.deciding import NO_CHANCE, compare_decision
from ledger.trust.refolding import Refold
from ledger.trust.shared_dice import SharedRecord


class Checked(msgspec.Struct, frozen=True):
    """The numbers of the service's throws checked and of throws waiting for the end, and the faults by action.

    `uncommitted` throws come without a committed seed: nobody can check them. `by_hand` are actions of a game
    with shared throws whose dice or cards came with the action. `missed` are the actions without a revealed
    value, by seat. `older` throws cannot be checked either: they were made under rules mended since.
    """

    checked: int
    waiting: int
    wrong: tuple[tuple[int, str], ...]
    uncommitted: int = 0
    by_hand: int = 0
    missed: dict[str, tuple[int, ...]] = {}
    older: int = 0


def check_dice(rulebook: Rulebook[Any], entries: Sequence[Entry]) -> Checked:
    """Check the throws of a whole game. Takes its entries, which must be foldable."""
    marks = [
        (entry.number, entry.chance.commits, entry.chance.opens)
        for entry in entries
        if entry.chance is not UNSET and (entry.chance.commits or entry.chance.opens)
    ]
    seeds, wrong = _opened(entries[0].game if entries else "", marks)
    fold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    shared = SharedRecord()
    checked = waiting = uncommitted = by_hand = older = 0
    for entry in entries:
        events = tuple(map(rulebook.codec.event, entry.events))
        since = _in_force(marks, entry.number)
        seed = None if since is None else seeds.get(since)
        source: Chance | None = None
        if entry.chance is not UNSET:
            wrong += ((entry.number, description) for description in shared.take(entry, entry.chance, seed))
        if entry.draws and since is None:
            uncommitted += 1
        elif entry.draws and fold.state.shared:
            if entry.chance is UNSET or entry.chance.throw is None:
                source = NO_CHANCE
                by_hand += 1
            else:
                source = shared.source(entry.game, entry.chance.throw, seed)
                waiting += source is None
                checked += source is not None
        elif entry.draws and seed is None:
            waiting += 1
        elif entry.draws and seed is not None:
            source = Derived(key_of({SERVICE: seed}), entry.game, entry.number)
            checked += 1
        if source is not None:
            following = entries[entry.number : entry.number + MOST_STEPS]
            otherwise = compare_decision(rulebook, fold.state, entry, events, fold, following, source)
            if otherwise is not None and otherwise.exempt:
                older += source is not NO_CHANCE
            elif otherwise is not None:
                where = f"{_FROM_NOWHERE[source is NO_CHANCE]}: " if otherwise.drawn else ""
                wrong.append((entry.number, f"{where}{otherwise.description}"))
        fold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)
    unopened = _in_force(marks, len(entries) + 1)
    if entries and fold.state.ended and fold.state.reveals_at_end and unopened is not None:
        wrong.append((len(entries), f"the game has ended, and the seed of action {unopened} was not opened"))
    missed = {seat: tuple(numbers) for seat, numbers in sorted(shared.missed.items())}
    return Checked(checked - older, waiting, tuple(sorted(wrong)), uncommitted, by_hand, missed, older)


_FROM_NOWHERE = (
    "its throws do not come from what was committed to",
    "it draws from no throw, and its dice or cards did not come with it",
)


Marks = Sequence[tuple[int, str | None, str | None]]
"""The actions with data about seeds, each with its commitment and the opened seed."""


def _opened(game: str, marks: Marks) -> tuple[dict[int, bytes], list[tuple[int, str]]]:
    """Return the opened seeds by the action of the commitment, and the faults of seeds."""
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
    """Return the action whose commitment is in force for an action, or None."""
    committed: int | None = None
    for marked, commits, opens in marks:
        if marked >= number:
            break
        committed = marked if commits is not None else None if opens is not None else committed
    return committed
