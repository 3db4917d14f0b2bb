"""What cards do on the map: adding, eliminating, Servers; within reach, and never two players' tokens together."""

from __future__ import annotations

import pytest

from ledger.rulebooks.virtual_revolution.table.operations import (
    InfluenceAdd,
    InfluenceEliminate,
    InfluenceEliminateOrAdd,
    InfluenceToRecycling,
    MoveServer,
    PlaceServer,
)
from ledger.rulebooks.virtual_revolution.table.state import builder, recycled, reserve, tokens
from ledger.rulebooks.virtual_revolution.table.terms import Pick
from tests.virtual_revolution.deciding import carried_out, refused
from tests.virtual_revolution.table import Table

HERE = InfluenceEliminate(amount=1, whose="any", where="arrondissement")
NEAR = InfluenceEliminate(amount=1, whose="any", where="adjacent")
FOE = InfluenceEliminate(amount=1, whose="opponent", where="districts", districts=("ND",))
ADD_NEAR = InfluenceAdd(amount=1, where="adjacent")
ADD_ANY = InfluenceAdd(amount=1, where="any")
EITHER = InfluenceEliminateOrAdd(amount=1, whose="any", where="districts", districts=("ND", "MA"))
MOVE = MoveServer(amount=1, whose="any", source="arrondissement", target="adjacent")


@pytest.fixture
def table() -> Table:
    """The Director of ana's turn is in 5, whose neighbours are 4, 6, 12, 13 and 14."""
    return Table()


@pytest.mark.rule("vr:agents.9", "vr:influence.11")
def test_a_fighter_removes_the_token_that_stands_there(table: Table) -> None:
    table.put("bob", influence={5: 2})
    draft = carried_out(table, "ana", HERE, rule="vr:agents.9")
    assert (tokens(draft.state, "bob", 5), recycled(draft.state, "bob")) == (1, 1)
    assert draft.state.holdings.account("hand:ana") == {}


@pytest.mark.rule("vr:agents.9")
def test_a_fighter_removes_one_s_own_token_if_there_is_no_other(table: Table) -> None:
    table.put("ana", influence={5: 1})
    refused(table, "ana", HERE, Pick(skip=True), by="vr:agents.9", rule="vr:agents.9")
    assert recycled(carried_out(table, "ana", HERE, rule="vr:agents.9").state, "ana") == 1
    assert carried_out(Table(), "ana", HERE, rule="vr:agents.9").events == []


@pytest.mark.rule("vr:agents.14", "vr:agents.6")
def test_tanaka_reaches_adjacent_arrondissements_and_may_be_left_out(table: Table) -> None:
    table.put("bob", influence={4: 1, 22: 1})
    table.put("cid", influence={6: 1})
    more = {"rule": "vr:agents.14", "may_skip": True}
    assert carried_out(table, "ana", NEAR, **more).events == []
    for wrong in (Pick(place=22), Pick(place=13), Pick(place=4, whose="cid")):
        refused(table, "ana", NEAR, wrong, by="vr:agents.14", **more)
    assert recycled(carried_out(table, "ana", NEAR, Pick(place=6), **more).state, "cid") == 1
    refused(table, "ana", NEAR, None, by="vr:agents.14", rule="vr:agents.14")


@pytest.mark.rule("vr:promotion.9")
def test_promoted_fighters_hit_opponents_in_their_district(table: Table) -> None:
    table.put("ana", influence={22: 1})
    assert carried_out(table, "ana", FOE, rule="vr:promotion.9").events == []
    refused(table, "ana", FOE, Pick(place=22), by="vr:promotion.9", rule="vr:promotion.9")
    table.put("bob", influence={21: 1})
    assert recycled(carried_out(table, "ana", FOE, rule="vr:promotion.9").state, "bob") == 1


@pytest.mark.rule("vr:agents.7", "vr:influence.9", "vr:agents.23")
def test_cards_never_add_where_another_player_has_tokens(table: Table) -> None:
    """Of the five neighbours three hold bob's tokens, and one is taken by its number."""
    table.put("bob", influence={4: 1, 6: 1, 12: 1})
    refused(table, "ana", ADD_NEAR, Pick(place=4), by="vr:influence.9", rule="vr:agents.23")
    refused(table, "ana", ADD_NEAR, Pick(place=22), by="vr:agents.23", rule="vr:agents.23")
    refused(table, "ana", ADD_NEAR, None, by="vr:agents.23", rule="vr:agents.23")
    draft = carried_out(table, "ana", ADD_NEAR, Pick(place=13), rule="vr:agents.23")
    assert (tokens(draft.state, "ana", 13), reserve(draft.state, "ana")) == (1, 17)


