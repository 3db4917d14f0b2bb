"""Editions that tables bring: names, options, and the whole; games on them."""

import copy
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import rulebooks
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.bots import RANDOM
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.monopoly.own_edition import OwnEdition, check, check_settings, settings_of
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts.fitting import MOST_BYTES, MOST_FAULTS
from ledger.rulebooks.parts.reasons import excerpt
from replays import simulation
from tests.harness.unhurried import UNHURRIED
from tests.monopoly.own import LIVELY, OWN, TOWN, board_of, only


@pytest.fixture
def town() -> dict[str, Any]:
    """The town, to be changed."""
    return copy.deepcopy(TOWN)


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
        ([], "", "a block { … } is needed"),
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
    assert excerpt("x" * 100) == '"' + "x" * 59 + "…"
    assert "\x1b" not in excerpt("\x1b[2J")
    assert excerpt({1, 2}) == "set"


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


@settings(UNHURRIED, max_examples=40)
@given(
    st.sampled_from([TOWN, LIVELY]),
    st.lists(st.tuples(st.randoms(use_true_random=False), JUNK | KNOWN), min_size=1, max_size=4),
)
def test_no_document_breaks_the_checks_and_what_passes_them_opens_a_game(
    edition: dict[str, Any], changes: list[tuple[Any, Any]]
) -> None:
    """Parts of a town are replaced by anything, or left out: `check` finds faults, or a game can be opened."""
    town = copy.deepcopy(edition)
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


@pytest.mark.parametrize("edition", [TOWN, board_of(4), board_of(7), board_of(200)], ids=["town", "4", "7", "200"])
def test_a_game_is_played_on_it(edition: dict[str, Any]) -> None:
    """Bots play; everything is conserved, and what is left fits together."""
    assert check(edition) == []
    rulebook = rulebooks.rulebooks_by_id()["monopoly"]
    chosen = msgspec.convert(settings_of(edition, {}), rulebook.settings)
    opening = Opening(players=(Seat("ana", "Ana"), Seat("bob", "Bob")), settings=chosen, dice="service")
    bots = rulebook.simulation.strategies
    played = simulation.play(rulebook, opening, seed=5, bots=lambda by: bots.get(by, bots[RANDOM]), actions=120)
    state = played.game.state
    assert state.stage == "play"
    assert simulation.unbalanced(state) == {}
    assert list(rulebook.play.inconsistencies(state)) == []
    assert rulebook.codec.from_snapshot(rulebook.codec.to_snapshot(state)) == state
    view = rulebook.screen.board_drawn(state, "fr")
    assert [one.name for one in view.places] == [one["name"] for one in edition["squares"]]


def test_the_shape_is_the_pieces_of_a_game_with_a_title_and_options() -> None:
    members = set(OwnEdition.__struct_fields__)
    assert members == {*Pieces.__struct_fields__, "title", "options"}
    json.dumps(msgspec.json.schema(OwnEdition))
