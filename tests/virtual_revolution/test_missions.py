"""Verses: their missions, their gains, and when they go online (vr:verse.*, vr:verse_card.*)."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.virtual_revolution.agents.verses_online import picks_for
from tests.virtual_revolution.table import Table

FIGHTERS, TECHNICIANS, DIPLOMATS = ["leslie", "zero"], ["pixel", "delta"], ["lance", "princess"]


def with_verse(verse: str, **given: Any) -> Table:
    """A table where ana has this Verse in Loading and a Director in the 5th."""
    table = Table()
    table.give("ana", verses=[verse], **given)
    table.turn_of("ana", director=5)
    return table


def goes_online(table: Table, verse: str, **pick: Any) -> None:
    """Ana puts the Verse online."""
    table.play("ana", "put_verse_online", verse=verse, **({"pick": pick} if pick else {}))
    assert verse in table.state.online


@pytest.mark.rule("vr:verse_card.1")
@pytest.mark.rule("vr:boost.1")
@pytest.mark.parametrize(
    ("verse", "agents"), [("westland", FIGHTERS), ("exoplanet", TECHNICIANS), ("elven_lands", DIPLOMATS)]
)
def test_two_agents_of_a_type(verse: str, agents: list[str]) -> None:
    table = with_verse(verse, service=agents[:1])
    table.refused("ana", "put_verse_online", "vr:verse_card.1", verse=verse)
    table.give("ana", service=agents)
    goes_online(table, verse, boost="boost_work")
    assert "boost_work" not in table.available()


@pytest.mark.rule("vr:verse_card.3")
@pytest.mark.parametrize(
    ("verse", "agents"),
    [
        ("conquistadores", ["leslie", "pixel"]),
        ("space_conquest", ["pixel", "lance"]),
        ("elassar", ["leslie", "lance"]),
    ],
)
def test_one_agent_of_each_of_two_types(verse: str, agents: list[str]) -> None:
    table = with_verse(verse, service=agents[:1])
    table.refused("ana", "put_verse_online", "vr:verse_card.3", verse=verse)
    table.give("ana", service=agents)
    goes_online(table, verse)
    assert table.state.holdings.of("player:ana", "vp2_token") == 1


@pytest.mark.rule("vr:verse_card.5")
@pytest.mark.parametrize(("verse", "place"), [("venizia", 18), ("olmeta_worlds", 14), ("the_rift", 17)])
def test_a_server_in_one_of_two_districts(verse: str, place: int) -> None:
    table = with_verse(verse)
    table.put("ana", servers=[22])
    table.refused("ana", "put_verse_online", "vr:verse_card.5", verse=verse)
    table.put("ana", servers=[place])
    goes_online(table, verse, place=place)
    assert table.tokens("ana", place) == 1


@pytest.mark.rule("vr:verse_card.15")
def test_the_howling_wants_all_directors_in_one_district() -> None:
    table = with_verse("the_howling")
    table.turn_of("ana", director=6)
    table.refused("ana", "put_verse_online", "vr:verse_card.15", verse="the_howling")
    table.turn_of("ana", director=7)
    goes_online(table, "the_howling")


@pytest.mark.rule("vr:verse_card.17")
def test_the_archipelago_adds_three_where_one_controls() -> None:
    table = with_verse("the_archipelago")
    table.put("ana", influence={8: 3}, servers=[13])
    goes_online(table, "the_archipelago", places=[8, 13, 13])
    assert (table.tokens("ana", 8), table.tokens("ana", 13)) == (4, 2)


@pytest.mark.rule("vr:verse_card.17")
@pytest.mark.rule("vr:server.11")
def test_the_archipelago_is_offered_where_a_server_alone_controls() -> None:
    table = with_verse("the_archipelago")
    table.put("ana", influence={8: 3}, servers=[13])
    offered = picks_for(table.state, "ana", "the_archipelago")
    assert offered == [{"places": [8, 8, 8]}, {"places": [13, 13, 13]}]


@pytest.mark.rule("vr:verse_card.19")
def test_london_1884_recycles() -> None:
    table = with_verse("london_1884")
    table.put("ana", recycled=2)
    table.refused("ana", "put_verse_online", "vr:verse_card.19", verse="london_1884")
    table.put("ana", recycled=1)
    goes_online(table, "london_1884")
    assert table.state.holdings.of("recycling", "influence:ana") == 6


@pytest.mark.rule("vr:verse_card.21")
@pytest.mark.rule("vr:verse.12")
@pytest.mark.parametrize("verse", ["the_codex", "multiverse", "steampunk_worlds", "the_cyclades"])
def test_a_verse_without_a_mission_turns_when_it_is_taken(verse: str) -> None:
    table = Table()
    with table.arranged() as state:
        if verse not in state.display:
            table._take(state, [verse], "display")
            state.display = (verse, *state.display[1:])
    table.turn_of("ana", director=5)
    table.play("ana", "create_verse", verse=verse, drawn=["revenue_1", "london_1884"])
    assert verse in table.state.online


@pytest.mark.rule("vr:verse_card.26")
def test_from_ashes_to_ashes_wants_nobody_in_service() -> None:
    table = with_verse("from_ashes_to_ashes", service=["leslie"])
    table.refused("ana", "put_verse_online", "vr:verse_card.26", verse="from_ashes_to_ashes")
    table.play("ana", "promote_agent", agent="leslie", effect=False, to="retire")
    goes_online(table, "from_ashes_to_ashes", boost="boost_recruit")


@pytest.mark.rule("vr:verse_card.28")
def test_outpost_53_wants_neighbouring_servers() -> None:
    table = with_verse("outpost_53")
    table.put("ana", servers=[13, 22])
    table.refused("ana", "put_verse_online", "vr:verse_card.28", verse="outpost_53")
    table.put("ana", servers=[5])
    goes_online(table, "outpost_53")
    assert table.cash("ana") == 15


@pytest.mark.rule("vr:verse_card.30")
def test_jurassic_land_wants_five_immunity() -> None:
    table = with_verse("jurassic_land", immunity=4)
    table.refused("ana", "put_verse_online", "vr:verse_card.30", verse="jurassic_land")
    table.give("ana", immunity=5)
    goes_online(table, "jurassic_land")
    assert table.immunity("ana") == 6


@pytest.mark.rule("vr:verse_card.32")
def test_castle_in_the_air_wants_four_boosts() -> None:
    table = with_verse("castle_in_the_air", boosts=["boost_work", "leslie", "lance"])
    table.refused("ana", "put_verse_online", "vr:verse_card.32", verse="castle_in_the_air")
    table.give("ana", boosts=["boost_recruit"])
    goes_online(table, "castle_in_the_air", boost="boost_donation")


@pytest.mark.rule("vr:verse.8")
@pytest.mark.rule("vr:verse.7")
@pytest.mark.rule("vr:verse.10")
@pytest.mark.rule("vr:verse.11")
def test_a_verse_may_wait_and_goes_online_in_ones_own_turn() -> None:
    table = with_verse("jurassic_land", immunity=5)
    for kind in ("skip_influence", "skip_action", "end_turn"):
        table.play("ana", kind)
    assert table.immunity("ana") == 5
    table.refused("ana", "put_verse_online", "vr:turn.5", verse="jurassic_land")
    table.turn_of("ana", director=6)
    goes_online(table, "jurassic_land")
    table.give("ana", immunity=0)
    assert "jurassic_land" in table.state.online
    table.refused("ana", "put_verse_online", "vr:verse_card.30", verse="jurassic_land")


@pytest.mark.rule("vr:verse.9")
def test_a_mission_met_already_serves_at_once() -> None:
    table = Table()
    table.put("ana", servers=[18])
    table.turn_of("ana", director=5)
    table.play("ana", "create_verse", verse="venizia", drawn=["revenue_1", "london_1884"])
    goes_online(table, "venizia", place=9)


@pytest.mark.rule("vr:verse.14")
@pytest.mark.rule("vr:verse.15")
def test_a_verse_buys_an_immunity_token() -> None:
    table = with_verse("westland")
    table.play("ana", "trade_verse", verse="westland")
    assert (table.immunity("ana"), table.state.under) == (2, ("westland",))
    table.refused("ana", "trade_verse", "vr:verse.14", verse="westland")
    table.give("ana", verses=["venizia"])
    table.give("bob", immunity=20 - 2 - 1)
    table.refused("ana", "trade_verse", "vr:verse.14", verse="venizia")
