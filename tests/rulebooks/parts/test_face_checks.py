"""The checks of a face: every refusal with the measured number, and what passes is readable."""

import math
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.boards import drawn
from ledger.rulebooks.parts.face import checks
from ledger.rulebooks.parts.face.colours import contrast, difference
from ledger.rulebooks.parts.face.faces import board_face

GROUPS = {"hill": "#d98e4a", "dune": "#dc924e", "sea": "#3d7ea6"}


def reasons(**members: Any) -> list[tuple[str, str]]:
    return [(fault.place, fault.en) for fault in checks.faults(members, GROUPS)]


@pytest.mark.parametrize(
    ("members", "place", "reason"),
    [
        (
            {"counter": "#808080"},
            "/face/counter",
            "is 3.60 in cream and 4.41 in ink, and 4.5 is needed",
        ),
        ({"cloth": "#6E7F3A"}, "/face/cloth", "the contrast of #F0C15C on #6E7F3A is 2.62, and 3.0 is needed"),
        ({"accent": "#7FA8D0"}, "/face/accent", "the contrast of #7FA8D0 on #FFFDF7 is 2.45, and 4.5 is needed"),
        (
            {
                "cards": {
                    "good:1": {"colour": "#6A0F2C", "icon": "wine"},
                    "good:2": {"colour": "#70142F", "icon": "wine"},
                }
            },
            "/face/cards/good:2/colour",
            "the difference of the colours is 1.43, and 12 is needed beside an equal sign",
        ),
        (
            {"groups": {"hill": "Ab", "dune": "Ab", "sea": "Ab"}},
            "/face/groups/dune",
            "the difference of the colours is 1.14, and 8 is needed beside an equal sign",
        ),
        ({"money": {"denominations": [1, 5, 5]}}, "/face/money/denominations/2", "5 is there twice"),
        (
            {"money": {"denominations": list(range(1, 14))}},
            "/face/money/denominations",
            "at most 12 denominations, not 13",
        ),
    ],
)
def test_an_unfit_face_is_refused_with_the_measured_number(
    members: dict[str, Any], place: str, reason: str
) -> None:
    assert any(where == place and reason in words for where, words in reasons(**members)), reasons(**members)


def test_equal_colours_need_different_signs() -> None:
    """Two cards of one colour with two icons, two groups of one colour with two marks."""
    near = {"good:1": {"colour": "#6A0F2C", "icon": "wine"}, "good:2": {"colour": "#6A0F2C", "icon": "tea"}}
    assert reasons(cards=near, groups={"hill": "Hi", "dune": "Du"}) == []
    unknown = {name: {**card, "icon": f"{card['icon']}-leaf"} for name, card in near.items()}
    assert [place for place, _ in reasons(cards=unknown)] == ["/face/cards/good:2/colour"]


def test_a_face_that_is_not_there_has_no_faults() -> None:
    assert [*checks.faults(None, GROUPS), *checks.warnings(None)] == []


def test_an_unknown_weave_or_icon_is_a_warning() -> None:
    face = {"weave": "paisley", "pieces": {"house": "igloo", "hotel": "bowl"}, "squares": {"tax": "taxi"}}
    decks = {"luck": {"back": "#7A1F2B", "icon": "clover"}, "chance": {"back": "#7A1F2B"}}
    assert list(checks.faults({**face, "decks": decks}, {})) == []
    assert [warning.place for warning in checks.warnings({**face, "decks": decks})] == [
        "/face/weave",
        "/face/pieces/house",
        "/face/squares/tax",
        "/face/decks/luck/icon",
    ]


def test_the_faces_of_the_house_pass() -> None:
    """The faces of the games and of the house, their cards, and the marks of their groups."""
    for name, rulebook in rulebooks_by_id().items():
        board = drawn(rulebook, None, "en")
        assert board is not None
        served = board.face
        face = {
            "cloth": served.cloth,
            "counter": served.counter,
            "accent": served.accent,
            "money": {"denominations": served.money.denominations},
            "cards": {key: {"colour": card.colour, "icon": card.icon} for key, card in served.cards.items()},
            "groups": {group.id: group.mark for group in board.groups},
        }
        assert list(checks.faults(face, {group.id: group.colour for group in board.groups})) == [], name


def luminance(colour: str) -> float:
    """The relative luminance by WCAG 2.2."""
    parts = [number / 255 for number in bytes.fromhex(colour[1:])]
    red, green, blue = (((part + 0.055) / 1.055) ** 2.4 if part > 0.03928 else part / 12.92 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(first: str, second: str) -> float:
    light, dark = max(luminance(first), luminance(second)), min(luminance(first), luminance(second))
    return (light + 0.05) / (dark + 0.05)


def test_whatever_passes_is_readable() -> None:
    """Of 200 random faces those that pass have the contrasts; the others lack one of them."""
    chance, passed = Random(37), 0
    for number in range(200):
        ground = 256 if number % 2 else 110  # half of the cloths are dark, so that many pass
        cloth, counter, accent = (
            "#" + bytes(chance.randrange(limit) for _ in range(3)).hex().upper() for limit in (ground, 256, 130)
        )
        served = board_face("en", msgspec.convert({"cloth": cloth, "counter": counter}, checks.Face))
        texts = {"cream": "#FBF4E2", "ink": "#1B1A16"}
        readable = (
            ratio(texts[served.on_cloth], cloth) >= 4.5
            and ratio(texts[served.on_counter], counter) >= 4.5
            and ratio("#F0C15C", cloth) >= 3
            and ratio(accent, "#FFFDF7") >= 4.5
        )
        assert readable == (not reasons(cloth=cloth, counter=counter, accent=accent)), (cloth, counter, accent)
        passed += readable
    assert 40 <= passed <= 160


def test_known_differences_of_colours() -> None:
    """Black and white differ by 100; the three primaries by their differences in the literature of CIEDE2000."""
    assert difference("#000000", "#FFFFFF") == pytest.approx(100, abs=0.01)
    assert difference("#FF0000", "#00FF00") == pytest.approx(86.6, abs=0.1)
    assert difference("#FF0000", "#0000FF") == pytest.approx(52.9, abs=0.1)
    assert difference("#00FF00", "#0000FF") == pytest.approx(83.2, abs=0.1)
    assert difference("#123456", "#123456") == 0
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert math.isclose(difference("#6A0F2C", "#0F5F9E"), difference("#0F5F9E", "#6A0F2C"))
