"""Bots: how a simulated player, or the simulated banker, chooses what to do.

A bot knows what a seat may do from the choices that the actions offer. It tries them in an order of its own and
takes the first that is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from ledger.kernel.actions import Choice

BANKER = "banker"
"""The banker, as one who acts; also the name of the banker's strategy."""
RANDOM = "random"
"""The name of the strategy that does anything at random."""


class Bot(Protocol):
    """How a simulated player, or the simulated banker, chooses what to do."""

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        """The kinds of action to try, the most wanted first; those left out are not wanted now."""

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """The choices of one kind to try, the most wanted first; a bot may think of some that are not offered."""


class Whim:
    """A bot that does anything at random, without preference."""

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        """Every kind, in any order."""
        return chance.sample(open_kinds, len(open_kinds))

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Every choice, in any order."""
        return chance.sample(offered, len(offered))


WHIM = Whim()
