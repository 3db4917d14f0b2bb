"""The registers and the pieces of the three editions, compared with their documents.

The tables below are copied by hand. The files must agree with them, so they are never loaded from the files.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.monopoly.table import effects
from ledger.rulebooks.monopoly.table.pieces import Pieces, Square
from ledger.rulebooks.monopoly.table.roles import Rules
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import MonopolyEdition
from ledger.rulebooks.parts.edition import Edition

FOLDER = Path(__file__).parents[2] / "ledger" / "rulebooks" / "monopoly" / "editions"
EDITIONS = ("naruto", "monopolys", "own")
CHAPTERS = {
    "naruto": {
        "banker": 3, "bank": 8, "edition": 8, "setup": 8, "fairplay": 4, "order": 1, "turn": 6, "salary": 1,
        "debt": 2, "bankruptcy": 9, "offturn": 2, "recruit": 4, "auction": 7, "food": 9, "shortage": 2, "sell": 3,
        "mortgage": 5, "trade": 8, "rent": 7, "akatsuki": 1, "utility": 3, "card": 4, "tax": 2, "gotojail": 3,
        "jail": 7, "visit": 1, "park": 1, "own": 1, "victory": 2, "quick": 18,
    },
    "monopolys": {
        "general": 1, "setup": 1, "board": 1, "banker": 1, "order": 1, "turn": 6, "double": 2, "venys": 2,
        "buy": 2, "auction": 4, "own": 2, "rent": 7, "guetapens": 4, "port": 5, "ocean": 1, "douane": 1,
        "marine": 1, "ystarys": 2, "jail": 10, "atelier": 8, "manufacture": 3, "sale": 3, "mortgage": 4,
        "bankruptcy": 6, "loan": 2, "victory": 1, "season": 3, "division": 5,
    },
}  # fmt: skip
GROUPS = {
    "brown": (1, 3), "light_blue": (6, 8, 9), "pink": (11, 13, 14), "orange": (16, 18, 19), "red": (21, 23, 24),
    "yellow": (26, 27, 29), "green": (31, 32, 34), "dark_blue": (37, 39), "station": (5, 15, 25, 35),
    "utility": (12, 28),
}  # fmt: skip
"""The squares of each group of the classic board."""
DEEDS = {
    1: (60, 50, 2, 10, 30, 90, 160, 250),
    3: (60, 50, 4, 20, 60, 180, 320, 450),
    6: (100, 50, 6, 30, 90, 270, 400, 550),
    8: (100, 50, 6, 30, 90, 270, 400, 550),
    9: (120, 50, 8, 40, 100, 300, 450, 600),
    11: (140, 100, 10, 50, 150, 450, 625, 750),
    13: (140, 100, 10, 50, 150, 450, 625, 750),
    14: (160, 100, 12, 60, 180, 500, 700, 900),
    16: (180, 100, 14, 70, 200, 550, 750, 950),
    18: (180, 100, 14, 70, 200, 550, 750, 950),
    19: (200, 100, 16, 80, 220, 600, 800, 1000),
    21: (220, 150, 18, 90, 250, 700, 875, 1050),
    23: (220, 150, 18, 90, 250, 700, 875, 1050),
    24: (240, 150, 20, 100, 300, 750, 925, 1100),
    26: (260, 150, 22, 110, 330, 800, 975, 1150),
    27: (260, 150, 22, 110, 330, 800, 975, 1150),
    29: (280, 150, 24, 120, 360, 850, 1025, 1200),
    31: (300, 200, 26, 130, 390, 900, 1100, 1275),
    32: (300, 200, 26, 130, 390, 900, 1100, 1275),
    34: (320, 200, 28, 150, 450, 1000, 1200, 1400),
    37: (350, 200, 35, 175, 500, 1100, 1300, 1500),
    39: (400, 200, 50, 200, 600, 1400, 1700, 2000),
}
"""Of each classic street: its price, the price of a building, and its rents."""
YZLANDS = 29
"""The one street of Monopolys whose base rent is not the classic one times 100."""


def read(edition: str, name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / edition / name).read_text(encoding="utf-8"))


def rules(edition: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(edition, "rules.toml")["rule"]
    return found


EDITION: dict[str, MonopolyEdition] = {name: Edition.read(FOLDER / name, Pieces, Rules) for name in EDITIONS}
NARUTO, MONOPOLYS, OWN = (EDITION[name].pieces for name in EDITIONS)
every_edition = pytest.mark.parametrize("edition", EDITIONS)
REQUIRED = {rule["id"]: rule["requires"] for name in EDITIONS for rule in rules(name)}


def numbers(text: str) -> Counter[str]:
    """The numbers in a text; one that is written in groups of three digits counts as one."""
    return Counter(re.findall(r"\d+", re.sub(r"(?<=\d)[ \u00a0](?=\d{3}\b)", "", text)))


def deed(square: Square) -> tuple[int, ...]:
    return (square.price, square.building_price, *square.rents)


# ----------------------------------------------------------------------------------------------
# Registers
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "count"), [("naruto", 140), ("monopolys", 89)])
def test_the_register_has_every_rule_of_its_document(edition: str, count: int) -> None:
    expected = [
        f"{edition}:{chapter}.{n}" for chapter, last in CHAPTERS[edition].items() for n in range(1, last + 1)
    ]
    assert len(expected) == count
    assert [rule["id"] for rule in rules(edition)] == expected


@every_edition
def test_every_rule_has_the_fields_of_the_register(edition: str) -> None:
    for rule in rules(edition):
        fields = [field for field in rule if field not in {"rests_on", "cases"}]
        assert fields == ["id", "title", "requires", "category", "actions", "decision", "fr"], rule["id"]
        assert rule.get("rests_on") != [], f"{rule['id']} rests on nothing: leave it out"
        assert rule["actions"], rule["id"]
        assert rule["requires"].endswith("."), rule["id"]
        assert list(rule["fr"]) == ["title", "requires", *(["decision"] if rule["decision"] else [])], rule["id"]


@every_edition
def test_a_rule_says_the_same_in_both_languages(edition: str) -> None:
    for en in rules(edition):
        fr = {"decision": "", **en["fr"]}
        for field in ("title", "requires", "decision"):
            assert numbers(fr[field]) == numbers(en[field]), (en["id"], field)
            assert bool(fr[field]) == bool(en[field]), (en["id"], field)
            assert re.search(r" [:;?!%»]|« ", fr[field]) is None, (en["id"], field)


@every_edition
def test_a_decision_names_settings_that_there_are(edition: str) -> None:
    """Where a table may choose otherwise, the decision of the rule says by which setting."""
    settings = set(Settings.__struct_fields__)
    for rule in rules(edition):
        for several in re.findall(r"\bsettings? ((?:[a-z_]+(?:, | and )?)+)", rule["decision"].lower()):
            for one in re.findall(r"[a-z]+_[a-z_]+", several):
                assert one in settings, (rule["id"], one)


@every_edition
def test_the_settings_of_an_edition_fit_the_engine(edition: str) -> None:
    settings = msgspec.convert(dict(EDITION[edition].settings), Settings)
    divisions = {one.id for one in EDITION[edition].pieces.divisions}
    assert settings.division is None or settings.division in divisions


@every_edition
def test_every_place_with_rules_of_its_own_is_on_the_board(edition: str) -> None:
    """Under `at` stand squares, kinds of squares, decks and divisions."""
    pieces = EDITION[edition].pieces
    kinds = {square.kind for square in pieces.squares}
    there = pieces.index.keys() | kinds | pieces.deck.keys() | {one.id for one in pieces.divisions}
    assert EDITION[edition].rules.at.keys() <= there


# ----------------------------------------------------------------------------------------------
# Pieces
# ----------------------------------------------------------------------------------------------


@every_edition
def test_the_pieces_of_an_edition_fit_together(edition: str) -> None:
    pieces = EDITION[edition].pieces
    assert len(pieces.index) == len(pieces.squares)
    assert set(pieces.members) == {group.id for group in pieces.groups}
    assert len(pieces.card) == len(pieces.cards)
    for square in pieces.squares:
        assert (square.kind == "card") == (square.deck in pieces.deck), square.id
        if square.kind == "street":
            assert len(square.rents) == 6, square.id
        elif square.id in pieces.titles:
            assert len(square.rents) == len(pieces.members[square.group]), square.id
        if square.id in pieces.titles:
            assert 2 * square.mortgage == square.price, square.id
    for deck in pieces.decks:
        faces = [card.face for card in pieces.cards_of(deck.id)]
        assert sorted(faces) == ([*range(1, deck.faces + 1)] if deck.faces else [0] * len(faces)), deck.id


@every_edition
def test_cards_lead_to_places_of_the_board_and_speak_both_languages(edition: str) -> None:
    pieces = EDITION[edition].pieces
    kinds = {square.kind for square in pieces.squares}
    for card in pieces.cards:
        assert isinstance(card.title, Phrase), card.id
        assert numbers(card.title.en) == numbers(card.title.fr), card.id
        for effect in card.effects:
            if isinstance(effect, effects.GoTo):
                assert effect.square in pieces.index, card.id
            if isinstance(effect, effects.GoToNearest):
                assert effect.of in kinds | pieces.members.keys(), card.id


@pytest.mark.rule("naruto:edition.2", "naruto:recruit.4", "naruto:recruit.1")
def test_naruto_has_the_deeds_of_the_classic_board() -> None:
    """Deed by deed, in the eight groups of shinobi; two of them have two, the others three, as the green one."""
    squares = NARUTO.squares
    assert {number: deed(squares[number]) for number in DEEDS} == DEEDS
    for group, places in GROUPS.items():
        assert NARUTO.members[group] == tuple(squares[number].id for number in places)
    assert Counter(one.kind for one in NARUTO.titles.values()) == {"street": 22, "station": 4, "utility": 2}


@pytest.mark.rule("naruto:edition.3", "naruto:edition.4", "naruto:edition.5", "naruto:edition.7")
def test_naruto_has_the_corners_stations_utilities_and_taxes_of_its_document() -> None:
    names = {number: NARUTO.squares[number].name for number in (0, 10, 20, 30, 5, 15, 25, 35, 12, 28, 4, 38)}
    assert names == {
        0: "Départ", 10: "Prison / Simple visite", 20: "Parc gratuit", 30: "Allez en prison",
        5: "Deidara", 15: "Kisame", 25: "Itachi", 35: "Pain", 12: "Obito", 28: "Kabuto",
        4: "Barbecue", 38: "Ramen Ichiraku",
    }  # fmt: skip
    stations, works = (list(NARUTO.of_kind(kind)) for kind in ("station", "utility"))
    assert [NARUTO.squares[one].rents for one in stations] == [(25, 50, 100, 200)] * 4
    assert [NARUTO.squares[one].rents for one in works] == [(4, 10)] * 2
    assert [NARUTO.squares[one].price for one in (*stations, *works)] == [200] * 4 + [150] * 2
    assert [NARUTO.squares[one].amount for one in (0, 4, 38)] == [200, 200, 100]


@pytest.mark.rule("naruto:edition.6", "naruto:setup.1")
def test_naruto_has_28_deeds_and_two_decks_of_16_cards() -> None:
    assert len(NARUTO.titles) == 28
    places = {deck: [n for n, one in enumerate(NARUTO.squares) if one.deck == deck] for deck in NARUTO.deck}
    assert places == {"mission": [7, 22, 36], "entrainement": [2, 17, 33]}
    assert {deck: len(list(NARUTO.cards_of(deck))) for deck in NARUTO.deck} == {"mission": 16, "entrainement": 16}


@pytest.mark.rule("naruto:edition.8", "naruto:setup.2")
def test_naruto_builds_onigiris_and_bowls_of_ramen() -> None:
    named, settings = NARUTO.named, msgspec.convert(dict(EDITION["naruto"].settings), Settings)
    assert (named.houses.en, named.hotels.fr) == ("onigiris", "bols de ramen")
    assert (settings.houses_stock, settings.hotels_stock, len(named.tokens)) == (32, 12, 6)


@pytest.mark.rule("monopolys:board.1")
def test_monopolys_has_the_map_of_its_authors() -> None:
    """Each square has one kind: comptoirs, ports, ambushes, sea, customs, the navy and the corners."""
    kinds = Counter(square.kind for square in MONOPOLYS.squares)
    assert kinds == {
        "street": 22, "station": 4, "utility": 2, "card": 6, "tax": 2, "start": 1, "jail": 1, "pot": 1,
        "go_to_jail": 1,
    }  # fmt: skip
    for group, places in GROUPS.items():
        assert MONOPOLYS.members[group] == tuple(MONOPOLYS.squares[number].id for number in places)
    corners = [MONOPOLYS.squares[number].name for number in (0, 10, 20, 30)]
    assert corners == ["Venys", "Shanghays (bagne / visite)", "Ystarys", "Marine Impériale"]


@pytest.mark.rule(
    "monopolys:rent.3", "monopolys:atelier.2", "monopolys:atelier.3", "monopolys:atelier.4", "monopolys:atelier.5"
)
def test_monopolys_has_a_hundred_times_the_classic_figures_but_for_one_rent() -> None:
    """An atelier costs 5 000 up to Frontyspys, 10 000 up to Ystarys, 15 000 up to the Yzlands, then 20 000."""
    expected = {number: tuple(100 * one for one in figures) for number, figures in DEEDS.items()}
    price, atelier, _, *rents = expected[YZLANDS]
    expected[YZLANDS] = (price, atelier, 2200, *rents)
    squares = MONOPOLYS.squares
    assert {number: deed(squares[number]) for number in DEEDS} == expected
    assert (squares[9].name, squares[YZLANDS].name) == ("Frontyspys", "Yzlands")
    at = EDITION["monopolys"].rules.at
    for number in DEEDS:
        rule = at.get(squares[number].id, {}).get("build_price", "monopolys:atelier.5")
        cost = squares[number].building_price
        assert str(cost) in numbers(REQUIRED[rule]), squares[number].name


@pytest.mark.rule("monopolys:port.5", "monopolys:guetapens.2", "monopolys:guetapens.3", "monopolys:douane.1")
def test_monopolys_has_the_ports_ambushes_and_customs_of_its_document() -> None:
    squares = MONOPOLYS.squares
    assert {one.rents for one in squares if one.kind == "station"} == {(2500, 5000, 10000, 20000)}
    assert {one.rents for one in squares if one.kind == "utility"} == {(400, 1000)}
    assert [number for number, one in enumerate(squares) if one.kind == "tax"] == [2, 38]
    assert {one.amount for one in squares if one.kind == "tax"} == {20000}


@pytest.mark.rule("monopolys:division.1", "monopolys:division.2", "monopolys:division.3")
def test_monopolys_has_three_divisions() -> None:
    told = [(one.name, one.level, one.seats, one.tax) for one in MONOPOLYS.divisions]
    assert told == [
        ("Route des Epyces", 1, 6, (0, 1)),
        ("Route de l'Absynthe", 2, 0, (1, 2)),
        ("Route de l'Opium", 3, 0, (2, 3)),
    ]


@pytest.mark.rule("own:setup.3")
def test_the_small_town_uses_every_kind_of_square_and_of_effect() -> None:
    kinds = {square.kind for square in OWN.squares}
    assert kinds == {
        "start", "street", "station", "utility", "card", "tax", "jail", "rest", "pot", "go_to_jail",
    }  # fmt: skip
    assert len(OWN.squares) % 4 == 0
    used = {type(effect) for card in OWN.cards for effect in card.effects}
    # The cards of the town stay as they are: stored games are played with them.
    later = {effects.SwapTokens, effects.ChooseOption, effects.DrawFrom, effects.TakeTitle, effects.BuyTitle}
    later |= {effects.GiveTitle, effects.SwapTitles, effects.LoseTitle, effects.AuctionTitle, effects.BuildOn}
    later |= {effects.LoseBuilding, effects.Move, effects.MissTurns, effects.ThrowAgain}
    assert used == set(effects.Effect.__args__) - later  # type: ignore[attr-defined]
    nearest = [one for card in OWN.cards for one in card.effects if isinstance(one, effects.GoToNearest)]
    assert {one.rent for one in nearest} == {"usual", "double", "thrown", "thrown_by_factor"}
