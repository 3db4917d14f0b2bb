"""Promotions: when, with which effect, and what becomes of the Agent (vr:promotion.*)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.virtual_revolution.table import Table
from tests.virtual_revolution.test_agents import with_agent

ONE = ["revenue_1"]


def promoted(table: Table, agent: str, pick: dict[str, Any] | None = None, **more: Any) -> None:
    """Ana promotes an Agent with its effect, and it retires."""
    more = {"to": "retire", **more} | ({} if pick is None else {"picks": [pick]})
    table.play("ana", "promote_agent", agent=agent, effect=True, **more)


@pytest.mark.rule("vr:promotion.1")
@pytest.mark.rule("vr:promotion.6")
def test_a_used_agent_may_be_promoted_at_once() -> None:
    table = with_agent("princess", immunity=0)
    table.play("ana", "activate_agent", agent="princess")
    promoted(table, "princess", drawn=ONE)
    assert table.immunity("ana") == 3
    table.refused("ana", "activate_agent", "vr:promotion.6", agent="princess")
    table.refused("ana", "promote_agent", "vr:promotion.6", agent="princess", to="retire")


@pytest.mark.rule("vr:promotion.2")
@pytest.mark.rule("vr:promotion.3")
def test_without_its_effect_no_card_is_drawn() -> None:
    table = with_agent("princess", "slade", immunity=0)
    table.play("ana", "promote_agent", agent="princess", effect=False, to="retire")
    promoted(table, "slade")
    assert (table.immunity("ana"), table.hand("ana")) == (2, [])


@pytest.mark.rule("vr:promotion.4")
@pytest.mark.rule("vr:promotion.5")
def test_the_place_is_named_with_the_promotion() -> None:
    table = with_agent("lance", "slade")
    table.refused("ana", "promote_agent", "vr:promotion.4", agent="lance", effect=False)
    table.refused("ana", "promote_agent", "vr:promotion.5", agent="slade", effect=False, to="boost")
    table.play("ana", "promote_agent", agent="lance", effect=False, to="boost")
    table.play("ana", "promote_agent", agent="slade", effect=False)
    assert table.state.holdings.of("boosts:ana", "card:lance") == 1
    assert table.state.holdings.of("retired:ana", "card:slade") == 1


@pytest.mark.rule("vr:promotion.7")
@pytest.mark.rule("vr:action.6")
def test_a_new_boost_serves_the_next_performance() -> None:
    table = with_agent("trunk", "leslie")
    table.play("ana", "work")
    table.play("ana", "promote_agent", agent="leslie", effect=False, to="boost")
    table.refused("ana", "apply_bonus", "vr:action.6", bonus={"source": "leslie"})
    promoted(table, "trunk", {"action": {"action": "work"}})
    assert table.cash("ana") == 10 + 5 + 5 + 3


@pytest.mark.rule("vr:promotion.8")
@pytest.mark.rule("vr:promotion.33")
@pytest.mark.rule("vr:promotion.25")
def test_a_tied_effect_needs_its_action() -> None:
    table = with_agent("lance", "don_armondo")
    table.offer("pixel", 4)
    tied = {"agent": "lance", "effect": True, "to": "retire", "drawn": ONE}
    table.refused("ana", "promote_agent", "vr:promotion.8", **tied)
    table.play("ana", "recruit_agent", agent="pixel")
    table.refused("ana", "promote_agent", "vr:promotion.8", agent="don_armondo", effect=True, to="retire")
    table.play("ana", "promote_agent", **tied)
    assert table.cash("ana") == 10 - 4 + 4


@pytest.mark.rule("vr:promotion.25")
def test_don_armondo_reaches_further_with_the_action() -> None:
    table = with_agent("don_armondo")
    table.offer("pixel", 11)
    table.refused("ana", "recruit_agent", "vr:recruit.1", agent="pixel")
    bonus = [{"source": "don_armondo", "to": "retire"}]
    table.play("ana", "recruit_agent", agent="pixel", bonuses=bonus, drawn=ONE)
    assert table.hand("ana") == ONE


@pytest.mark.rule("vr:promotion.9")
@pytest.mark.parametrize(
    ("agent", "inside"), [("leslie", 21), ("camille", 13), ("zero", 5), ("jade", 11), ("muriel", 8)]
)
def test_a_fighter_strikes_in_one_district(agent: str, inside: int) -> None:
    table = with_agent(agent)
    table.put("bob", influence={inside: 1, 18: 1})
    table.refused(
        "ana",
        "promote_agent",
        "vr:promotion.9",
        agent=agent,
        effect=True,
        to="retire",
        picks=[{"place": 18}],
        drawn=ONE,
    )
    promoted(table, agent, {"place": inside}, drawn=ONE)
    assert (table.tokens("bob", inside), table.hand("ana")) == (0, ONE)


@pytest.mark.rule("vr:promotion.10")
def test_droid_ft2_465_may_take_its_own_side() -> None:
    table = with_agent("droid_ft2_465")
    table.put("ana", influence={18: 1})
    promoted(table, "droid_ft2_465", {"place": 18, "whose": "ana"}, drawn=ONE)
    assert table.tokens("ana", 18) == 0


@pytest.mark.rule("vr:promotion.11")
@pytest.mark.parametrize(("agent", "place"), [("nash", 21), ("benedict", 18), ("doc_slice", 19)])
def test_a_pair_of_districts(agent: str, place: int) -> None:
    table = with_agent(agent)
    promoted(table, agent, {"place": place, "add": True})
    assert table.tokens("ana", place) == 1


@pytest.mark.rule("vr:promotion.12")
def test_tanaka_donates() -> None:
    table = with_agent("tanaka", hand=["revenue_1"])
    promoted(table, "tanaka", {"action": {"action": "make_donation", "discard": ["revenue_1"]}})
    assert (table.cash("ana"), table.hand("ana")) == (9, [])


@pytest.mark.rule("vr:promotion.13")
@pytest.mark.rule("vr:action.2")
def test_trunk_works_besides_the_action_of_the_turn() -> None:
    table = with_agent("trunk")
    table.play("ana", "work")
    promoted(table, "trunk", {"action": {"action": "work"}})
    assert table.cash("ana") == 20


@pytest.mark.rule("vr:promotion.14")
def test_pixel_copies_but_no_copy_and_not_mme_tropovicz() -> None:
    table = with_agent("pixel")
    table.give("bob", service=["baron_dimka", "mme_tropovicz"])
    copied = {"agent": "pixel", "effect": True, "to": "retire", "drawn": ONE}
    table.refused("ana", "promote_agent", "vr:promotion.14", **copied, picks=[{"agent": "mme_tropovicz"}])
    table.play("ana", "promote_agent", **copied, picks=[{"agent": "baron_dimka"}])
    assert (table.revenue("ana"), table.hand("ana")) == (6, ONE)


@pytest.mark.rule("vr:promotion.15")
def test_hassan_turns_a_verse_online() -> None:
    table = with_agent("hassan", verses=["mythologia"])
    promoted(table, "hassan", {"verse": "mythologia"})
    assert table.revenue("ana") == 7
    assert "mythologia" in table.state.online


@pytest.mark.rule("vr:promotion.16")
@pytest.mark.rule("vr:promotion.22")
def test_promotions_of_create_a_verse() -> None:
    table = with_agent("professeur_shane", "megabyte")
    table.play("ana", "create_verse", verse="venizia", drawn=["revenue_1", "the_curse"])
    new = ["the_rift", "elassar", "exoplanet", "jurassic_land", "london_1884"]
    promoted(table, "professeur_shane", drawn=["revenue_2", *new])
    assert "the_rift" in table.state.display
    promoted(table, "megabyte", drawn=["revenue_3"])
    assert table.cash("ana") == 10 - 7 + 3


@pytest.mark.rule("vr:promotion.17")
def test_vicomte_sets_all_upright() -> None:
    table = with_agent("vicomte", "the_mole", "pixel")
    for agent in ("the_mole", "pixel"):
        table.play("ana", "activate_agent", agent=agent)
    promoted(table, "vicomte")
    table.play("ana", "activate_agent", agent="pixel")
    assert table.cash("ana") == 10 + 3 + 3 + 3


@pytest.mark.rule("vr:promotion.18")
@pytest.mark.rule("vr:promotion.24")
def test_promotions_of_build_a_server() -> None:
    table = with_agent("sx_1248", "delta")
    table.refused("ana", "build_server", "vr:server.3")
    waived = [{"source": "delta", "to": "retire"}]
    table.play("ana", "build_server", bonuses=waived, drawn=["revenue_1", "revenue_2"])
    promoted(table, "sx_1248", drawn=["revenue_3"])
    assert (table.cash("ana"), len(table.hand("ana"))) == (3, 3)


@pytest.mark.rule("vr:promotion.19")
@pytest.mark.rule("vr:promotion.20")
def test_promotions_that_raise_the_revenue() -> None:
    table = with_agent("the_mole", "baron_dimka")
    promoted(table, "the_mole")
    promoted(table, "baron_dimka", drawn=ONE)
    assert table.revenue("ana") == 8


@pytest.mark.rule("vr:promotion.21")
def test_corto_creates_a_verse() -> None:
    table = with_agent("corto")
    promoted(
        table,
        "corto",
        {"action": {"action": "create_verse", "verse": "venizia"}},
        drawn=["revenue_1", "the_curse"],
    )
    assert (table.cash("ana"), table.revenue("ana")) == (3, 6)


@pytest.mark.rule("vr:promotion.23")
def test_ivan_builds_or_stays() -> None:
    table = with_agent("ivan")
    build = [{"action": {"action": "build_server"}}]
    table.refused("ana", "promote_agent", "vr:server.3", agent="ivan", effect=True, picks=build, drawn=ONE)
    table.put("ana", influence={5: 1})
    promoted(table, "ivan", build[0], drawn=ONE)
    assert table.cash("ana") == 0


@pytest.mark.rule("vr:promotion.26")
def test_morel_recruits_from_the_discard() -> None:
    table = with_agent("morel")
    with table.arranged() as state:
        table._take(state, ["zero"], "discard:agents")
    promoted(table, "morel", {"action": {"action": "recruit_agent", "agent": "zero"}})
    assert table.cash("ana") == 6
    assert table.state.holdings.of("service:ana", "card:zero") == 1


@pytest.mark.rule("vr:promotion.27")
def test_clarisse_looks_takes_and_gives() -> None:
    table = with_agent("clarisse", hand=["agent_1"])
    table.give("bob", hand=["server_1", "server_2"])
    promoted(table, "clarisse", {"to": "bob"}, drawn=ONE)
    table.refused("ana", "exchange_corruption", "vr:promotion.27", take="server_1", give="server_1")
    table.play("ana", "exchange_corruption", take="server_1", give="agent_1")
    assert (table.hand("ana"), table.hand("bob")) == (["revenue_1", "server_1"], ["agent_1", "server_2"])
    assert "server_1" not in str(table.seen_by("cid"))


@pytest.mark.rule("vr:promotion.28")
@pytest.mark.rule("vr:promotion.35")
def test_promotions_that_bring_immunity() -> None:
    table = with_agent("slade", "princess", immunity=0)
    promoted(table, "slade")
    promoted(table, "princess", drawn=ONE)
    assert table.immunity("ana") == 4


@pytest.mark.rule("vr:promotion.29")
def test_miss_yoshida_adds_next_door() -> None:
    table = with_agent("miss_yoshida")
    promoted(table, "miss_yoshida", {"place": 6}, drawn=ONE)
    assert table.tokens("ana", 6) == 1


@pytest.mark.rule("vr:promotion.30")
def test_dina_gives_a_card() -> None:
    table = with_agent("dina", hand=["agent_1"])
    promoted(table, "dina", {"to": "cid", "cards": ["agent_1"]})
    assert table.hand("cid") == ["agent_1"]


@pytest.mark.rule("vr:promotion.31")
def test_la_fouine_discards_two_of_choice() -> None:
    table = with_agent("la_fouine", hand=["agent_1", "agent_2"])
    promoted(table, "la_fouine", drawn=ONE)
    table.play("ana", "discard_corruption", cards=["agent_1", "revenue_1"])
    assert table.hand("ana") == ["agent_2"]


@pytest.mark.rule("vr:promotion.32")
def test_stilson_recruits() -> None:
    table = with_agent("stilson")
    table.offer("zero", 6)
    promoted(table, "stilson", {"action": {"action": "recruit_agent", "agent": "zero"}})
    assert table.cash("ana") == 6


@pytest.mark.rule("vr:promotion.34")
def test_mme_tropovicz_is_promised_a_type_only_with_her_effect() -> None:
    table = with_agent("mme_tropovicz")
    promoted(table, "mme_tropovicz")
    assert table.state.promised == {"mme_tropovicz"}
    other = with_agent("mme_tropovicz")
    other.play("ana", "promote_agent", agent="mme_tropovicz", effect=False)
    assert not other.state.promised
