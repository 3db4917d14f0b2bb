"""Bots: how a simulated player, or the banker, makes up its mind.

A bot knows what a seat may do from the choices that the actions offer. It tries them in an order of its own and
takes the first that is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from ledger.kernel.actions import Choice

BANKER = "banker"
"""Who acts for the house; also the name of the banker's strategy."""
RANDOM = "random"
"""The name of the strategy of a player who does anything."""


class Bot(Protocol):
    """How a simulated player, or the banker, makes up its mind."""

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        """The kinds of action to try, the most wanted first; those left out are not wanted now."""

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """The choices of one kind to try, the most wanted first; a bot may think of some that are not offered."""


class Whim:
    """A bot that does anything, with no preference at all."""

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        """Every kind, in any order."""
        return chance.sample(open_kinds, len(open_kinds))

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Every choice, in any order."""
        return chance.sample(offered, len(offered))


WHIM = Whim()
