"""The findings of a verification."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """A deviation of a game from the service's form: the action's number (0 for the game), and the description.

    With `exempt` it is none: the action was decided under older rules, which were mended for it since.
    """

    game: str
    number: int
    what: str
    exempt: bool = False

    def __str__(self) -> str:
        where = f"game {self.game}, action {self.number}" if self.number else f"game {self.game}"
        return f"{where}: {self.what}"


def older_rules(number: int) -> str:
    """Count the exempt findings, as the end of a sentence; empty for none."""
    return f"; {number} {'entry' if number == 1 else 'entries'} decided under older rules" if number else ""
