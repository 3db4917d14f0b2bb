"""The shape of an edition that a table brings: the pieces of a game, a title, and options.

{"title": "Millbrook", "options": {"starting_cash": 1200},
 "named": {"symbol": "₥", "money": {"en": "mark", "fr": "mark"}, …},
 "squares": [{"id": "start", "name": "Market cross", "kind": "start", "amount": 200}, …],
 "groups": […], "decks": […], "cards": […]}
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from ledger.rulebooks.monopoly.table.pieces import Pieces


class OwnEdition(Pieces, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """An edition brought by a table. `options` are settings of the game different from the engine's."""

    title: Annotated[str, Meta(min_length=1, max_length=120)]
    options: dict[str, Any] = {}


PARTS: tuple[str, ...] = Pieces.__struct_fields__
"""The members of an edition used as pieces of a game."""
