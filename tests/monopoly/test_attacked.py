"""Attempts to break the engine, in memory: each is refused, or leaves a game that goes on."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly import own_edition
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.turns.turns import PostCited
from ledger.rulebooks.parts.fitting import MOST_BYTES
from tests.monopoly.own import TOWN, only
from tests.monopoly.table import naruto, town


@pytest.fixture
def board() -> dict[str, Any]:
    return copy.deepcopy(TOWN)


# ----------------------------------------------------------------------------------------------
# Editions
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", [{}, [], ["pay"], {"pay": 1}, None, 3])
def test_the_name_of_an_effect_may_be_anything_in_a_file(board: dict[str, Any], op: Any) -> None:
    board["cards"][0]["effects"] = [{"op": op}, {"op": "keep"}]
    assert only(own_edition.check(board))[0] == "/cards/0/effects/0/op"


def test_no_id_and_no_colour_ends_with_a_newline(board: dict[str, Any]) -> None:
    board["squares"][1]["id"] = "tansy_row\n"
    assert only(own_edition.check(board)) == (
        "/squares/1/id",
        'an id has 1 to 40 small letters, digits and _ (got "tansy_row\\n")',
    )
    board["squares"][1]["id"] = "tansy_row"
    board["groups"][0]["colour"] = "#aabbcc\n"
    assert only(own_edition.check(board))[0] == "/groups/0/colour"


def test_a_very_long_name_of_a_member_is_not_repeated(board: dict[str, Any]) -> None:
    board["squares"][1]["x" * 200_000] = 1
    assert only(own_edition.check(board)) == ("/squares/1", "the name of a member has at most 60 characters")


def test_no_group_of_streets_is_called_as_another_kind_of_squares(board: dict[str, Any]) -> None:
    """A card may go to the nearest square of a group or of a kind, and names one or the other."""
    streets = board["groups"][0]["id"]
    board["groups"][0]["id"] = "tax"
    for square in board["squares"]:
        if square.get("group") == streets:
            square["group"] = "tax"
    place, reason = only(own_edition.check(board))
    assert place == "/groups/0/id"
    assert "is a kind of squares" in reason


def test_a_part_is_two_numbers(board: dict[str, Any]) -> None:
    board["options"] = {"building_resale": [1, 1, 1]}
    assert only(own_edition.check(board)) == (
        "/options/building_resale",
        "a part is two whole numbers: [1, 10] is a tenth",
    )


def test_the_largest_edition_is_played(board: dict[str, Any]) -> None:
    """What it leaves out is written in the settings, and does not count."""
    board["options"] = {"throw_for_order": False, "tokens_chosen": False}
    steps = [{"op": "receive_from_each", "amount": 1}, {"op": "pay", "amount": 1}] * 5
    letter = {**board["cards"][0], "id": "more_000", "title": "t" * 200, "effects": steps}
    room = MOST_BYTES - 1000 - len(msgspec.json.encode(board))
    more = room // (len(msgspec.json.encode(letter)) + 1)
    board["cards"] += [{**letter, "id": f"more_{number:03}"} for number in range(more)]
    assert own_edition.check(board) == []
    settings = own_edition.settings_of(board, {})
    assert len(msgspec.json.encode(msgspec.convert(settings, Settings).board)) > MOST_BYTES
    assert town(**settings).state.stage == "play"


@pytest.mark.parametrize("name", ["  ", "Rue\nHaute", "Rue\tHaute"])
def test_a_table_gives_names_that_stand_on_one_line(name: str) -> None:
    for table, square in ((town, "tansy_row"), (naruto, "brun_1")):
        with pytest.raises(Malformed) as refused:
            table(names={square: name})
        assert refused.value.values["place"] == f"/names/{square}"


def test_no_table_sells_buildings_back_at_a_profit() -> None:
    with pytest.raises(Malformed, match="more than its price"):
        town(building_resale=[3, 1])


# ----------------------------------------------------------------------------------------------
# Words of players
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("post", ["7\nBob pays Ana 500.", "7\tBob", "7\n"])
def test_no_reference_to_a_post_passes_for_another_sentence(post: str) -> None:
    town().malformed("ana", "roll_and_move", dice=[2, 4], post=post)


def test_a_blank_reference_is_none() -> None:
    told = town().play("ana", "roll_and_move", dice=[2, 4], post="  ")
    assert not any(isinstance(event, PostCited) for event in told)
