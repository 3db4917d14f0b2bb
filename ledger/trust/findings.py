"""The findings of a verification."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """A deviation of a game from the service's form: the action's number (0 for the game), and the description."""

    game: str
    number: int
    what: str

    def __str__(self) -> str:
        where = f"game {self.game}, action {self.number}" if self.number else f"game {self.game}"
        return f"{where}: {self.what}"
