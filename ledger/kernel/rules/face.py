"""The face of a game: the colours, icons and words that a screen draws the game with. Names and colours only.

A face is always whole: what a game leaves out comes from the face of the house.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.rules.icons import Icon

Weave = Literal["guilloche", "weave", "waves", "rhumb", "grid", "tiles", "planks", "clouds", "felt"]
"""The patterns of a cloth. A screen draws no pattern for an unknown name."""
MoneyStyle = Literal["note", "coin", "chip"]
"""The kinds of money that a screen draws."""
TextColour = Literal["cream", "ink"]
"""The two colours of text on cloth and counter: the light one and the dark one."""


class MoneyFace(msgspec.Struct, frozen=True, kw_only=True):
    """The drawing of money: notes, coins or chips, their amounts in ascending order, the sign and the word.

    Without a sign or a word, those of the names of the game stand.
    """

    style: MoneyStyle
    denominations: tuple[int, ...]
    symbol: str | UnsetType = UNSET
    word: str | UnsetType = UNSET


class DiceFace(msgspec.Struct, frozen=True, kw_only=True):
    """The two colours of dice, as #RRGGBB."""

    body: str
    pip: str


class DeckFace(msgspec.Struct, frozen=True, kw_only=True):
    """The back of a deck: its colour, as #RRGGBB, and its icon."""

    back: str
    icon: Icon


class CardFace(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a card or a good: the colour of icon and number, as #RRGGBB. Text on it stays in ink."""

    colour: str
    icon: Icon
    number: int | UnsetType = UNSET


class BoardFace(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a game. Colours are #RRGGBB; texts are in the language of the request.

    `cloth` is the table under the things in play, `counter` the bars of buttons, `accent` the colour of links and
    marks on paper. `on_cloth` and `on_counter` are the colours of text that read better there. `mark` is the name
    on slips. `pieces` are the icons of buildings and goods, by commodity or its part before a colon; `decks` the
    backs of decks, by the id of a pile; `cards` the looks of cards and goods, by commodity; `stamps` the words on
    stamps ("paid": "billed").
    """

    cloth: str
    counter: str
    accent: str
    on_cloth: TextColour
    on_counter: TextColour
    weave: Weave
    mark: str | UnsetType = UNSET
    money: MoneyFace
    pieces: dict[str, Icon]
    dice: DiceFace
    decks: dict[str, DeckFace]
    cards: dict[str, CardFace]
    stamps: dict[str, str]
