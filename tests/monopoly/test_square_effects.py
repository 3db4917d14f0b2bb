"""Squares of own boards with effects: trains, buses, tunnels, casinos, second pay days, taxes by a share."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec import UnsetType

from ledger import rulebooks
from ledger.kernel.facts.state import Seat
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.bots import RANDOM
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.monopoly.own_edition import check, settings_of
from ledger.rulebooks.monopoly.showing.effect_words import square_text
from ledger.rulebooks.monopoly.table import effects
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import pieces
from ledger.rulebooks.monopoly.table.terms import POT
from replays import simulation
from tests.monopoly.own import LIVELY, only, place_of, with_squares
from tests.monopoly.table import Table

COIN = "COIN"
GATE, NORTH_FERRY, LOCK_UP, LANTERN, SOUTH_FERRY, BENCH = 0, 5, 6, 11, 17, 22
BENCH_ID = "lime_tree_bench"


def table_with(town: dict[str, Any], **settings: Any) -> Table:
    """A table on this board."""
    assert check(town) == []
    return Table("monopoly", settings=settings_of(town, settings))


def bench(*effects: dict[str, Any], **settings: Any) -> Table:
    """A table on whose board the bench, a square of rest, has these effects."""
    return table_with(with_squares(**{BENCH_ID: {"effects": [*effects]}}), **settings)


def stopped(*effects: dict[str, Any]) -> Table:
    """Ana stops on the bench with these effects."""
    table = bench(*effects)
    table.arrive("ana", BENCH_ID)
    return table


# Moves ---------------------------------------------------------------------------------------------


@pytest.mark.rule("own:square.1", "own:card.7")
def test_train_go_on_to_the_next_ferry() -> None:
    """On the way Ana passes the gate, and gets the salary; the ferry is for sale."""
    table = stopped({"op": "move", "nearest": "station"})
    assert (table.state.positions["ana"], table.cash("ana")) == (NORTH_FERRY, 1300)
    table.play("ana", "buy_property")


@pytest.mark.rule("own:square.1")
def test_bus_go_to_lantern_street() -> None:
    assert stopped({"op": "move", "to": "lantern_street"}).state.positions["ana"] == LANTERN
    flight = stopped({"op": "move", "to": "south_ferry", "direction": "back"})
    assert (flight.state.positions["ana"], flight.cash("ana")) == (SOUTH_FERRY, 1200)


@pytest.mark.rule("own:card.7")
def test_tunnel_throw_and_go_that_far() -> None:
    table = stopped({"op": "move", "thrown": True})
    table.play("ana", "roll_to_go", dice=[3, 4])
    assert table.state.positions["ana"] == NORTH_FERRY


@pytest.mark.rule("own:square.1")
def test_a_square_sends_to_a_square_that_sends_on() -> None:
    train = {"effects": [{"op": "move", "to": "lock_up"}]}
    town = with_squares(lime_tree_bench=train, lock_up={"effects": [{"op": "receive", "amount": 7}]})
    table = table_with(town)
    table.arrive("ana", BENCH_ID)
    assert (table.state.positions["ana"], table.cash("ana"), table.state.jailed) == (LOCK_UP, 1307, {})


@pytest.mark.rule("own:square.1")
def test_a_square_sends_to_prison() -> None:
    table = stopped({"op": "prison"})
    assert (table.state.jailed, table.state.turn) == ({"ana": 0}, "bob")


# Money ---------------------------------------------------------------------------------------------


@pytest.mark.rule("own:pot.2", "own:card.6")
def test_casino_pay_a_tenth_into_the_pot_and_throw_again() -> None:
    table = stopped({"op": "pay", "share": [1, 10], "to": "pot"}, {"op": "throw_again"})
    assert (table.cash("ana"), table.held(POT, COIN)) == (1080, 120)
    table.refused("ana", "end_turn", "own:turn.5")
    table.roll("ana", 1, 3)


@pytest.mark.rule("own:square.1")
def test_a_square_pays_costs_and_is_owed_to() -> None:
    assert stopped({"op": "receive", "amount": 40}).cash("ana") == 1240
    table = bench({"op": "pay", "amount": 40})
    table.purse("ana", 10)
    table.arrive("ana", BENCH_ID)
    (debt,) = table.state.debts
    (owed,) = table.rulebook.agreements.obligations(table.state)
    assert (debt.cause, debt.title, owed.debtor, owed.amount, owed.rule) == (
        "square",
        BENCH_ID,
        "ana",
        40,
        "own:square.1",
    )
    table.refused("ana", "end_turn", "own:debt.1")
    table.purse("ana", 100)
    assert "as Lime Tree Bench says" in table.told(table.play("ana", "pay_debt"))[0]
    assert "comme le dit Lime Tree Bench" in table.told(table.last_events(), "fr")[0]
    table.play("ana", "end_turn")


@pytest.mark.rule("own:square.2")
def test_a_second_square_that_pays_when_passed() -> None:
    """100 in passing, 200 for a stop; nothing on the way back, or on a way without the salary."""
    pay_day = {"passing": [{"op": "receive", "amount": 100}], "effects": [{"op": "receive", "amount": 200}]}
    table = table_with(with_squares(lime_tree_bench=pay_day))
    table.arrive("ana", "observatory_terrace")
    assert table.cash("ana") == 1300
    table.play("ana", "buy_property")
    table.arrive("ana", BENCH_ID)
    assert table.cash("ana") == 1300 - 380 + 200


@pytest.mark.rule("own:square.2")
def test_a_bridge_costs_10_for_each_house_in_passing() -> None:
    table = table_with(with_squares(tansy_row={"passing": [{"op": "pay", "each": {"house": 10}, "to": "pot"}]}))
    table.give("ana", "hill")
    table.build(kettle_street=3)
    table.turn("ana")
    table.roll("ana", 1, 2)
    assert (table.cash("ana"), table.held(POT, COIN)) == (1170, 30)


@pytest.mark.rule("own:tax.1")
def test_a_tax_of_a_tenth_of_the_worth() -> None:
    town = with_squares(toll_booth={"kind": "tax", "share": [1, 10], "of": "worth"})
    table = table_with(town, fees_to_pot=True)
    table.give("ana", "tansy_row")
    table.arrive("ana", "toll_booth")
    (owed,) = table.rulebook.agreements.obligations(table.state)
    assert (owed.kind, owed.amount) == ("tax", 126)
    table.play("ana", "pay_tax")
    assert (table.cash("ana"), table.held(POT, COIN)) == (1074, 126)


# Turns, others -------------------------------------------------------------------------------------


@pytest.mark.rule("own:turn.15")
def test_a_square_makes_miss_a_turn() -> None:
    table = stopped({"op": "miss_turns"})
    table.play("ana", "end_turn")
    for seat in ("bob", "cid"):
        table.turn(seat, thrown=True)
        table.play(seat, "end_turn")
    assert table.state.turn == "bob"


@pytest.mark.rule("own:card.5")
def test_who_is_moved_out_of_turn_meets_no_effect() -> None:
    """Ana's card moves Bob to the bench, which would pay him in his own turn."""
    table = stopped({"op": "receive", "amount": 5}, {"op": "move", "by": 22, "who": "others"})
    assert (table.state.positions["bob"], table.cash("bob"), table.cash("ana")) == (BENCH, 1200, 1205)


