"""Two games that differ only in what is hidden from a seat offer the seat the same parts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ledger.kernel.deciding.moves import Tries, open_to
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.parts import END, Choosing, ChosenPart, Step
from tests.harness.twins import told_draws
from tests.negoces2 import coupled as merchants
from tests.properties.commands import SOAK
from tests.virtual_revolution import coupled as corporations

__all__ = ["told_draws"]
pytestmark = pytest.mark.usefixtures("told_draws")

SEEDS = range(12) if SOAK else range(2)
LONGEST = 6
"""How many parts are chosen of an action."""


def step(rulebook: Rulebook[Any], world: Any, viewer: Viewer, kind: str, chosen: list[ChosenPart]) -> Step:
    """The next step of the viewer's seat in a game."""
    seat, state = str(viewer.seat), world.state
    tries = Tries(rulebook, state, seat, rulebook.accounts.purse(seat), viewer, state.last_at)
    return Choosing(rulebook, state, seat, tries, kind).step(chosen)


def offered(found: Step) -> tuple[Any, ...]:
    """All that an answer holds."""
    values = [(leaf.path, leaf.kind, repr(value)) for leaf, value in found.values]
    free = [(leaf.path, leaf.kind, leaf.bounds) for leaf in found.free]
    return values, free, found.end, found.params, found.act, found.is_whole


@pytest.mark.rule("vr:secrecy.1")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("games", [merchants, corporations], ids=["negoces2", "virtual_revolution"])
def test_steps_are_the_same_in_both_games(games: Any, seed: int) -> None:
    chance, looked = Random(seed), 0
    twins = games.Twins("bob", seed, mending=False)
    viewer = Viewer("player", "bob")
    for number in range(20, 150, 7):
        twins.play(number - twins.state.version)
        for kind, action in games.RULEBOOK.actions.items():
            if not open_to(action, viewer):
                continue
            chosen: list[ChosenPart] = []
            for _ in range(LONGEST):
                one, other = (step(games.RULEBOOK, world, viewer, kind, chosen) for world in twins.worlds)
                assert offered(one) == offered(other), (kind, chosen)
                following = [ChosenPart(leaf.path, value) for leaf, value in one.values]
                following += [] if one.end is None else [ChosenPart((*one.end, END))]
                looked += bool(following)
                if not following:
                    break
                chosen.append(chance.choice(following))
    assert looked > 5
