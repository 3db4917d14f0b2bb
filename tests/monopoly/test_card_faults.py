"""What is wrong with choices, effects on titles and kept cards in an edition that a table brings."""

from __future__ import annotations

import copy
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly.own_edition import check, check_settings
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.roles import Rules
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts.edition import Edition
from tests.monopoly.boards import all_effects, kept
from tests.monopoly.own import TOWN, only

GO = {"op": "go_back", "steps": 1}
PAY = {"op": "pay", "amount": 5}


def chosen(*effects: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A choice between these effects and a payment."""
    options = [{"title": "A", "effects": list(effects)}, {"title": "B", "effects": [PAY]}]
    return {"op": "choose", "options": options, **members}


@pytest.mark.parametrize(
    ("effect", "place", "reason"),
    [
        (
            {"op": "draw", "deck": "moon"},
            "/deck",
            'no pile of cards "moon" to draw from; there are: letters',
        ),
        ({"op": "draw", "deck": "weather"}, "/deck", 'no pile of cards "weather"'),
        ({"op": "buy_title", "of": "moon"}, "/of", 'no title, no group and no kind of title "moon"'),
        ({"op": "buy_title", "of": "card"}, "/of", 'no kind of title "card"'),
        ({"op": "buy_title", "price": 5, "share": [1, 2]}, "/share", "not both"),
        ({"op": "lose_title", "which": "oldest"}, "/which", '"oldest" is none of: chosen, cheapest, dearest'),
        ({"op": "build", "count": 0}, "/count", "at least 1"),
        ({"op": "draw", "deck": "tides", "who": "others"}, "/who", "it is for the drawer alone"),
        (chosen(GO, who="others"), "/who", "it is for the drawer alone"),
        (chosen({"op": "go_to", "square": "moon"}), "/options/0/effects/0/square", 'no square "moon"'),
        (chosen({"op": "keep"}), "/options/0/effects/0/op", '"keep" is none of'),
        (chosen(GO, PAY), "/options/0/effects/0", "go_back moves the token"),
        ({"op": "choose", "options": [{"title": "A", "effects": [PAY]}]}, "/options", "at least 2"),
        (kept("effects"), "/effects", 'a card kept for its "effects" has a list of them'),
        (kept("no_rent", effects=[PAY]), "/effects", '`effects` belongs to a card kept with use = "effects"'),
        (kept("no_rent", playable="any"), "/playable", "`playable` belongs to"),
        (kept("effects", effects=[GO], playable="any"), "/effects/0", '`playable` is "turn"'),
        (kept("prison"), "/use", '"prison" is none of'),
    ],
)
def test_effects_that_a_card_cannot_have(effect: dict[str, Any], place: str, reason: str) -> None:
    town = copy.deepcopy(TOWN)
    town["cards"][0]["effects"] = [effect]
    where, why = only(check(town))
    assert where == f"/cards/0/effects/0{place}"
    assert reason in why


@pytest.mark.parametrize("first", [{"op": "draw", "deck": "tides"}, chosen(GO)])
def test_what_may_move_a_token_is_the_last_effect(first: dict[str, Any]) -> None:
    town = copy.deepcopy(TOWN)
    town["cards"][0]["effects"] = [first, PAY]
    assert only(check(town)) == (
        "/cards/0/effects/0",
        f"{first['op']} may move the token: it is the last effect of a list",
    )


def test_a_die_keeps_nothing_but_passes() -> None:
    town = copy.deepcopy(TOWN)
    number = next(number for number, card in enumerate(town["cards"]) if card["id"] == "weather_rainbow")
    town["cards"][number]["effects"] = [kept("no_rent")]
    assert only(check(town))[0] == f"/cards/{number}/effects/0/use"


def test_a_board_with_every_effect_is_fit_to_play() -> None:
    assert check(all_effects()) == []


@pytest.mark.parametrize("effect", [{"op": "buy_title"}, kept("no_rent"), {**PAY, "who": "chosen"}, chosen(GO)])
def test_other_editions_have_no_rule_for_such_cards(effect: dict[str, Any]) -> None:
    folder = files("ledger.rulebooks.monopoly") / "editions" / "naruto"
    naruto = Edition.read(folder, Pieces, Rules)
    board = msgspec.to_builtins(naruto.pieces)
    board["cards"][0]["effects"] = [effect]
    with pytest.raises(Malformed) as refusal:
        check_settings(naruto, msgspec.convert({"board": board}, Settings))
    assert "no rule for the effect" in str(refusal.value)