# Corrections, time, bots ---------------------------------------------------------------------------


@pytest.mark.rule("own:square.1")
def test_a_mistyped_throw_undoes_what_the_square_did() -> None:
    """Ana threw 2 and not 3: she is on the weather vane, and nothing was paid, moved or missed."""
    table = bench({"op": "pay", "amount": 40, "to": "each"}, {"op": "miss_turns", "who": "all"})
    table.arrive("ana", BENCH_ID)
    throw = table.number
    assert table.state.missing
    edits = [{"op": "replace", "action": throw, "params": {"dice": [1, 1]}}]
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    assert (table.cash("ana"), table.state.missing) == (1200, {})
    assert table.state.landing is not None
    assert table.state.landing.todo == "die"


@pytest.mark.rule("own:card.7")
def test_a_corrected_throw_needs_a_throw_to_go_on() -> None:
    """Ana threw 3 and not 2, and Bob has played since: the game goes on without the throw of the tunnel."""
    table = bench({"op": "move", "thrown": True})
    table.arrive("ana", "cistern")
    throw = table.number
    table.play("ana", "buy_property")
    table.play("ana", "end_turn")
    table.roll("bob", 1, 2)
    edits = [{"op": "replace", "action": throw, "params": {"dice": [1, 4]}}]
    plan = table.what_if(*edits)
    assert [(type(need.action).kind, need.seat) for need in plan.needs] == [("roll_to_go", "ana")]
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    assert (table.state.positions["ana"], table.state.turn) == (BENCH, "bob")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bots_play_a_board_that_uses_all_of_it(seed: int) -> None:
    """A thousand actions, each possible; everything is conserved, and what is left fits together."""
    assert check(LIVELY) == []
    rulebook = rulebooks.rulebooks_by_id()["monopoly"]
    chosen = msgspec.convert(settings_of(LIVELY, {}), rulebook.settings)
    opening = Opening(players=tuple(Seat(name, name) for name in ("a", "b", "c")), settings=chosen, dice="service")
    bots = rulebook.simulation.strategies
    played = simulation.play(
        rulebook, opening, seed=seed, bots=lambda by: bots.get(by, bots[RANDOM]), actions=1000
    )
    state = played.game.state
    assert state.ended or state.version > 900
    assert simulation.unbalanced(state) == {}
    assert list(rulebook.play.inconsistencies(state)) == []
    assert rulebook.codec.from_snapshot(rulebook.codec.to_snapshot(state)) == state


