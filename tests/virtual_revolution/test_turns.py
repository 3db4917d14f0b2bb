"""Turns: three phases in order, three turns in a round, a Director for each."""

from __future__ import annotations

import pytest

from ledger.rulebooks.virtual_revolution.table.state import directors_of
from ledger.rulebooks.virtual_revolution.table.terms import Creating
from tests.virtual_revolution.table import Table


def take_turn(table: Table, seat: str, place: int) -> None:
    """A turn in which nothing is done but placing a Director."""
    table.play(seat, "place_director", place=place)
    table.play(seat, "end_turn")


def whose(table: Table) -> tuple[str, int] | None:
    """Whose turn it is, and which of the round."""
    turn = table.state.turn
    return None if turn is None else (turn.seat, turn.cycle)


@pytest.mark.rule("vr:turn.2")
def test_the_players_take_turns_in_order_three_times() -> None:
    """Three cycles, and not three turns in a row."""
    table = Table()
    taken = []
    for place in range(1, 9):
        assert table.state.turn is not None
        taken.append(table.state.turn.seat)
        take_turn(table, table.state.turn.seat, place)
    assert taken == ["ana", "bob", "cid", "ana", "bob", "cid", "ana", "bob"]
    assert whose(table) == ("cid", 3)


@pytest.mark.rule("vr:turn.3")
def test_the_phases_come_in_their_order() -> None:
    """Nothing comes before the Director, and nobody goes back to an earlier phase."""
    table = Table()
    table.refused("ana", "skip_influence", "vr:turn.3")
    table.refused("ana", "skip_action", "vr:turn.3")
    table.play("ana", "place_director", place=5)
    table.refused("ana", "place_director", "vr:turn.3", place=6)
    table.play("ana", "skip_influence")
    table.refused("ana", "skip_influence", "vr:turn.3")
    table.play("ana", "skip_action")
    table.refused("ana", "skip_influence", "vr:turn.3")
    table.refused("ana", "skip_action", "vr:turn.3")


@pytest.mark.rule("vr:turn.5")
def test_nobody_acts_in_the_turn_of_another() -> None:
    """It is ana's turn: bob and cid do nothing in it."""
    table = Table()
    table.refused("bob", "place_director", "vr:turn.5", place=5)
    table.play("ana", "place_director", place=5)
    for kind in ("skip_influence", "skip_action", "end_turn"):
        table.refused("cid", kind, "vr:turn.5")
        assert not table.offers("cid", kind)


@pytest.mark.rule("vr:turn.7")
def test_a_turn_ends_when_its_player_says_so() -> None:
    """Influence and the Action may be left out, the Director may not."""
    table = Table()
    table.refused("ana", "end_turn", "vr:turn.7")
    assert not table.offers("ana", "end_turn")
    table.play("ana", "place_director", place=5)
    table.play("ana", "skip_influence")
    table.play("ana", "skip_action")
    assert whose(table) == ("ana", 1)
    table.play("ana", "end_turn")
    assert whose(table) == ("bob", 1)
    take_turn(table, "bob", 5)
    assert whose(table) == ("cid", 1)


@pytest.mark.rule("vr:director.1")
def test_a_director_comes_from_the_own_board() -> None:
    """One Director goes to an arrondissement; two are left on the board."""
    table = Table()
    table.refused("ana", "end_turn", "vr:turn.7")
    table.play("ana", "place_director", place=5)
    assert directors_of(table.state, "ana") == [5]
    assert table.state.holdings.of("player:ana", "director:ana") == 2
    with table.arranged() as state:
        state.turn = None
    table.turn_of("bob", director=3)
    table.turn_of("bob", director=3)
    table.turn_of("bob", director=3)
    table.turn_of("bob")
    table.refused("bob", "place_director", "vr:director.1", place=3)


@pytest.mark.rule("vr:director.2")
def test_a_director_may_stand_anywhere() -> None:
    """Beside influence, Servers and Directors of anybody; but not where there is no arrondissement."""
    table = Table()
    table.put("bob", influence={5: 3}, servers=[5])
    table.turn_of("cid", director=5)
    table.turn_of("ana")
    table.refused("ana", "place_director", "vr:director.2", place=77)
    assert len(table.offers("ana", "place_director")) == len(table.state.edition.pieces.places)
    table.play("ana", "place_director", place=5)
    assert directors_of(table.state, "ana") == [5]


@pytest.mark.rule("vr:director.3")
def test_a_placed_director_stays() -> None:
    """It is not placed anew; and who has none left has no further turn in the round."""
    table = Table()
    table.play("ana", "place_director", place=5)
    refusal = table.refused("ana", "place_director", "vr:director.1", place=6)
    assert "vr:director.3" in refusal.also_cited
    with table.arranged() as state:
        state.turn = None
    for _ in range(3):
        table.turn_of("bob", director=7)
    table.turn_of("ana", director=8)
    table.play("ana", "end_turn")
    assert whose(table) == ("cid", 1)


@pytest.mark.rule("vr:director.4")
def test_the_arrondissement_is_that_of_this_turns_director() -> None:
    """A Director of an earlier turn does not count."""
    table = Table()
    take_turn(table, "ana", 5)
    take_turn(table, "bob", 6)
    take_turn(table, "cid", 7)
    assert table.state.turn is not None
    assert table.state.turn.director is None
    table.play("ana", "place_director", place=9)
    assert table.state.turn.director == 9


@pytest.mark.rule("vr:verse.5")
def test_a_verse_begun_is_taken_before_the_turn_ends() -> None:
    """Who has begun to create a Verse takes one, unless the money is gone."""
    table = Table()
    table.turn_of("ana", director=5, creating=Creating())
    table.refused("ana", "end_turn", "vr:verse.5")
    table.refused("ana", "skip_action", "vr:verse.5")
    table.give("ana", eurocredit=6)
    table.play("ana", "end_turn")


@pytest.mark.rule("vr:turn.4")
@pytest.mark.rule("vr:turn.6")
@pytest.mark.rule("vr:turn.5")
def test_agents_act_at_any_moment_of_the_own_turn_once_the_director_is_placed() -> None:
    """Between the phases and after the Action; not before the Director, and not in another's turn."""
    table = Table()
    table.give("ana", service=["pixel", "megabyte", "delta"])
    table.give("bob", service=["lance"])
    table.refused("ana", "activate_agent", "vr:turn.6", agent="pixel")
    table.refused("ana", "promote_agent", "vr:turn.6", agent="pixel", effect=False, to="retire")
    table.play("ana", "place_director", place=5)
    table.refused("bob", "activate_agent", "vr:turn.5", agent="lance")
    table.play("ana", "activate_agent", agent="pixel")
    table.play("ana", "skip_influence")
    table.play("ana", "activate_agent", agent="megabyte")
    table.play("ana", "skip_action")
    table.play("ana", "activate_agent", agent="delta")
    assert table.cash("ana") == 19
