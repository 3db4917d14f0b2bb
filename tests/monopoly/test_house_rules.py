"""The register alone is played; what departs from it is a waiver of the banker that everybody can read."""

from __future__ import annotations

import pytest

from tests.monopoly.table import monopolys, naruto


@pytest.mark.rule("naruto:fairplay.4")
@pytest.mark.rule("naruto:mortgage.1")
def test_a_house_rule_is_a_waiver_that_names_the_rule_and_the_reason() -> None:
    """Cid may not mortgage without a debt, unless the banker says so, which stays in the journal."""
    table = naruto()
    table.give("cid", "deidara")
    table.refused("cid", "mortgage", "naruto:mortgage.1", title="deidara")
    table.play("cid", "mortgage", title="deidara", override="we agreed on it before the game")
    assert table.cash("cid") == 1_600
    (warning,) = table.journal[-1].warnings
    assert warning.rule == "naruto:mortgage.1"
    assert table.journal[-1].override == "we agreed on it before the game"
    table.banker("rule", finding="mortgages need a debt again", rules=["naruto:fairplay.4"])


@pytest.mark.rule("monopolys:own.2")
def test_a_full_region_opens_building_on_any_of_its_comptoirs() -> None:
    table = monopolys()
    table.give("ana", "iumee")
    table.refused("ana", "build", "monopolys:atelier.1", title="iumee")
    table.give("ana", "balnea")
    assert table.offers("ana", "build") == [{"title": "iumee"}, {"title": "balnea"}]
    table.play("ana", "build", title="balnea")
    assert table.houses("iumee", "balnea") == [0, 1]
