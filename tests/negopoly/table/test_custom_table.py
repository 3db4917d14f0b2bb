"""A table's own decks and board: what is possible, what is refused and why, and games with them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.language.wording import Phrase
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.pieces import BOARD, CARDS, TITLES
from ledger.rulebooks.negopoly.table.settings import Settings
from ledger.rulebooks.negopoly.table.terms import Passage
from tests.tables.negopoly import NO_DECKS, Table

PAY = {"op": "pay", "from": "drawer", "to": "bank", "amount": 50}
SQUARES: list[dict[str, Any]] = [
    {"kind": square.kind, "name": square.name} | ({"property": square.property} if square.property else {})
    for square in BOARD
]
"""The rulebook's board as a table would write it."""

CORNERS = [square for square in SQUARES if square["kind"] in {"spawn", "prison", "hopital", "comico"}]
PROPERTIES = [square for square in SQUARES if square["kind"] == "property"]
SHORT = [*CORNERS[:1], *PROPERTIES[:8], {"kind": "bar", "name": "Chez Momo"}, *CORNERS[1:], *PROPERTIES[8:]]
"""A board of 27 squares: the corners, one bar, and the titles."""


def refusal(settings: dict[str, Any]) -> Malformed:
    """The refusal of a game with these settings."""
    opening = Opening(
        players=(Seat("ana", "Ana"), Seat("bob", "Bob")),
        settings=msgspec.convert(settings, Settings),
        dice="table",
    )
    with pytest.raises(Malformed) as refused:
        RULEBOOK.play.opening_action(opening)
    assert refused.value.en != refused.value.fr
    return refused.value


def deck(*cards: dict[str, Any], name: str = "chance") -> dict[str, Any]:
    return {"decks": {**NO_DECKS, name: list(cards)}}


def card(**changes: Any) -> dict[str, Any]:
    return {"id": "toll", "title": "Péage", "effects": [PAY], **changes}


# Decks ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.7", "I.B.3")
def test_a_table_plays_with_the_cards_it_brings() -> None:
    """One own Chance card, in one language; Kamtar and Météo are left to the rulebook."""
    table = Table("ana", "bob", decks=True, settings={"decks": {"chance": [card(text="Payez 50 ₦.")]}})
    assert list(table.state.holdings.account("deck:chance")) == ["card:toll"]
    assert len(table.state.holdings.account("deck:kamtar")) == 12
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square", draws=["toll"])
    assert table.holds("ana") == 1600
    assert RULEBOOK.language.speakers(table.state)["card"]("toll", "en") == "Péage"
    assert RULEBOOK.screen.view(table.state, SPECTATOR)["settings"]["decks"]["chance"][0]["id"] == "toll"


def test_the_glossary_has_the_cards_of_each_table() -> None:
    """Two tables bring a card of the same id. Each reads the words of its own, at every moment of the game."""
    texts = ("Payez 50 ₦.", "Payez 60 ₦.")
    tables = [Table("ana", "bob", settings=deck(card(text=text))) for text in texts]
    usual = Table("ana", "bob", decks=True)
    for seat in ("ana", "bob"):
        words = [RULEBOOK.accounts.commodities(table.state) for table in tables]
        assert [one["card:toll"].text for one in words] == [Phrase(text, text) for text in texts]
        assert "card:toll" not in RULEBOOK.accounts.commodities(usual.state)
        assert RULEBOOK.accounts.commodities(usual.state).keys() > {card.commodity for card in CARDS}
        for table in tables:
            table.turn(seat, 1, 2)


@pytest.mark.rule("II.B.9")
def test_a_table_may_play_without_a_deck() -> None:
    """An empty deck: nothing is due on Chance, Spawn draws no weather, the Kamtar sells nothing."""
    table = Table("ana", "bob", settings={"decks": {**NO_DECKS, "kamtar": [card(keep=True, timing="own_turn")]}})
    assert list(table.state.holdings.account("deck:kamtar")) == ["card:toll"]
    assert "deck:chance" not in table.state.holdings.as_dict()
    table.place("ana", 39)
    table.turn("ana", 1, 2)
    assert table.state.weather == ()


