"""The made-up town as an edition that a table brings, and short ways to change it and to read its faults."""

from __future__ import annotations

import copy
from importlib.resources import files
from typing import Any

from ledger.kernel.rules.faces.editions import Fault
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.roles import Rules
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.edition import Edition

EDITIONS = files("ledger.rulebooks.monopoly") / "editions"
TOWN = {**reading.data(EDITIONS / "own", "pieces.toml"), "title": "A town of our own"}
"""The made-up town: an edition that is fit to play."""

OWN = Edition.read(EDITIONS / "own", Pieces, Rules)


def place_of(town: dict[str, Any], part: str, name: str) -> str:
    """The JSON Pointer of the row of this id."""
    return f"/{part}/{next(number for number, row in enumerate(town[part]) if row['id'] == name)}"


def row(town: dict[str, Any], part: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in town[part] if one["id"] == name)
    return found


def only(found: list[Fault]) -> tuple[str, str]:
    """The place and the English reason of the one fault."""
    assert len(found) == 1, found
    assert found[0].fr
    assert found[0].fr != found[0].en
    return found[0].place, found[0].en


def board_of(count: int) -> dict[str, Any]:
    """The town cut short, or with more streets, to this number of squares."""
    town = copy.deepcopy(TOWN)
    kept = [one for one in town["squares"] if one["kind"] in {"start", "jail"}]
    others = [one for one in town["squares"] if one["kind"] == "street"]
    more = [{**others[0], "id": f"street_{number}", "name": f"Street {number}"} for number in range(count)]
    town["squares"] = [*kept, *others, *more][:count]
    groups = {one["group"] for one in town["squares"] if "group" in one}
    town["groups"] = [one for one in town["groups"] if one["id"] in groups]
    town["decks"], town["cards"] = [], []
    return town


def with_card(*effects: dict[str, Any]) -> dict[str, Any]:
    """The town with one more letter: the card "trial" with these effects."""
    town = copy.deepcopy(TOWN)
    letter = {"id": "trial", "deck": "letters", "title": {"en": "Trial", "fr": "Essai"}, "effects": [*effects]}
    town["cards"] = [*town["cards"], letter]
    return town


def with_squares(**squares: dict[str, Any]) -> dict[str, Any]:
    """The town with other members of these squares; a square that gets effects is one of rest."""
    town = copy.deepcopy(TOWN)
    for name, members in squares.items():
        square = row(town, "squares", name)
        if "kind" in members:
            for extra in set(square) - {"id", "name"}:
                del square[extra]
        square.update(members)
    return town


LIVELY = with_squares(
    town_gate={"effects": [{"op": "receive", "each": {"title": 5}}]},
    tansy_row={"passing": [{"op": "receive", "share": [1, 100], "of": "worth"}]},
    toll_booth={"kind": "tax", "share": [1, 10], "of": "worth"},
    lock_up={"effects": [{"op": "miss_turns", "who": "all", "when": {"of": "cash", "below": 100}}]},
    tide_bell={"kind": "rest", "effects": [{"op": "move", "thrown": True}]},
    village_green={"effects": [{"op": "throw_again"}]},
    letter_box_2={
        "kind": "rest",
        "name": "Night Ferry",
        "effects": [{"op": "move", "nearest": "station", "direction": "back"}],
    },
    cork_wharf={"passing": [{"op": "pay", "amount": 3, "to": "drawer", "who": "richest"}]},
    lime_tree_bench={
        "kind": "rest",
        "effects": [
            {"op": "pay", "share": [1, 5], "at_least": 20, "at_most": 90, "to": "pot"},
            {"op": "receive", "amount": 30, "source": "each"},
            {"op": "move", "by": 2, "who": "others", "direction": "back"},
            {"op": "miss_turns", "turns": 2, "who": "next"},
            {"op": "move", "to": "letter_box_1", "direction": "back", "when": {"of": "titles", "above": 2}},
        ],
    },
)
"""The town with every effect of squares."""
LIVELY["decks"] = [deck for deck in LIVELY["decks"] if deck["id"] != "tides"]
LIVELY["cards"] = [card for card in LIVELY["cards"] if card["deck"] != "tides"]
