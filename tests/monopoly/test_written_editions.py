"""What a table may write in several ways, and the exact words about slips, in both languages."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.kernel.rules.faces.editions import Fault
from ledger.rulebooks.monopoly.own_edition import check, normal, settings_of
from ledger.rulebooks.monopoly.own_edition.ids import id_from
from ledger.rulebooks.monopoly.table.settings import Settings
from tests.monopoly.own import TOWN, row


@pytest.fixture
def town() -> dict[str, Any]:
    """The town, to be changed."""
    return copy.deepcopy(TOWN)


def told(town: dict[str, Any]) -> tuple[str, str, str]:
    """The place and both texts of the one fault."""
    (fault,) = check(town)
    return fault.place, fault.en, fault.fr


def test_capital_and_short_colours_are_colours(town: dict[str, Any]) -> None:
    """Each group has the long colour in the game, in small letters; a face keeps its capitals."""
    row(town, "groups", "meadow")["colour"] = "#0A5"
    row(town, "groups", "hill")["colour"] = "#ED1B24"
    town["face"] = {"cloth": "#731", "dice": {"body": "#FFF"}, "decks": {"letters": {"back": "#c00"}}}
    assert check(town) == []
    stored = normal(town)
    assert [one["colour"] for one in stored["groups"][:2]] == ["#00aa55", "#ed1b24"]
    assert stored["face"]["cloth"] == "#773311"
    assert stored["face"]["dice"] == {"body": "#FFFFFF"}
    assert stored["face"]["decks"]["letters"]["back"] == "#cc0000"


@pytest.mark.parametrize("colour", ["red", "ED1B24", "#ED1B2", "#ED1B2G", ""])
def test_what_is_no_colour_says_what_is(town: dict[str, Any], colour: str) -> None:
    row(town, "groups", "meadow")["colour"] = colour
    place, en, fr = told(town)
    assert place == "/groups/0/colour"
    got = json.dumps(colour)
    assert en == (
        f"a colour is # and six or three digits or letters from A to F, such as #ED1B24 or #F00 (got {got})"
    )
    assert fr == (
        f"une couleur est # et six ou trois chiffres ou lettres de A à F, comme #ED1B24 ou #F00 (reçu : {got})"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Taler", {"en": "Taler", "fr": "Taler"}),
        ({"en": "thaler", "fr": "thaler d'argent"}, {"en": "thaler", "fr": "thaler d'argent"}),
        ({"de": "Taler"}, {"en": "Taler", "fr": "Taler"}),
        ({"de": "Taler", "en": "thaler"}, {"en": "thaler", "fr": "thaler"}),
        ({"pt-BR": "táler", "fr": "thaler"}, {"en": "thaler", "fr": "thaler"}),
        ({"en": "thaler"}, {"en": "thaler", "fr": "thaler"}),
    ],
)
def test_a_text_stands_for_both_languages_and_a_third_one_where_both_lack(
    town: dict[str, Any], text: Any, shown: dict[str, str]
) -> None:
    town["named"]["money"] = text
    town["cards"][0]["title"] = text
    assert check(town) == []
    board = msgspec.convert(settings_of(town, {}), Settings).board
    assert board is not None
    assert msgspec.to_builtins(board.named.money) == shown
    assert msgspec.to_builtins(board.cards[0].words) == shown


@pytest.mark.parametrize(
    ("option", "value", "en", "fr"),
    [
        (
            "mortgage_interest",
            10,
            "a part is two whole numbers: [1, 10] is a tenth (got 10)",
            "une part est deux nombres entiers : [1, 10] un dixième (reçu : 10)",
        ),
        (
            "mortgage_interest",
            0.1,
            "a whole number is needed, not 0.1; a part is two whole numbers, and [1, 10] is 0.1",
            "il faut un nombre entier, pas 0.1 ; une part est deux nombres entiers, et [1, 10] est 0.1",
        ),
        (
            "mortgage_interest",
            [10],
            "a part is two whole numbers: [1, 10] is a tenth",
            "une part est deux nombres entiers : [1, 10] un dixième",
        ),
        (
            "jail_fine",
            50.0,
            "a whole number is needed, not 50.0: write 50",
            "il faut un nombre entier, pas 50.0 : écrivez 50",
        ),
        (
            "names",
            "Ours",
            'a block { … } is needed, not a text (got "Ours")',
            'il faut un bloc { … }, pas un texte (reçu : "Ours")',
        ),
    ],
)
def test_the_form_that_is_wanted_is_said(town: dict[str, Any], option: str, value: Any, en: str, fr: str) -> None:
    town["options"] = {option: value}
    assert told(town) == (f"/options/{option}", en, fr)


@pytest.mark.parametrize(
    ("place", "value", "en"),
    [
        ("/named/money", 7, "a text is needed, or one for each language (en, fr) (got 7)"),
        ("/squares/1/rents", 4, "a row of whole numbers is needed, such as [2, 10, 30] (got 4)"),
        ("/cards/0/effects", "pay", 'a row of values [ … ] is needed, not a text (got "pay")'),
        ("/groups/0", "meadow", 'a block { … } is needed, with id, name (got "meadow")'),
        (
            "/named",
            [],
            "a block { … } is needed, with symbol, money, house, houses, hotel, hotels, jail_pass, pot",
        ),
    ],
)
def test_no_word_of_json_is_said_of_a_file(town: dict[str, Any], place: str, value: Any, en: str) -> None:
    *steps, last = place.split("/")[1:]
    part: Any = town
    for step in steps:
        part = part[int(step) if step.isdigit() else step]
    part[int(last) if last.isdigit() else last] = value
    faults = {fault.place: fault for fault in check(town)}
    assert faults[place].en == en
    for fault in faults.values():
        assert not any(word in f" {fault.en} " for word in (" object", " array", " list ", " null"))
        assert not any(word in f" {fault.fr} " for word in (" objet", " tableau", " liste ", " null"))


# Ids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Alte Straße", "alte_strasse"),
        ("King's Cross", "kings_cross"),
        ("Ул. Арбат", "ul_arbat"),
        ("北京路", "beijinglu"),
        ("Rua 25 de Março", "rua_25_de_marco"),
        ("!?", ""),
        ("A letter from your aunt: receive a hundred shells", "a_letter_from_your_aunt_receive_a"),
    ],
)
def test_an_id_is_made_from_a_name(name: str, made: str) -> None:
    assert id_from(name) == made


def without_ids(town: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Take every id of squares, groups, decks and cards away, and name things by their names."""
    names = {one["id"]: one["name"] for part in ("groups", "decks", "squares") for one in town[part]}
    for part in ("squares", "groups", "decks", "cards"):
        for one in town[part]:
            for member in ("group", "deck"):
                if member in one:
                    one[member] = names[one[member]]
            for effect in one.get("effects", ()):
                for member in ("square", "of"):
                    if member in effect:
                        effect[member] = names.get(effect[member], effect[member])
            del one["id"]
            yield one


