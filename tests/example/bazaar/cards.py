"""The cards of the Bazaar: five goods, each with a card of every value (setup.2)."""

from __future__ import annotations

from importlib.resources import files

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.parts import reading


class Good(Phrase, frozen=True, kw_only=True):
    """A good with its names."""

    id: str


class Card(Phrase, frozen=True, kw_only=True):
    """A card with its names: a good and a value."""

    good: str
    value: int


VALUES = range(1, 9)
GOODS = reading.pieces(reading.data(files(__package__), "cards.toml")["good"], Good)
"""The goods, by id."""
CARDS = {
    f"{good.id}_{value}": Card(f"{good.en} {value}", f"{good.fr} {value}", good=good.id, value=value)
    for good in GOODS.values()
    for value in VALUES
}
"""The cards, by id."""
