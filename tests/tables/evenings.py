"""Evenings that bots play, at a table whose seats are called otherwise than the people on them.

Neither the names nor the seats are in the order of the alphabet.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.rulebook import Rulebook
from replays.simulation import Played, Series, opening_of, play

TABLE = (Seat("s4x", "Zoé"), Seat("s9x", "Mia"), Seat("s1x", "Bob"), Seat("s7x", "Ana"))


def evening(rulebook: Rulebook[Any], *, seed: int = 11, actions: int = 170) -> Played:
    """An evening of Zoé, Mia, Bob and Ana, who play at random at one of the simulated tables of the rulebook."""
    series = Series(rulebook=rulebook.id, games=1, players=4, seed=seed, strategies=("random",), tables="varied")
    opening = replace(opening_of(series, 3), players=TABLE)
    return play(rulebook, opening, seed=seed, actions=actions, name=f"evening-{rulebook.id}-{seed}")