@pytest.mark.rule("VI.A.7")
def test_own_weather() -> None:
    """Rents are doubled, then 1 ₦ is added: 6 ₦ become 13."""
    frost = {"id": "frost", "title": "Gel", "effects": [
        {"op": "modifier", "what": "rent", "percent": 200}, {"op": "modifier", "what": "rent", "add": 1},
    ]}  # fmt: skip
    table = Table("ana", "bob", settings=deck(frost, name="meteo"))
    table.own("bob", "69_rue_des_patates")
    table.place("ana", 39)
    table.play("ana", "roll_dice", dice=[4, 5], draws=["frost"])
    table.play("ana", "resolve_square")
    assert table.holds("ana") == 1650 + 250 - 13


def test_the_cards_of_the_rulebook_may_be_brought_as_they_are() -> None:
    """What the components show can be sent back as a table's own decks."""
    decks: dict[str, list[Any]] = {"chance": [], "kamtar": [], "meteo": []}
    for one in msgspec.to_builtins(CARDS):
        decks[one.pop("deck")].append(one)
    table = Table("ana", "bob", settings={"decks": decks})
    assert table.state.cards == CARDS


@pytest.mark.parametrize(
    ("brought", "said"),
    [
        (card(effects=[{"op": "fly"}]), ["'toll'", '"fly"', "roll_modifier"]),
        (card(effects=[{}]), ["'toll'", "{}", "block_meetings"]),
        (card(effects=[PAY, {"op": 5}]), ["'toll'", '{"op":5}', "block_meetings"]),
        (card(effects=[{"op": "pay", "from": "bank", "to": "drawer"}]), ["'toll'", "pay", "amount"]),
        (card(effects=[{**PAY, "amount": "lots"}]), ["'toll'", "amount", '"amount":"lots"']),
        (card(effects=[{**PAY, "amount": 0}]), ["'toll'", "amount", '"amount":0']),
        (card(effects=[{**PAY, "amuont": 5}]), ["'toll'", "amuont"]),
        (card(effects=[{**PAY, "from": "police"}]), ["'toll'", "pay, from", "'police'", "each_other"]),
        (card(effects=[{"op": "teleport", "to": "moon"}]), ["'toll'", "teleport, to", "'moon'", "own_title"]),
        (card(effects=[{"op": "move", "steps": 0}]), ["'toll'", '"steps":0']),
        (card(effects=[{"op": "roll_modifier", "target": "all", "add": 0}]), ["'toll'", '"add":0']),
        (card(effects=[{**PAY, "to": "drawer"}]), ["'toll'", '"to":"drawer"']),
        (card(title=" "), ["'toll'", "title"]),
        (card(keep=True), ["'toll'", "on_draw"]),
        (card(timing="own_turn"), ["'toll'", "own_turn"]),
        (card(effects=[{"op": "gain", "item": "licence"}]), ["'toll'", "licence", "rpg7"]),
        (card(effects=[{"op": "modifier", "what": "rent", "add": 1}]), ["'toll'", "modifier", "rent"]),
        (card(effects=[{"op": "cancel", "what": "arrest"}]), ["'toll'", "on_draw", "cancel"]),
        (
            card(keep=True, timing="on_arrest", effects=[{"op": "cancel", "what": "police_check"}]),
            ["'toll'", "on_arrest", "police_check"],
        ),
        (
            card(keep=True, timing="on_arrest", effects=[{"op": "cancel", "what": "arrest", "keeps": "turn"}]),
            ["'toll'", "confiscation", '"keeps":"turn"'],
        ),
        (card(keep=True, timing="any_time", effects=[{"op": "move", "steps": 2}]), ["'toll'", "any_time"]),
        (
            card(keep=True, timing="own_turn", effects=[{"op": "teleport", "to": "bar", "replaces_roll": True}]),
            ["'toll'", "before_own_roll", "own_turn"],
        ),
        (card(keep=True, timing="before_target_roll"), ["'toll'", "before_target_roll", "pay"]),
        (
            card(
                effects=[
                    {"op": "mortgage", "target": "own_choice"},
                    {"op": "destroy_house", "target": "other_choice"},
                ]
            ),
            ["'toll'", "own_choice", "other_choice"],
        ),
    ],
)
def test_a_card_that_cannot_be_played_is_refused_and_named(brought: dict[str, Any], said: list[str]) -> None:
    """Unknown operations, wrong parameters, timings that make no sense: the card and the values are named."""
    told = refusal(deck(brought))
    for words in said:
        assert words in told.en, told.en
        assert words in told.fr or words == "title", told.fr


