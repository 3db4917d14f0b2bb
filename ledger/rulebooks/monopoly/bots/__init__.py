"""The players, the banker and the tables of simulated games."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.kernel.rules.bots import BANKER, RANDOM, WHIM, Bot
from ledger.rulebooks.monopoly.bots.house import House
from ledger.rulebooks.monopoly.bots.players import BOLD, CAREFUL, Player
from ledger.rulebooks.monopoly.bots.tables import tables_for

STRATEGIES: Mapping[str, Bot] = {"bold": Player(BOLD), "careful": Player(CAREFUL), RANDOM: WHIM, BANKER: House()}
"""The strategies of simulated games, by name."""

__all__ = ["STRATEGIES", "tables_for"]
