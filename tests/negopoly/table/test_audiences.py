"""I.C.6: the audience of an account, now and later."""

from __future__ import annotations

from ledger.kernel.audience import Audience
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from replays.simulation import Series, game_of


def test_an_audience_that_lasts_is_the_same_at_every_moment_of_a_game() -> None:
    """Only what is attached to a title, a delivery and a contract have an audience that changes."""
    series = Series(
        rulebook="negopoly", games=1, players=4, seed=3, strategies=("plain", "random"),
        settings={"starting_balance": 6000, "game_ender_stock": 0}, actions=500,
    )  # fmt: skip
    first: dict[tuple[str, str], Audience] = {}
    passing: set[str] = set()
    state: Negopoly = RULEBOOK.blank()
    for entry in game_of(series, 0).game.journal:
        state.fold(RULEBOOK.event(raw) for raw in entry.events)
        for account, held in state.holdings.items():
            if not RULEBOOK.audience_lasts(account):
                passing.add(account.partition(":")[0])
                continue
            for commodity in held:
                audience = RULEBOOK.holding_audience(state, account, commodity)
                assert first.setdefault((account, commodity), audience) == audience, (account, commodity)
    assert {"player", "bank", "box", "shop"} <= {account.partition(":")[0] for account, _ in first}
    assert "property" in passing
