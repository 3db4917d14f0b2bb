"""Set-up: the bank's pieces, the banker, tokens, decks, who plays first, and the start."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly.table.state import pieces
from tests.monopoly.table import Table, monopolys, naruto


def laid(edition: str = "monopoly_naruto", *seats: str, **settings: Any) -> Table:
    """A table that is laid out, and not prepared any further."""
    return Table(edition, seats=seats or ("ana", "bob", "cid"), until="setup", settings=settings)


def prepared(table: Table, *, without: str = "") -> Table:
    """Everything that comes before the start, but for one step."""
    if without != "elect_banker":
        table.elect("ana", by="bob")
    if without != "join_table":
        for place, seat in enumerate(table.seats):
            table.play(seat, "join_table", token=f"Pion {place + 1}")
    for deck in ("mission", "entrainement"):
        if without != deck:
            table.banker("shuffle_deck", deck=deck)
    if without != "roll_for_order":
        for seat, dice in zip(table.seats, ([1, 2], [6, 5], [2, 2]), strict=True):
            table.play(seat, "roll_for_order", dice=dice)
    return table


# ----------------------------------------------------------------------------------------------
# Naruto
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:bank.1")
@pytest.mark.rule("naruto:setup.8")
def test_the_bank_holds_everything_and_pays_the_starting_money() -> None:
    table = prepared(laid())
    assert sum(thing.startswith("title:") for thing in table.state.holdings.account("bank")) == 28
    assert (table.bank(), [table.cash(seat) for seat in table.seats]) == (0, [0, 0, 0])
    table.banker("start_game")
    assert [table.cash(seat) for seat in table.seats] == [1_500, 1_500, 1_500]
    assert table.bank() == -4_500


@pytest.mark.rule("naruto:banker.1")
def test_a_player_is_elected_banker_before_the_start() -> None:
    table = prepared(laid(), without="elect_banker")
    table.refused(None, "start_game", "naruto:banker.1")
    table.elect("ana", by="bob")
    table.banker("start_game")
    table.elect("bob")
    assert table.state.bankers == ("ana", "bob")
    assert table.cash("ana") == table.cash("bob") == 1_500
    assert all("player" not in table.rulebook.actions[kind].by for kind in ("shuffle_deck", "start_game"))


@pytest.mark.rule("naruto:banker.3")
def test_the_banker_buys_at_the_same_price_as_everybody() -> None:
    table = naruto()
    assert table.state.bankers == ("ana",)
    bank = table.bank()
    table.arrive("ana", "orange_1")
    table.play("ana", "buy_property")
    assert (table.cash("ana"), table.bank()) == (1_500 - 180, bank + 180)
    table.refused("ana", "build", "naruto:food.1", title="orange_1")
    table.refused("ana", "mortgage", "naruto:mortgage.1", title="orange_1")


@pytest.mark.rule("naruto:edition.1")
@pytest.mark.rule("naruto:setup.4")
def test_there_are_six_tokens_for_six_players() -> None:
    seats = ("ana", "bob", "cid", "dan", "eve", "fay")
    table = laid("monopoly_naruto", *seats)
    for place, seat in enumerate(seats):
        table.play(seat, "join_table", token=f"Pion {place + 1}")
    with pytest.raises(Malformed, match=r"naruto:setup\.4"):
        laid("monopoly_naruto", *seats, "guy")
    with pytest.raises(Malformed, match=r"naruto:setup\.4"):
        laid("monopoly_naruto", "ana")


@pytest.mark.rule("naruto:setup.7")
def test_each_token_is_one_players_and_stands_on_the_start_without_a_salary() -> None:
    table = laid()
    table.play("ana", "join_table", token="pion 2")
    table.refused("bob", "join_table", "naruto:setup.7", token="Pion 2")
    table.refused("ana", "join_table", "naruto:setup.7", token="Pion 3")
    assert [one["token"] for one in table.offers("bob", "join_table")] == [
        f"Pion {one}" for one in (1, 3, 4, 5, 6)
    ]
    table = prepared(laid(), without="join_table")
    table.refused(None, "start_game", "naruto:setup.7")
    for place, seat in enumerate(table.seats):
        table.play(seat, "join_table", token=f"Pion {place + 1}")
    table.banker("start_game")
    assert table.state.tokens["cid"] == "Pion 3"
    assert set(table.state.positions.values()) == {0}
    assert table.cash("cid") == 1_500


@pytest.mark.rule("naruto:setup.5")
@pytest.mark.rule("naruto:setup.6")
@pytest.mark.parametrize(("deck", "rule"), [("entrainement", "naruto:setup.5"), ("mission", "naruto:setup.6")])
def test_each_deck_is_shuffled_before_the_start(deck: str, rule: str) -> None:
    table = prepared(laid(), without=deck)
    table.refused(None, "start_game", rule)
    table.refused(None, "shuffle_deck", "naruto:setup.5", deck="tarot")
    (shuffled,) = table.banker("shuffle_deck", deck=deck)
    assert table.told([shuffled])[0].endswith("the cards are shuffled and lie face down.")
    table.refused(None, "shuffle_deck", rule, deck=deck)
    table.banker("start_game")


@pytest.mark.rule("naruto:order.1")
def test_the_highest_throw_plays_first_and_the_others_follow_on_the_left() -> None:
    table = prepared(laid())
    table.banker("start_game")
    assert table.state.order == ("bob", "cid", "ana")
    table.refused("ana", "roll_and_move", "naruto:turn.1", dice=[1, 2])
    table.roll("bob", 1, 2)


@pytest.mark.rule("naruto:order.1")
def test_those_who_tie_for_the_highest_total_throw_again() -> None:
    table = prepared(laid(), without="roll_for_order")
    table.play("ana", "roll_for_order", dice=[6, 4])
    table.refused("ana", "roll_for_order", "naruto:order.1", dice=[6, 6])
    table.play("bob", "roll_for_order", dice=[5, 5])
    table.refused(None, "start_game", "naruto:order.1")
    table.play("cid", "roll_for_order", dice=[1, 1])
    table.refused(None, "start_game", "naruto:order.1")
    table.refused("cid", "roll_for_order", "naruto:order.1", dice=[6, 6])
    table.play("ana", "roll_for_order", dice=[3, 3])
    table.play("bob", "roll_for_order", dice=[4, 2])
    table.play("bob", "roll_for_order", dice=[1, 2])
    table.play("ana", "roll_for_order", dice=[2, 2])
    table.refused("ana", "roll_for_order", "naruto:order.1", dice=[6, 6])
    table.banker("start_game")
    assert table.state.order[0] == table.state.turn == "ana"


def test_nothing_of_the_setup_is_done_after_the_start() -> None:
    table = naruto()
    table.refused("ana", "join_table", "naruto:setup.7", token="Pion 6")
    table.refused("ana", "roll_for_order", "naruto:order.1", dice=[1, 2])
    table.refused(None, "shuffle_deck", "naruto:setup.5", deck="entrainement")
    table.refused(None, "start_game", "naruto:bank.1")


def test_a_waiver_starts_a_game_without_a_step() -> None:
    table = prepared(laid(), without="join_table")
    table.banker("start_game", override="we share one token")
    assert table.state.stage == "play"
    assert [one.rule for one in table.last.warnings] == ["naruto:setup.7"]  # type: ignore[union-attr]


# ----------------------------------------------------------------------------------------------
# Monopolys
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:setup.1")
@pytest.mark.rule("monopolys:order.1")
def test_merchants_play_in_the_order_of_their_throws_with_150_000() -> None:
    table = laid("monopolys", "ana", "bob", "cid", "dan")
    for seat, dice in zip(table.seats, ([1, 2], [6, 5], [2, 2], [2, 1]), strict=True):
        table.refused(None, "start_game", "monopolys:order.1")
        table.play(seat, "roll_for_order", dice=dice)
    table.refused(None, "start_game", "monopolys:order.1")
    table.play("ana", "roll_for_order", dice=[1, 1])
    table.play("dan", "roll_for_order", dice=[1, 2])
    table.banker("start_game")
    assert table.state.order == ("bob", "cid", "dan", "ana")
    assert {table.cash(seat) for seat in table.seats} == {150_000}


@pytest.mark.rule("monopolys:division.1")
def test_six_merchants_at_most_play_in_the_first_division() -> None:
    seats = ("ana", "bob", "cid", "dan", "eve", "fay", "guy")
    with pytest.raises(Malformed, match=r"monopolys:division\.1"):
        laid("monopolys", *seats)
    assert len(laid("monopolys", *seats, division="absynthe").state.order) == 7
    assert len(laid("monopolys", *seats[:6]).state.order) == 6
    with pytest.raises(Malformed, match="there is no division 'silk'"):
        laid("monopolys", division="silk")


@pytest.mark.rule("monopolys:board.1")
def test_squares_and_groups_take_the_names_of_the_table() -> None:
    table = laid("monopolys", names={"iumee": "Ys-la-Neuve", "brown": "Les Landes"})
    found = pieces(table.state)
    assert found.titles["iumee"].name == "Ys-la-Neuve"
    assert found.groups[0].name == "Les Landes"
    with pytest.raises(Malformed, match="no square or group 'atlantys'"):
        laid("monopolys", names={"atlantys": "Atlantys"})
    with pytest.raises(Malformed, match="two things would be called"):
        laid("monopolys", names={"iumee": "Balnea", "balnea": "balnea"})


def test_nobody_at_the_table_is_the_banker_of_monopolys() -> None:
    table = monopolys()
    assert "elect_banker" not in table.rulebook.actions
    assert table.state.bankers == ()


# ----------------------------------------------------------------------------------------------
# A table's own board
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("own:banker.2")
@pytest.mark.rule("own:setup.2")
@pytest.mark.rule("own:setup.4")
@pytest.mark.rule("own:setup.5")
@pytest.mark.rule("own:setup.6")
@pytest.mark.rule("own:setup.7")
def test_a_town_is_prepared_in_the_same_steps() -> None:
    table = laid("monopoly", "ana", "bob", elected_banker=True)
    table.refused(None, "start_game", "own:banker.2")
    table.elect("bob")
    table.refused(None, "start_game", "own:setup.4")
    for seat, token in (("ana", "Kite"), ("bob", "Snail")):
        table.play(seat, "join_table", token=token)
    table.refused(None, "start_game", "own:setup.5")
    for deck in pieces(table.state).piles:
        table.banker("shuffle_deck", deck=deck)
    table.refused(None, "start_game", "own:setup.6")
    table.play("ana", "roll_for_order", dice=[1, 2])
    table.play("bob", "roll_for_order", dice=[3, 1])
    table.banker("start_game")
    assert table.state.turn == "bob"
    with pytest.raises(Malformed, match=r"own:setup\.2"):
        laid("monopoly", "ana")


def test_a_table_without_throws_plays_as_it_sits() -> None:
    table = laid("monopolys", throw_for_order=False)
    table.refused("ana", "roll_for_order", "monopolys:order.1", dice=[1, 2])
    table.banker("start_game")
    assert table.state.order == ("ana", "bob", "cid")
