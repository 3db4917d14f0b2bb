"""Simulation: the bots of simulated games, and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ledger.kernel.rules.bots import BANKER, RANDOM, WHIM, Bot


class Simulation(NamedTuple):
    """The bots of simulated games, and their tables."""

    strategies: Mapping[str, Bot] = {RANDOM: WHIM, BANKER: WHIM}
    """The bots, by name."""
    simulated_tables: Sequence[Mapping[str, Any]] = ({},)
    """The tables, in turn: the settings that differ from the defaults, and as `dice` the source of the dice
    ("service" by default).
    """
    draws: Sequence[str] = ()
    """The kinds of events with a `card` drawn."""
    idle: Sequence[str] = ()
    """The kinds of events after a draw that are no effect of the card."""
