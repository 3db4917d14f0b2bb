"""Dice and cards that nobody threw or drew, over HTTP: the refusal says how many are needed, and how many came."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import HttpTable, problem

FRENCH = {"Accept-Language": "fr"}


@pytest.fixture(scope="module")
def ledger(store: Store, _time: Clock) -> Ledger:
    """A ledger of all games."""
    return Ledger(store, rulebooks_by_id(), clock=_time, chance=chance_of_a_test())


def tied(client: FlaskClient) -> HttpTable:
    """Three merchants of equal worth close the season: each throws two dice for the better place."""
    settings = {"early_close": [0, 1], "throw_for_order": False}
    table = HttpTable.created(client, "ana", "bob", "cid", rulebook="monopolys", settings=settings)
    table.banker.play("start_game")
    for caller in (table.ana, table.bob, table.cid):
        caller.play("vote_close_season", consent=True)
    return table


def lots(client: FlaskClient) -> HttpTable:
    """Four merchants draw cards for who begins."""
    return HttpTable.created(client, "ana", "bob", "cid", "dan", rulebook="negoces2", settings={})


_TIES = {"en": "the throws of those who tie", "fr": "les jets des ex æquo"}


@pytest.mark.parametrize(
    ("dice", "needed"),
    [
        ([], "(2): give"),
        ([1, 2], "(2) beside the values given (2)"),
        ([1, 2, 3, 4], "(2) beside the values given (4)"),
    ],
)
def test_the_throws_of_a_tie_are_counted(client: FlaskClient, dice: list[int], needed: str) -> None:
    table = tied(client)
    refused = problem(table.banker.act("close_season", params={"dice": dice or None}), 422, "draw-needed")
    assert needed in refused["detail"]
    (draw,) = refused["needs"]
    assert draw["edit"]["params"]["dice"] == [*dice, None, None]
    assert draw["values_at"] == f"/params/dice/{len(dice)}"
    assert (draw["sides"], draw["label"]) == (6, _TIES)


def test_a_throw_of_one_die_is_no_throw(client: FlaskClient) -> None:
    """One die, and a third one after a throw: the refusal names what came, and what was taken before it."""
    table = tied(client)
    for dice, said in (
        ([5], "takes 2 values from 1 to 6, not [5]"),
        ([1, 2, 3], "from 1 to 6 after the first 2 given, not [3]"),
    ):
        refused = problem(table.banker.act("close_season", params={"dice": dice}), 422, "invalid-parameters")
        assert said in refused["detail"]
    french = table.banker.act("close_season", params={"dice": [1, 2]}, headers=FRENCH).json["detail"]
    assert "(2) en plus des valeurs indiquées (2)" in french
    table.banker.play("close_season", dice=[1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    ("cards", "needed"),
    [
        (None, "(4): give"),
        ([8, 5], "(2) beside the values given (2)"),
        ([8, 5, 8, 1], "(2) beside the values given (4)"),
        ([8, 5, 8, 1, 3], "(1) beside the values given (5)"),
    ],
)
def test_the_cards_of_a_lot_are_counted(client: FlaskClient, cards: list[int] | None, needed: str) -> None:
    table = lots(client)
    refused = problem(table.banker.act("draw_starter", params={"cards": cards}), 422, "draw-needed")
    assert needed in refused["detail"]


@pytest.mark.parametrize(
    ("rulebook", "kind"),
    [("negopoly", "roll_dice"), ("monopoly", "roll_and_move"), ("monopoly_naruto", "roll_and_move")],
)
def test_one_die_of_two_is_told_from_none(client: FlaskClient, rulebook: str, kind: str) -> None:
    table = begun(client, rulebook)
    assert "(2): give" in problem(table.ana.act(kind), 422, "draw-needed")["detail"]
    for dice, said in (([3], "takes 2 values"), ([1, 2, 3], "takes 2 values")):
        answer = table.ana.act(kind, params={"dice": dice})
        assert said in problem(answer, 422, "invalid-parameters")["detail"]
        assert f"not {dice}" in answer.json["detail"]


def begun(client: FlaskClient, rulebook: str) -> HttpTable:
    """Ana is about to throw."""
    if rulebook == "negopoly":
        return HttpTable.created(client, "ana", "bob").start()
    settings: dict[str, Any] = {"throw_for_order": False, "tokens_chosen": False, "elected_banker": False}
    table = HttpTable.created(client, "ana", "bob", rulebook=rulebook, settings=settings)
    for deck in rulebooks_by_id()[rulebook].screen.components()["decks"]:
        if not deck["faces"]:
            table.banker.play("shuffle_deck", deck=deck["id"])
    table.banker.play("start_game")
    return table
