"""The influence phase: one manoeuvre, adding, eliminating or moving one token (vr:influence.*)."""

from __future__ import annotations

import pytest

from ledger.rulebooks.virtual_revolution.table.state import recycled
from tests.virtual_revolution.table import Table


@pytest.fixture
def table() -> Table:
    """Ana's Director is in arrondissement 5, and the influence phase of her turn is open."""
    table = Table()
    table.turn_of("ana", director=5)
    return table


@pytest.mark.rule("vr:influence.2", "vr:influence.3", "vr:corruption.1")
def test_adding_puts_one_token_from_the_board_and_draws_a_corruption_card(table: Table) -> None:
    """18 tokens on the board, one of them goes to arrondissement 5; only Ana sees the card."""
    table.play("ana", "influence_add", drawn=["influence_1"])
    assert table.tokens("ana", 5) == 1
    assert table.reserve("ana") == 17
    assert table.hand("ana") == ["influence_1"]
    assert ("influence_1",) in [getattr(one, "cards", ()) for one in table.seen_by("ana")]
    for other in ("bob", None):
        drawn = [one for one in table.seen_by(other) if hasattr(one, "cards")]
        assert [one.cards for one in drawn] == [(None,)]
        assert "influence_1" not in str(table.seen_by(other))


@pytest.mark.rule("vr:influence.1")
def test_a_turn_has_one_manoeuvre_at_most(table: Table) -> None:
    table.put("ana", influence={6: 1})
    table.play("ana", "influence_move", source=6)
    table.refused("ana", "influence_add", "vr:influence.1", drawn=["influence_2"])
    table.refused("ana", "influence_eliminate", "vr:influence.1", whose="ana", drawn=["influence_2"])
    table.refused("ana", "influence_move", "vr:influence.1", source=5)
    assert not [move.kind for move in table.moves("ana") if move.kind.startswith("influence")]


@pytest.mark.rule("vr:influence.1", "vr:turn.7")
def test_a_turn_may_do_without_a_manoeuvre(table: Table) -> None:
    table.play("ana", "skip_influence")
    table.refused("ana", "influence_add", "vr:influence.1", drawn=["influence_2"])


@pytest.mark.rule("vr:turn.3", "vr:turn.5")
def test_no_influence_before_the_director_nor_in_another_s_turn(table: Table) -> None:
    table.turn_of("bob")
    table.refused("bob", "influence_add", "vr:turn.3", drawn=["influence_1"])
    table.refused("ana", "influence_add", "vr:turn.5", drawn=["influence_1"])


@pytest.mark.rule("vr:influence.4")
def test_adding_needs_a_token_on_the_board(table: Table) -> None:
    """All 18 are on the map or in the recycling zone."""
    table.put("ana", influence={6: 10}, recycled=8)
    table.refused("ana", "influence_add", "vr:influence.4", drawn=["influence_1"])
    assert not table.offers("ana", "influence_add")


@pytest.mark.rule("vr:influence.5", "vr:influence.6", "vr:influence.11")
def test_eliminating_moves_one_token_of_anybody_to_recycling(table: Table) -> None:
    table.put("bob", influence={5: 2})
    assert table.offers("ana", "influence_eliminate") == [{"whose": "bob"}]
    table.play("ana", "influence_eliminate", whose="bob", drawn=["server_1"])
    assert table.tokens("bob", 5) == 1
    assert recycled(table.state, "bob") == 1
    assert table.reserve("bob") == 16
    assert table.hand("ana") == ["server_1"]
    assert "server_1" not in str(table.seen_by("bob"))


@pytest.mark.rule("vr:influence.5", "vr:influence.11")
def test_one_s_own_token_may_be_eliminated(table: Table) -> None:
    table.put("ana", influence={5: 1})
    table.play("ana", "influence_eliminate", drawn=["server_1"])
    assert (table.tokens("ana", 5), recycled(table.state, "ana")) == (0, 1)


@pytest.mark.rule("vr:influence.5")
def test_nothing_is_eliminated_where_that_player_has_no_token(table: Table) -> None:
    table.refused("ana", "influence_eliminate", "vr:influence.5", drawn=["server_1"])
    table.put("bob", influence={5: 1})
    for whose in ("ana", "cid", "nobody"):
        table.refused("ana", "influence_eliminate", "vr:influence.5", whose=whose, drawn=["server_1"])


@pytest.mark.rule("vr:influence.7", "vr:influence.8")
def test_moving_takes_a_token_from_anywhere_and_draws_nothing(table: Table) -> None:
    """From arrondissement 22, far away, to the one that Ana has in 5 already."""
    table.put("ana", influence={22: 1, 5: 1})
    assert table.offers("ana", "influence_move") == [{"source": 22}]
    table.play("ana", "influence_move", source=22)
    assert (table.tokens("ana", 22), table.tokens("ana", 5)) == (0, 2)
    assert table.hand("ana") == []


@pytest.mark.rule("vr:influence.7")
def test_nothing_moves_from_where_there_is_none_nor_from_the_director_s_place(table: Table) -> None:
    table.put("ana", influence={5: 1})
    table.put("bob", influence={6: 1})
    for source in (5, 6, 7, 99):
        table.refused("ana", "influence_move", "vr:influence.7", source=source)


@pytest.mark.rule("vr:influence.8")
def test_a_player_may_have_many_tokens_in_one_arrondissement(table: Table) -> None:
    table.put("ana", influence={5: 9})
    table.play("ana", "influence_add", drawn=["verse_1"])
    assert table.tokens("ana", 5) == 10


@pytest.mark.rule("vr:influence.9")
def test_two_players_never_share_an_arrondissement(table: Table) -> None:
    table.put("bob", influence={5: 1})
    table.put("ana", influence={6: 1})
    table.refused("ana", "influence_add", "vr:influence.9", drawn=["verse_1"])
    table.refused("ana", "influence_move", "vr:influence.9", source=6)
    assert not table.offers("ana", "influence_add")
    assert not table.offers("ana", "influence_move")


@pytest.mark.rule("vr:influence.10")
def test_a_foreign_server_does_not_keep_influence_out(table: Table) -> None:
    table.put("bob", servers=[5])
    table.play("ana", "influence_add", drawn=["verse_1"])
    assert table.tokens("ana", 5) == 1


@pytest.mark.rule("vr:influence.3", "vr:corruption.3")
def test_with_both_piles_empty_the_rest_of_the_manoeuvre_holds() -> None:
    """All 36 Corruption cards are in bob's hand."""
    table = Table()
    table.turn_of("ana", director=5)
    table.give("bob", hand=list(table.state.edition.pieces.corruptions))
    table.play("ana", "influence_add")
    assert (table.tokens("ana", 5), table.hand("ana")) == (1, [])
