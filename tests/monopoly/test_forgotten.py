"""Boards that are fit to play, and forget something: the warnings, word by word in both languages."""

import copy
from typing import Any

import pytest

from ledger.rulebooks.monopoly.own_edition import check, warnings
from tests.monopoly.own import TOWN, place_of, row

Town = dict[str, Any]


@pytest.fixture
def town() -> Town:
    """The town, to be changed. It forgets nothing."""
    assert warnings(TOWN) == []
    return copy.deepcopy(TOWN)


def warned(town: Town) -> tuple[str, str, str]:
    """The place and both texts of the one warning about an edition that is fit to play."""
    assert check(town) == []
    (fault,) = warnings(town)
    return fault.place, fault.en, fault.fr


def of_kind(town: Town, kind: str) -> Town:
    return next(one for one in town["squares"] if one["kind"] == kind)


def test_a_forgotten_mortgage_is_not_a_mortgage_of_nothing(town: Town) -> None:
    del row(town, "squares", "tansy_row")["mortgage"]
    assert warned(town) == (
        "/squares/1/mortgage",
        "`mortgage` is missing: a mortgage brings nothing. Half the price is mortgage = 30",
        "il manque `mortgage` : une hypothèque ne rapporte rien. La moitié du prix est mortgage = 30",
    )
    row(town, "squares", "tansy_row")["mortgage"] = 0
    assert warnings(town) == []


def test_a_forgotten_salary_is_not_a_salary_of_nothing(town: Town) -> None:
    del of_kind(town, "start")["amount"]
    assert warned(town) == (
        "/squares/0/amount",
        "`amount` is missing: the start pays no salary. Write amount = 200, or amount = 0",
        "il manque `amount` : le départ ne paie pas de salaire. Écrivez amount = 200, ou amount = 0",
    )
    of_kind(town, "start")["amount"] = 0
    assert warnings(town) == []


def test_a_forgotten_group_is_not_a_set_of_its_own(town: Town) -> None:
    del row(town, "squares", "tansy_row")["group"]
    assert warned(town) == (
        "/squares/1/group",
        '`group` is missing: the street is a set of its own. Write group = "…", or group = ""',
        'il manque `group` : la rue est un groupe à elle seule. Écrivez group = "…", ou group = ""',
    )
    row(town, "squares", "tansy_row")["group"] = ""
    assert warnings(town) == []


@pytest.mark.parametrize(
    ("kind", "member", "en", "fr"),
    [
        (
            "street",
            "price",
            "a square of kind street needs a price above 0",
            "il faut à une case de type street un price supérieur à 0",
        ),
        (
            "street",
            "building_price",
            "a square of kind street needs a building_price above 0",
            "il faut à une case de type street un building_price supérieur à 0",
        ),
        (
            "station",
            "group",
            "a title belongs to a group, and this one names none",
            "un titre appartient à un groupe, et celui-ci n'en nomme pas",
        ),
        (
            "tax",
            "amount",
            "a square of kind tax needs an amount above 0",
            "il faut à une case de type tax un amount supérieur à 0",
        ),
        (
            "card",
            "deck",
            "a square of kind card names the deck to draw from",
            "une case de type card nomme la pioche où l'on tire",
        ),
    ],
)
def test_what_no_game_can_do_without_is_refused(town: Town, kind: str, member: str, en: str, fr: str) -> None:
    square = of_kind(town, kind)
    del square[member]
    (fault,) = check(town)
    place = f"{place_of(town, 'squares', square['id'])}/{member}"
    assert (fault.place, fault.en, fault.fr) == (place, en, fr)


def test_a_deck_that_no_square_draws_from(town: Town) -> None:
    town["decks"].append({"id": "dreams", "name": "Dreams"})
    town["cards"].append({"deck": "dreams", "title": "A dream", "effects": [{"op": "prison"}]})
    assert warned(town) == (
        "/decks/3",
        'no square draws from the deck "dreams"',
        'aucune case ne fait tirer dans la pioche "dreams"',
    )


def test_a_pot_that_nothing_feeds(town: Town) -> None:
    place = place_of(town, "squares", of_kind(town, "pot")["id"])
    for card in town["cards"]:
        for effect in card["effects"]:
            effect.pop("to", None)
    assert warned(town) == (
        place,
        'nothing goes into the pot: write to = "pot" in a card, or the option fees_to_pot = true',
        'rien ne va à la cagnotte : écrivez to = "pot" dans une carte, ou l\'option fees_to_pot = true',
    )
    town["options"] = {"fees_to_pot": True}
    assert warnings(town) == []


def test_groups_of_one_colour(town: Town) -> None:
    for group in town["groups"]:
        del group["colour"]
    place, en, fr = warned(town)
    names = '"The Meadow", "The Hill", "The Harbour", "The Terrace", "Ferries", "Town works"'
    assert place == "/groups/1/colour"
    assert en == f"these groups have one colour, #8a8a8a: {names}"
    assert fr == f"ces groupes ont une seule couleur, #8a8a8a : {names}"


def without_a_way(town: Town) -> None:
    of_kind(town, "go_to_jail")["kind"] = "rest"
    for card in town["cards"]:
        card["effects"] = [one for one in card["effects"] if one["op"] != "prison"] or [{"op": "keep"}]


@pytest.mark.parametrize(
    ("doubles", "dice", "en", "fr"),
    [(3, 2, " but doubles in a row", " sauf des doubles de suite"), (0, 2, "", ""), (3, 1, "", "")],
)
def test_no_way_into_prison(town: Town, doubles: int, dice: int, en: str, fr: str) -> None:
    without_a_way(town)
    town["dice"] = dice
    town["options"] = {"doubles_to_jail": doubles}
    assert warned(town) == (
        place_of(town, "squares", of_kind(town, "jail")["id"]),
        f"nothing sends to prison{en}: no square of kind go_to_jail, and no card with the effect prison",
        f"rien n'envoie en prison{fr} : aucune case de type go_to_jail, et aucune carte avec l'effet prison",
    )


def test_two_titles_of_one_name_are_refused(town: Town) -> None:
    row(town, "squares", "thimble_row")["name"] = "Tansy Row"
    (fault,) = check(town)
    assert (fault.place, fault.en, fault.fr) == (
        "/squares/3/name",
        '"Tansy Row" cannot be told from "Tansy Row" (/squares/1/name): name them differently',
        '"Tansy Row" ne se distingue pas de "Tansy Row" (/squares/1/name) : nommez-les autrement',
    )


def test_names_that_are_too_long_for_their_squares(town: Town) -> None:
    """A board of 24 squares has seven on a side, and 20 letters in a line of each."""
    row(town, "squares", "tansy_row")["name"] = "N" * 60
    assert warnings(town) == []
    town["squares"] += [
        {"id": f"rest_{number}", "name": f"Bench {number}", "kind": "rest"} for number in range(16)
    ]
    assert warned(town) == (
        "/squares/1/name",
        f'a square has room for about 3 lines of 13 letters; longer is cut on the board: "{"N" * 59}…',
        f"une case a la place d'environ 3 lignes de 13 lettres ; plus long est coupé : \"{'N' * 59}…",
    )


def test_a_text_in_a_third_language_that_nobody_sees(town: Town) -> None:
    town["named"]["money"] = {"de": "Muscheln", "en": "shells"}
    assert warned(town) == (
        "/named/money/de",
        'the table is shown in English and French: nobody sees "Muscheln"',
        'la table se montre en anglais et en français : personne ne voit "Muscheln"',
    )
    town["named"]["money"] = {"de": "Muscheln"}
    assert warnings(town) == []
