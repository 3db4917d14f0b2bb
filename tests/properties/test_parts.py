"""Choices in parts lead to every legal action, and to no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.moves import Tries, moves
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import PLAIN, Entry
from ledger.kernel.rules.actions import Correct
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.needs import takes_draws
from ledger.reading.moves.parts import END, MOST_TRIES, Choosing, ChosenPart, Path, Step
from tests.properties.commands import SOAK
from tests.properties.watching import KNOWN
from tests.tables.evenings import evening

SHARE = 0.5 if SOAK else 0.12
"""The share of the actions of an evening that are looked at."""
RULEBOOKS = pytest.mark.parametrize("rulebook", KNOWN, ids=lambda rulebook: rulebook.id)


class Counted(Tries[Any]):
    """Tries that count the dry decisions."""

    count = 0

    def tried(self, kind: str, params: dict[str, Any]) -> Any:
        self.count += 1
        return super().tried(kind, params)


class Acting:
    """A seat that is about to act at a moment of an evening."""

    def __init__(self, rulebook: Rulebook[Any], state: State, entry: Entry) -> None:
        self.rulebook, self.state, self.kind = rulebook, state, entry.kind
        self.seat = entry.seat or ""
        self.viewer = BANKER if entry.by == "banker" else Viewer("player", entry.by)
        self.at = entry.recorded_at
        params = PLAIN.decode(entry.params)
        self.params = {name: value for name, value in params.items() if not takes_draws(name, None)}

    def tries(self) -> Counted:
        purse = self.rulebook.accounts.purse(self.seat)
        return Counted(self.rulebook, self.state, self.seat, purse, self.viewer, self.at, beyond=True)

    def step(self, kind: str, chosen: Sequence[ChosenPart]) -> Step:
        """The next step, as a request of its own."""
        tries = self.tries()
        step = Choosing(self.rulebook, self.state, self.seat, tries, kind).step(chosen)
        assert tries.count <= MOST_TRIES
        return step

    def same(self, params: dict[str, Any]) -> bool:
        """Whether these parameters are those of the action that was taken."""
        codec = self.rulebook.codec
        return codec.action(self.kind, msgspec.json.encode(params)) == codec.action(
            self.kind, msgspec.json.encode(self.params)
        )


def acts(rulebook: Rulebook[Any], seed: int) -> Iterator[Acting]:
    """Some of the actions of an evening, each with the moment before it."""
    past = evening(rulebook, seed=seed).game.past
    chance = Random(seed)
    for entry in past.entries[1:]:
        is_correction = issubclass(rulebook.actions[entry.kind], Correct)
        if entry.by != "system" and not is_correction and entry.kind != "rule" and chance.random() < SHARE:
            yield Acting(rulebook, past.state_then(entry.number - 1), entry)


def member(value: Any, path: Path) -> Any:
    """The value at a path; None for none."""
    for word in path:
        is_item = isinstance(value, list) and isinstance(word, int) and word < len(value)
        if not is_item and not (isinstance(value, dict) and word in value):
            return None
        value = value[word]
    return value


def is_reached(acting: Acting, chosen: list[ChosenPart]) -> bool:
    """Whether the action is reached by parts that are offered; other ways are gone back from."""
    step = acting.step(acting.kind, chosen)
    if step.act is not None and acting.same(step.params):
        return True
    following = [
        ChosenPart(leaf.path, value)
        for leaf, value in step.values
        if msgspec.json.encode(member(acting.params, leaf.path)) == msgspec.json.encode(value)
    ]
    following += [
        ChosenPart(leaf.path, value)
        for leaf in step.free
        if (value := member(acting.params, leaf.path)) is not None
    ]
    if step.end is not None:
        following.append(ChosenPart((*step.end, END)))
    return any(is_reached(acting, [*chosen, part]) for part in following)


@RULEBOOKS
def test_every_action_of_an_evening_is_reached_part_by_part(rulebook: Rulebook[Any]) -> None:
    looked = 0
    for acting in acts(rulebook, 11):
        assert is_reached(acting, []), (acting.kind, acting.params)
        looked += 1
    assert looked > 5


@RULEBOOKS
def test_parts_chosen_at_random_end_in_a_legal_action(rulebook: Rulebook[Any]) -> None:
    """Each value that is offered leads on, whatever is chosen after it; the last step is accepted in a dry run."""
    chance, looked = Random(3), 0
    for acting in acts(rulebook, 12):
        purse = rulebook.accounts.purse(acting.seat)
        legal = moves(rulebook, acting.state, acting.seat, purse, acting.viewer, acting.at)
        kinds = sorted({move.kind for move in legal if not issubclass(rulebook.actions[move.kind], Correct)})
        kind = chance.choice([acting.kind, *kinds])
        chosen: list[ChosenPart] = []
        while True:
            step = acting.step(kind, chosen)
            following = [ChosenPart(leaf.path, value) for leaf, value in step.values]
            following += [] if step.end is None else [ChosenPart((*step.end, END))] * 3
            if not following or (step.act is not None and chance.random() < 0.2):
                break
            chosen.append(chance.choice(following))
        if step.free and step.act is None:
            continue  # a text or an amount is still to be written
        assert step.act is not None, (kind, chosen)
        acting.tries().tried(kind, step.params)
        looked += 1
    assert looked > 5