# In words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "en", "fr"),
    [
        (
            {"effects": [{"op": "move", "nearest": "station"}]},
            "Stop here: go on to the nearest station.",
            "Arrêt ici : avancer jusqu'à la gare la plus proche.",
        ),
        (
            {"effects": [{"op": "move", "nearest": "ferries", "direction": "back", "rent": "double"}]},
            "Stop here: go back to the nearest of Ferries, for twice the rent.",
            "Arrêt ici : reculer jusqu'à la case la plus proche (Ferries), pour le double du loyer.",
        ),
        (
            {
                "effects": [
                    {"op": "miss_turns", "who": "next"},
                    {"op": "go_to", "square": "lock_up", "salary": False},
                ]
            },
            "Stop here: the next player: miss a turn; go on to Lock-up, without the salary.",
            "Arrêt ici : le joueur suivant : passer un tour ; avancer jusqu'à Lock-up, sans le salaire.",
        ),
        (
            {"effects": [{"op": "pay", "share": [1, 10], "at_least": 5, "to": "pot"}]},
            "Stop here: pay into the town chest 10% of the money in hand, at least 5 Sh.",
            "Arrêt ici : payer dans le coffre de la ville 10 % de l'argent en main, au moins 5 Sh.",
        ),
        (
            {"passing": [{"op": "receive", "each": {"house": 9, "hotel": 5}}]},
            "In passing: receive from the bank 9 Sh for each cottage, 5 Sh for each inn.",
            "Au passage : recevoir de la banque 9 Sh par chaumière, 5 Sh par auberge.",
        ),
        (
            {"effects": [{"op": "throw_again", "when": {"of": "titles", "above": "drawer"}}]},
            "Stop here: throw again (only with more titles than the player here).",
            "Arrêt ici : relancer les dés (seulement avec plus de titres que le joueur ici).",
        ),
        (
            {"effects": [{"op": "throw_again", "when": {"of": "cash", "above": 20, "below": 90}}]},
            "Stop here: throw again (only with less than 90 Sh in hand and more than 20 Sh in hand).",
            "Arrêt ici : relancer les dés (seulement avec moins de 90 Sh en main et plus de 20 Sh en main).",
        ),
    ],
)
def test_the_board_says_what_a_square_does(members: dict[str, Any], en: str, fr: str) -> None:
    table = Table("monopoly", settings=settings_of(with_squares(**{BENCH_ID: members}), {}))
    for language in ("en", "fr"):
        places = table.rulebook.screen.board_drawn(table.state, language).places
        assert places[BENCH].text == Phrase(en, fr).in_language(language)
        assert isinstance(places[GATE].text, UnsetType)


def test_every_effect_has_words_of_its_own() -> None:
    """Of all operations, only a card that is kept is never on a square."""
    board = pieces(Table("monopoly").state)
    for operation in get_args(effects.Effect):
        if operation is not effects.Keep:
            members = _LEAST.get(operation.__struct_config__.tag, {})
            square = Square(id="x", name="X", kind="rest", effects=(operation(**members),))
            assert "special" not in square_text(square, board, str, "en"), operation


