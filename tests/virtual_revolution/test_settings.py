"""Settings that choose otherwise where the document leaves a gap."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.virtual_revolution.state import holder_of
from tests.virtual_revolution.table import Table


def district_won(**settings: Any) -> Table:
    """Bob holds the Title of Néo District and has lost one arrondissement; Ana comes to control all three."""
    table = Table(settings=settings)
    table.put("bob", influence={22: 1}, servers=[21])
    table.put("ana", influence={21: 1}, servers=[22])
    table.give("bob", titles=["ND"])
    table.turn_of("ana", director=23)
    table.play("ana", "influence_add", drawn=["influence_1"])
    return table


@pytest.mark.rule("vr:title.3")
def test_a_title_stays_with_its_holder_or_goes_at_once() -> None:
    assert holder_of(district_won().state, "ND") == "bob"
    assert holder_of(district_won(title_stays=False).state, "ND") == "ana"
