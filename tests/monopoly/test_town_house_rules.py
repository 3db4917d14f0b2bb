"""House rules as data: lotteries, squares that swap tokens, an income, a pot for taxes, a last round."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly.own_edition import check, settings_of
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.terms import POT
from ledger.rulebooks.parts.opening import stored_settings
from tests.monopoly.own import TOWN, only, place_of, row
from tests.monopoly.table import Table, monopolys, naruto, town

_SEVEN = {"en": "Seven! Pay 70.", "fr": "Sept ! Payez 70."}
_LOTTERY = {"en": "Receive ten times the throw.", "fr": "Recevez dix fois le lancer."}
_GUST = {"en": "A gust: change places.", "fr": "Une bourrasque : changez de place."}


def turns(table: Table, *seats: str) -> None:
    """Each of the seats stays in prison for the turn."""
    for seat in seats:
        table.jail(seat)
        table.play(seat, "roll_for_jail", dice=[1, 2])


@pytest.mark.rule("own:turn.12")
def test_the_bank_pays_an_income_when_a_turn_begins() -> None:
    table = town(turn_income=25)
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1225, 1200, 1200]
    turns(table, "ana")
    income = table.last_events()[-1]
    assert table.told([income]) == ["Bob receives an income of 25 Sh."]
    assert (income.rule, table.cash("bob")) == ("own:turn.12", 1225)
    turns(table, "bob", "cid")
    assert (table.cash("ana"), table.state.round) == (1250, 2)


@pytest.mark.rule("own:end.2")
def test_after_the_last_round_the_richest_wins() -> None:
    """Two rounds: no third one begins, and no income is paid for it. Titles count, too."""
    table = town(rounds=2, turn_income=25)
    turns(table, "ana", "bob", "cid", "ana", "bob")
    table.give("bob", "north_ferry")
    assert (table.state.ended, table.state.turn, table.state.round) == (False, "cid", 2)
    turns(table, "cid")
    assert (table.state.ended, table.state.winners, table.state.round) == (True, ("bob",), 2)
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1250, 1250, 1250]
    assert table.last_events()[-1].rule == "own:end.2"


@pytest.mark.rule("own:end.2")
def test_rents_of_the_last_stop_are_paid_and_equals_share_the_win() -> None:
    """Ana stops at Bob's in the last turn of the game, and ends it before he can claim."""
    table = town(seats=("bob", "ana"), rounds=1)
    table.give("bob", "north_ferry")
    turns(table, "bob")
    table.arrive("ana", "north_ferry")
    table.play("ana", "end_turn")
    assert (table.cash("bob"), table.cash("ana"), table.state.winners) == (1230, 1170, ("bob",))
    even = town(seats=("ana", "bob"), rounds=1)
    turns(even, "ana", "bob")
    assert even.state.winners == ("ana", "bob")


@pytest.mark.rule("own:end.2")
def test_a_debt_of_the_last_round_is_paid_before_the_end() -> None:
    """Who cannot pay goes bankrupt in the last turn, and the game ends just the same."""
    table = town(rounds=1)
    turns(table, "ana", "bob")
    table.purse("cid", 10)
    table.arrive("cid", "toll_booth")
    table.play("cid", "pay_tax")
    table.refused("cid", "end_turn", "own:debt.1")
    table.play("cid", "declare_bankruptcy")
    assert (table.state.ended, table.state.winners) == (True, ("ana", "bob"))


@pytest.mark.rule("own:end.2")
def test_the_round_under_way_when_the_time_is_over_is_the_last() -> None:
    table = town(play_minutes=30)
    table.wait(29 * 60)
    turns(table, "ana", "bob", "cid")
    assert (table.state.ended, table.state.round) == (False, 2)
    table.wait(2 * 60)
    turns(table, "ana", "bob")
    assert not table.state.ended
    turns(table, "cid")
    assert table.state.ended


def test_a_corrected_last_turn_ends_the_game_anew() -> None:
    """Bob threw 3 and not 4 in the last turn: no tax, and the game ends all the same. Undone, it goes on."""
    table = town(seats=("ana", "bob"), rounds=1)
    for seat in ("ana", "bob"):
        table.roll(seat, 1, 3)
        throw = table.number
        table.play(seat, "pay_tax")
        table.play(seat, "end_turn")
    last = table.number
    assert (table.state.ended, table.state.winners) == (True, ("ana", "bob"))
    edits = [{"op": "replace", "action": throw, "params": {"dice": [1, 2]}}, {"op": "drop", "action": throw + 1}]
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    assert (table.state.ended, table.state.winners, table.cash("bob")) == (True, ("bob",), 1200)
    table.banker("correct", edits=[{"op": "drop", "action": last}], cascade="restate", reason="not over")
    assert (table.state.ended, table.state.turn) == (False, "bob")
    table.play("bob", "end_turn")
    assert table.state.winners == ("bob",)


