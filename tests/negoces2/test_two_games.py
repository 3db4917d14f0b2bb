"""Two games that differ only in facts hidden from a viewer look the same to that viewer, byte for byte.

Random pairs of games (`coupled`) are compared in memory after every few actions. Leaks that are made on purpose
must be found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.table import Negoces2
from tests.harness.attacker import Attacker
from tests.negoces2.coupled import Twins
from tests.negoces2.leaks import LEAKS

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
GAMES = 200 if SOAK else 5
"""The number of pairs of games for each viewer."""
FIRST = 200 if SOAK else 10
"""A leak shows in one of this many pairs."""
ACTIONS = 45
EVERY = 9
"""The number of actions between two comparisons."""
VIEWERS = (None, "ana", "cid")


def looks(viewer: str | None, seed: int, rulebook: Rulebook[Negoces2] = RULEBOOK) -> Iterator[tuple[str, str]]:
    """Everything that the viewer sees of either game, at several moments."""
    twins, attacker = Twins(viewer, seed), Attacker(rulebook, viewer)
    for _ in range(ACTIONS // EVERY):
        twins.play(EVERY)
        one, other = (attacker.told(world) for world in twins.worlds)
        yield one, other


# In memory ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_games_cannot_be_told_apart(viewer: str | None) -> None:
    for seed in range(GAMES):
        for one, other in looks(viewer, seed):
            assert one == other, f"seed {seed}"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_they_do_differ(viewer: str | None) -> None:
    """In nearly every pair some hands differ at the end, and the banker sees it."""
    differing = 0
    for seed in range(GAMES):
        twins = Twins(viewer, seed)
        twins.play(ACTIONS)
        assert len(twins.script) > 12
        if twins.differ():
            differing += 1
            banker = [RULEBOOK.codec.to_snapshot(world.state) for world in twins.worlds]
            assert banker[0] != banker[1]
    assert differing >= 0.9 * GAMES


@pytest.mark.parametrize("reveal_at_end", [False, True])
def test_the_end_tells_only_what_the_table_wants_and_only_until_it_is_undone(reveal_at_end: bool) -> None:
    """The banker ends both games: everybody sees the differences where the end reveals everything.

    After the end is undone, nobody does.
    """
    for seed in range(6):
        twins = Twins(None, seed, mending=False, reveal_at_end=reveal_at_end)
        twins.play(ACTIONS)
        if not twins.differ():
            continue
        assert len(set(map(Attacker(RULEBOOK, None).told, twins.worlds))) == 1
        order = {"finding": "it is late", "remedies": [{"op": "declare_victory", "winners": ["ana"]}]}
        assert twins.both("banker", None, "rule", order)
        assert len(set(map(Attacker(RULEBOOK, None).told, twins.worlds))) == (2 if reveal_at_end else 1)
        edits = [{"op": "drop", "action": twins.state.version}]
        undone = {"edits": edits, "cascade": "restate", "reason": "not so late"}
        assert twins.both("banker", None, "correct", undone)
        assert len(set(map(Attacker(RULEBOOK, None).told, twins.worlds))) == 1


# Leaks that must be found -----------------------------------------------------------------------------


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found_out(leak: str) -> None:
    """In one of the pairs, a viewer who may not know can tell the games apart."""
    rulebook = LEAKS[leak]()
    assert any(
        one != other
        for seed in range(FIRST)
        for viewer in ("ana", None)
        for one, other in looks(viewer, seed, rulebook)
    )