@pytest.mark.parametrize(
    ("weather", "said"),
    [
        (card(), "pay"),
        (card(effects=[{"op": "modifier", "what": "rent", "off": True}]), "rent"),
        (card(effects=[{"op": "modifier", "what": "build", "add": 1}]), "build"),
        (card(effects=[{"op": "modifier", "what": "rent"}]), "rent"),
        (card(effects=[{"op": "modifier", "what": "rent", "add": 1, "percent": 50}]), "percent"),
        (card(keep=True, timing="any_time", effects=[{"op": "banker"}]), "toll"),
    ],
)
def test_the_weather_has_standing_effects_only(weather: dict[str, Any], said: str) -> None:
    assert said in refusal(deck(weather, name="meteo")).en


def test_each_card_has_an_id_of_its_own() -> None:
    """Twice in one deck, in two decks, or one that a deck of the rulebook has."""
    assert "'toll' is used more than once: chance/0, chance/1" in refusal(deck(card(), card())).en
    assert "chance/0, kamtar/0" in refusal({"decks": {"chance": [card()], "kamtar": [card()], "meteo": []}}).en
    assert "'kamtar_01' is used more than once" in refusal({"decks": {"chance": [card(id="kamtar_01")]}}).en


@pytest.mark.parametrize(
    ("brought", "place"),
    [
        (deck(card(), card(id="two", effects=[PAY, {"op": "fly"}])), "/decks/chance/1/effects/1"),
        (deck(card(effects=[PAY, {**PAY, "amount": 0}])), "/decks/chance/0/effects/1/amount"),
        (deck(card(), card(id="two", title=" ")), "/decks/chance/1"),
        (deck(card(), card(id="two"), card()), "/decks/chance/2/id"),
        (deck(card(), name="meteo"), "/decks/meteo/0"),
        ({"board": SQUARES[1:]}, "/board"),
        ({"board": [*SQUARES, SQUARES[0]]}, "/board/40"),
        ({"board": [*SQUARES, {"kind": "property", "name": "No man's land"}]}, "/board/40"),
        ({"board": [*SQUARES, SQUARES[1]]}, "/board/40/property"),
        ({"board": SQUARES[:-1]}, "/board"),
    ],
)
def test_a_refusal_points_to_its_place_in_the_settings(brought: dict[str, Any], place: str) -> None:
    assert refusal(brought).values["place"] == place


def test_what_is_wrong_with_an_operation_is_said_in_french_too() -> None:
    """The place, the value, what would be right, and what the operation means."""
    told = refusal(deck(card(effects=[{**PAY, "amount": 0}])))
    assert "opération pay, amount : au moins 1" in told.fr
    assert '"amount":0' in told.fr
    assert "pay prend from, to, amount : un débit obligatoire" in told.fr


@pytest.mark.parametrize(
    "wrong",
    [{"id": "Not an id"}, {"timing": "never"}, {"titel": "x"}, {"title": "x" * 1001}, {"text": "x" * 1001}],
)
def test_the_shape_of_a_card_is_checked_as_any_setting(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"decks\.chance"):
        msgspec.convert(deck(card(**wrong)), Settings)


@pytest.mark.rule("II.B.13", "II.B.7")
def test_a_deck_that_goes_round_in_circles_ends_with_the_turn() -> None:
    """The one Chance card leads to the next Chance square; when time is over that goes on for a while only."""
    circle = card(effects=[{"op": "teleport", "to": "chance"}])
    table = Table("ana", "bob", dice="service", settings=deck(circle))
    with table.arranged() as state:
        assert state.turn is not None
        state.positions["ana"] = 7
        stop = (Passage(7, stop=True),)
        state.turn = replace(state.turn, roll="thrown", stop=7, unresolved=True, passages=stop)
    table.wait(301)
    table.banker("expire_turn")
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


# Boards ---------------------------------------------------------------------------------------------


