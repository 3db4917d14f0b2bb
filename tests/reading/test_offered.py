"""Moves as a page offers them: put together, named, and with what the game waits for first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.moves import Move, moves
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.offered import bounds_of, combine_moves
from ledger.reading.moves.shown import OpenChoice, ShownMove
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.negopoly.cards.decks import cards_of
from replays import simulation
from tests.example import RULEBOOKS as EXAMPLES
from tests.harness.offered import actions_of
from tests.harness.playing import Playing
from tests.tables import negoces2, negopoly
from tests.tables.negopoly import BLEU_FONCE, CHANCE, garage, stop_on

NUKETOWN = 11
RULEBOOKS = {**rulebooks_by_id(), **{one.id: one for one in EXAMPLES}}


def offered(table: Playing[Any], seat: str) -> dict[str, ShownMove]:
    """What a page offers a seat, by id."""
    shown = combine_moves(table.rulebook, table.state, seat, table.moves(seat), "en")
    assert len({one.id for one in shown}) == len(shown)
    return {one.id: one for one in shown}


def by_the_banker(table: Playing[Any]) -> dict[str, ShownMove]:
    """What a page offers the banker, by id."""
    rulebook, state = table.rulebook, table.state
    found = moves(rulebook, state, "", rulebook.accounts.purse(""), Viewer("banker"), table.now)
    return {one.id: one for one in combine_moves(rulebook, state, "", found, "en")}


def due(table: Playing[Any], seat: str) -> list[str]:
    """The ids of the moves that the game waits for."""
    return [one.id for one in offered(table, seat).values() if one.rank == "due"]


def said(move: ShownMove) -> tuple[str, str]:
    """The label of a move in both languages."""
    return move.label.en, move.label.fr


def options(move: ShownMove) -> dict[Any, str]:
    """The options of a move, each with its French label."""
    assert isinstance(move.choice, OpenChoice)
    return {one.value: one.label.fr for one in move.choice.options}


# ----------------------------------------------------------------------------------------------
# Negopoly
# ----------------------------------------------------------------------------------------------


def test_the_roll_is_all_that_the_game_waits_for_at_the_start_of_a_turn() -> None:
    table = negopoly.Table("ana", "bob", "cleo")
    first, *others = offered(table, "ana").values()
    assert (first.id, first.rank, first.only, first.group.id) == ("roll_dice", "due", True, "turn")
    assert said(first) == ("Roll the dice", "Lancer les dés")
    assert not any(one.only or one.rank == "due" for one in others)
    assert due(table, "bob") == []


def test_a_payment_is_one_move_whoever_gets_it_and_needs_no_verb() -> None:
    table = negopoly.Table("ana", "bob", "cleo")
    pay = offered(table, "ana")["transfer_money"]
    assert said(pay) == ("Pay a player", "Payer un joueur")
    assert options(pay) == {"bob": "Bob", "cleo": "Cleo"}
    assert pay.bare
    assert pay.params == {"amount": 1}
    assert list(pay.free) == ["amount"]
    assert {"payer"} <= set(pay.verbs.fr)
    two = offered(negopoly.Table("ana", "bob"), "ana")["transfer_money"]
    assert said(two) == ("Pay Bob", "Payer Bob")
    assert two.params == {"to": "bob", "amount": 1}


def test_the_title_under_the_token_is_offered_with_its_price() -> None:
    table = negopoly.Table("ana", "bob")
    stop_on(table, "ana", NUKETOWN)
    table.play("ana", "resolve_square")
    shown = offered(table, "ana")
    assert said(shown["buy_property"]) == ("Buy Nuketown for ₦140", "Acheter Nuketown pour 140 ₦")
    assert due(table, "ana") == ["buy_property", "decline_property", "end_turn"]
    assert not shown["end_turn"].only


def test_of_the_titles_sold_from_afar_only_the_one_under_the_token_is_waited_for() -> None:
    table = negopoly.Table("ana", "bob")
    table.own("ana", *BLEU_FONCE)
    assert due(table, "ana") == ["roll_dice"]
    buying = offered(table, "ana")["buy_property"]
    assert (said(buying), buying.rank) == (("Buy a title", "Acheter une propriété"), "usual")
    assert isinstance(buying.choice, OpenChoice)
    nuketown = next(one for one in buying.choice.options if one.value == "nuketown")
    assert (nuketown.label.en, nuketown.cost) == ("Nuketown", 140)
    assert (nuketown.group, nuketown.icon, nuketown.effect) == ("rose", "title", msgspec.UNSET)


def test_forty_teleports_are_one_move() -> None:
    table = negopoly.Table("ana", "bob")
    table.own("ana", *BLEU_FONCE)
    table.place("ana", 35)
    table.turn("ana", 1, 1)
    table.turn("bob", 1, 1)
    teleport = offered(table, "ana")["quarter_teleport"]
    assert said(teleport) == ("Teleport instead of rolling", "Se téléporter au lieu de lancer les dés")
    assert isinstance(teleport.choice, OpenChoice)
    assert teleport.choice.parameter == "square"
    assert len(teleport.choice.options) >= 39
    assert teleport.choice.options[1].label.en == "Négotown"


def test_a_proposal_is_waited_for_by_those_who_have_not_agreed() -> None:
    table = negopoly.Table("ana", "bob")
    leg = {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 5}
    table.play("ana", "propose_deal", legs=[leg])
    deal = str(table.number)
    assert due(table, "bob") == [f"agree_deal:{deal}", f"withdraw_deal:{deal}"]
    shown = offered(table, "bob")
    assert said(shown[f"agree_deal:{deal}"])[1] == f"Accepter l'accord {deal} (Ana, Bob)"
    assert said(shown[f"withdraw_deal:{deal}"])[1] == f"Refuser l'accord {deal} (Ana, Bob)"
    taking_back = offered(table, "ana")[f"withdraw_deal:{deal}"]
    assert (said(taking_back)[0], taking_back.rank) == (f"Take back deal {deal} (Ana, Bob)", "usual")


def test_each_vehicle_is_a_move_whichever_others_there_are() -> None:
    table = garage("trottinette", "teleporteur")
    assert {"use_vehicle:trottinette", "use_vehicle:teleporteur"} <= offered(table, "ana").keys()
    table.take("ana", "trottinette", 1)
    assert "use_vehicle:teleporteur" in offered(table, "ana")


def test_what_ruins_much_is_to_be_confirmed() -> None:
    table = negopoly.Table("ana", "bob", "cleo")
    banker = by_the_banker(table)
    assert banker["end_game"].final
    assert not banker["disrupt_communication"].final


def test_the_banker_is_waited_for_where_a_dispute_is_open() -> None:
    table = negopoly.Table("ana", "bob")
    table.play("bob", "open_dispute", claim="It was 4.", actions=[table.number])
    dispute = str(table.number)
    shown = by_the_banker(table)
    assert [one.id for one in shown.values() if one.rank == "due"] == [f"rule:{dispute}"]
    assert said(shown[f"rule:{dispute}"])[1] == f"Trancher le litige {dispute}"
    assert shown["rule"].rank == "rare"


def test_a_move_tells_which_dice_it_wants_where_the_table_throws() -> None:
    table = negopoly.Table("ana", "bob")
    rolling = offered(table, "ana")["roll_dice"]
    assert list(msgspec.to_builtins(rolling.draws)) == [
        {
            "name": "movement dice",
            "label": {"en": "the dice of the move", "fr": "les dés du déplacement"},
            "kind": "die",
            "count": 2,
            "sides": 6,
            "parameter": "dice",
        }
    ]
    service = negopoly.Table("ana", "bob", dice="service")
    assert offered(service, "ana")["roll_dice"].draws is msgspec.UNSET


def test_a_card_to_be_drawn_goes_to_the_draws_of_the_action() -> None:
    table = negopoly.Table("ana", "bob", decks=True)
    stop_on(table, "ana", CHANCE)
    (wanted,) = msgspec.to_builtins(offered(table, "ana")["resolve_square"].draws)
    assert (wanted["kind"], wanted["count"], wanted["parameter"]) == ("card", 1, "draws")
    chance = {card.id for card in cards_of(table.state) if card.deck == "chance"}
    assert (wanted["deck"], {*wanted["cards"]}) == ("chance", chance), "no card of another deck is a choice"


def test_the_goods_to_be_dealt_go_to_their_own_parameter() -> None:
    table = negoces2.Table("laid")
    (wanted,) = msgspec.to_builtins(by_the_banker(table)["deal_goods"].draws)
    assert (wanted["name"], wanted["kind"], wanted["parameter"]) == ("series", "card", "series")


def test_a_dispute_is_ruled_on_by_one_move_as_asked_or_not() -> None:
    table = negopoly.Table("ana", "bob")
    table.play("ana", "transfer_money", to="bob", amount=5)
    wrong = {"op": "drop", "action": table.number}
    table.play("bob", "open_dispute", claim="It was 4.", actions=[table.number], edits=[wrong])
    ruling = by_the_banker(table)[f"rule:{table.number}"]
    assert isinstance(ruling.choice, OpenChoice)
    said = [one.label.fr for one in ruling.choice.options]
    assert said == ["Corriger l'historique comme demandé", "Rejeter le litige"]


def test_labels_say_who_does_what_and_who_pays() -> None:
    table = negopoly.Table("ana", "bob")
    table.own("ana", "nuketown", mortgaged=True)
    shown = offered(table, "ana")
    assert shown["delegate_unmortgage:bob"].label.fr == "Laisser Bob lever l'hypothèque de Nuketown"
    paid = shown["delegate_unmortgage:bob:owner_pays"].label
    assert paid.en == "Let Bob lift the mortgage of Nuketown, at the owner's expense"
    trade = negoces2.Table()
    trade.play("ana", "offer_for_sale", card="good:1", face="up")
    trade.play("bob", "make_offer", coins=1)
    assert offered(trade, "ana")["accept_offer"].label.fr == "Accepter l'offre de Bob"


# ----------------------------------------------------------------------------------------------
# Négoces 2
# ----------------------------------------------------------------------------------------------


def test_the_seller_puts_a_card_up_for_sale_in_one_of_two_ways() -> None:
    table = negoces2.Table()
    assert due(table, "ana") == ["offer_for_sale:up", "offer_for_sale:down"]
    face_down = offered(table, "ana")["offer_for_sale:down"]
    assert said(face_down) == ("Put a card up for sale, face down", "Mettre une carte en vente, face cachée")
    assert face_down.final
    assert due(table, "bob") == []


# ----------------------------------------------------------------------------------------------
# Every game
# ----------------------------------------------------------------------------------------------


def evenings(rulebook: Rulebook[Any]) -> Iterator[State]:
    """Some states of games that bots play."""
    seats = [Seat(one, one.capitalize()) for one in ("ana", "bob", "cleo", "dan")]
    opening = Opening(players=tuple(seats), settings=rulebook.settings(), dice="service")
    for seed, actions in enumerate((3, 25, 60, 110)):
        yield simulation.play(rulebook, opening, seed=seed, actions=actions).game.state


def suggested(rulebook: Rulebook[Any], move: Move) -> bool:
    """Whether a move differs from others in what may be changed freely: then one of them is enough."""
    return bool(move.free) and not rulebook.words_of(move.kind).choice


def require_bounds_to_be_legal(rulebook: Rulebook[Any], state: State, seat: str, move: Move) -> None:
    """Check that the least and the greatest value of a parameter are accepted, and no value beyond them."""
    for name, bounds in bounds_of(move.free).items():
        for value, legal in (
            (bounds.minimum, True),
            (bounds.maximum, True),
            (bounds.maximum and bounds.maximum + 1, False),
        ):
            if isinstance(value, int):
                assert is_legal(rulebook, state, seat, move, {name: value}) is legal, (move, name, value)


def is_legal(rulebook: Rulebook[Any], state: State, seat: str, move: Move, chosen: dict[str, Any]) -> bool:
    """Whether a move is accepted with a value of one's own choice."""
    assert state.last_at is not None
    action = rulebook.codec.action(move.kind, msgspec.json.encode(move.params | chosen))
    request = Request(action=action, seat=seat or None, by=seat or "banker", at=state.last_at)
    try:
        decide(rulebook, state, request, chance=Random(1))
    except RuleBroken:
        return False
    return True


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_choice_is_offered_once_and_named(rulebook: Rulebook[Any]) -> None:
    def plain(one: dict[str, Any]) -> str:
        return json.dumps([one["kind"], one["params"]], sort_keys=True)

    for state in evenings(rulebook):
        for seat in (*state.seats, ""):
            viewer = Viewer("player", seat) if seat else Viewer("banker")
            assert state.last_at is not None
            legal: list[Move] = moves(rulebook, state, seat, rulebook.accounts.purse(seat), viewer, state.last_at)
            shown = combine_moves(rulebook, state, seat, legal, "en")
            assert len({one.id for one in shown}) == len(shown)
            sent = actions_of(msgspec.to_builtins(shown))
            wanted = {plain({"kind": one.kind, "params": one.params}): suggested(rulebook, one) for one in legal}
            told = [plain(one) for one in sent]
            assert len(set(told)) == len(told)
            assert {one for one, freely in wanted.items() if not freely} <= set(told) <= wanted.keys()
            alone = {combine_moves(rulebook, state, seat, [one], "en")[0].id for one in legal}
            assert alone == {one.id for one in shown}, "an id hangs on the other moves"
            for one in legal:
                require_bounds_to_be_legal(rulebook, state, seat, one)
            for move in shown:
                chosen = move.choice.options if isinstance(move.choice, OpenChoice) else ()
                named = [move.label, *(one.label for one in chosen)]
                assert not any(mark in f"{one.en}{one.fr}" for one in named for mark in "{}[]…"), named
