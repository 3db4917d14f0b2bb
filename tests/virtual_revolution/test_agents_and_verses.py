"""Agents, promotions and Verses online, in a few scenes."""

from __future__ import annotations

import pytest

from tests.virtual_revolution.table import Table


def served(agent: str, *, director: int = 5, **given: int) -> Table:
    table = Table()
    table.give("ana", service=[agent], **given)
    table.turn_of("ana", director=director)
    return table


@pytest.mark.rule("vr:agents.9")
@pytest.mark.rule("vr:agents.4")
def test_a_combatant_takes_a_token_once_a_round() -> None:
    table = served("leslie")
    table.refused("ana", "activate_agent", "vr:agents.9", agent="leslie")
    table.put("bob", influence={5: 1})
    assert table.offers("ana", "activate_agent") == [
        {"agent": "leslie", "picks": [{"place": 5, "whose": "bob"}]},
    ]
    table.play("ana", "activate_agent", agent="leslie")
    assert table.tokens("bob", 5) == 0
    table.refused("ana", "activate_agent", "vr:agents.4", agent="leslie")


@pytest.mark.rule("vr:promotion.9")
@pytest.mark.rule("vr:promotion.3")
@pytest.mark.rule("vr:promotion.5")
def test_leslie_is_promoted() -> None:
    table = served("leslie")
    table.put("bob", influence={21: 1})
    table.play(
        "ana", "promote_agent", agent="leslie", effect=True, to="boost", picks=[{"place": 21}], drawn=["revenue_1"]
    )
    assert table.tokens("bob", 21) == 0
    assert table.hand("ana") == ["revenue_1"]


@pytest.mark.rule("vr:verse_card.13")
def test_paris_1920_goes_online() -> None:
    table = Table()
    table.put("ana", servers=[21])
    table.give("ana", verses=["paris_1920"])
    table.turn_of("ana", director=5)
    assert len(table.offers("ana", "put_verse_online")) == 23
    table.play("ana", "put_verse_online", verse="paris_1920", pick={"place": 7})
    assert table.tokens("ana", 7) == 1


@pytest.mark.rule("vr:verse_card.7")
def test_dark_kingdom() -> None:
    table = Table()
    table.give("ana", verses=["dark_kingdom"], service=["leslie", "pixel", "clarisse"])
    table.give("bob", immunity=1)
    table.give("cid", immunity=0, boosts=["boost_work"])
    table.turn_of("ana", director=5)
    table.play("ana", "put_verse_online", verse="dark_kingdom")
    table.refused("cid", "choose_loss", "vr:verse_card.7", lose="card:boost_work")
    table.play("bob", "choose_loss", lose="immunity")
    table.play("cid", "choose_loss", lose="card:boost_work")
    assert table.immunity("bob") == 0
    table.play("ana", "trade_verse", verse="dark_kingdom")
    assert table.immunity("ana") == 2


@pytest.mark.rule("vr:promotion.14")
def test_pixel_copies() -> None:
    table = served("pixel")
    table.give("bob", service=["the_mole"])
    table.play(
        "ana",
        "promote_agent",
        agent="pixel",
        effect=True,
        to="retire",
        picks=[{"agent": "the_mole"}],
        drawn=["revenue_1"],
    )
    assert table.revenue("ana") == 7
