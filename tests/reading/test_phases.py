"""The steps of a turn on a board are phases that games come to, in the order of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.boards import drawn
from tests.properties.watching import watch

STEPS = {
    "negopoly": ["before_roll", "to_resolve", "after_roll"],
    "negoces2": ["between", "negotiation", "announcing", "choosing"],
    "monopolys": ["before_throw", "landing", "after_throw"],
    "virtual_revolution": ["turn_1", "turn_2", "turn_3", "turn_4"],
}


@pytest.mark.parametrize("rulebook", STEPS)
def test_a_turn_goes_through_the_steps_of_the_board(rulebook: str) -> None:
    """Played games come to every step, and to other phases as well; each step has a word in both languages."""
    rules = rulebooks_by_id()[rulebook]
    english, french = (drawn(rules, None, language) for language in ("en", "fr"))
    assert english is not None
    assert french is not None
    assert [step.id for step in english.phases] == [step.id for step in french.phases] == STEPS[rulebook]
    assert all(0 < len(step.label) <= 20 for step in (*english.phases, *french.phases))
    reached: set[str] = set()

    def look(state: Any) -> None:
        reached.add(rules.screen.phase(state, "en").id)

    watch(rules, look)
    assert reached >= set(STEPS[rulebook])
