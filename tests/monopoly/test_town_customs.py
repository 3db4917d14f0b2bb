"""House rules as settings: the pot, the first lap, ones, declined cards, titles dealt, a sum that wins."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.actions import StepGoal
from ledger.rulebooks.monopoly.own_edition import check
from ledger.rulebooks.monopoly.rulings.defaults import next_step
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import owner_of
from ledger.rulebooks.monopoly.table.terms import POT
from ledger.rulebooks.monopoly.turns.turns import EndTurn
from ledger.rulebooks.parts.opening import stored_settings
from tests.monopoly.own import TOWN
from tests.monopoly.table import Table, monopolys, naruto, town

# The pot ------------------------------------------------------------------------------------------


@pytest.mark.rule("own:pot.2")
def test_each_table_says_what_feeds_its_pot() -> None:
    """Taxes alone, fines alone, or what cards have a player pay to the bank."""
    for choice, fed in (("taxes_to_pot", 90), ("fines_to_pot", 40), ("cards_to_pot", 40)):
        table = town(**{choice: True})
        table.arrive("ana", "toll_booth")
        table.play("ana", "pay_tax")
        table.jail("bob")
        table.turn("bob")
        table.play("bob", "pay_jail_fine")
        table.arrive("cid", "letter_box_1")
        table.play("cid", "draw_card", card="letter_tailor")
        assert table.held(POT, "COIN") == fed, choice


@pytest.mark.rule("own:pot.3", "own:pot.1")
def test_the_pot_pays_the_least_sum_of_the_table() -> None:
    table = town(taxes_to_pot=True, pot_least=100)
    table.arrive("ana", "toll_booth")
    table.play("ana", "pay_tax")
    table.arrive("bob", "village_green")
    assert table.told(table.last_events())[-2:] == [
        "The bank adds 10 Sh to the pot.",
        "Bob receives the pot: 100 Sh.",
    ]
    table.arrive("cid", "village_green")
    assert (table.cash("cid"), table.held(POT, "COIN")) == (1300, 0)


# The first lap ------------------------------------------------------------------------------------


@pytest.mark.rule("own:buy.3")
def test_nobody_buys_before_passing_the_start() -> None:
    """Ana stops on a free title and may not buy; after her first lap she buys, and so does nobody else."""
    table = town(buy_after_lap=True)
    table.roll("ana", 1, 2)
    table.refused("ana", "buy_property", "own:buy.3")
    assert table.state.landing is None
    table.play("ana", "end_turn")
    table.stand("ana", "observatory_terrace")
    table.turn("ana")
    table.roll("ana", 1, 3)
    assert table.told(table.last_events())[2] == "Ana has been round the board and may buy titles from now on."
    table.play("ana", "buy_property")
    assert owner_of(table.state, "thimble_row") == "ana"
    table.arrive("bob", "north_ferry")
    table.refused("bob", "buy_property", "own:buy.3")


@pytest.mark.rule("own:buy.3")
def test_a_corrected_throw_takes_the_lap_back() -> None:
    """The throw that passed the start was mistyped: the purchase after it falls with it."""
    table = town(buy_after_lap=True)
    for dice in ((6, 6), (6, 5)):
        table.roll("ana", *dice)
    throw = table.number
    assert table.state.positions["ana"] == 23
    table.play("ana", "end_turn")
    table.turn("ana")
    table.roll("ana", 1, 3)
    passed = table.number
    table.play("ana", "buy_property")
    assert owner_of(table.state, "thimble_row") == "ana"
    assert throw < passed
    table.banker(
        "correct",
        edits=[{"op": "replace", "action": passed, "params": {"dice": [6, 5]}}],
        cascade="restate",
        reason="a mistyped throw",
    )
    assert table.state.lapped == {"ana"}
    table.what_if({"op": "drop", "action": passed})


# Ones ---------------------------------------------------------------------------------------------


@pytest.mark.rule("own:turn.13")
def test_a_double_one_pays_where_the_table_says_so() -> None:
    table = town(double_one=77)
    table.roll("ana", 1, 1)
    paid = next(event for event in table.last_events() if event.rule == "own:turn.13")
    assert table.told([paid]) == ["Nothing but ones: Ana receives 77 Sh."]
    assert table.cash("ana") == 1277
    table.banker(
        "correct",
        edits=[{"op": "replace", "action": table.number, "params": {"dice": [2, 2]}}],
        cascade="restate",
        reason="a mistyped throw",
    )
    assert table.cash("ana") == 1200
    plain = town()
    plain.roll("ana", 1, 1)
    assert plain.cash("ana") == 1200


# Declined cards -----------------------------------------------------------------------------------


@pytest.mark.rule("own:turn.14")
def test_a_card_is_declined_for_the_price_of_the_table() -> None:
    table = town(card_declined_for=25, cards_to_pot=True)
    table.arrive("ana", "letter_box_1", dice=(1, 1))
    assert {move.kind for move in table.moves("ana")} >= {"draw_card", "decline_card"}
    table.play("ana", "decline_card")
    assert table.told(table.last_events()) == ["Ana pays 25 Sh and draws no card: Letters."]
    assert (table.cash("ana"), table.held(POT, "COIN"), table.state.landing) == (1175, 25, None)
    table.refused("ana", "decline_card", "own:turn.14")
    table.arrive("bob", "letter_box_1", dice=(1, 1))
    table.purse("bob", 10)
    table.refused("bob", "decline_card", "own:turn.14")
    assert table.offers("bob", "decline_card") == []


@pytest.mark.rule("own:turn.14")
def test_without_a_price_every_card_is_drawn() -> None:
    table = town()
    table.arrive("ana", "letter_box_1", dice=(1, 1))
    assert table.offers("ana", "decline_card") == []
    table.refused("ana", "decline_card", "own:turn.14")
    free = town(card_declined_for=0)
    free.arrive("ana", "letter_box_1", dice=(1, 1))
    free.play("ana", "decline_card")
    assert free.cash("ana") == 1200


# Titles dealt -------------------------------------------------------------------------------------


@pytest.mark.rule("own:quick.3")
def test_titles_are_dealt_without_the_quick_game() -> None:
    settings = {"titles_dealt": 2, "tokens_chosen": False, "throw_for_order": False}
    table = Table("monopoly", until="setup", settings=settings)
    for deck in ("letters", "tides"):
        table.banker("shuffle_deck", deck=deck)
    table.refused(None, "start_game", "own:quick.3")
    dealt = {
        "ana": ["tansy_row", "windmill"],
        "bob": ["thimble_row", "cistern"],
        "cid": ["north_ferry", "south_ferry"],
    }
    table.banker("deal_properties", titles=dealt)
    table.banker("start_game")
    assert {title: owner_of(table.state, title) for title in ("windmill", "cistern")} == {
        "windmill": "ana",
        "cistern": "bob",
    }
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1200, 1200, 1200]
    assert table.state.settings.houses_per_hotel == 4
    with pytest.raises(Malformed, match="more than the"):
        Table("monopoly", until="setup", settings={"titles_dealt": 20})


# A bankrupt's titles ------------------------------------------------------------------------------


@pytest.mark.rule("own:bankrupt.8", "own:bankrupt.6", "own:bankrupt.2")
def test_titles_of_a_bankrupt_go_to_the_bank_where_the_table_says_so() -> None:
    """Ana owes Bob a rent: he gets her money, and the bank auctions her title."""
    table = town(titles_to_bank=True)
    table.give("bob", "terrace")
    table.build(observatory_terrace=4)
    table.give("ana", "tansy_row")
    table.mortgaged("tansy_row")
    table.purse("ana", 30)
    table.arrive("ana", "observatory_terrace")
    table.play("bob", "claim_rent", title="observatory_terrace")
    table.play("ana", "declare_bankruptcy")
    assert (table.cash("bob"), owner_of(table.state, "tansy_row")) == (1230, None)
    auction = table.state.auction
    assert auction is not None
    assert (auction.lot.title, auction.lot.cause) == ("tansy_row", "bankruptcy")
    table.play("cid", "bid", amount=5)
    table.play("bob", "pass_bid")
    table.banker("close_auction")
    assert owner_of(table.state, "tansy_row") == "cid"


# A sum that wins ----------------------------------------------------------------------------------


@pytest.mark.rule("own:end.3")
def test_who_first_is_worth_the_sum_wins_at_once() -> None:
    table = town(goal=1_500)
    table.give("bob", "orchard_terrace")
    table.purse("bob", 1_100)
    table.arrive("bob", "village_green")
    assert not table.state.ended
    table.stand("bob", "observatory_terrace")
    table.turn("bob")
    table.roll("bob", 1, 3)
    assert (table.state.ended, table.state.winners) == (True, ("bob",))
    assert table.last_events()[-1].rule == "own:end.3"


@pytest.mark.rule("own:end.3")
def test_a_sum_of_cash_counts_no_titles_and_a_debt_is_taken_off() -> None:
    table = town(goal=1_300, goal_of="cash")
    table.give("bob", "orchard_terrace", "north_ferry")
    table.arrive("ana", "north_ferry")
    table.play("bob", "claim_rent", title="north_ferry")
    assert not table.state.ended
    table.play("ana", "end_turn")
    table.stand("bob", "observatory_terrace")
    table.turn("bob")
    table.roll("bob", 1, 2)
    assert (table.cash("bob"), table.state.ended, table.state.winners) == (1330, True, ("bob",))


@pytest.mark.rule("own:end.3")
def test_a_corrected_throw_takes_the_victory_back() -> None:
    table = town(goal=1_250, goal_of="cash", double_one=60)
    table.roll("ana", 1, 1)
    assert (table.state.ended, table.state.winners) == (True, ("ana",))
    edits = [{"op": "replace", "action": table.number, "params": {"dice": [1, 2]}}]
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    assert (table.state.ended, table.state.turn) == (False, "ana")
    table.play("ana", "buy_property")


# All of them --------------------------------------------------------------------------------------

CUSTOMS: dict[str, Any] = {
    "taxes_to_pot": True,
    "fines_to_pot": True,
    "cards_to_pot": True,
    "pot_least": 50,
    "buy_after_lap": True,
    "double_one": 100,
    "card_declined_for": 20,
    "titles_dealt": 1,
    "titles_to_bank": True,
    "promises": True,
    "goal": 5_000,
}


def test_older_games_are_played_without_these_customs() -> None:
    settings = stored_settings(Settings, {})
    assert not any(getattr(settings, name) for name in CUSTOMS)
    assert settings.card_declined_for is None


@pytest.mark.parametrize("custom", CUSTOMS)
def test_printed_editions_have_none_of_them(custom: str) -> None:
    for table in (naruto, monopolys):
        assert custom not in table().rulebook.settings.__struct_fields__


def test_contradictions_are_told_with_their_place() -> None:
    board = {**TOWN, "options": {"goal": 1_000, "starting_cash": 1_000}}
    assert [(fault.place, fault.en) for fault in check(board)] == [
        ("/options/goal", "everybody starts with 1000, so the game would end at once")
    ]
    with pytest.raises(Malformed) as refused:
        town(goal=1_200)
    assert refused.value.values["place"] == "/goal"


def test_what_passes_by_itself_draws_the_card_and_pays_no_price() -> None:
    """Nobody declines a card for a player: the default step is the draw."""
    table = town(card_declined_for=10)
    table.arrive("ana", "letter_box_1", dice=(1, 1))
    step = next_step(table.state, StepGoal(EndTurn(), "ana"))
    assert step is not None
    assert type(step.action).__name__ == "Forgo"
