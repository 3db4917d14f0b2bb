"""What cards of own boards can do: sums of something, moves, other players, missed turns and further throws.

Ana draws the card at the second letter box (square 14), and has 1200 before. Bob and Cid stand on the start.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.rulebooks.monopoly.own_edition import check, settings_of
from ledger.rulebooks.monopoly.showing.card_glances import effect_of
from ledger.rulebooks.monopoly.table.state import pieces
from ledger.rulebooks.monopoly.table.terms import POT
from tests.monopoly.own import only, with_card
from tests.monopoly.table import Table

BOX, NORTH_FERRY, LOCK_UP, SOUTH_FERRY = 14, 5, 6, 17


def table_with(*effects: dict[str, Any], **settings: Any) -> Table:
    """A table on whose board a letter has these effects."""
    town = with_card(*effects)
    assert check(town) == []
    return Table("monopoly", settings=settings_of(town, settings))


def drawn(*effects: dict[str, Any], table: Table | None = None) -> Table:
    """Ana draws the card with these effects."""
    table = table or table_with(*effects)
    table.arrive("ana", "letter_box_2")
    table.play("ana", "draw_card", card="trial")
    return table


def money(table: Table) -> tuple[int, int, int]:
    return table.cash("ana"), table.cash("bob"), table.cash("cid")


# Sums ----------------------------------------------------------------------------------------------


@pytest.mark.rule("own:card.6")
@pytest.mark.parametrize(("cash", "pays"), [(1200, 120), (300, 50), (5000, 200), (1009, 100), (30, 50)])
def test_pay_a_tenth_of_your_money_at_least_50_at_most_200(cash: int, pays: int) -> None:
    """Who has less than 50 owes 50."""
    table = table_with({"op": "pay", "share": [1, 10], "at_least": 50, "at_most": 200})
    table.purse("ana", cash)
    drawn(table=table)
    owed = sum(debt.amount for debt in table.state.debts)
    assert (cash - table.cash("ana") + owed, owed) == (pays, 50 if cash < 50 else 0)


@pytest.mark.rule("own:card.6")
def test_pay_a_tenth_of_all_that_you_have() -> None:
    """Money 1200, two ferries of 150, one of them mortgaged, and a street of 110 with a house bought for 60."""
    table = table_with({"op": "pay", "share": [1, 10], "of": "worth"})
    table.give("ana", "ferries", "hill")
    table.mortgaged("north_ferry")
    table.build(kettle_street=1)
    drawn(table=table)
    assert table.cash("ana") == 1200 - (1200 + 150 + 75 + 110 + 110 + 130 + 60) // 10


@pytest.mark.rule("own:card.6")
def test_collect_10_for_each_house_and_50_for_each_hotel() -> None:
    table = table_with({"op": "receive", "each": {"house": 10, "hotel": 50}})
    table.give("ana", "hill")
    table.build(kettle_street=4, ladder_street=5, lantern_street=3)
    assert money(drawn(table=table)) == (1200 + 70 + 50, 1200, 1200)


@pytest.mark.rule("own:card.6")
def test_pay_for_each_title_station_and_player() -> None:
    each = {"title": 1, "street": 10, "station": 100, "utility": 5, "player": 7}
    table = table_with({"op": "pay", "each": each})
    table.give("ana", "ferries", "windmill", "tansy_row")
    assert drawn(table=table).cash("ana") == 1200 - (4 * 1 + 10 + 2 * 100 + 5 + 2 * 7)


@pytest.mark.rule("own:card.2")
def test_pay_each_player_and_collect_from_each_player() -> None:
    assert money(drawn({"op": "pay", "amount": 50, "to": "each"})) == (1100, 1250, 1250)
    assert money(drawn({"op": "receive", "amount": 10, "source": "each"})) == (1220, 1190, 1190)


@pytest.mark.rule("own:pot.1", "own:pot.2")
def test_take_150_out_of_the_chest_if_there_is_as_much() -> None:
    table = table_with(
        {"op": "pay", "amount": 100, "to": "pot"}, {"op": "receive", "amount": 150, "source": "pot"}
    )
    drawn(table=table)
    assert (table.cash("ana"), table.held(POT, "COIN")) == (1200, 0)
    symbol = table.state.edition.pieces.named.symbol
    assert f"Ana receives 100 {symbol} out of the pot." in table.told(table.last_events())


# Whom a card concerns ------------------------------------------------------------------------------


@pytest.mark.rule("own:card.5")
def test_the_richest_pays_you_50() -> None:
    table = table_with({"op": "pay", "amount": 50, "to": "drawer", "who": "richest"})
    table.purse("cid", 2000)
    assert money(drawn(table=table)) == (1250, 1200, 1950)
    assert money(drawn({"op": "pay", "amount": 50, "to": "drawer", "who": "richest"})) == (1300, 1150, 1150)


@pytest.mark.rule("own:card.5")
def test_all_who_are_poorer_than_you_get_20_from_you() -> None:
    poorer = {"of": "cash", "below": "drawer"}
    table = table_with({"op": "receive", "amount": 20, "source": "drawer", "who": "others", "when": poorer})
    table.purse("bob", 500)
    assert money(drawn(table=table)) == (1180, 520, 1200)


@pytest.mark.rule("own:card.5")
def test_the_bank_helps_only_who_is_poor() -> None:
    help_out = {"op": "receive", "amount": 100, "when": {"of": "worth", "below": 1000}}
    assert money(drawn(help_out)) == (1200, 1200, 1200)
    table = table_with(help_out)
    table.purse("ana", 400)
    assert drawn(table=table).cash("ana") == 500
    table = table_with(help_out)
    table.purse("ana", 400)
    table.give("ana", "terrace")
    assert drawn(table=table).cash("ana") == 400


@pytest.mark.rule("own:card.5")
def test_everybody_with_a_house_pays_and_the_next_player_gets_something() -> None:
    table = table_with(
        {"op": "pay", "amount": 100, "who": "all", "when": {"of": "houses", "above": 0}},
        {"op": "receive", "amount": 30, "who": "next"},
        {"op": "receive", "amount": 5, "who": "previous"},
        {"op": "receive", "amount": 1, "who": "poorest"},
    )
    table.give("cid", "hill")
    table.build(kettle_street=1)
    assert money(drawn(table=table)) == (1200, 1230, 1106)


@pytest.mark.rule("own:card.5", "own:jail.2")
def test_everybody_else_goes_to_prison_and_ana_plays_on() -> None:
    table = drawn({"op": "prison", "who": "others"})
    assert (table.state.jailed, table.state.turn) == ({"bob": 0, "cid": 0}, "ana")
    table.play("ana", "end_turn")
    assert table.offers("bob", "roll_for_jail") == [{}]


@pytest.mark.rule("own:card.5", "own:jail.3")
def test_when_all_go_to_prison_the_turn_passes_once() -> None:
    table = drawn({"op": "prison", "who": "all"})
    assert (table.state.jailed, table.state.turn) == ({"bob": 0, "cid": 0, "ana": 0}, "bob")


@pytest.mark.rule("own:card.7")
def test_everybody_else_moves_and_is_asked_for_nothing_but_a_rent() -> None:
    """Bob comes to a street of Cid, and owes a rent; Cid comes to a free street, and may not buy it."""
    table = table_with({"op": "move", "by": 3, "who": "others"})
    table.give("cid", "north_ferry")
    table.stand("bob", "letter_box_1")
    table.stand("cid", "windmill")
    drawn(table=table)
    assert (table.state.positions["bob"], table.state.positions["cid"]) == (NORTH_FERRY, 11)
    assert (table.state.landing, table.state.turn) == (None, "ana")
    assert [(rent.lander, rent.owner) for rent in table.state.rents] == [("bob", "cid")]
    table.play("cid", "claim_rent")
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.5")
def test_prisoners_are_not_moved() -> None:
    table = table_with({"op": "move", "to": "town_gate", "who": "all"})
    table.jail("bob")
    drawn(table=table)
    assert table.state.positions == {"ana": 0, "bob": LOCK_UP, "cid": 0}
    assert money(table) == (1300, 1200, 1300)


# Moves ---------------------------------------------------------------------------------------------


@pytest.mark.rule("own:card.7")
def test_advance_3_squares() -> None:
    table = drawn({"op": "move", "by": 3})
    assert (table.state.positions["ana"], table.state.landing and table.state.landing.todo) == (SOUTH_FERRY, "buy")
    table.play("ana", "buy_property")


@pytest.mark.rule("own:card.7", "own:turn.8")
def test_go_back_to_the_north_ferry_and_without_a_salary_to_the_gate() -> None:
    assert drawn({"op": "move", "to": "north_ferry", "direction": "back"}).state.positions["ana"] == NORTH_FERRY
    back = {"op": "move", "to": "town_gate", "direction": "back"}
    assert money(drawn(back)) == (1200, 1200, 1200)
    assert money(drawn({**back, "salary": True})) == (1300, 1200, 1200)
    assert money(drawn({"op": "move", "to": "town_gate", "salary": False})) == (1200, 1200, 1200)


@pytest.mark.rule("own:card.7", "own:rent.6")
def test_go_to_the_nearest_ferry_backwards_and_pay_twice_the_rent() -> None:
    table = table_with({"op": "move", "nearest": "ferries", "direction": "back", "rent": "double"})
    table.give("bob", "north_ferry")
    drawn(table=table)
    table.play("bob", "claim_rent")
    rent = table.state.edition.pieces.titles["north_ferry"].rents[0]
    assert (table.state.positions["ana"], table.cash("bob")) == (NORTH_FERRY, 1200 + 2 * rent)


@pytest.mark.rule("own:card.7")
def test_throw_and_go_that_far() -> None:
    """The dice of the card are no throw of the turn: a double gives no other throw."""
    table = drawn({"op": "move", "thrown": True})
    table.refused("ana", "end_turn", "own:card.7")
    table.refused("bob", "roll_to_go", "own:turn.1", dice=[1, 2])
    spectator = Viewer("spectator")
    assert [view.moves for view in table.rulebook.screen.waiting(table.state, spectator, "en")] == [
        ("roll_to_go",)
    ]
    table.play("ana", "roll_to_go", dice=[4, 4])
    assert table.state.positions["ana"] == BOX + 8
    table.play("ana", "end_turn")
    table.refused("bob", "roll_to_go", "own:card.7", dice=[1, 2])


@pytest.mark.rule("own:card.7")
def test_go_there_and_do_nothing_there() -> None:
    table = drawn({"op": "move", "to": "south_ferry", "stops": False})
    assert (table.state.positions["ana"], table.state.landing) == (SOUTH_FERRY, None)


# At a glance --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "kind", "text"),
    [
        ({"op": "move", "by": 3}, "move", "→ +3"),
        ({"op": "move", "to": "lock_up", "direction": "back"}, "move", "→ Lock-up"),
        ({"op": "pay", "amount": 7}, "pay", "−7"),
        ({"op": "pay", "amount": 7, "who": "others"}, "other", ""),
        ({"op": "pay", "share": [1, 10]}, "other", ""),
    ],
)
def test_a_card_in_a_list_shows_its_first_effect_on_the_drawer(
    effect: dict[str, Any], kind: str, text: str
) -> None:
    board = pieces(table_with(effect).state)
    glance = effect_of(board.card["trial"], board, str)
    assert (glance.kind, glance.text.en) == (kind, text)


# Turns missed, and further throws ------------------------------------------------------------------


@pytest.mark.rule("own:turn.15")
def test_bob_misses_two_turns() -> None:
    table = drawn({"op": "miss_turns", "turns": 2, "who": "next"})
    assert table.rulebook.screen.public_view(table.state)["missing"] == {"bob": 2}
    turns = []
    for _ in range(6):
        table.turn(str(table.state.turn), thrown=True)
        table.play(str(table.state.turn), "end_turn")
        turns.append((table.state.turn, table.state.round))
    assert turns == [("cid", 1), ("ana", 2), ("cid", 2), ("ana", 3), ("bob", 3), ("cid", 3)]
    assert table.state.missing == {}


@pytest.mark.rule("own:turn.15")
def test_even_when_all_miss_a_turn_the_game_goes_on() -> None:
    table = drawn({"op": "miss_turns", "who": "all"})
    table.play("ana", "end_turn")
    assert (table.state.turn, table.state.round, table.state.missing) == ("bob", 2, {})


@pytest.mark.rule("own:turn.16")
def test_throw_again_after_no_double() -> None:
    table = drawn({"op": "throw_again"})
    table.refused("ana", "end_turn", "own:turn.5")
    table.roll("ana", 1, 2)
    table.play("ana", "decline_property")


# What cannot be ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "place", "reason"),
    [
        ({"op": "pay", "amount": 5, "share": [1, 10]}, "/share", "a sum is one of amount, each and share"),
        ({"op": "pay", "each": {}}, "/each", "says what is counted"),
        ({"op": "pay", "share": [11, 10]}, "/share", "at most the whole"),
        ({"op": "pay", "amount": 5, "of": "worth"}, "/of", "there is no share"),
        ({"op": "pay", "amount": 5, "at_most": 6}, "/at_most", "this is a fixed amount"),
        ({"op": "pay", "share": [1, 9], "at_least": 9, "at_most": 6}, "/at_most", "is below the lowest, 9"),
        ({"op": "pay", "amount": 5, "to": "drawer"}, "/to", "nobody pays themselves"),
        ({"op": "receive", "amount": 5, "source": "drawer"}, "/source", "nobody pays themselves"),
        ({"op": "move"}, "", "a move says how far"),
        ({"op": "move", "by": 3, "to": "town_gate"}, "/to", "a move has one goal"),
        ({"op": "move", "to": "nowhere"}, "/to", 'no square "nowhere"'),
        ({"op": "move", "nearest": "moon"}, "/nearest", 'of a kind "moon"'),
        ({"op": "move", "nearest": "ferries", "rent": "thrown"}, "/rent", "on utilities only"),
        ({"op": "move", "by": 3, "rent": "double"}, "/rent", "`nearest`"),
        ({"op": "move", "thrown": True, "who": "others"}, "/who", "only for the player who meets it"),
        ({"op": "throw_again", "who": "all"}, "/who", "only for the player who meets it"),
        ({"op": "pay", "amount": 5, "when": {"of": "cash"}}, "/when", "`below` or `above`"),
    ],
)
def test_contradictions_of_an_effect(effect: dict[str, Any], place: str, reason: str) -> None:
    town = with_card(effect)
    where, why = only(check(town))
    assert where == f"/cards/{len(town['cards']) - 1}/effects/0{place}"
    assert reason in why