def test_a_board_without_any_id_is_fit_to_play(town: dict[str, Any]) -> None:
    """Names stand for ids; the ids are in the game, unique, and the same each time."""
    assert sum(1 for _ in without_ids(town)) == 55
    assert check(town) == []
    stored = normal(town)
    assert stored == normal(town) == normal(stored)
    assert [one["id"] for one in stored["squares"][:4]] == ["town_gate", "tansy_row", "letter_box", "thimble_row"]
    boxes = [one for one in stored["squares"] if one["name"] == "Letter Box"]
    assert [one["id"] for one in boxes] == ["letter_box", "letter_box_2"]
    assert {one["deck"] for one in boxes} == {"letters"}
    board = msgspec.convert(settings_of(town, {}), Settings).board
    assert board is not None
    assert len({one.id for one in board.cards}) == len(board.cards)


def test_a_later_row_leaves_the_ids_above_as_they_are(town: dict[str, Any]) -> None:
    list(without_ids(town))
    before = [one["id"] for one in normal(town)["squares"]]
    town["squares"].append({"name": "Tansy Row", "kind": "rest"})
    assert [one["id"] for one in normal(town)["squares"]] == [*before, "tansy_row_2"]


def test_an_id_that_is_written_stays_and_no_other_part_gets_it(town: dict[str, Any]) -> None:
    row(town, "groups", "meadow")["id"] = "thimble_row"
    for one in town["squares"]:
        one["group"] = "thimble_row" if one.get("group") == "meadow" else one.get("group", "")
    del row(town, "squares", "thimble_row")["id"]
    assert normal(town)["squares"][3]["id"] == "thimble_row_2"


def test_a_name_of_nothing_is_told_with_the_names_there_are(town: dict[str, Any]) -> None:
    town["cards"][0]["effects"] = [{"op": "go_to", "square": "Park Lane"}]
    place, en, _ = told(town)
    assert place == "/cards/0/effects/0/square"
    assert en.startswith('there is no square "park_lane" to go to; there are: town_gate, tansy_row, ')
    town["cards"][0]["effects"] = [{"op": "go_to", "square": "TANSY  row"}]
    assert check(town) == []


def test_a_name_of_two_squares_stands_for_neither(town: dict[str, Any]) -> None:
    town["cards"][0]["effects"] = [{"op": "go_to", "square": "Letter Box"}]
    place, en, _ = told(town)
    assert place == "/cards/0/effects/0/square"
    assert en == 'an id has 1 to 40 small letters, digits and _ (got "Letter Box")'


@pytest.mark.parametrize(
    "junk", [None, 1, "x", [], {}, {"squares": 1}, {"squares": [None, {"id": 5}, {"name": 5}]}]
)
def test_any_value_has_faults_instead_of_a_crash(junk: Any) -> None:
    assert all(isinstance(fault, Fault) for fault in check(junk))
    assert check(junk)
