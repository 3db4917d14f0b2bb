"""What is worked out once for all viewers of a state gives each viewer exactly what they may see."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import lit, seen_account
from ledger.kernel.state import State
from tests.properties.watching import RULEBOOKS, watch


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_accounts_seen_by_all_viewers_together_are_those_seen_one_by_one(rulebook: Rulebook[Any]) -> None:
    """Given games that bots play, when everybody looks at all accounts, then each sees what they see alone."""

    def look(state: State) -> None:
        together = lit(rulebook, state)
        for viewer in (*(Viewer("player", seat) for seat in state.seats), BANKER, SPECTATOR):
            alone = {
                account: dict(seen_account(rulebook, state, account, viewer))
                for account, _ in state.holdings.items()
            }
            assert {one.account: one.seen_by(rulebook, viewer) for one in together} == alone

    watch(rulebook, look)
