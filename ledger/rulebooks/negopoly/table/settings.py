"""The settings of a game of Negopoly, as the rows of prices.toml name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ledger.rulebooks.negopoly.table.own_table import Board, Decks
from ledger.rulebooks.negopoly.table.pieces import SETTINGS

if TYPE_CHECKING:
    Settings = Any
else:

    def _type_of(row: dict[str, Any]) -> Any:
        """One of the choices where there are some, else anything of the kind of the default."""
        choices = tuple(row.get("choices", ()))
        return Literal[choices] if choices else type(row["default"])

    Settings = msgspec.defstruct(
        "Settings",
        [
            (
                name,
                Annotated[
                    _type_of(row),
                    Meta(
                        description=row["en"],
                        ge=row.get("minimum"),
                        le=row.get("maximum"),
                        extra_json_schema={"description_fr": row["fr"]},
                    ),
                ],
                row["default"],
            )
            for name, row in SETTINGS.items()
        ]
        + [("decks", Decks, None), ("board", Board, None)],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
"""The settings of a game: one field per row of prices.toml, with the register's defaults; own decks and board."""
