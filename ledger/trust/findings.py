"""What a verification finds."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """Something in a game that is not as the service writes it: the action's number (0 for the game), and what."""

    game: str
    number: int
    what: str

    def __str__(self) -> str:
        where = f"game {self.game}, action {self.number}" if self.number else f"game {self.game}"
        return f"{where}: {self.what}"
