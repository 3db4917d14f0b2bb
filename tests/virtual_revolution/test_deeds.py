"""The five Actions with their bonuses, in a few scenes."""

from __future__ import annotations

import pytest

from tests.virtual_revolution.table import Table


def on_turn(**given: object) -> Table:
    table = Table()
    table.give("ana", **given)  # type: ignore[arg-type]
    table.turn_of("ana", director=5)
    return table


@pytest.mark.rule("vr:work.1")
@pytest.mark.rule("vr:boost.4")
@pytest.mark.rule("vr:title.12")
def test_work_pays_with_every_modifier() -> None:
    table = on_turn(boosts=["boost_work", "leslie"], titles=["DR"])
    table.play(
        "ana", "work", bonuses=[{"source": "boost_work"}, {"source": "leslie"}, {"source": "DR", "when": "after"}]
    )
    assert table.cash("ana") == 10 + 3 + 3 + 5 + 5
    table.refused("ana", "work", "vr:action.1")


@pytest.mark.rule("vr:recruit.1")
@pytest.mark.rule("vr:recruit.4")
def test_recruiting_is_near_and_dear() -> None:
    table = on_turn()
    table.offer("lance", 4)
    table.offer("zero", 20)
    table.refused("ana", "recruit_agent", "vr:recruit.1", agent="zero")
    table.play("ana", "recruit_agent", agent="lance")
    assert table.cash("ana") == 6


@pytest.mark.rule("vr:server.10")
@pytest.mark.rule("vr:promotion.18")
def test_a_server_with_a_tied_promotion() -> None:
    table = on_turn(eurocredit=7, service=["sx_1248"])
    table.put("ana", influence={5: 1})
    table.play(
        "ana",
        "build_server",
        bonuses=[{"source": "sx_1248", "to": "boost"}],
        drawn=["revenue_1", "revenue_2"],
    )
    assert table.cash("ana") == 0
    assert table.revenue("ana") == 7


@pytest.mark.rule("vr:verse.5")
@pytest.mark.rule("vr:verse.1")
def test_a_verse_after_a_renewal() -> None:
    table = on_turn()
    table.play("ana", "renew_verses", drawn=["the_curse", "the_rift", "elassar", "exoplanet", "jurassic_land"])
    table.play("ana", "create_verse", verse="the_curse", drawn=["revenue_1", "london_1884"])
    assert table.cash("ana") == 1


@pytest.mark.rule("vr:donation.1")
@pytest.mark.rule("vr:agents.13")
def test_a_donation_as_a_bonus() -> None:
    table = on_turn(service=["nash"], hand=["revenue_1", "revenue_2"])
    table.turn_of("ana", director=1)
    table.play(
        "ana",
        "activate_agent",
        agent="nash",
        picks=[None, {"action": {"action": "make_donation", "discard": ["revenue_1"]}}],
    )
    assert table.cash("ana") == 9
    table.play("ana", "make_donation", discard=["revenue_2"], immunity=True)
    assert table.hand("ana") == []
