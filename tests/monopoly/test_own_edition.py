"""Editions that tables bring: whatever is wrong with one is told with its place and the reason."""

import copy
import json
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import rulebooks
from ledger.kernel.bots import RANDOM
from ledger.kernel.opening import Opening
from ledger.kernel.refusals import Malformed
from ledger.kernel.state import Seat
from ledger.rulebooks.monopoly import effects
from ledger.rulebooks.monopoly.own_edition import OwnEdition, check, check_settings, settings_of
from ledger.rulebooks.monopoly.own_edition.check import MOST_FAULTS
from ledger.rulebooks.monopoly.own_edition.reasons import shown
from ledger.rulebooks.monopoly.own_edition.shape import MOST_BYTES, pieces_in
from ledger.rulebooks.monopoly.pieces import Kind, Pieces
from ledger.rulebooks.monopoly.roles import Rules
from ledger.rulebooks.monopoly.settings import Settings
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.brought import Fault
from ledger.rulebooks.parts.edition import Edition
from replays import simulation

EDITIONS = files("ledger.rulebooks.monopoly") / "editions"
TOWN = {**reading.data(EDITIONS / "own", "pieces.toml"), "title": "A town of our own"}
"""The made-up town: an edition that is fit to play."""

OWN = Edition.read(EDITIONS / "own", Pieces, Rules)


@pytest.fixture
def town() -> dict[str, Any]:
    return copy.deepcopy(TOWN)


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
    assert (
        chosen.board == pieces_in(TOWN) == msgspec.convert(reading.data(EDITIONS / "own", "pieces.toml"), Pieces)
    )
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
    del row(town, "squares", "thimble_row")["group"]
    assert [(one.place, one.en.partition(";")[0]) for one in check(town)] == [
        ("/squares/1/group", 'there is no group "swamp"'),
        ("/squares/3/group", "a title belongs to a group, and this one names none"),
        ("/groups/0/id", 'no square is in the group "meadow"'),
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
        ([4, 20, 60, 160, 280], {}, "", "a street has 6 rents"),
        ([], {}, "", "a street has 6 rents"),
        ([4, 20, 60, 160, 280, 400, 500], {}, "", "not 7"),
        ([4, 20, 60, 160], {"houses_per_hotel": 3}, "", "a street has 5-6 rents"),
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


def test_five_rents_are_enough_where_three_houses_make_a_hotel(town: dict[str, Any]) -> None:
    town["options"] = {"houses_per_hotel": 3}
    row(town, "squares", "tansy_row")["rents"] = [4, 20, 60, 160, 400]
    assert check(town) == []
    chosen = msgspec.convert(settings_of(town, {"houses_per_hotel": 4}), Settings)
    with pytest.raises(Malformed, match="a street has 6 rents") as refused:
        check_settings(OWN, chosen)
    assert refused.value.values["place"] == "/board/squares/1/rents"
    assert "une rue a 6 loyers" in refused.value.fr


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


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("start", "a board has a square of kind start, and this one has none"),
        ("jail", "a board has a square of kind jail, and this one has none"),
    ],
)
def test_a_board_without_a_start_or_a_prison(town: dict[str, Any], kind: str, reason: str) -> None:
    corner = next(one for one in town["squares"] if one["kind"] == kind)
    corner.update(kind="rest", amount=0)
    assert only(check(town)) == ("/squares", reason)


def test_a_second_start(town: dict[str, Any]) -> None:
    row(town, "squares", "letter_box_1").update(kind="start", deck="")
    assert only(check(town)) == (
        "/squares/2/kind",
        "a board has a square of kind start, and this one has 2",
    )


