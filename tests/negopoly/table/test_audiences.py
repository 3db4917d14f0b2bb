"""I.C.6: the audience of an account, now and later."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import SPECTATOR, Audience
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.table.state import Negopoly
from replays.simulation import Series, game_of
from tests.tables.negopoly import QUARTERS, Table


@pytest.fixture(scope="module")
def states() -> list[Negopoly]:
    """The states of a simulated game."""
    series = Series(
        rulebook="negopoly", games=1, players=3, seed=1, strategies=("plain",), tables="varied",
        settings={"starting_balance": 6000, "game_ender_stock": 0, "max_rounds": 0}, actions=500,
    )  # fmt: skip
    state: Negopoly = RULEBOOK.blank()
    found = []
    for entry in game_of(series, 0).game.journal:
        state.fold(RULEBOOK.codec.event(raw) for raw in entry.events)
        found.append(state.copy())
    return found


def test_an_audience_that_lasts_is_the_same_at_every_moment_of_a_game(states: list[Negopoly]) -> None:
    """Only what lies on a title, a delivery and a contract are seen by some for a time."""
    first: dict[tuple[str, str], Audience] = {}
    passing: set[str] = set()
    for state in states:
        for account, held in state.holdings.items():
            if not RULEBOOK.secrets.has_fixed_audience(account):
                passing.add(account.partition(":")[0])
                continue
            for commodity in held:
                audience = RULEBOOK.secrets.holding_audience(state, account, commodity)
                assert first.setdefault((account, commodity), audience) == audience, (account, commodity)
    assert {"player", "bank", "box", "shop"} <= {account.partition(":")[0] for account, _ in first}
    assert "property" in passing


def test_the_table_shows_who_holds_each_quarter(states: list[Negopoly]) -> None:
    """V.E.1, V.E.2: the same for all quarters at once as for each by itself."""
    held: set[str] = set()
    table = Table("ana", "bob")
    table.own("ana", *QUARTERS["orange"], *QUARTERS["marron"])
    for state in (*states, table.state):
        shown = RULEBOOK.screen.view(state, SPECTATOR)["quarters"]
        holders = {quarter: quarters.holder_of(state, quarter) for quarter in quarters.QUARTERS}
        assert shown == {quarter: holder for quarter, holder in holders.items() if holder is not None}
        held |= shown.keys()
    assert held >= {"orange", "marron"}
