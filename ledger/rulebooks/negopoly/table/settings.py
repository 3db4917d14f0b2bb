"""The settings of a game of Negopoly, as the rows of prices.toml name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.rulebooks.negopoly.table.own_table import Board, Decks
from ledger.rulebooks.negopoly.table.pieces import SETTINGS
from ledger.rulebooks.parts.opening import RevealAtEnd, settings_type

if TYPE_CHECKING:
    Settings = Any
else:
    Settings = settings_type(
        SETTINGS, [("reveal_at_end", RevealAtEnd, True), ("decks", Decks, None), ("board", Board, None)]
    )
"""The settings of a game: one field per row of prices.toml, with the register's defaults, and three more."""
