"""Editions that tables bring: whatever is wrong with one is told with its place and the reason."""

import copy
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly.own_edition import OwnEdition, check, check_settings, settings_of
from ledger.rulebooks.monopoly.table import effects
from ledger.rulebooks.monopoly.table.pieces import Kind, Pieces
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts import reading
from tests.monopoly.own import EDITIONS, OWN, TOWN, only, place_of, row


@pytest.fixture
def town() -> dict[str, Any]:
    """The town, to be changed."""
    return copy.deepcopy(TOWN)


@pytest.mark.parametrize("edition", ["naruto", "monopolys", "own"])
def test_the_editions_of_the_project_have_no_faults(edition: str) -> None:
    pieces = reading.data(EDITIONS / edition, "pieces.toml")
    options = reading.data(EDITIONS / edition, "edition.toml")["settings"]
    assert check({**pieces, "title": edition, "options": options}) == []


def test_an_edition_becomes_the_board_and_the_settings_of_a_game(town: dict[str, Any]) -> None:
    town["options"] = {"starting_cash": 900, "auctions": False}
    assert check(town) == []
    chosen = msgspec.convert(settings_of(town, {"auctions": True}), Settings)
    assert (chosen.starting_cash, chosen.auctions) == (900, True)
    assert chosen.board == msgspec.convert(reading.data(EDITIONS / "own", "pieces.toml"), Pieces)
    check_settings(OWN, chosen)


# ----------------------------------------------------------------------------------------------
# Squares, groups, titles
# ----------------------------------------------------------------------------------------------


def test_a_square_named_twice(town: dict[str, Any]) -> None:
    row(town, "squares", "thimble_row")["id"] = "tansy_row"
    assert only(check(town)) == ("/squares/3/id", '"tansy_row" is named twice: /squares/1 has this id, too')


def test_a_group_without_titles_and_a_title_without_its_group(town: dict[str, Any]) -> None:
    town["groups"].append({"id": "swamp", "name": "The swamp"})
    assert only(check(town)) == ("/groups/6/id", 'no square is in the group "swamp"')
    row(town, "groups", "swamp")["id"] = "marsh"
    row(town, "squares", "tansy_row")["group"] = "swamp"
    del row(town, "squares", "north_ferry")["group"]
    assert [(one.place, one.en.partition(";")[0]) for one in check(town)] == [
        ("/squares/1/group", 'there is no group "swamp"'),
        ("/squares/5/group", "a title belongs to a group, and this one names none"),
        ("/groups/6/id", 'no square is in the group "marsh"'),
    ]


def test_titles_of_several_kinds_in_a_group(town: dict[str, Any]) -> None:
    station = next(one for one in town["squares"] if one["kind"] == "station")
    station["group"] = "meadow"
    assert ("/groups/0/id", 'the titles of the group "meadow" are of several kinds: street, station') in [
        (one.place, one.en) for one in check(town)
    ]


@pytest.mark.parametrize(
    ("rents", "options", "place", "reason"),
    [
        ([], {}, "", "a street has 1-12 rents"),
        ([4, 20, 60, 160, 280, 400, *range(500, 507)], {}, "", "at most 12"),
        ([4, 20, 60, 40, 280, 400], {}, "/3", "rents do not descend: 40 comes after 60"),
        ([4, -20, 60, 160, 280, 400], {}, "/1", "at least 0 (got -20)"),
        ([4, 20.5, 60, 160, 280, 400], {}, "/1", "a whole number is needed, not 20.5"),
        ([4, float("nan"), 60, 160, 280, 400], {}, "/1", "a whole number is needed, not NaN"),
        ([4, 10**30, 60, 160, 280, 400], {}, "/1", "the number is out of range"),
        ([4, "20", 60, 160, 280, 400], {}, "/1", "a whole number is needed, not a text"),
        ([4, True, 60, 160, 280, 400], {}, "/1", "a whole number is needed, not true or false"),
    ],
)
def test_rents_of_a_street(
    town: dict[str, Any], rents: list[Any], options: dict[str, Any], place: str, reason: str
) -> None:
    town["options"] = options
    row(town, "squares", "tansy_row")["rents"] = rents
    where, why = only(check(town))
    assert where == f"/squares/1/rents{place}"
    assert reason in why


