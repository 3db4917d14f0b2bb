"""The faces of games: whole on every board, their own where a game has one, the house's elsewhere."""

from typing import Any

import msgspec
import pytest

from ledger.kernel.rules.icons import ICONS
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.boards import drawn
from ledger.rulebooks.parts.face.faces import HOUSE, Face, board_face

HOUSE_LOOK = ("#3B4A58", "#26323C", "#0F4C81", "tiles", "note")


def face(**members: Any) -> Face:
    return msgspec.convert(members, Face)


@pytest.mark.parametrize(
    ("rulebook", "look"),
    [
        ("negopoly", ("#17473B", "#10332B", "#0F4C81", "guilloche", "note")),
        ("negoces2", ("#7A3A1D", "#4A220F", "#8A3B12", "weave", "coin")),
        ("monopoly_naruto", ("#23345E", "#18233F", "#9E2B14", "waves", "note")),
        ("monopolys", ("#5B4A2A", "#3A2E16", "#7A2E1B", "rhumb", "coin")),
        ("virtual_revolution", ("#141B33", "#0D1226", "#5B2A86", "grid", "chip")),
        ("monopoly", HOUSE_LOOK),
    ],
)
def test_each_board_has_the_face_of_its_game(rulebook: str, look: tuple[str, ...]) -> None:
    board = drawn(rulebooks_by_id()[rulebook], None, "en")
    assert board is not None
    served = board.face
    assert (served.cloth, served.counter, served.accent, served.weave, served.money.style) == look
    assert served.on_cloth == served.on_counter == "cream"


def test_what_a_face_names_is_in_its_game() -> None:
    """Cards, pieces and decks of a face are commodities and decks of the game, and their icons are drawn."""
    for name, rulebook in rulebooks_by_id().items():
        board = drawn(rulebook, None, "en")
        assert board is not None
        served = board.face
        words = {commodity.partition(":")[0] for commodity in rulebook.accounts.commodities(rulebook.blank())}
        seated = {"server", "influence", "director"} if name == "virtual_revolution" else set()
        named = {commodity.partition(":")[0] for commodity in (*served.pieces, *served.cards)}
        assert named - words - seated <= set(board_face("en").pieces), name
        assert {*served.pieces.values(), *(deck.icon for deck in served.decks.values())} <= ICONS


def test_texts_of_a_face_are_in_the_language_of_the_request() -> None:
    rulebook = rulebooks_by_id()["negopoly"]
    for language, word, stamp in (("en", "NegoDollar", "billed"), ("fr", "NégoDollar", "facturé")):
        board = drawn(rulebook, None, language)
        assert board is not None
        assert (board.face.mark, board.face.money.word, board.face.stamps) == (
            "Crédit Mabligop",
            word,
            {"paid": stamp},
        )


def test_a_member_left_out_is_that_of_the_next_face() -> None:
    """Two colours are enough; keys of pieces, decks and stamps are filled up one by one."""
    edition = face(cloth="#7A3A1D", pieces={"house": "rice"}, money={"style": "coin"})
    table = face(counter="#4a220f", pieces={"hotel": "bowl", "boat": "anchor"}, stamps={"sold": "gone"})
    served = board_face("fr", table, edition)
    assert (served.cloth, served.counter, served.accent) == ("#7A3A1D", "#4a220f", "#0F4C81")
    assert served.pieces == {"house": "rice", "hotel": "bowl", "boat": "anchor"}
    assert (served.money.style, served.money.denominations) == ("coin", (1, 5, 10, 20, 50, 100, 500))
    assert served.stamps == {"paid": "payé", "sold": "gone"}
    assert board_face("en", Face()) == board_face("en")


def test_an_unknown_weave_or_icon_is_the_house_s() -> None:
    served = board_face(
        "en",
        face(
            weave="paisley",
            pieces={"house": "igloo", "hotel": "bowl"},
            decks={"luck": {"back": "#7A1F2B", "icon": "clover"}},
            cards={"good:1": {"colour": "#6A0F2C", "icon": "beer"}},
        ),
    )
    assert served.weave == HOUSE.weave
    assert served.pieces == {"house": "house", "hotel": "bowl"}
    assert (served.decks["luck"].icon, served.cards["good:1"].icon) == ("card", "card")


def test_text_on_a_light_cloth_is_ink() -> None:
    assert board_face("en", face(cloth="#F2E8CF")).on_cloth == "ink"


@pytest.mark.parametrize(
    "members",
    [
        {"cloth": "red"},
        {"cloth": "#12345"},
        {"accent": "#0F4C81;"},
        {"font": "Papyrus"},
        {"cloth_image": "wood.png"},
        {"mark": "<b>Bank</b>"},
        {"mark": "https://example.org"},
        {"stamps": {"paid": "..\\paid"}},
        {"weave": "url(wood.png)"},
        {"decks": {"luck": {"back": "#7A1F2B", "icon": "../skull"}}},
        {"money": {"style": "picture"}},
    ],
)
def test_a_face_has_no_markup_path_address_or_font(members: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        face(**members)
