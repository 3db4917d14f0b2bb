"""The influence phase, and Titles that follow from it (vr:influence.*)."""

from __future__ import annotations

import pytest

from tests.virtual_revolution.table import Table


@pytest.fixture
def table() -> Table:
    """Ana's Director is in arrondissement 5, and the influence phase of her turn is open."""
    table = Table()
    table.turn_of("ana", director=5)
    return table


@pytest.mark.rule("vr:influence.2", "vr:influence.3", "vr:influence.1", "vr:turn.3")
def test_adding_puts_one_token_from_the_board_and_draws_a_corruption_card(table: Table) -> None:
    table.play("ana", "influence_add", drawn=["influence_1"])
    assert table.tokens("ana", 5) == 1
    assert table.reserve("ana") == 17
    assert table.hand("ana") == ["influence_1"]
    table.refused("ana", "influence_add", "vr:influence.1", drawn=["influence_2"])
    table.refused("ana", "influence_eliminate", "vr:influence.1", drawn=["influence_2"])