@pytest.mark.rule("III.1", "VI.A.2", "IX.A.2", "V.E.15")
def test_a_table_plays_on_its_own_board_of_any_length() -> None:
    """27 squares: from 25 a roll of 4 passes Spawn to 2; the bar on 9 is open from 8 and 10; Prison lies on 10."""
    table = Table("ana", "bob", settings={"board": SHORT})
    assert len(table.state.board) == 27
    table.place("ana", 25)
    table.play("ana", "roll_dice", dice=[1, 3])
    assert table.state.positions["ana"] == 2
    assert table.holds("ana") == 1650 + 250
    table.play("ana", "buy_property")
    assert table.owner(SHORT[2]["property"]) == "ana"
    table.play("ana", "end_turn")
    table.place("bob", 5)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "buy_weapon", commodity="rpg7")
    table.play("bob", "end_turn")
    table.banker("issue_warrant", seat="ana", reason="ruling")
    table.own("bob", "rue_vendredi_des_noirs", "domaine_de_m_p", "villa_du_rj")
    table.place("ana", 20)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == 10
    view = RULEBOOK.screen.view(table.state, SPECTATOR)
    assert [square["name"] for square in view["settings"]["board"]][9] == "Chez Momo"


def test_squares_and_cards_that_look_the_same_are_refused() -> None:
    """The second property is called as the first, with a letter of Cyrillic; a card has an unseen character."""
    first, second = PROPERTIES[:2]
    alike = {**second, "name": first["name"].replace("a", "\u0430")}
    told = refusal({"board": [alike if one is second else one for one in SQUARES]})
    assert told.values["place"] == f"/board/{SQUARES.index(second)}/name"
    assert "cannot be told from" in told.en
    told = refusal(deck(card(effects=[PAY]), card(id="two", title=f"{card()['title']}\u200b", effects=[PAY])))
    assert told.values["place"] == "/decks/chance/1/title"
    assert "ne se distingue pas de" in told.fr


def test_squares_and_cards_have_names_that_can_be_seen() -> None:
    unseen = {**PROPERTIES[0], "name": "\u200b\u3164"}
    told = refusal({"board": [unseen if one is PROPERTIES[0] else one for one in SQUARES]})
    assert told.values["place"] == f"/board/{SQUARES.index(PROPERTIES[0])}/name"
    assert told.en.endswith("there is no text")
    assert "it has no title" in refusal(deck(card(effects=[PAY], title="\u200b"))).en


@pytest.mark.parametrize("kind", ["spawn", "prison", "hopital", "comico"])
def test_a_board_has_each_corner_once(kind: str) -> None:
    """Without it, and with two of them."""
    without = [square for square in SQUARES if square["kind"] != kind]
    assert kind in (told := refusal({"board": without})).en
    assert told.en.endswith("has 0, at: -")
    told = refusal({"board": [*SQUARES, {"kind": kind, "name": "Again"}]})
    there = next(index for index, square in enumerate(SQUARES) if square["kind"] == kind)
    assert told.en == f"a board has one {kind} square, and this one has 2, at: {there}, 40"


def test_a_board_has_a_thousand_squares_at_most() -> None:
    """One more is refused with the setting and the limit."""
    long = [*SQUARES, *[{"kind": "chance", "name": "?"}] * 961]
    assert len(msgspec.convert({"board": long[:-1]}, Settings).board or ()) == 1000
    with pytest.raises(msgspec.ValidationError, match=r"1000 - at `\$\.board`"):
        msgspec.convert({"board": long}, Settings)


def test_a_board_has_each_title_once() -> None:
    """A title missing, twice, unknown, on a square that is no property, or a property without one."""
    assert "lbtrd_tower" in refusal({"board": SQUARES[:-1]}).en
    assert "negotown (1, 40)" in refusal({"board": [*SQUARES, SQUARES[1]]}).en
    assert "atlantis (40)" in refusal({"board": [*SQUARES, {**SQUARES[1], "property": "atlantis"}]}).en
    assert "negotown" in refusal({"board": [{**SQUARES[0], "property": "negotown"}, *SQUARES[1:]]}).en
    nameless = {"kind": "property", "name": "No man's land"}
    assert "No man's land" in refusal({"board": [*SQUARES, nameless]}).en
    assert len(TITLES) == 22


def test_the_board_of_the_rulebook_may_be_brought_as_it_is() -> None:
    table = Table("ana", "bob", settings={"board": SQUARES})
    assert table.state.board == BOARD
