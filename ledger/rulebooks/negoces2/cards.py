"""The pieces of Négoces 2 as data: cards, coins and settings, read from cards.toml in the folder."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.parts import reading


class Card(msgspec.Struct, frozen=True):
    """A kind of card: the names, the commodity, the number of copies, and the number of a good."""

    commodity: str
    en: str
    fr: str
    copies: int
    number: int | None = None

    @property
    def phrase(self) -> Phrase:
        """The names."""
        return Phrase(self.en, self.fr)

    def in_language(self, language: str) -> str:
        """Return the name in a language."""
        return self.phrase.in_language(language)


_pieces = reading.data(files(__package__), "cards.toml")

CARDS = reading.pieces(_pieces["card"], Card, key="commodity")
"""Every kind of card by commodity; goods in the order of their numbers."""
GOODS: dict[int, str] = {card.number: card.commodity for card in CARDS.values() if card.number is not None}
"""The commodity of each good by number (setup.2)."""
CONTRABAND = "contraband"
COIN = "coin"
COINS: int = _pieces["coins"]["total"]
COINS_EACH: int = _pieces["coins"]["each"]
OPENING_BID: int = _pieces["auction"]["opening"]
RAISES: tuple[int, ...] = tuple(_pieces["auction"]["raises"])
VICTORY_COINS: int = _pieces["victory"]["coins"]
SETTINGS: dict[str, dict[str, str]] = _pieces["settings"]