def test_a_level_above_the_hotel_comes_after_all_houses(town: dict[str, Any]) -> None:
    town["options"] = {"houses_per_hotel": 3}
    row(town, "squares", "tansy_row").update(rents=[4, 20, 60, 160, 400, 500], towers=1)
    assert check(town) == []
    chosen = msgspec.convert(settings_of(town, {"houses_per_hotel": 4}), Settings)
    with pytest.raises(Malformed, match="come after its rent: 7 rents at least, not 6") as refused:
        check_settings(OWN, chosen)
    assert refused.value.values["place"] == "/board/squares/1/towers"
    assert "au moins 7 loyers, pas 6" in refused.value.fr


def test_prices_of_levels(town: dict[str, Any]) -> None:
    street = row(town, "squares", "tansy_row")
    del street["building_price"]
    assert only(check(town))[0] == "/squares/1/building_price"
    street["building_prices"] = [40, 40, 40, 40, 90]
    assert check(town) == []
    street["hotel_price"] = 90
    assert only(check(town))[0] == "/squares/1/hotel_price"
    del street["hotel_price"]
    street["building_prices"] = [40, 90]
    assert only(check(town)) == (
        "/squares/1/building_prices",
        "a price for each rent after the first is needed: 5, not 2",
    )
    street.update(rents=[4])
    del street["building_prices"]
    assert check(town) == []


def test_rents_of_a_station_go_by_the_number_owned(town: dict[str, Any]) -> None:
    station = next(one for one in town["squares"] if one["kind"] == "station")
    station["rents"] = [25]
    assert "a station has a rent for each number owned" in only(check(town))[1]


@pytest.mark.parametrize(
    ("square", "member", "value", "reason"),
    [
        ("tansy_row", "price", -60, "at least 0 (got -60)"),
        ("tansy_row", "price", 0, "needs a price above 0"),
        ("tansy_row", "price", 10**10, "at most 1000000000"),
        ("tansy_row", "building_price", 0, "needs a building_price above 0"),
        ("tansy_row", "mortgage", 61, "at most the price, 60, and not 61"),
        ("tansy_row", "deck", "letters", "of kind street has no deck; only card has"),
        ("tansy_row", "colour", "#ffffff", 'there is no "colour" here; there are: id, name, kind'),
        ("tansy_row", "kind", "strasse", '"strasse" is none of: start, street, station'),
        ("tansy_row", "id", "Tansy Row", "small letters, digits and _"),
        ("tansy_row", "name", "", "at least 1 character"),
        ("tansy_row", "name", "   ", "there is no text"),
        ("tansy_row", "name", "x" * 61, "at most 60 characters"),
        ("tansy_row", "name", "Tansy\nRow", "on one line"),
        ("tansy_row", "name", "Tansy\tRow", "on one line"),
        ("tansy_row", "name", "Tansy\0Row", "U+0000 is refused: a text holds no control characters"),
        ("tansy_row", "name", "Tansy\x1b[31m", "U+001B is refused"),
        ("tansy_row", "name", "Tansy\u202eRow", "U+202E is refused: a text holds no characters that change"),
        ("tansy_row", "name", "Tansy\ud800", "U+D800 is refused"),
        ("letter_box_1", "deck", "", "names the deck to draw from"),
        ("letter_box_1", "deck", "chests", 'there is no deck "chests"; there are: letters, tides, weather'),
        ("letter_box_1", "price", 10, "of kind card has no price"),
        ("town_gate", "rents", [1], "of kind start has no rents"),
    ],
)
def test_one_wrong_member_of_a_square(
    town: dict[str, Any], square: str, member: str, value: Any, reason: str
) -> None:
    place = place_of(town, "squares", square)
    row(town, "squares", square)[member] = value
    found = [one for one in check(town) if one.place == f"{place}/{member}"]
    assert len(found) == 1, check(town)
    assert reason in found[0].en
    assert found[0].fr != found[0].en


def test_what_is_missing_is_named_at_its_place(town: dict[str, Any]) -> None:
    del row(town, "squares", "tansy_row")["name"]
    del town["named"]["pot"]
    del town["title"]
    assert {(one.place, one.en) for one in check(town)} == {
        ("/squares/1/name", "`name` is missing"),
        ("/named/pot", "`pot` is missing"),
        ("/title", "`title` is missing"),
    }


