"""Cards that leave a choice, and cards that have another one drawn."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding import steps as game
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.rules.draft import Request
from ledger.rulebooks.monopoly.own_edition import settings_of
from tests.monopoly.boards import CARD, drawn, town_with, with_cards
from tests.monopoly.table import Table

PAY = {"title": {"en": "Pay 50", "fr": "Payer 50"}, "effects": [{"op": "pay", "amount": 50}]}
PAY_OR_DRAW = {
    "op": "choose",
    "options": [
        PAY,
        {"title": {"en": "Draw a tide", "fr": "Tirer une marée"}, "effects": [{"op": "draw", "deck": "tides"}]},
    ],
}
GIFT = {"op": "receive", "amount": 10}
EVERYBODY = {"op": "choose", "who": "all", "options": [PAY, {"title": "Get 10", "effects": [GIFT]}]}
PAYS, DRAWS = f"{CARD}.1.0", f"{CARD}.1.1"


def asked() -> Table:
    """Ana has drawn "receive 10, then pay 50 or draw from the other deck", and is to choose."""
    table = town_with(GIFT, PAY_OR_DRAW)
    drawn(table)
    assert table.cash("ana") == 1210
    return table


@pytest.mark.rule("own:card.13")
def test_pay_fifty_or_draw_from_the_other_deck_and_everything_waits_for_the_choice() -> None:
    table = asked()
    assert table.offers("ana", "choose") == [{"option": PAYS}, {"option": DRAWS}]
    table.refused("ana", "end_turn", "own:card.13")
    table.refused("bob", "choose", "own:card.13", option=PAYS)
    table.refused("ana", "choose", "own:card.13", option="yes")
    told = table.told(table.play("ana", "choose", option=PAYS))
    assert told[0] == "Ana chooses: Pay 50."
    assert table.cash("ana") == 1160
    table.refused("ana", "choose", "own:card.13", option=PAYS)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.12")
def test_a_card_of_the_other_deck_is_drawn_and_goes_under_its_own() -> None:
    table = asked()
    table.play("ana", "choose", option=DRAWS)
    assert table.offers("ana", "draw_card") == [{}]
    table.refused("ana", "end_turn", "own:card.13")
    table.refused("ana", "draw_card", "own:card.12", card="letter_prize")
    table.play("ana", "draw_card", card="tide_pearl")
    assert table.cash("ana") == 1260
    assert table.state.under["tides"] == ("tide_pearl",)
    assert table.state.under["letters"] == (CARD,)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.12")
def test_no_card_is_drawn_from_a_deck_that_is_all_in_hands() -> None:
    table = asked()
    table.give("bob", *[f"card:{card.id}" for card in table.state.edition.pieces.cards_of("tides")])
    table.play("ana", "choose", option=DRAWS)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.13")
def test_a_choice_that_is_taken_out_of_the_history_is_made_by_its_first_option() -> None:
    table = asked()
    table.play("ana", "choose", option=DRAWS)
    choice = table.number
    table.play("ana", "draw_card", card="tide_pearl")
    table.play("ana", "end_turn")
    table.banker("correct", edits=[{"op": "drop", "action": choice + 1}], cascade="restate", reason="not drawn")
    assert table.state.turn == "bob"
    table.banker("correct", edits=[{"op": "drop", "action": choice}], cascade="restate", reason="misheard")
    assert (table.cash("ana"), table.state.turn, table.state.choosing) == (1160, "bob", None)


@pytest.mark.rule("own:card.13")
def test_the_rest_of_the_card_goes_on_after_the_choice_of_each_player() -> None:
    """Everybody chooses in turn, the drawer last; then the drawer receives the rest."""
    table = town_with(EVERYBODY, GIFT)
    drawn(table)
    for seat, option in (("bob", 1), ("cid", 0), ("ana", 1)):
        assert table.offers(seat, "choose")
        table.play(seat, "choose", option=f"{CARD}.0.{option}")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1220, 1210, 1150]


@pytest.mark.rule("own:card.13")
def test_a_player_named_by_who_draws_gets_the_effect() -> None:
    table = town_with({"op": "pay", "amount": 70, "who": "chosen"}, GIFT)
    drawn(table)
    assert table.offers("ana", "choose") == [{"player": "bob"}, {"player": "cid"}]
    table.refused("ana", "choose", "own:card.13", player="ana")
    table.play("ana", "choose", player="cid")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1210, 1200, 1130]


@pytest.mark.rule("own:card.13")
def test_a_bankrupt_chooses_no_more_and_the_others_go_on() -> None:
    """Bob, asked first, goes bankrupt; Cid and Ana still choose, and the card goes on."""
    table = town_with(EVERYBODY)
    drawn(table)
    table.purse("bob", 0)
    table.banker(
        "rule", finding="a fine", rules=["own:banker.1"], remedies=[{"op": "fine", "seat": "bob", "amount": 9}]
    )
    table.play("bob", "declare_bankruptcy")
    table.play("cid", "choose", option=f"{CARD}.0.0")
    table.play("ana", "choose", option=f"{CARD}.0.1")
    assert (table.cash("cid"), table.cash("ana")) == (1150, 1210)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.13")
def test_everybody_sees_who_has_to_choose_what() -> None:
    table = asked()
    waiting = table.rulebook.screen.waiting(table.state, Viewer("player", "bob"), "en")
    assert [(entry.seat, entry.label) for entry in waiting] == [("ana", "Pay 50 / Draw a tide")]
    assert table.rulebook.screen.phase(table.state, "fr").label == "un choix est à faire"
    (owed,) = table.rulebook.agreements.obligations(table.state)
    assert (owed.kind, owed.debtor, owed.awaited) == ("choice", "ana", True)


@pytest.mark.rule("own:card.13")
def test_the_banker_lets_time_pass_over_an_open_choice() -> None:
    """Bob throws, and Ana's choice is made by its first option before."""
    table = asked()
    throw = table.rulebook.codec.action("roll_and_move", b'{"dice": [1, 2]}')
    request = Request(action=throw, seat="bob", by="banker", at=table.now)
    steps, decision = game.decide_after_steps(table.rulebook, table.state, request, table.past, None)
    assert [step.action.kind for step, _ in steps] == ["choose", "end_turn"]
    assert decision.state.holdings.of("player:ana", "COIN") == 1160


