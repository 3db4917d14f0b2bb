"""The settings of a game of Negopoly, named as in the rows of prices.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ledger.rulebooks.negopoly.table.own_table import Board, Decks
from ledger.rulebooks.negopoly.table.pieces import SETTINGS
from ledger.rulebooks.parts.opening import RevealAtEnd, setting_meta, settings_type

ClockWaits = Annotated[
    bool,
    setting_meta(
        {
            "en": "Whether the clock of each turn is stopped until the banker starts it: a turn lasts as long as "
            "it takes.",
            "fr": "Si l'horloge de chaque tour est arrêtée tant que le banquier ne la lance pas : un tour dure le "
            "temps qu'il faut.",
        }
    ),
]
"""The setting for slow games: each turn's clock waits for the banker (II.B.13, IV.A.3)."""

if TYPE_CHECKING:
    Settings = Any
else:
    Settings = settings_type(
        SETTINGS,
        [
            ("reveal_at_end", RevealAtEnd, True),
            ("clock_waits", ClockWaits, False),
            ("decks", Decks, None),
            ("board", Board, None),
        ],
    )
"""The settings of a game: one field per row of prices.toml, with the register's defaults, and four more fields.
"""