def test_a_board_without_a_start(town: dict[str, Any]) -> None:
    row(town, "squares", "town_gate").update(kind="rest", amount=0)
    assert only(check(town)) == ("/squares", "a board has a square of kind start, and this one has none")


def test_a_board_without_a_prison_leads_nobody_there(town: dict[str, Any]) -> None:
    row(town, "squares", "lock_up")["kind"] = "rest"
    reason = "the board has no prison to go to: no square is of kind jail"
    card = place_of(town, "cards", "tide_smuggler")
    assert [(fault.place, fault.en) for fault in check(town)] == [
        ("/squares/18/kind", reason),
        (f"{card}/effects/0", reason),
    ]
    row(town, "squares", "constable")["kind"] = "rest"
    row(town, "cards", "tide_smuggler")["effects"] = [{"op": "pay", "amount": 5}]
    assert check(town) == []
    row(town, "squares", "lock_up")["kind"] = row(town, "squares", "constable")["kind"] = "jail"
    assert check(town) == []


def test_a_second_start(town: dict[str, Any]) -> None:
    row(town, "squares", "letter_box_1").update(kind="start", name="Station", deck="")
    assert only(check(town)) == (
        "/squares/2/kind",
        "a board has a square of kind start, and this one has 2",
    )


@pytest.mark.parametrize(("count", "faults"), [(3, True), (4, False), (200, False), (201, True), (400, True)])
def test_a_board_has_4_to_200_squares(town: dict[str, Any], count: int, faults: bool) -> None:
    street = {**row(town, "squares", "tansy_row"), "group": "meadow"}
    town["squares"] = [row(town, "squares", "town_gate"), {"id": "jail", "name": "Jail", "kind": "jail"}]
    town["squares"] += [
        {**street, "id": f"street_{number}", "name": f"Street {number}"} for number in range(count - 2)
    ]
    town["groups"] = [row(town, "groups", "meadow")]
    town["decks"], town["cards"] = [], []
    assert ["/squares"] * faults == [one.place for one in check(town)]


def test_a_board_has_something_to_buy(town: dict[str, Any]) -> None:
    town["squares"] = [one for one in town["squares"] if "price" not in one]
    town["groups"] = []
    town["cards"] = [one for one in town["cards"] if one["effects"][0]["op"] not in {"go_to", "go_to_nearest"}]
    assert ("/squares", "a board has something to buy: a square of kind street, station, utility") in [
        (one.place, one.en) for one in check(town)
    ]


# ----------------------------------------------------------------------------------------------
# Cards
# ----------------------------------------------------------------------------------------------

VOCABULARY = [str(one.__struct_config__.tag) for one in get_args(effects.Effect)]


@pytest.mark.parametrize(
    ("effect", "place", "reason"),
    [
        ({"op": "steal", "amount": 5}, "/op", f'"steal" is none of: {", ".join(VOCABULARY)}'),
        ({"amount": 5}, "/op", f"`op` is missing; it is one of: {', '.join(VOCABULARY)}"),
        ({"op": "pay"}, "/amount", "`amount` is missing"),
        ({"op": "pay", "amount": 0}, "/amount", "at least 1 (got 0)"),
        ({"op": "pay", "amount": 5, "to": "me"}, "/to", '"me" is none of: bank, pot'),
        (
            {"op": "pay", "amount": 5, "from": "me"},
            "/from",
            'there is no "from" here; there are: who, when, amount',
        ),
        ({"op": "go_to", "square": "moon"}, "/square", 'there is no square "moon" to go to'),
        ({"op": "go_to_nearest", "of": "moons"}, "/of", 'no square is of a group or of a kind "moons"'),
        ({"op": "go_to_nearest", "of": "ferries", "rent": "thrown"}, "/rent", "thrown for on utilities only"),
        ({"op": "go_back", "steps": 101}, "/steps", "at most 100"),
        ("pay 5", "", "a block { … } is needed"),
    ],
)
def test_effects_that_a_card_cannot_have(town: dict[str, Any], effect: Any, place: str, reason: str) -> None:
    town["cards"][0]["effects"].append(effect)
    where, why = only(check(town))
    assert where == f"/cards/0/effects/1{place}"
    assert reason in why