@pytest.mark.rule("own:card.13")
def test_a_choice_is_disputed_and_ruled_upon() -> None:
    """Bob says that Ana chose the card of the tides: the banker has her choice stand otherwise."""
    table = asked()
    table.play("ana", "choose", option=PAYS)
    choice = table.number
    table.play("bob", "open_dispute", actions=[choice], claim="she said: the tides")
    edit = {"op": "replace", "action": choice, "params": {"option": DRAWS}}
    table.banker("correct", edits=[edit], cascade="refuse", reason="she did say so")
    assert (table.cash("ana"), table.offers("ana", "draw_card")) == (1210, [{}])


@pytest.mark.rule("own:card.13")
def test_the_rest_of_a_card_waits_for_a_choice_on_the_square_where_it_leads() -> None:
    """A card has another one drawn, which leads to a square with a choice; it goes under its deck afterwards."""
    edition = with_cards(new_card=[{"op": "draw", "deck": "tides"}])
    bench = next(square for square in edition["squares"] if square["id"] == "lime_tree_bench")
    bench["effects"] = [{"op": "choose", "options": [PAY, {"title": "Get 10", "effects": [GIFT]}]}, GIFT]
    walk = {"id": "walk", "deck": "tides", "title": "A walk", "effects": [{"op": "go_to", "square": bench["id"]}]}
    edition["cards"].append(walk)
    table = Table("monopoly", settings=settings_of(edition, {}))
    drawn(table)
    told = table.told(table.play("ana", "draw_card", card="walk"))
    assert "The rest of the card waits for the choice." in told
    assert table.state.under.get("tides", ()) == ()
    table.play("ana", "choose", option="square:lime_tree_bench.0.1")
    assert (table.cash("ana"), table.state.under["tides"]) == (1220, ("walk",))
    table.play("ana", "end_turn")