@pytest.mark.parametrize(("count", "faults"), [(3, True), (4, False), (200, False), (201, True), (400, True)])
def test_a_board_has_4_to_200_squares(town: dict[str, Any], count: int, faults: bool) -> None:
    street = {**row(town, "squares", "tansy_row"), "group": "meadow"}
    town["squares"] = [row(town, "squares", "town_gate"), {"id": "jail", "name": "Jail", "kind": "jail"}]
    town["squares"] += [{**street, "id": f"street_{number}"} for number in range(count - 2)]
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
        ({"amount": 5}, "/op", f"null is none of: {', '.join(VOCABULARY)}"),
        ({"op": "pay"}, "/amount", "`amount` is missing"),
        ({"op": "pay", "amount": 0}, "/amount", "at least 1 (got 0)"),
        ({"op": "pay", "amount": 5, "to": "me"}, "/to", '"me" is none of: bank, pot'),
        ({"op": "pay", "amount": 5, "from": "me"}, "/from", 'there is no "from" here; there are: amount, to'),
        ({"op": "go_to", "square": "moon"}, "/square", 'there is no square "moon" to go to'),
        ({"op": "go_to_nearest", "of": "moons"}, "/of", 'no square is of a group or of a kind "moons"'),
        ({"op": "go_to_nearest", "of": "ferries", "rent": "thrown"}, "/rent", "thrown for on utilities only"),
        ({"op": "go_back", "steps": 101}, "/steps", "at most 100"),
        ("pay 5", "", "an object is needed"),
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
        members = ", ".join(f"`{one}`" for one in operation.__struct_fields__)
        assert f"| `{operation.__struct_config__.tag}` | {members}{' ' if members else ''}|" in text
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
    town["cards"].append({"id": "one", "deck": "dreams", "title": "A dream", "effects": [{"op": "prison"}]})
    assert [one.en.partition(";")[0] for one in check(town)] == [
        'the deck "dream" has no cards',
        'there is no deck "dreams"',
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


# ----------------------------------------------------------------------------------------------
# Names, options, and the whole
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "=1+1", "{seat:seat}", "{", '"', "l'été; -- %s", "日本語"]
)
def test_any_letters_may_be_in_a_name(town: dict[str, Any], text: str) -> None:
    town["squares"][1]["name"] = town["title"] = text
    town["cards"][0]["title"] = {"en": text, "fr": text}
    assert check(town) == []


def test_a_single_token_would_leave_a_player_without(town: dict[str, Any]) -> None:
    town["named"]["tokens"] = ["Owl"]
    assert only(check(town))[0] == "/named/tokens"
    town["named"]["tokens"] = []
    assert check(town) == []


def test_long_texts_in_two_languages_and_tokens_named_twice(town: dict[str, Any]) -> None:
    town["cards"][0]["title"] = {"en": "x" * 301, "fr": "x"}
    town["named"]["money"] = {"en": "x" * 61, "fr": ""}
    town["named"]["tokens"] = ["Owl", "Cat", "Owl"]
    assert {(one.place, one.en) for one in check(town)} == {
        ("/cards/0/title/en", "at most 300 characters, not 301"),
        ("/named/money/en", "at most 60 characters, not 61"),
        ("/named/money/fr", "there is no text"),
        ("/named/tokens/2", 'the token "Owl" is there twice'),
    }


@pytest.mark.parametrize(
    ("options", "place", "reason"),
    [
        ({"auctionss": True}, "/auctionss", 'there is no option "auctionss"; there are: quick, deals'),
        ({"board": None}, "/board", 'there is no option "board"'),
        ({"jail_turns": 99}, "/jail_turns", "at most 10 (got 99)"),
        ({"starting_cash": -1}, "/starting_cash", "at least 0"),
        ({"interest_rounding": "sideways"}, "/interest_rounding", '"sideways" is none of: '),
        ({"mortgage_interest": [1, 0]}, "/mortgage_interest/1", "at least 1"),
        ({"building_resale": [3, 2]}, "/building_resale", "not sold back for more than its price"),
        ({"quick": "yes"}, "/quick", "true or false is needed"),
        ([], "", "an object is needed"),
    ],
)
def test_options_that_there_are_not_and_values_out_of_bounds(
    town: dict[str, Any], options: Any, place: str, reason: str
) -> None:
    town["options"] = options
    where, why = only(check(town))
    assert where == f"/options{place}"
    assert reason in why


@pytest.mark.parametrize("document", [None, [], "town", 5])
def test_what_is_no_object_is_no_edition(document: Any) -> None:
    assert only(check(document)) == ("", "an edition is an object")


def test_too_much_of_anything_is_told_at_once(town: dict[str, Any]) -> None:
    town["decks"] = [{"id": f"deck_{number}", "name": "x"} for number in range(21)]
    assert only(check(town)) == ("/decks", "there are at most 20 of them")
    many = {**TOWN, "squares": [{"bad": 1}] * 150}
    assert len(check(many)) == MOST_FAULTS
    assert only(check({**TOWN, "named": {"a": "x" * MOST_BYTES}}))[1].startswith("an edition has at most 256000")


