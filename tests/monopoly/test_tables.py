"""Boards made from tables of squares: every one is fit to play, and says what it had to guess."""

import csv
import tomllib
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ledger.rulebooks.monopoly.own_edition import check, edition_of
from ledger.rulebooks.monopoly.own_edition.tables import Unreadable

AMERICAN = """\
Name,Type,Color,Price,Rent,Rent 1 house,Rent 2 houses,Rent 3 houses,Rent 4 houses,Rent hotel,House cost,Mortgage
Corner of the start,GO,,,,,,,,,,
Elm Street,Property,Brown,$60,$2,$10,$30,$90,$160,$250,$50,$30
Chest,Community Chest,,,,,,,,,,
Oak Street,Property,Brown,"$1,000",$4,$20,$60,$180,$320,$450,$50,
North Railroad,Railroad,,$200,$25,$50,$100,$200,,,,$100
Luxury Tax,Tax,,$75,,,,,,,,
Water Works,Utility,,$150,,,,,,,,$75
Visiting,Jail,,,,,,,,,,
Arrest,Go To Jail,,,,,,,,,,
"""
FRENCH = """\
\ufeffNom;Groupe;Prix d'achat;Loyer nu;1 maison;2 maisons;3 maisons;4 maisons;Hôtel;Prix de la maison;Hypothèque
Rue du Puits;Marron;60 €;2 €;10 €;30 €;90 €;160 €;250 €;50 €;30 €
Rue du Four;Marron;60 €;4 €;20 €;60 €;180 €;320 €;450 €;50 €;30 €
Gare du Nord;Gares;200 €;25 €;;;;;;;100 €
Gare du Sud;Gares;200 €;25 €;;;;;;;100 €
"""


def made(text: str) -> tuple[dict[str, Any], str]:
    """The edition made from a table, and its pieces as text."""
    files = edition_of(text, "Ours").files
    document = {**tomllib.loads(files["edition.toml"]), **tomllib.loads(files["pieces.toml"])}
    assert check(document) == []
    return document, files["pieces.toml"]


def test_a_usual_table_is_read_whole() -> None:
    document, text = made(AMERICAN)
    squares = {square["name"]: square for square in document["squares"]}
    assert [square["kind"] for square in document["squares"]] == (
        ["start", "street", "card", "street", "station", "tax", "utility", "jail", "go_to_jail"]
    )
    assert squares["Elm Street"] == {
        "name": "Elm Street",
        "kind": "street",
        "group": "Brown",
        "price": 60,
        "rents": [2, 10, 30, 90, 160, 250],
        "building_price": 50,
        "mortgage": 30,
    }
    assert squares["Oak Street"]["price"] == 1000
    assert squares["Luxury Tax"]["amount"] == 75
    assert squares["North Railroad"]["rents"] == [25, 50, 100, 200]
    assert document["named"]["symbol"] == "$"
    assert document["groups"][0] == {"name": "Brown", "colour": "#8b5a2b"}
    assert "# guessed: half the price\nmortgage = 500\n" in text
    assert text.count("# guessed") == 9


def test_a_table_of_titles_in_french_gets_corners() -> None:
    """Kinds are told by groups and rents; a start and a prison are added, each with a comment."""
    document, text = made(FRENCH)
    assert [(square["name"], square["kind"]) for square in document["squares"]] == [
        ("Start", "start"),
        ("Rue du Puits", "street"),
        ("Prison", "jail"),
        ("Rue du Four", "street"),
        ("Gare du Nord", "station"),
        ("Gare du Sud", "station"),
    ]
    assert document["squares"][4]["rents"] == [25, 50]
    assert document["named"]["money"] == {"en": "euros", "fr": "euros"}
    assert "# guessed: the table has no start\nname = " in text
    assert "# guessed: by the group\nkind = " in text
    assert "# guessed: the table has too few\nrents = [25, 50]" in text


def test_the_order_of_travel_may_be_a_column() -> None:
    document, _ = made("Position\tName\tPrice\tGroup\n3\tC\t90\tx\n1\tA\t60\tx\n2\tB\t70\tx\n")
    assert [square["name"] for square in document["squares"]] == ["Start", "A", "Prison", "B", "C"]


def test_a_price_of_hotels_and_a_level_above_the_hotel_are_read() -> None:
    text = "name,group,price,rents,house price,hotel price\nA,x,60,2 10 30 90 160 250 400,50,80\nB,x,60,2,50,80\n"
    squares = {square["name"]: square for square in made(text)[0]["squares"]}
    assert (squares["A"]["rents"], squares["A"]["hotel_price"]) == ([2, 10, 30, 90, 160, 250, 400], 80)
    assert squares["B"]["rents"] == [2, 10, 28, 76, 96, 116]
    assert "hotel_price" not in squares["B"]


def test_prices_in_thousands_scale_the_table() -> None:
    text = "name,price,group\n" + "".join(f"Place {n},{n}00000,x\n" for n in range(1, 5))
    options = tomllib.loads(edition_of(text, "Ours").files["edition.toml"])["options"]
    assert options == {"starting_cash": 1_500_000, "jail_fine": 50_000}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the table is empty"),
        ("a,b\n1,2\n", "no column is called name (or nom); there are: a, b"),
        ("name\nA\n", "at least 4 squares and at most 200, and the table has 1"),
        ("name\n" + "A\n" * 300, "the table has 300"),
    ],
)
def test_what_is_no_table_of_squares(text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said.replace("(", r"\(").replace(")", r"\)")):
        edition_of(text, "Ours")


HEADERS = [
    *("name", "kind", "group", "colour", "price", "rent", "rents", "rent1", "rent2", "hotel"),
    *("building_price", "mortgage", "amount", "deck", "position"),
]
WORDS = some.sampled_from(
    [
        "",
        "GO",
        "Jail",
        "Go to jail",
        "Chance",
        "station",
        "utility",
        "street",
        "tax",
        "pot",
        "Brown",
        "rouge",
        "#f00",
    ]
)
CELLS = some.one_of(WORDS, some.integers(-5, 10**9).map(str), some.text(max_size=70), some.just("1 2 3 4 5 6 7 8"))


@given(
    some.lists(some.lists(CELLS, min_size=len(HEADERS), max_size=len(HEADERS)), min_size=1, max_size=30),
    some.sampled_from(",;\t"),
    some.text(max_size=20),
)
@settings(max_examples=100, deadline=None)
def test_every_table_becomes_a_board_that_is_fit_to_play(rows: list[list[str]], mark: str, title: str) -> None:
    file = StringIO()
    csv.writer(file, delimiter=mark).writerows([HEADERS, *rows])
    try:
        files = edition_of(file.getvalue(), title).files
    except Unreadable:
        return
    document = {**tomllib.loads(files["edition.toml"]), **tomllib.loads(files["pieces.toml"])}
    assert check(document) == [], files["pieces.toml"]
