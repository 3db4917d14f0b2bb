"""The board of a game, which a screen reads once."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from ledger.rulebooks.negoces2 import RULEBOOK as NEGOCES2
from ledger.rulebooks.negopoly import RULEBOOK as NEGOPOLY
from ledger.rulebooks.negopoly.table.pieces import BOARD, TITLES
from ledger.rulebooks.parts.boards import drawn
from tests.tables.over_http import BASE, HttpTable


def test_the_board_of_negopoly_is_a_ring_of_forty_squares(started: HttpTable) -> None:
    """Four sides of ten from Spawn on, clockwise; quarters with names, colours and marks of their own."""
    board = started.spectator.get("board").json
    assert (board["form"], board["sides"], board["start"]) == ("ring", [10, 10, 10, 10], "south-east")
    assert board["direction"] == "clockwise"
    face = board["face"]
    assert (face["cloth"], face["weave"], face["mark"]) == ("#17473B", "guilloche", "Crédit Mabligop")
    assert face["decks"]["kamtar"] == {"back": "#5A4A00", "icon": "skull"}
    assert [place["number"] for place in board["places"]] == list(range(40))
    assert board["places"][1] == {
        "id": "square:1",
        "number": 1,
        "name": "Négotown",
        "short": "Négot.",
        "group": "marron",
        "icon": "title",
        "commodity": "title:negotown",
        "prices": {
            "price": 60,
            "building": 50,
            "mortgage": 30,
            "rents": [2, 10, 30, 90, 160, 250],
            "rents_by": "buildings",
            "deed": [
                {"label": "no house", "amount": 2},
                {"label": "1 house", "amount": 10},
                {"label": "2 houses", "amount": 30},
                {"label": "3 houses", "amount": 90},
                {"label": "4 houses", "amount": 160},
                {"label": "5 houses", "amount": 250},
            ],
        },
        "deed": {
            "price": 60,
            "rents": board["places"][1]["prices"]["deed"],
            "building": {"commodity": "house", "price": 50, "most": 5},
            "mortgage": 30,
            "due_text": "A visitor pays the owner at once.",
        },
    }
    assert board["places"][10]["icon"] == "prison"
    # A shop tells its goods, and the names of the game their prices.
    commodities = started.spectator.get("names").json["commodities"]
    assert [commodities[item]["price"] for item in board["places"][0]["sells"]] == [50, 70]
    assert {place["group"] for place in board["places"] if "group" in place} == {
        group["id"] for group in board["groups"]
    }
    for once in ("name", "colour", "mark"):
        assert len({group[once] for group in board["groups"]}) == 8
    assert {"id": "mortgage", "name": "mortgaged", "icon": "mortgage"} in board["marks"]


def test_it_never_changes_in_a_game(started: HttpTable) -> None:
    """A screen that has the board has it after any action; in French it is another one."""
    first = started.ana.get("board")
    started.ana.play("roll_dice", dice=[1, 2])
    assert started.ana.get("board", If_None_Match=first.headers["ETag"]).status_code == 304
    assert started.banker.get("board").json == first.json
    french = started.ana.get("board", If_None_Match=first.headers["ETag"], Accept_Language="fr")
    assert (french.status_code, french.headers["Content-Language"]) == (200, "fr")
    names = {group["id"]: group["name"] for group in french.json["groups"]}
    assert (names["marron"], names["bleu_fonce"]) == ("Marron", "Bleu foncé")


def test_what_lies_on_it_names_its_places(started: HttpTable) -> None:
    board = started.ana.get("board").json
    started.ana.play("roll_dice", dice=[1, 2])
    started.ana.play("buy_property")
    display = started.bob.get("state").json["display"]
    places = {place["id"] for place in board["places"]}
    assert {token["place"] for token in display["tokens"]} <= places
    assert display["places"] == {"square:3": {"owner": "ana", "rent": 4, "toll": {"amount": 4}}}


def test_a_table_with_its_own_board_draws_that_one(client: FlaskClient) -> None:
    """Six squares more and the corners elsewhere: the sides are as long as the table has made them."""
    squares: list[dict[str, Any]] = [
        {"kind": one.kind, "name": one.name} | ({"property": one.property} if one.property else {})
        for one in BOARD
    ]
    squares[1]["name"] = "Chez Momo"
    squares[11:11] = [{"kind": "chance", "name": "Chance"}] * 6
    table = HttpTable.created(client, settings={"board": squares})
    board = table.banker.get("board").json
    assert (board["sides"], len(board["places"])) == ([10, 16, 10, 10], 46)
    assert board["places"][1]["name"] == "Chez Momo"
    assert "short" not in board["places"][1]


def test_the_rulebook_has_the_board_of_its_default_settings(client: FlaskClient) -> None:
    rulebook = client.get(f"{BASE}/rulebooks/negopoly").json
    assert len(rulebook["board"]["places"]) == len(rulebook["squares"]) == 40
    commodities = [place["commodity"] for place in rulebook["board"]["places"] if "commodity" in place]
    assert sorted(commodities) == sorted(f"title:{title}" for title in TITLES)
    assert drawn(NEGOPOLY, None, "en") == drawn(NEGOPOLY, NEGOPOLY.blank(), "en")


def test_negoces2_is_played_on_a_table_with_zones() -> None:
    board = drawn(NEGOCES2, None, "fr")
    assert board is not None
    assert (board.form, [zone.name for zone in board.zones]) == ("table", ["Marché"])
    assert [zone.id for zone in board.each_seat] == ["offer", "front", "hand", "hidden"]
