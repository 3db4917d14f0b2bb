"""The faces of games as data: the `face.toml` of a game's folder, or the `[face]` of an edition.

    cloth = "#17473B"              colours, all of them #RRGGBB
    counter = "#10332B"
    weave = "guilloche"
    mark = "Crédit Mabligop"       a text, or { en = "…", fr = "…" }

    [money]
    style = "note"
    denominations = [1, 5, 10]
    word = { en = ["₦", "NegoDollar"], fr = ["₦", "NégoDollar"] }

Everything is optional: what is left out comes from the next face, and at the end from the face of the house
(`face.toml` of this folder). An unknown weave or icon counts as left out. A face has names and colours only: its
texts have no character of markup, of paths or of addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.rules.face import (
    BoardFace,
    CardFace,
    DeckFace,
    DiceFace,
    MoneyFace,
    MoneyStyle,
    TextColour,
    Weave,
)
from ledger.kernel.rules.icons import ICONS, Icon
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.face.colours import CREAM, INK, contrast
from ledger.rulebooks.parts.forms import (
    COMMODITY_FORM,
    FACE_COLOUR_FORM,
    FACE_TEXT_FORM,
    GROUP_MARK_FORM,
    NAME_FORM,
)

Colour = Annotated[str, Meta(pattern=FACE_COLOUR_FORM)]
Text = Annotated[str, Meta(pattern=FACE_TEXT_FORM)]
Name = Annotated[str, Meta(pattern=NAME_FORM)]
"""The name of a weave or an icon, an unknown one as well."""
Commodity = Annotated[str, Meta(pattern=COMMODITY_FORM)]
"""A commodity, a deck, a kind of square, or the occasion of a stamp."""
Denomination = Annotated[int, Meta(ge=1, le=1_000_000_000)]
GroupMark = Annotated[str, Meta(pattern=GROUP_MARK_FORM)]
WEAVES: frozenset[str] = frozenset(get_args(Weave))
MOST_DENOMINATIONS = 12
SPARE_ICON: Icon = "card"
"""The icon of a deck or a card with an unknown icon."""

T = TypeVar("T")


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class InTwo(_Part, frozen=True, kw_only=True):
    """A text in two languages; without the French one, the English one stands in both."""

    en: Text
    fr: Text | UnsetType = UNSET


Words = Text | InTwo


class WordsOfMoney(_Part, frozen=True, kw_only=True):
    """The sign and the word of the money in each language."""

    en: tuple[Text, Text]
    fr: tuple[Text, Text] | UnsetType = UNSET


class Money(_Part, frozen=True, kw_only=True):
    """The drawing of money."""

    style: MoneyStyle | UnsetType = UNSET
    denominations: Annotated[tuple[Denomination, ...], Meta(min_length=1, max_length=100)] | UnsetType = UNSET
    word: WordsOfMoney | UnsetType = UNSET


class Dice(_Part, frozen=True, kw_only=True):
    """The colours of dice."""

    body: Colour | UnsetType = UNSET
    pip: Colour | UnsetType = UNSET


class Deck(_Part, frozen=True, kw_only=True):
    """The back of a deck."""

    back: Colour
    icon: Name | UnsetType = UNSET


class Card(_Part, frozen=True, kw_only=True):
    """The look of a card or a good."""

    colour: Colour
    icon: Name | UnsetType = UNSET
    number: Annotated[int, Meta(ge=0, le=999)] | UnsetType = UNSET


class Face(_Part, frozen=True, kw_only=True):
    """A face as a game or a table writes it.

    `squares` are the icons of squares, by kind; `groups` the marks of two characters beside the colours of groups.
    """

    cloth: Colour | UnsetType = UNSET
    counter: Colour | UnsetType = UNSET
    accent: Colour | UnsetType = UNSET
    weave: Name | UnsetType = UNSET
    mark: Words | UnsetType = UNSET
    money: Money | UnsetType = UNSET
    pieces: Annotated[dict[Commodity, Name], Meta(max_length=200)] | UnsetType = UNSET
    squares: Annotated[dict[Commodity, Name], Meta(max_length=50)] | UnsetType = UNSET
    groups: Annotated[dict[Commodity, Annotated[Text, Meta(max_length=2)]], Meta(max_length=100)] | UnsetType = (
        UNSET
    )
    dice: Dice | UnsetType = UNSET
    decks: Annotated[dict[Commodity, Deck], Meta(max_length=50)] | UnsetType = UNSET
    cards: Annotated[dict[Commodity, Card], Meta(max_length=100)] | UnsetType = UNSET
    stamps: Annotated[dict[Commodity, Words], Meta(max_length=20)] | UnsetType = UNSET


Faces = Sequence[Face | UnsetType]
"""Several faces; the first one with a member decides the member."""


def read(folder: Traversable) -> Face:
    """Read the `face.toml` of a folder; without the file, an empty face. Raises msgspec.ValidationError."""
    return msgspec.convert(reading.data(folder, "face.toml"), Face) if (folder / "face.toml").is_file() else Face()


HOUSE = read(files(__package__))
"""The face of the house: every member that a game may leave out."""


def board_face(language: str, *faces: Face | UnsetType) -> BoardFace:
    """Return the whole face of a game in "en" or "fr"; the first of the faces with a member decides it."""
    chain = [face for face in (*faces, HOUSE) if face is not UNSET]
    cloth, counter, accent = (_first(chain, name) for name in ("cloth", "counter", "accent"))
    moneys, dice = _parts(chain, "money"), _parts(chain, "dice")
    word: WordsOfMoney | UnsetType = _first(moneys, "word", UNSET)
    mark = _first(chain, "mark", UNSET)
    symbol, money = (UNSET, UNSET) if word is UNSET else _in_language(word, language)
    return BoardFace(
        cloth=cloth,
        counter=counter,
        accent=accent,
        on_cloth=text_on(cloth),
        on_counter=text_on(counter),
        weave=next(face.weave for face in chain if face.weave in WEAVES),  # type: ignore[misc]
        mark=UNSET if mark is UNSET else _words(mark, language),
        money=MoneyFace(
            style=_first(moneys, "style"),
            denominations=tuple(sorted(_first(moneys, "denominations"))),
            symbol=symbol,
            word=money,
        ),
        pieces=icons(chain, "pieces"),
        dice=DiceFace(body=_first(dice, "body"), pip=_first(dice, "pip")),
        decks={
            name: DeckFace(back=deck.back, icon=_drawable(deck.icon))
            for name, deck in _merged(chain, "decks").items()
        },
        cards={
            name: CardFace(colour=card.colour, icon=_drawable(card.icon), number=card.number)
            for name, card in _merged(chain, "cards").items()
        },
        stamps={name: _words(words, language) for name, words in _merged(chain, "stamps").items()},
    )


def text_on(ground: str) -> TextColour:
    """Return the colour of text with the higher contrast on a ground."""
    return "cream" if contrast(CREAM, ground) >= contrast(INK, ground) else "ink"


def marks(faces: Faces) -> dict[str, str]:
    """Return the marks of groups in several faces, by group; the first face decides."""
    return _merged(faces, "groups")


def icons(faces: Faces, member: str) -> dict[str, Icon]:
    """Return the known icons of a member of several faces, by key; the first face decides."""
    drawable: dict[str, Icon] = {}
    for named in reversed(_parts(faces, member)):
        drawable |= {key: name for key, name in named.items() if name in ICONS}
    return drawable


def _first(parts: list[Any], member: str, *spare: Any) -> Any:
    """Return the member of the first part with the member."""
    return next((value for part in parts if (value := getattr(part, member)) is not UNSET), *spare)


def _parts(faces: Faces, member: str) -> list[Any]:
    return [part for face in faces if face is not UNSET and (part := getattr(face, member)) is not UNSET]


def _merged(faces: Faces, member: str) -> dict[str, Any]:
    """Merge a member with keys; the first face decides each key."""
    return {key: value for part in reversed(_parts(faces, member)) for key, value in part.items()}


def _drawable(icon: str | UnsetType) -> Icon:
    return icon if icon in ICONS else SPARE_ICON  # type: ignore[return-value]


def _words(words: str | InTwo, language: str) -> str:
    return words if isinstance(words, str) else _in_language(words, language)


def _in_language(words: Any, language: str) -> Any:
    return words.fr if language == "fr" and words.fr is not UNSET else words.en
