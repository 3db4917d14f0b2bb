"""What is worked out once for all viewers of a state is what each of them may see."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from tests.properties.watching import RULEBOOKS, watch


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_what_is_drawn_once_for_everybody_is_what_each_would_see(rulebook: Rulebook[Any]) -> None:
    """Given a game whose board is said to be public, when anybody looks at it, then they see the same."""

    def look(state: State) -> None:
        viewers = (*(Viewer("player", seat) for seat in state.seats), BANKER, SPECTATOR)
        if rulebook.screen.display_is_public:
            first, *others = [rulebook.screen.display(state, viewer, "en") for viewer in viewers]
            assert all(one == first for one in others)
        assert not rulebook.screen.public_view(state).keys() & rulebook.screen.own_view(state, BANKER).keys()

    watch(rulebook, look)