def test_deep_nesting_is_refused_and_not_followed() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert "nested" in only(check({**TOWN, "squares": deep}))[1]


def test_a_reason_shows_little_of_a_value_and_nothing_that_steers_a_terminal() -> None:
    assert shown("x" * 100) == '"' + "x" * 59 + "…"
    assert "\x1b" not in shown("\x1b[2J")
    assert shown({1, 2}) == "set"


def test_every_fault_is_told_and_no_other(town: dict[str, Any]) -> None:
    """Faults in several parts, of shape and of sense, in one answer."""
    town["squares"][1]["price"] = -1
    town["squares"][3]["rents"][1] = 0
    town["cards"][0]["effects"][0]["op"] = "steal"
    town["cards"][1]["deck"] = "nothing"
    town["options"] = {"jail_turns": 0}
    assert [one.place for one in check(town)] == [
        "/squares/1/price",
        "/cards/0/effects/0/op",
        "/options/jail_turns",
        "/squares/3/rents/1",
        "/cards/1/deck",
    ]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KNOWN = st.sampled_from(
    ["street", "jail", "start", "meadow", "letters", "keep", "pot", "town_gate", 0, 1, 5, [1, 2]]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.randoms(use_true_random=False), JUNK | KNOWN), min_size=1, max_size=4))
def test_no_document_breaks_the_checks_and_what_passes_them_opens_a_game(changes: list[tuple[Any, Any]]) -> None:
    """Parts of the town are replaced by anything, or left out: `check` finds faults, or a game can be opened."""
    town = copy.deepcopy(TOWN)
    for chance, value in changes:
        inside: Any = town
        while True:
            key = chance.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
            if isinstance(inside[key], dict | list) and inside[key] and chance.random() < 0.85:
                inside = inside[key]
                continue
            if chance.random() < 0.2:
                del inside[key]
            else:
                inside[key] = value
            break
    found = check(town)
    assert all(one.en and one.fr and one.place.startswith("/") for one in found)
    if not found:
        check_settings(OWN, msgspec.convert(settings_of(town, {}), Settings))


def board_of(count: int) -> dict[str, Any]:
    """The town cut short, or with more streets, to this number of squares."""
    town = copy.deepcopy(TOWN)
    kept = [one for one in town["squares"] if one["kind"] in {"start", "jail"}]
    others = [one for one in town["squares"] if one["kind"] == "street"]
    more = [{**others[0], "id": f"street_{number}"} for number in range(count)]
    town["squares"] = [*kept, *others, *more][:count]
    groups = {one["group"] for one in town["squares"] if "group" in one}
    town["groups"] = [one for one in town["groups"] if one["id"] in groups]
    town["decks"], town["cards"] = [], []
    return town


@pytest.mark.parametrize("edition", [TOWN, board_of(4), board_of(7), board_of(200)], ids=["town", "4", "7", "200"])
def test_a_game_is_played_on_it(edition: dict[str, Any]) -> None:
    """Bots play; everything is conserved, and what is left fits together."""
    assert check(edition) == []
    rulebook = rulebooks.known()["monopoly"]
    chosen = msgspec.convert(settings_of(edition, {}), rulebook.settings)
    opening = Opening(players=(Seat("ana", "Ana"), Seat("bob", "Bob")), settings=chosen, dice="service")
    bots = rulebook.strategies
    played = simulation.play(rulebook, opening, seed=5, bots=lambda by: bots.get(by, bots[RANDOM]), actions=120)
    state = played.game.state
    assert state.stage == "play"
    assert simulation.unbalanced(state) == {}
    assert list(rulebook.inconsistencies(state)) == []
    assert rulebook.thaw(rulebook.freeze(state)) == state
    view = rulebook.board_drawn(state, "fr")
    assert [one.name for one in view.places] == [one["name"] for one in edition["squares"]]


def test_the_shape_is_the_pieces_of_a_game_with_a_title_and_options() -> None:
    members = set(OwnEdition.__struct_fields__)
    assert members == {*Pieces.__struct_fields__, "title", "options"}
    json.dumps(msgspec.json.schema(OwnEdition))
