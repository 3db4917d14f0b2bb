"""Bots: the choices of simulated players and of the simulated banker.

A bot reads the possible moves of a seat from the choices offered by the actions. The bot orders the choices by
preference, and the first legal choice is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from ledger.kernel.rules.actions import Choice

BANKER = "banker"
"""The name of the banker as an actor, and of the banker's strategy."""


RANDOM = "random"
"""The name of the strategy of random moves."""


class Bot(Protocol):
    """The strategy of a simulated player, or of the simulated banker."""

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        """Return the kinds of action to try, by preference; unwanted kinds are left out."""

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the choices of a kind to try, by preference; a bot may add choices not offered."""


class Whim:
    """A bot that makes random moves, without preference."""

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        """Return all kinds, in random order."""
        return chance.sample(open_kinds, len(open_kinds))

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return all choices, in random order."""
        return chance.sample(offered, len(offered))


WHIM = Whim()
