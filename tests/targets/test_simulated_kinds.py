"""What a thousand games are asked for is decided when a kind is added, and not when somebody runs them.

Each engine has a list of the kinds of action and event that its bots bring about. `make simulate` asks for those.
Every other kind stands in ABSENT, with its reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks import rulebooks_by_id
from tests.monopoly.test_simulated import ABSENT as MONOPOLIES
from tests.negopoly.bots.test_simulated_games import ABSENT as NEGOPOLY
from tests.virtual_revolution.test_simulated import ABSENT as VIRTUAL_REVOLUTION

ABSENT = {"negopoly": NEGOPOLY, "virtual_revolution": VIRTUAL_REVOLUTION} | MONOPOLIES
FOLDER = Path(__file__).with_name("simulated")
HOW = "run `make simulate`: a kind that happens there belongs in the list, and every other one in ABSENT"


def kinds_of(rulebook: str) -> set[str]:
    """The kinds of action and event of a rulebook."""
    found = rulebooks_by_id()[rulebook]
    return {*found.actions, *(kind_of(event) for event in found.events.values())}


def simulated(engine: str) -> set[str]:
    """The kinds that bots bring about in the games of an engine."""
    return set((FOLDER / f"{engine}.txt").read_text().split())


@pytest.mark.parametrize("rulebook", sorted(ABSENT))
def test_every_kind_happens_in_simulated_games_or_is_known_not_to(rulebook: str) -> None:
    assert kinds_of(rulebook) - simulated(rulebooks_by_id()[rulebook].engine) - ABSENT[rulebook] == set(), HOW


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_every_kind_of_a_list_exists(file: Path) -> None:
    editions = [name for name in ABSENT if rulebooks_by_id()[name].engine == file.stem]
    assert simulated(file.stem) - set().union(*map(kinds_of, editions)) == set()