@pytest.mark.rule("vr:influence.9")
def test_an_addition_without_a_legal_place_is_lost(table: Table) -> None:
    table.put("bob", influence=dict.fromkeys((4, 6, 12, 13, 14), 1))
    assert carried_out(table, "ana", ADD_NEAR, rule="vr:agents.23").events == []


@pytest.mark.rule("vr:agents.8", "vr:agents.15")
def test_an_addition_without_a_token_on_the_board_is_lost(table: Table) -> None:
    table.put("ana", influence={5: 18})
    assert carried_out(table, "ana", ADD_ANY, Pick(place=22), rule="vr:agents.15").events == []


@pytest.mark.rule("vr:agents.15")
def test_trunk_adds_anywhere(table: Table) -> None:
    draft = carried_out(table, "ana", ADD_ANY, Pick(place=22), rule="vr:agents.15")
    assert tokens(draft.state, "ana", 22) == 1


@pytest.mark.rule("vr:promotion.11")
def test_nash_eliminates_anybody_s_token_or_adds_one_s_own(table: Table) -> None:
    table.put("bob", influence={21: 1})
    more = {"rule": "vr:promotion.11"}
    assert recycled(carried_out(table, "ana", EITHER, **more).state, "bob") == 1
    assert tokens(carried_out(table, "ana", EITHER, Pick(add=True, place=1), **more).state, "ana", 1) == 1
    refused(table, "ana", EITHER, Pick(add=True, place=21), by="vr:influence.9", **more)
    refused(table, "ana", EITHER, Pick(add=True, place=5), by="vr:promotion.11", **more)


@pytest.mark.rule("vr:verse_card.17")
def test_three_tokens_in_controlled_arrondissements(table: Table) -> None:
    """The Archipelago: in one, or spread; as many as the board holds."""
    gain = InfluenceAdd(amount=3, where="own_controlled", split=True)
    more = {"rule": "vr:verse_card.17"}
    table.put("ana", influence={5: 3}, servers=[22])
    draft = carried_out(table, "ana", gain, Pick(places=(5, 22, 22)), **more)
    assert (tokens(draft.state, "ana", 5), tokens(draft.state, "ana", 22)) == (4, 2)
    assert tokens(carried_out(table, "ana", gain, Pick(place=22), **more).state, "ana", 22) == 3
    refused(table, "ana", gain, Pick(places=(5, 22)), by="vr:verse_card.17", **more)
    refused(table, "ana", gain, Pick(places=(5, 5, 6)), by="vr:verse_card.17", **more)
    table.put("ana", influence={5: 13})
    assert tokens(carried_out(table, "ana", gain, Pick(place=22), **more).state, "ana", 22) == 2


@pytest.mark.rule("vr:verse_card.19")
def test_three_tokens_of_the_board_go_to_recycling(table: Table) -> None:
    gain = InfluenceToRecycling(amount=3)
    draft = carried_out(table, "ana", gain, rule="vr:verse_card.19")
    assert (recycled(draft.state, "ana"), reserve(draft.state, "ana")) == (3, 15)
    table.put("ana", influence={5: 17})
    assert recycled(carried_out(table, "ana", gain, rule="vr:verse_card.19").state, "ana") == 1


@pytest.mark.rule("vr:agents.18", "vr:server.2", "vr:server.3", "vr:server.4")
def test_vicomte_s_server_stands_where_one_could_be_built(table: Table) -> None:
    more = {"rule": "vr:agents.18"}
    refused(table, "ana", PlaceServer(), by="vr:server.3", **more)
    table.put("ana", influence={5: 1})
    assert builder(carried_out(table, "ana", PlaceServer(), **more).state, 5) == "ana"
    table.put("bob", servers=[5])
    refused(table, "ana", PlaceServer(), by="vr:server.2", **more)
    near = Table()
    near.put("ana", influence={5: 1}, servers=[6])
    refused(near, "ana", PlaceServer(), by="vr:server.4", **more)


@pytest.mark.rule("vr:agents.21")
def test_ivan_moves_a_server_where_its_owner_could_build(table: Table) -> None:
    """Bob's Server in 5: he has influence in 6 of the same district, and in 22, which is not adjacent."""
    table.put("bob", servers=[5], influence={6: 1, 22: 1})
    more = {"rule": "vr:agents.21", "may_skip": True}
    assert carried_out(table, "ana", MOVE, **more).events == []
    assert carried_out(table, "ana", MOVE, Pick(skip=True), **more).events == []
    refused(table, "ana", MOVE, Pick(place=22), by="vr:agents.21", **more)
    refused(table, "ana", MOVE, Pick(place=4), by="vr:server.3", **more)
    draft = carried_out(table, "ana", MOVE, Pick(place=6), **more)
    assert (builder(draft.state, 5), builder(draft.state, 6)) == (None, "bob")
    refused(Table(), "ana", MOVE, Pick(place=6), by="vr:agents.21", **more)
