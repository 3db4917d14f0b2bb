"""What people call the commodities of a game, and what a screen draws of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ledger.kernel.display import Icon
from ledger.kernel.wording import Phrase


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sign of a commodity, and where it stands beside an amount: "₦120", "120 ₦"."""

    sign: str
    en: Literal["before", "after"]
    fr: Literal["before", "after"]


class CommodityWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people call a commodity.

    `sort` says what sort of thing it is ("money", "title", "weapon"…). `group` is the group that it belongs to:
    one of the board's, or of `Rulebook.groups`. `name` and `plural` are left out where sentences call it the same.
    """

    sort: str
    name: Phrase | None = None
    plural: Phrase | None = None
    group: str | None = None
    icon: Icon | None = None
    symbol: Symbol | None = None
    card: str | None = None
    """The id by which actions name it, when it is a card."""
    text: Phrase | None = None
    """What is printed on the card."""


Glossary = Mapping[str, CommodityWords]
"""The words of commodities, by id."""