@pytest.mark.parametrize(
    "move", [{"op": "go_back", "steps": 1}, {"op": "prison"}, {"op": "go_to", "square": "town_gate"}]
)
def test_a_move_is_the_last_effect_of_a_card(town: dict[str, Any], move: dict[str, Any]) -> None:
    """The new square may send its visitor elsewhere, and nothing else would be in its place then."""
    receive = {"op": "receive", "amount": 1}
    town["cards"][0]["effects"] = [receive, move]
    assert check(town) == []
    town["cards"][0]["effects"] = [move, receive]
    assert only(check(town)) == (
        "/cards/0/effects/0",
        f"{move['op']} moves the token: it is the last effect of a card",
    )


def test_a_card_is_kept_once(town: dict[str, Any]) -> None:
    town["cards"][0]["effects"] = [{"op": "keep"}, {"op": "keep"}]
    assert only(check(town)) == ("/cards/0/effects/1", "a card is kept once")


def test_the_vocabulary_is_documented_whole() -> None:
    """Every kind of square and every effect with its members is in the table of the rulebooks' README."""
    text = (files("ledger.rulebooks") / "README.md").read_text(encoding="utf-8")
    text = text[text.index("## Bring your own board") :]
    for operation in get_args(effects.Effect):
        own = [one for one in operation.__struct_fields__ if one not in effects.BaseEffect.__struct_fields__]
        members = ", ".join(f"`{one}`" for one in own)
        assert f"| `{operation.__struct_config__.tag}` | {members}{' ' if members else ''}|" in text
    assert all(f"`{one}`" in text for one in effects.BaseEffect.__struct_fields__)
    for kind in get_args(Kind):
        assert f"\n| `{kind}` | " in text
    for member in OwnEdition.__struct_fields__:
        assert member == "divisions" or f"`{member}`" in text


def test_the_pot_needs_a_square_where_it_is_collected(town: dict[str, Any]) -> None:
    pot = next(one for one in town["squares"] if one["kind"] == "pot")
    pot["kind"] = "rest"
    found = check(town)
    assert {one.en for one in found} == {"nobody could collect it: no square is of kind pot"}
    assert all(one.place.endswith("/to") for one in found)


def test_a_deck_without_cards_and_cards_without_a_deck(town: dict[str, Any]) -> None:
    town["decks"].append({"id": "dreams", "name": "Dreams"})
    assert only(check(town)) == ("/decks/3/id", 'the deck "dreams" has no cards')
    town["decks"][3]["id"] = "dream"
    town["cards"].append({"id": "one", "deck": "nights", "title": "A dream", "effects": [{"op": "prison"}]})
    assert [one.en.partition(";")[0] for one in check(town)] == [
        'the deck "dream" has no cards',
        'there is no deck "nights"',
    ]


def test_a_pile_of_which_every_card_is_kept(town: dict[str, Any]) -> None:
    town["decks"].append({"id": "dreams", "name": "Dreams"})
    town["cards"].append({"id": "one", "deck": "dreams", "title": "A dream", "effects": [{"op": "keep"}]})
    assert "there would be none left to draw" in only(check(town))[1]


def test_faces_of_a_chance_die(town: dict[str, Any]) -> None:
    faces = [one for one in town["cards"] if one["deck"] == "weather"]
    assert [one["face"] for one in faces] == [1, 2, 3, 4, 5, 6]
    faces[1]["face"], faces[5]["face"] = 1, 7
    town["cards"][0]["face"] = 2
    assert sorted((one.place.rpartition("/")[2], one.en.partition(":")[0]) for one in check(town)) == [
        ("face", '"letters" is a pile of cards, without faces; a chance die says how many `faces` it has'),
        ("face", 'the die "weather" has the faces 1 to 6, and no 7'),
        ("face", 'the face 1 of the die "weather" is described twice'),
        ("faces", 'no card says what these faces of the die "weather" do'),
    ]


def test_a_die_gives_passes_only_where_the_bank_has_some(town: dict[str, Any]) -> None:
    town["passes"] = 0
    face = next(one for one in town["cards"] if one["deck"] == "weather")
    face["effects"] = [{"op": "keep"}]
    assert "/effects/0" in str([one.place for one in check(town) if "a die gives a pass of the bank" in one.en])
