"""Names for the commodities of a game, and the icons and symbols on a screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.icons import Icon


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sign of a commodity, and the position beside an amount: "₦120", "120 ₦"."""

    sign: str
    en: Literal["before", "after"]
    fr: Literal["before", "after"]


CardKind = Literal["receive", "pay", "move", "keep", "other"]
"""The effect on the player who draws a card: to receive, to pay, to move, to keep the card; or another one."""


class CardEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a card at a glance: "+₦100", "→ Prison". Its text is empty if no short form is known."""

    kind: CardKind
    text: Phrase
    icon: Icon


class CommodityWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words for a commodity.

    `sort` is the category of the commodity ("money", "title", "weapon"…). `group` is a group of the board or of
    `Accounts.groups`. `name` and `plural` are None if sentences supply the name.
    """

    sort: str
    name: Phrase | None = None
    plural: Phrase | None = None
    group: str | None = None
    icon: Icon | None = None
    symbol: Symbol | None = None
    card: str | None = None
    """The id in actions, for a card."""
    text: Phrase | None = None
    """The text printed on the card."""
    effect: CardEffect | None = None
    """The effect of a card at a glance; None for any further commodity, and for a card without effects."""
    price: int | None = None
    """The bank's usual price, in the game's money; None if there is none, or several."""
    promised: str | None = None
    """The commodity whose holder may promise this one without having it; empty for everybody, None for nobody."""
    tradable: bool = False
    """True if a seat may give it to another seat in a deal or a trade."""


Glossary = Mapping[str, CommodityWords]
"""The words of commodities, by id."""
