"""The five Actions with their bonuses, in a few scenes."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import NeedsDraw
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


@pytest.mark.rule("vr:agents.13")
def test_a_donation_as_a_bonus_needs_the_director_in_the_district() -> None:
    """Nash's bonus is for Neudon and Marx Dormoy; Ana's Director is elsewhere."""
    table = on_turn(service=["nash"], hand=["revenue_1"])
    donation = {"action": {"action": "make_donation", "discard": ["revenue_1"]}}
    refusal = table.refused("ana", "activate_agent", "vr:agents.13", agent="nash", picks=[None, donation])
    assert "the Director of this turn" in refusal.en


@pytest.mark.rule("vr:action.1")
@pytest.mark.rule("vr:action.7")
def test_one_action_a_turn_and_its_price_in_full() -> None:
    table = on_turn(eurocredit=3)
    table.offer("lance", 4)
    table.refused("ana", "recruit_agent", "vr:action.7", agent="lance")
    table.play("ana", "work")
    table.refused("ana", "work", "vr:action.1")
    assert table.cash("ana") == 8


@pytest.mark.rule("vr:action.3")
@pytest.mark.rule("vr:action.4")
@pytest.mark.rule("vr:boost.9")
@pytest.mark.rule("vr:boost.10")
def test_bonuses_add_up_and_pay_when_they_come_before() -> None:
    table = on_turn(eurocredit=6, boosts=["boost_server_money", "sx_1248", "megabyte"])
    table.put("ana", influence={5: 1})
    late = [{"source": "sx_1248", "when": "after"}, {"source": "boost_server_money"}, {"source": "megabyte"}]
    table.refused("ana", "build_server", "vr:action.7", bonuses=late, drawn=["revenue_1"])
    table.play("ana", "build_server", drawn=["revenue_1"])
    assert (table.cash("ana"), table.revenue("ana")) == (0, 5 + 2 + 1)


@pytest.mark.rule("vr:action.5")
def test_a_boost_applies_once_to_each_performance() -> None:
    table = on_turn(boosts=["boost_work"], service=["trunk"])
    table.play("ana", "work")
    table.refused("ana", "apply_bonus", "vr:action.5", bonus={"source": "boost_work"})
    table.play("ana", "promote_agent", agent="trunk", picks=[{"action": {"action": "work"}}])
    assert table.cash("ana") == 10 + 8 + 8


@pytest.mark.rule("vr:boost.5")
@pytest.mark.rule("vr:donation.2")
def test_a_donation_with_its_boost_and_immunity() -> None:
    table = on_turn(hand=["agent_1", "agent_2", "agent_3"], boosts=["clarisse"])
    extra = [{"source": "clarisse", "card": "agent_3"}]
    table.refused("ana", "make_donation", "vr:donation.2")
    table.play("ana", "make_donation", discard=["agent_1", "agent_2"], immunity=True, bonuses=extra)
    assert (table.cash("ana"), table.hand("ana"), table.immunity("ana")) == (10 - 3 - 3 - 1, [], 2)


@pytest.mark.rule("vr:boost.6")
@pytest.mark.rule("vr:verse.2")
@pytest.mark.rule("vr:verse.3")
@pytest.mark.rule("vr:verse.4")
def test_creating_a_verse() -> None:
    table = on_turn(eurocredit=5, boosts=["pixel"])
    table.refused("ana", "create_verse", "vr:action.7", verse="venizia", bonuses=[])
    with pytest.raises(NeedsDraw, match=r"\(1\) beside the values given \(1\)"):
        table.play("ana", "create_verse", verse="venizia", drawn=["revenue_1"])
    table.play("ana", "create_verse", verse="venizia", drawn=["revenue_1", "the_curse"])
    assert (table.cash("ana"), table.revenue("ana"), table.hand("ana")) == (0, 6, ["revenue_1"])


@pytest.mark.rule("vr:boost.11")
@pytest.mark.rule("vr:boost.12")
@pytest.mark.rule("vr:recruit.2")
def test_boosts_of_recruiting_pay_and_reach_further() -> None:
    table = on_turn(boosts=["lance", "boost_recruit"])
    table.offer("zero", 10)
    table.refused("ana", "recruit_agent", "vr:recruit.2", agent="zero", bonuses=[{"source": "lance"}])
    table.play("ana", "recruit_agent", agent="zero")
    assert table.cash("ana") == 10 + 2 + 1 - 4


@pytest.mark.rule("vr:recruit.3")
def test_there_is_no_place_for_a_fourth_agent() -> None:
    table = on_turn(service=["leslie", "pixel", "lance"])
    table.offer("zero", 5)
    table.refused("ana", "recruit_agent", "vr:recruit.3", agent="zero")


@pytest.mark.rule("vr:server.1")
@pytest.mark.rule("vr:server.6")
@pytest.mark.rule("vr:server.7")
@pytest.mark.rule("vr:server.8")
@pytest.mark.rule("vr:server.9")
def test_building_a_server() -> None:
    table = on_turn()
    table.put("ana", influence={6: 1})
    table.refused("ana", "build_server", "vr:server.3")
    table.put("ana", influence={5: 1})
    table.play("ana", "build_server", drawn=["revenue_1"])
    held = table.state.holdings
    assert (table.cash("ana"), table.revenue("ana"), table.hand("ana")) == (0, 7, ["revenue_1"])
    assert (held.of("player:ana", "vp2_token"), held.of("arrondissement:5", "server:ana")) == (1, 1)


@pytest.mark.rule("vr:server.5")
def test_a_title_waives_one_condition_alone() -> None:
    table = on_turn(titles=["NA"], eurocredit=20)
    table.put("bob", servers=[5])
    waived = [{"source": "NA"}]
    table.refused("ana", "build_server", "vr:server.2", bonuses=waived, drawn=["revenue_1"])
    table.turn_of("ana", director=6)
    table.play("ana", "build_server", bonuses=waived, drawn=["revenue_1"])
    assert table.state.holdings.of("arrondissement:6", "server:ana") == 1