@pytest.mark.parametrize("limit", ["turn_income", "rounds", "play_minutes"])
def test_editions_without_such_a_rule_refuse_it(limit: str) -> None:
    for table in (naruto, monopolys):
        with pytest.raises(Malformed) as refused:
            table(**{limit: 5})
        assert refused.value.values["place"] == f"/{limit}"
        assert f"n'a pas de règle pour {limit}" in refused.value.fr


def test_older_games_have_no_limit() -> None:
    settings = stored_settings(Settings, {})
    assert (settings.turn_income, settings.rounds, settings.play_minutes) == (0, 0, 0)


# Lotteries and gusts ------------------------------------------------------------------------------


def with_lottery() -> dict[str, Any]:
    """The town with a lottery on the square of the letter box: two dice, and seven loses."""
    board = copy.deepcopy(TOWN)
    board["decks"].append({"id": "lottery", "name": "Lottery", "faces": 6, "dice": 2})
    lost = {"op": "pay", "amount": 10, "times": "thrown", "to": "pot"}
    won = {"op": "receive", "amount": 10, "times": "thrown"}
    board["cards"] += [
        {"id": "lottery_seven", "deck": "lottery", "face": 7, "title": _SEVEN, "effects": [lost]},
        {"id": "lottery_other", "deck": "lottery", "title": _LOTTERY, "effects": [won]},
    ]
    row(board, "squares", "letter_box_1")["deck"] = "lottery"
    return board


def with_gust(partner: str) -> dict[str, Any]:
    """The town with a square that swaps tokens: a deck of one card."""
    board = copy.deepcopy(TOWN)
    board["decks"].append({"id": "gust", "name": "Gust"})
    effects = [{"op": "receive", "amount": 5}, {"op": "swap_tokens", "partner": partner}]
    board["cards"].append({"id": "gust", "deck": "gust", "title": _GUST, "effects": effects})
    row(board, "squares", "letter_box_1")["deck"] = "gust"
    return board


def of(board: dict[str, Any], **settings: Any) -> Table:
    """A game on a board of the table's own."""
    assert check(board) == []
    return Table("monopoly", settings=settings_of(board, settings))


@pytest.mark.rule("own:card.1", "own:card.2")
def test_a_lottery_pays_by_the_total_of_its_dice() -> None:
    table = of(with_lottery())
    table.arrive("ana", "letter_box_1", (1, 1))
    (drawing,) = [move.drawing for move in table.moves("ana") if move.kind == "roll_chance_die"]
    assert drawing is not None
    assert (drawing.count, drawing.sides) == (2, 6)
    table.malformed("ana", "roll_chance_die", dice=[4])
    told = table.told(table.play("ana", "roll_chance_die", dice=[4, 4]), "fr")
    assert told[0].startswith("Ana lance 8 (Lottery)")
    assert told[0].endswith("Recevez dix fois le lancer.")
    assert table.cash("ana") == 1200 + 80
    table.arrive("bob", "letter_box_1", (1, 1))
    table.play("bob", "roll_chance_die", dice=[3, 4])
    assert (table.cash("bob"), table.held(POT, "COIN")) == (1200 - 70, 70)
    served = Table("monopoly", dice="service", until="setup", settings=settings_of(with_lottery(), {}))
    assert served.state.edition.pieces.deck["lottery"].totals == range(2, 13)


@pytest.mark.rule("own:card.2")
def test_a_corrected_throw_of_the_lottery_pays_anew() -> None:
    table = of(with_lottery())
    table.stand("ana", "town_gate")
    table.roll("ana", 1, 1)
    table.play("ana", "roll_chance_die", dice=[6, 6])
    edit = {"op": "replace", "action": table.number, "params": {"dice": [1, 1]}}
    table.banker("correct", edits=[edit], cascade="restate", reason="snake eyes")
    assert table.cash("ana") == 1200 + 20