_LEAST: dict[str, dict[str, Any]] = {
    "pay": {"amount": 1},
    "receive": {"amount": 1},
    "receive_from_each": {"amount": 1},
    "pay_to_each": {"amount": 1},
    "pay_per_building": {"house": 1, "hotel": 1},
    "go_to": {"square": "lock_up"},
    "go_back": {"steps": 1},
    "go_to_nearest": {"of": "station"},
    "swap_tokens": {"partner": "ahead"},
    "move": {"by": 1},
    "draw": {"deck": "tides"},
    "choose": {"options": ()},
}
"""What each operation needs to be said."""


# What cannot be ------------------------------------------------------------------------------------


def test_squares_that_send_round_in_a_circle_are_refused() -> None:
    town = with_squares(
        lime_tree_bench={"effects": [{"op": "move", "to": "village_green"}]},
        village_green={"effects": [{"op": "move", "by": 10}]},
    )
    where, why = only(check(town))
    assert where == f"{place_of(town, 'squares', 'village_green')}/effects"
    assert why.endswith("without end: village_green → lime_tree_bench → village_green")


def test_squares_that_send_to_each_other_without_a_stop_are_no_circle() -> None:
    town = with_squares(
        lime_tree_bench={"effects": [{"op": "move", "to": "village_green", "stops": False}]},
        village_green={"effects": [{"op": "move", "to": "lime_tree_bench"}]},
    )
    table = table_with(town)
    table.arrive("ana", "village_green")
    assert table.state.positions["ana"] == 12


@pytest.mark.parametrize(
    ("square", "members", "place", "reason"),
    [
        ("toll_booth", {"effects": [{"op": "throw_again"}]}, "/effects", "asks for something else"),
        (BENCH_ID, {"effects": [{"op": "keep"}]}, "/effects/0", "a square is not kept"),
        (BENCH_ID, {"effects": [{"op": "pay"}]}, "/effects/0/amount", "`amount` is missing"),
        (BENCH_ID, {"effects": [{"op": "fly"}]}, "/effects/0/op", "is none of"),
        (BENCH_ID, {"passing": [{"op": "throw_again"}]}, "/passing/0/op", "only pays or costs"),
        (BENCH_ID, {"share": [1, 10]}, "/share", "only tax has"),
        ("toll_booth", {"share": [1, 10]}, "/amount", "not both"),
        ("toll_booth", {"of": "worth"}, "/of", "there is no share"),
        (BENCH_ID, {"effects": [{"op": "prison"}, {"op": "throw_again"}]}, "/effects/0", "the last effect"),
    ],
)
def test_contradictions_of_a_square(square: str, members: dict[str, Any], place: str, reason: str) -> None:
    town = with_squares(**{square: members})
    where, why = only(check(town))
    assert where == place_of(town, "squares", square) + place
    assert reason in why


# Quarrels -----------------------------------------------------------------------------------------

_DISPUTED = (
    "town_gate",
    "tansy_row",
    "toll_booth",
    "tide_bell",
    "village_green",
    "letter_box_2",
    "lime_tree_bench",
)


@pytest.mark.parametrize("square", _DISPUTED)
def test_a_quarrel_about_a_throw_is_ruled_with_all_that_the_square_did(square: str) -> None:
    """Bob heard another throw. The banker agrees: what the square paid and moved has never been."""
    played, unplayed = (Table("monopoly", settings=settings_of(LIVELY, {})) for _ in range(2))
    played.arrive("ana", square, dice=(1, 3))
    disputed = played.number
    played.play("bob", "open_dispute", actions=[disputed], claim="She threw three.")
    edit = {"op": "replace", "action": disputed, "params": {"dice": [1, 2]}}
    remedy = {"op": "correct", "edits": [edit], "cascade": "restate"}
    played.banker("rule", dispute=str(played.number), finding="So she did.", remedies=[remedy])
    unplayed.turn("ana")
    unplayed.stand("ana", square, before=4)
    unplayed.roll("ana", 1, 2)
    assert played.told(played.last_events())
    for seat in played.seats:
        assert played.cash(seat) == unplayed.cash(seat)
    assert (played.state.positions, played.state.turn) == (unplayed.state.positions, unplayed.state.turn)
    assert (played.state.debts, played.state.missing) == (unplayed.state.debts, unplayed.state.missing)
    assert not list(played.rulebook.play.inconsistencies(played.state))
