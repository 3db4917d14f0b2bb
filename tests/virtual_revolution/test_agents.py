"""Agents in service: what each one does when it is used (vr:agents.*)."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from tests.virtual_revolution.table import Table


def with_agent(*agents: str, director: int = 5, **given: object) -> Table:
    """A table where ana has these Agents in service and a Director in the 5th."""
    table = Table()
    table.give("ana", service=agents, **given)  # type: ignore[arg-type]
    table.turn_of("ana", director=director)
    return table


@pytest.mark.rule("vr:agents.3")
@pytest.mark.rule("vr:agents.10")
@pytest.mark.rule("vr:agents.11")
def test_several_agents_serve_in_one_turn() -> None:
    table = with_agent("pixel", "clarisse", immunity=0)
    table.play("ana", "activate_agent", agent="pixel")
    table.play("ana", "skip_influence")
    table.play("ana", "activate_agent", agent="clarisse")
    assert (table.cash("ana"), table.immunity("ana")) == (13, 1)
    table.refused("ana", "activate_agent", "vr:agents.3", agent="lance")


@pytest.mark.rule("vr:agents.5")
@pytest.mark.rule("vr:recruit.5")
@pytest.mark.rule("vr:recruit.6")
def test_a_recruited_agent_serves_at_once() -> None:
    table = with_agent()
    table.offer("pixel", 4)
    table.play("ana", "recruit_agent", agent="pixel")
    assert not table.state.offers
    table.play("ana", "activate_agent", agent="pixel")
    assert table.cash("ana") == 10 - 4 + 3


@pytest.mark.rule("vr:agents.12")
def test_a_level_2_combatant_may_be_used_where_nobody_stands() -> None:
    table = with_agent("trunk")
    table.play("ana", "activate_agent", agent="trunk", picks=[None, {"place": 20}])
    assert table.tokens("ana", 20) == 1


@pytest.mark.rule("vr:agents.14")
def test_tanaka_reaches_the_next_arrondissement() -> None:
    table = with_agent("tanaka")
    table.put("bob", influence={5: 1, 6: 1, 20: 1})
    far = [None, {"place": 20, "whose": "bob"}]
    table.refused("ana", "activate_agent", "vr:agents.14", agent="tanaka", picks=far)
    table.play("ana", "activate_agent", agent="tanaka", picks=[None, {"place": 6, "whose": "bob"}])
    assert [table.tokens("bob", place) for place in (5, 6, 20)] == [0, 0, 1]


@pytest.mark.rule("vr:agents.16")
def test_hassan_brings_the_gain_of_a_verse_again() -> None:
    table = with_agent("hassan", online=["outpost_53"])
    table.play("ana", "activate_agent", agent="hassan", picks=[{"verse": "outpost_53"}])
    assert table.cash("ana") == 10 + 3 + 5


@pytest.mark.rule("vr:agents.17")
def test_vicomte_makes_a_verse_of_a_server() -> None:
    table = with_agent("vicomte")
    table.put("ana", servers=[13])
    table.play(
        "ana",
        "activate_agent",
        agent="vicomte",
        picks=[{"option": 0, "place": 13, "verse": "venizia"}],
        drawn=["london_1884"],
    )
    assert table.state.holdings.of("verses:ana", "card:venizia") == 1
    assert (table.cash("ana"), table.revenue("ana")) == (13, 5)


@pytest.mark.rule("vr:agents.18")
def test_vicomte_makes_a_server_of_a_verse() -> None:
    table = with_agent("vicomte", verses=["elassar"])
    option = [{"option": 1, "verse": "elassar"}]
    table.refused("ana", "activate_agent", "vr:server.3", agent="vicomte", picks=option)
    table.put("ana", influence={5: 1})
    table.play("ana", "activate_agent", agent="vicomte", picks=option)
    assert table.state.holdings.of("arrondissement:5", "server:ana") == 1


@pytest.mark.rule("vr:agents.19")
def test_the_mole_raises_the_revenue() -> None:
    table = with_agent("the_mole")
    table.play("ana", "activate_agent", agent="the_mole")
    assert (table.cash("ana"), table.revenue("ana")) == (13, 7)


@pytest.mark.rule("vr:agents.20")
def test_corto_may_renew_the_display() -> None:
    table = with_agent("corto")
    new = ["the_curse", "the_rift", "elassar", "exoplanet", "jurassic_land"]
    table.play("ana", "activate_agent", agent="corto", picks=[{}], drawn=new)
    assert "westland" not in table.state.display
    assert table.cash("ana") == 13


@pytest.mark.rule("vr:agents.21")
def test_ivan_moves_a_server() -> None:
    table = with_agent("ivan")
    table.put("bob", servers=[5], influence={6: 1})
    table.refused("ana", "activate_agent", "vr:agents.21", agent="ivan", picks=[{"place": 4}])
    table.play("ana", "activate_agent", agent="ivan", picks=[{"place": 6}])
    assert table.state.holdings.of("arrondissement:6", "server:bob") == 1


@pytest.mark.rule("vr:agents.22")
def test_morel_steals_from_a_neighbour() -> None:
    table = with_agent("morel", immunity=0)
    table.refused("ana", "activate_agent", "vr:agents.22", agent="morel", picks=[{"to": "bob"}])
    with table.arranged() as state:
        state.holdings.post(Posting("director:bob", 1, "player:bob", "arrondissement:6"))
    table.play("ana", "activate_agent", agent="morel", picks=[{"to": "bob"}])
    assert (table.immunity("ana"), table.immunity("bob")) == (2, 0)


@pytest.mark.rule("vr:agents.23")
@pytest.mark.rule("vr:agents.7")
def test_slade_adds_next_door_where_nobody_else_stands() -> None:
    table = with_agent("slade")
    table.put("bob", influence={6: 1})
    table.refused("ana", "activate_agent", "vr:influence.9", agent="slade", picks=[{"place": 6}])
    table.play("ana", "activate_agent", agent="slade", picks=[{"place": 4}])
    assert table.tokens("ana", 4) == 1


@pytest.mark.rule("vr:agents.24")
def test_dina_gives_a_card_that_only_two_see() -> None:
    table = with_agent("dina", hand=["revenue_1"])
    table.play("ana", "activate_agent", agent="dina", picks=[{"to": "bob", "cards": ["revenue_1"]}])
    assert table.hand("bob") == ["revenue_1"]
    assert "revenue_1" not in str(table.seen_by("cid"))
    assert "revenue_1" in str(table.seen_by("bob"))


@pytest.mark.rule("vr:agents.25")
def test_stilson_exchanges_agents() -> None:
    table = with_agent("stilson", "pixel")
    table.offer("zero", 20)
    table.play("ana", "activate_agent", agent="stilson", picks=[{"gives": "pixel", "agent": "zero"}])
    assert table.state.offers["pixel"].place == 20
    assert table.state.holdings.of("service:ana", "card:zero") == 1


@pytest.mark.rule("vr:agents.26")
def test_mme_tropovicz_does_a_little_of_everything() -> None:
    table = with_agent("mme_tropovicz", immunity=0)
    table.put("bob", influence={5: 1})
    table.play("ana", "activate_agent", agent="mme_tropovicz", picks=[{"place": 5}])
    assert (table.immunity("ana"), table.cash("ana"), table.tokens("bob", 5)) == (1, 13, 0)