@pytest.mark.rule("own:card.2")
@pytest.mark.parametrize(("partner", "seat"), [("next", "bob"), ("previous", "dan"), ("ahead", "cid")])
def test_a_gust_swaps_two_tokens_and_nobody_stops(partner: str, seat: str) -> None:
    """From the letter box on 2: Bob on 1, Cid on 20, whose title is Bob's, and Dan on 23."""
    board = with_gust(partner)
    table = Table("monopoly", seats=("ana", "bob", "cid", "dan"), settings=settings_of(board, {}))
    table.give("bob", "cistern")
    places = {"bob": 1, "cid": 20, "dan": 23}
    with table.arranged() as state:
        state.positions.update(places)
    table.arrive("ana", "letter_box_1", (1, 1))
    told = table.told(table.play("ana", "draw_card", card="gust"))
    assert told[2].startswith("Ana goes to ")
    assert told[3] == f"{seat.title()} goes to Letter Box."
    assert (table.state.positions["ana"], table.state.positions[seat]) == (places[seat], 2)
    assert (table.cash("ana"), table.state.rents, table.state.landing) == (1205, [], None)
    table.roll("ana", 1, 2)


@pytest.mark.rule("own:card.2")
def test_a_gust_leaves_prisoners_where_they_are() -> None:
    table = of(with_gust("next"))
    table.jail("bob")
    table.stand("cid", "north_ferry")
    table.arrive("ana", "letter_box_1", (1, 1))
    table.play("ana", "draw_card", card="gust")
    assert table.state.jailed == {"bob": 0}
    assert table.state.positions["cid"] == 2
    alone = of(with_gust("next"))
    for seat in ("bob", "cid"):
        alone.jail(seat)
    alone.arrive("ana", "letter_box_1")
    alone.play("ana", "draw_card", card="gust")
    assert alone.state.positions["ana"] == 2


def test_faults_of_lotteries_and_gusts_are_told() -> None:
    board = with_lottery()
    row(board, "cards", "lottery_seven")["face"] = 13
    place = place_of(board, "cards", "lottery_seven")
    assert only(check(board)) == (f"{place}/face", 'the die "lottery" has the faces 2 to 12, and no 13')
    board = with_lottery()
    del row(board, "cards", "lottery_seven")["face"]
    twice = 'two cards of the die "lottery" have no `face`: one stands for all other faces'
    assert only(check(board))[1] == twice
    board = with_lottery()
    row(board, "cards", "lottery_seven")["effects"] = [{"op": "pay", "amount": 1, "times": "rolled"}]
    assert only(check(board))[1] == '"rolled" is none of: thrown'
    board = with_lottery()
    row(board, "cards", "lottery_other")["face"] = 2
    assert "no card says what these faces" in only(check(board))[1]
    board = with_gust("next")
    row(board, "decks", "gust")["dice"] = 2
    assert only(check(board))[0] == f"{place_of(board, 'decks', 'gust')}/dice"
    board = with_gust("next")
    row(board, "cards", "gust")["effects"][0]["times"] = "thrown"
    assert only(check(board))[0] == f"{place_of(board, 'cards', 'gust')}/effects/0/times"
    row(board, "cards", "gust")["effects"] = [{"op": "swap_tokens", "partner": "leader"}]
    assert "is none of: next, previous, ahead" in only(check(board))[1]
    row(board, "cards", "gust")["effects"] = [{"op": "swap_tokens", "partner": "next"}, {"op": "prison"}]
    assert "swap_tokens moves the token: it is the last effect" in only(check(board))[1]


# The pot ------------------------------------------------------------------------------------------


@pytest.mark.rule("own:pot.1")
@pytest.mark.rule("own:tax.1")
def test_taxes_and_fines_feed_the_pot_where_the_table_says_so() -> None:
    table = town(fees_to_pot=True)
    table.arrive("ana", "toll_booth")
    table.play("ana", "pay_tax")
    table.jail("bob")
    table.turn("bob")
    table.play("bob", "pay_jail_fine")
    table.jail("cid", failed=2)
    table.turn("cid")
    table.play("cid", "roll_for_jail", dice=[1, 2])
    assert table.held(POT, "COIN") == 90 + 40 + 40
    table.arrive("ana", "village_green")
    assert (table.cash("ana"), table.held(POT, "COIN")) == (1200 - 90 + 170, 0)


def test_a_pot_for_taxes_needs_a_square_and_a_rule() -> None:
    board = copy.deepcopy(TOWN)
    board["options"] = {"fees_to_pot": True}
    assert check(board) == []
    row(board, "squares", "village_green")["kind"] = "rest"
    board["cards"] = [card for card in board["cards"] if "pot" not in str(card["effects"])]
    assert ("/options/fees_to_pot", "nobody could collect it: no square is of kind pot") in [
        (fault.place, fault.en) for fault in check(board)
    ]
    with pytest.raises(Malformed) as refused:
        naruto(fees_to_pot=True)
    assert refused.value.values["place"] == "/fees_to_pot"
