"""Players of simulated games, with several strategies, and the banker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.kernel.rules.bots import BANKER, RANDOM, WHIM, Bot
from ledger.rulebooks.virtual_revolution.bots.house import House
from ledger.rulebooks.virtual_revolution.bots.players import BUILDER, CREATOR, RECRUITER, SCHEMER, Player

STRATEGIES: Mapping[str, Bot] = {
    "builder": Player(BUILDER),
    "recruiter": Player(RECRUITER),
    "creator": Player(CREATOR),
    "schemer": Player(SCHEMER),
    RANDOM: WHIM,
    BANKER: House(),
}
"""The strategies of simulated games, by name."""

TABLES: Sequence[Mapping[str, Any]] = (
    {},
    {"dice": "table"},
    {"answer_seconds": 60},
    {
        "missions_after_raids": False,
        "order_tie": "immunity",
        "victory_tie": "revenue",
        "raids_by_seating": True,
        "title_stays": False,
    },
    {
        "server_keeps_revenue": False,
        "server_keeps_tokens": False,
        "under_from_left": False,
        "slots_from_left": False,
        "revenue_most": 20,
    },
    {"banker_plays": "ana", "reveal_at_end": True},
)
"""The settings of the tables for simulated games."""
