"""Two games that differ only in facts hidden from a viewer look the same to that viewer, byte for byte.

Bots play pairs of games (`coupled`); what a player, another player, a spectator, a banker who plays, and everybody
after the end is told of both must be the same. Leaks that are made on purpose must be found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution
from tests.harness.attacker import Attacker
from tests.harness.twins import told_draws
from tests.virtual_revolution.coupled import Twins, differing
from tests.virtual_revolution.leaks import LEAKS

__all__ = ["told_draws"]

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
GAMES = 40 if SOAK else 1
"""The number of pairs of games for each viewer."""
LOOKS = (14, 30, 45, 60, 75, 100, 130, 160, 200, 400) if SOAK else (40,)
"""The actions after which the games are compared."""
VIEWERS = [(None, False), ("ana", False), ("ana", True), *([("cid", False)] if SOAK else [])]
"""Who looks, and whether it is the banker, who plays that seat."""
SELDOM = ("CorruptionLost", "CorruptionGiven", "ObjectiveChosen")
"""Events in which pairs of random games hardly ever differ. Scenarios ask who sees them (test_hands, test_agents,
test_endgame)."""
FOUND = (
    [one for one in sorted(LEAKS) if not one.endswith(SELDOM)]
    if SOAK
    else ["OpenObjectives", "widened CorruptionDrawn", "half_redacted AgentsSetAside"]
)
TRIED = 60 if SOAK else 20
"""In how many pairs of games a leak is looked for."""


def looks(
    viewer: str | None, seed: int, *, covered: bool = False, rulebook: Rulebook[VirtualRevolution] = RULEBOOK
) -> Iterator[tuple[str, str]]:
    """Everything that the viewer sees of either game, at several moments, and after the end."""
    twins = Twins(viewer, seed, covered=covered)
    attacker = Attacker(rulebook, viewer, covered=covered, moments=2)
    for actions in LOOKS:
        twins.play(actions - twins.state.version)
        one, other = (attacker.told(world) for world in twins.worlds)
        yield one, other


@pytest.mark.rule("vr:secrecy.4")
@pytest.mark.rule("vr:secrecy.6")
@pytest.mark.parametrize(("viewer", "covered"), VIEWERS)
def test_the_games_cannot_be_told_apart(viewer: str | None, covered: bool) -> None:
    for seed in range(GAMES):
        for one, other in looks(viewer, seed, covered=covered):
            assert one == other, f"seed {seed}"


@pytest.mark.rule("vr:secrecy.1")
@pytest.mark.parametrize("viewer", [None, "bob"] if SOAK else [None])
def test_the_end_tells_nothing_of_the_objectives_given_up(viewer: str | None) -> None:
    """Everybody has chosen, the chosen Objectives and the scores are public; those given up are not."""
    twins = differing(viewer, 600, mending=False)
    one, other = map(Attacker(RULEBOOK, viewer, moments=3).told, twins.worlds)
    assert twins.ended
    assert one == other


def test_they_do_differ() -> None:
    """Hands and Objectives differ, and the banker sees it."""
    twins = differing(None, 40)
    one, other = (RULEBOOK.codec.to_snapshot(world.state) for world in twins.worlds)
    assert one != other


@pytest.mark.parametrize("leak", FOUND)
def test_a_leak_is_found_out(leak: str) -> None:
    """In one of the pairs, a spectator can tell the games apart."""
    rulebook = LEAKS[leak]()
    assert any(one != other for seed in range(TRIED) for one, other in looks(None, seed, rulebook=rulebook))
